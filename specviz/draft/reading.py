"""A draft that grows over a model: its guesses are read one level at a time, each behind its own branch."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from specviz.draft.growing import Growing, Node
from specviz.law.arrays import Bools, Reals
from specviz.law.tree import ROOT
from specviz.trim import KVCache


class Reading(Growing):
    """Grows over a model that reads its guesses: between rounds its cache holds a prefix of the text, nothing else."""

    _cache: KVCache

    @abstractmethod
    def _read_text(self) -> Reals:
        """logits[1, V] behind the text, after reading what of it the cache does not hold."""

    @abstractmethod
    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, parents: Sequence[int]
    ) -> Reals:
        """logits[n, V] behind guesses that are written behind the cache.

        Args:
            mask: see LanguageModel.forward. None for the one guess of a chain.
            parents: the slot of what each of them follows.
        """

    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Reals:
        """Behind the text, or behind some guesses of a level, each of which sees its own branch."""
        if places == [ROOT]:
            return self._read_text()
        length, start, n = len(self._text), self._cache.length, len(places)
        mask = np.zeros((n, start + n - length), dtype=bool)
        parents = []
        for number, place in enumerate(places):
            nodes[place].slot = start + number
            slots = _slots(nodes, place)
            mask[number, [slot - length for slot in slots]] = True
            parents.append(slots[1] if len(slots) > 1 else length - 1)
        tokens = [nodes[place].token for place in places]
        positions = [length + nodes[place].depth for place in places]
        return self._read(tokens, positions, mask if self.nodes else None, parents)


def _slots(nodes: Sequence[Node], place: int) -> list[int]:
    """The slot of that guess, then of the one it follows, and so on up to the text."""
    if place == ROOT:
        return []
    slot = nodes[place].slot
    assert slot is not None, "a level is read before the next"
    return [slot, *_slots(nodes, nodes[place].parent)]
