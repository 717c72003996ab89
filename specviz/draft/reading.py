"""A draft that grows over a model: its guesses are read one level at a time, each behind its own branch."""

from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.draft.growing import Growing, Node
from specviz.tree import ROOT
from specviz.trim import KVCache


class Reading(Growing):
    """Grows over a model that reads its guesses: between rounds its cache holds a prefix of the text, nothing else."""

    _cache: KVCache

    @abstractmethod
    def _read_text(self) -> Tensor:
        """logits[1, V] behind the text, after reading what of it the cache does not hold."""

    @abstractmethod
    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, parents: Sequence[int]
    ) -> Tensor:
        """logits[n, V] behind guesses that are written behind the cache.

        Args:
            mask: see LanguageModel.forward. None for the one guess of a chain.
            parents: the slot of what each of them follows.
        """

    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Tensor:
        """Behind the text, or behind some guesses of a level, each of which sees its own branch."""
        if places == [ROOT]:
            return self._read_text()
        length, start, n = len(self._text), self._cache.length, len(places)
        mask = torch.zeros(n, start + n, dtype=torch.bool)
        mask[:, :length] = True
        parents = []
        for number, place in enumerate(places):
            nodes[place].slot = start + number
            at = place
            while at != ROOT:
                mask[number, nodes[at].slot] = True
                at = nodes[at].parent
            parent = nodes[place].parent
            slot = length - 1 if parent == ROOT else nodes[parent].slot
            assert slot is not None, "a level is read before the next"
            parents.append(slot)
        tokens = [nodes[place].token for place in places]
        positions = [length + nodes[place].depth for place in places]
        return self._read(tokens, positions, mask if self.nodes else None, parents)
