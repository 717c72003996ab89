"""Models whose positions are all turned again once the text is longer than it was in training (LongRoPE).

transformers drops its cache there and reads the text once more. So do we: a cache holds the text as it is read before
that border, and as it is read after it. A row's own position says which of the two it belongs to, so guesses change
nothing, and a rejected one that lay after the border leads back before it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from specviz.config.settings import ConfigError
from specviz.models import recurrent, tried
from specviz.models.border import TorchCache
from specviz.models.hf import HFModel
from specviz.sampling.arrays import Bools, Reals
from specviz.trim import KVCache
from specviz.verify import CHUNK, Scores


def model(inner: Any) -> HFModel:
    """transformers' model, in the class that reads it rightly."""
    config = inner.config.get_text_config()
    if recurrent.keeps_more(config):
        return recurrent.RecurrentModel(inner)
    border = tried.borders(config).get("original_max_position_embeddings")
    # Only these families of transformers read the text again; others keep what was turned before.
    if border and "prepare_inputs_for_generation" in vars(type(inner)):
        return BorderedModel(inner, border)
    return HFModel(inner)


class BorderedCache(KVCache):
    """The same slots twice: as they are read before the border, and after it, there as far as they were needed."""

    def __init__(self, before: TorchCache, behind: TorchCache) -> None:
        super().__init__(before.capacity)
        self.before, self.behind = before, behind
        self.tokens, self.positions = np.zeros((2, self.capacity), np.int64)
        self.seen: dict[int, Bools] = {}
        """For each token of a tree, by slot: the slots that it sees, from some place on and up to its own."""

    def truncate(self, length: int) -> None:
        super().truncate(length)
        for each in (self.before, self.behind):
            each.truncate(min(each.length, length))

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        new = range(base, base + len(slots))
        for held in (self.tokens, self.positions):
            held[base : base + len(slots)] = held[list(slots)]
        for slot in new:
            self.seen.pop(slot, None)
        self.before._copy(base, slots)
        if self.behind.length == self.length:
            self.behind._copy(base, slots)
        else:
            self.behind.truncate(min(self.behind.length, base))

    def first(self, layers: int) -> Self:
        raise ConfigError(
            "early exits cannot be taken where positions change with the text's length; choose another drafter"
        )

    def _narrow(self, layers: int) -> None:
        raise AssertionError("`first` refuses")


class BorderedModel(HFModel):
    """A LanguageModel that reads a text again where it passes the border."""

    unsplit = True

    def __init__(self, inner: Any, border: int) -> None:
        """border: the length up to which positions are turned as they were in training."""
        super().__init__(inner)
        self._border = border
        self.way = replace(self.way, border=border)

    def _rounded(self) -> HFModel:
        return BorderedModel(super()._rounded().model, self._border)

    def new_cache(self, capacity: int) -> Any:
        return BorderedCache(super().new_cache(capacity), super().new_cache(capacity + 1))

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        return self.opened(tokens, positions, mask, cache, ()).logits

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """See OpenModel."""
        assert isinstance(cache, BorderedCache), "it is given a cache that it made"
        start, end = cache.length, cache.room(len(tokens))
        cache.tokens[start:end], cache.positions[start:end] = tokens, positions
        for row, slot in enumerate(range(start, end)):
            cache.seen.pop(slot, None)
            if mask is not None:
                cache.seen[slot] = mask[row, : mask.shape[1] - (end - 1 - slot)]
        inside = [min(position, self._border - 1) for position in positions]
        found = super().opened(tokens, inside, mask, cache.before, hidden)
        cache.advance(len(tokens))
        behind = np.array(positions) >= self._border
        if not behind.any():
            return found
        while cache.behind.length < start:
            self._reread(cache, min(start, cache.behind.length + CHUNK))
        again = super().opened(tokens, positions, _mask(cache, start, end), cache.behind, hidden)
        return Scores(
            np.where(behind[:, None], again.logits, found.logits),
            {layer: np.where(behind[:, None], again.hidden[layer], found.hidden[layer]) for layer in hidden},
        )

    def _reread(self, cache: BorderedCache, end: int) -> None:
        """Reads slots that were read before the border as they are after it. One more token says that they are."""
        first = cache.behind.length
        mask = _mask(cache, first, end)
        if mask is not None:
            mask = np.pad(mask, ((0, 1), (0, 1)))
            mask[-1] = True
        tokens, positions = (held[first:end].tolist() for held in (cache.tokens, cache.positions))
        super().forward([*tokens, 0], [*positions, self._border], mask, cache.behind)
        cache.behind.truncate(end)


def _mask(cache: BorderedCache, first: int, end: int) -> Bools | None:
    """bool[end - first, end]: what these slots see of all slots up to theirs; None where each sees all before it."""
    slots = range(first, end)
    if not any(slot in cache.seen for slot in slots):
        return None
    found = np.tri(end - first, end, first, dtype=bool)
    for row, slot in enumerate(slots):
        if (seen := cache.seen.get(slot)) is not None:
            found[row, slot + 1 - len(seen) : slot + 1] = seen
    return found
