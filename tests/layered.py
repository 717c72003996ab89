"""A target of two layers that counts what each of them reads, and its early exit."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from specviz.draft.base import Resources
from specviz.draft.early_exit import EarlyExit
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.distribution import Sampling
from tests.tiny import Slots, TableModel


class Layered(TableModel):
    """A table of two layers. Each slot of both holds its token, and a hidden state is the last tokens that it saw."""

    width = 1
    unsplit = False

    def __init__(self, vocab_size: int, seed: int) -> None:
        super().__init__(vocab_size, seed, spread=0.8)
        self.early = TableModel(vocab_size, seed + 1, spread=0.8)
        self.ran: Counter[tuple[int, int, int]] = Counter()
        """How often each layer read a token at a position, since it was last cleared."""

    def new_cache(self, capacity: int) -> Slots:
        return Slots(2, 1, capacity, 1)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any) -> Floats:
        return self.resume(1, self.start(1, tokens, positions, mask, cache.first(1)), positions, mask, cache)

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any
    ) -> Floats:
        assert layers == len(cache.slots) == 1
        seen = self._write(0, tokens, positions, cache)
        before = cache.length - len(tokens)
        keys = [self._key(seen[: before + row + 1]) for row in range(len(tokens))]
        return np.array(keys, dtype=np.float64)[:, None]

    def resume(self, layers: int, hidden: Floats, positions: Sequence[int], mask: Bools | None, cache: Any) -> Floats:
        tokens = [int(key) % self.vocab_size for key in hidden[:, 0]]
        seen = self._write(1, tokens, positions, cache)
        assert cache.slots[0, 0, 0, : cache.length, 0].tolist() == seen, "both layers hold the same text"
        return np.stack([self.law(seen[: cache.length - len(tokens) + row + 1]) for row in range(len(tokens))])

    def read_off(self, hidden: Floats) -> Floats:
        keys = [int(key) for key in hidden[:, 0]]
        return np.stack([self.early.law([key // self.vocab_size - 1, key % self.vocab_size]) for key in keys])

    def _key(self, seen: Sequence[int]) -> float:
        before, last = ([-1, *seen])[-2:]
        return (before + 1) * self.vocab_size + last

    def _write(self, layer: int, tokens: Sequence[int], positions: Sequence[int], cache: Slots) -> list[int]:
        self.ran.update((layer, position, token) for position, token in zip(positions, tokens, strict=True))
        written = np.array(tokens, dtype=np.float64)[None, :, None]
        keys, _ = cache.write(layer, written, written)
        cache.advance(len(tokens))
        found: list[int] = keys[0, :, 0].astype(int).tolist()
        return found


def early(target: Layered, sampling: Sampling) -> EarlyExit:
    way_out: Any = lambda hidden: hidden  # noqa: E731
    return EarlyExit(target, 1, way_out, Resources(sampling, target.vocab_size, 64, target=target))
