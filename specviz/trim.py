"""A KV cache of preallocated slots with a length pointer. To roll back, move the pointer."""

from collections.abc import Sequence

import torch
from torch import Tensor


class KVCache:
    """slots[layers, 2, heads, capacity, dim]. The first `length` slots are valid; the rest is scrap.

    A forward pass writes every layer's keys and values behind `length`, then
    advances it once. Batch size is 1: one text per cache.
    """

    def __init__(
        self, layers: int, heads: int, capacity: int, dim: int, dtype: torch.dtype, device: torch.device | str = "cpu"
    ) -> None:
        self.slots = torch.zeros(layers, 2, heads, capacity, dim, dtype=dtype, device=device)
        self.length = 0

    @property
    def capacity(self) -> int:
        return self.slots.shape[3]

    def write(self, layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Puts k and v, [heads, n, dim], behind the valid slots.

        Returns:
            All keys and all values, the new ones included, [heads, length + n, dim] each.

        Raises:
            ValueError: the cache is full.
        """
        end = self._end(k.shape[1])
        self.slots[layer, 0, :, self.length : end] = k
        self.slots[layer, 1, :, self.length : end] = v
        return self.slots[layer, 0, :, :end], self.slots[layer, 1, :, :end]

    def room(self, n: int) -> Tensor:
        """Every layer's keys and values, up to n slots behind the valid ones, as a view to write into.

        Raises:
            ValueError: the cache is full.
        """
        return self.slots[..., : self._end(n), :]

    def _end(self, n: int) -> int:
        end = self.length + n
        if end > self.capacity:
            raise ValueError(f"{end} slots needed, the cache has {self.capacity}")
        return end

    def advance(self, n: int) -> None:
        """Marks the n slots just written as valid, in every layer."""
        self.length += n

    def truncate(self, length: int) -> None:
        """Forgets everything from `length` on. O(1).

        Raises:
            ValueError: length is negative or longer than the cache.
        """
        if not 0 <= length <= self.length:
            raise ValueError(f"cannot truncate {self.length} slots to {length}")
        self.length = length

    def keep(self, base: int, rows: Sequence[int]) -> None:
        """Keeps all slots before `base`, and behind them only base + rows, in that order.

        O(1) if the rows are already in place (a chain); otherwise it copies len(rows) slots.

        Raises:
            ValueError: a row is out of range or repeated.
        """
        if list(rows) != list(range(len(rows))):
            if any(not 0 <= row < self.length - base for row in rows) or len(set(rows)) < len(rows):
                raise ValueError(f"rows {list(rows)} after {base}; wanted different ones below {self.length - base}")
            picked = torch.tensor([base + row for row in rows], device=self.slots.device)
            self.slots[:, :, :, base : base + len(rows)] = self.slots.index_select(3, picked)
        self.truncate(base + len(rows))

    def first(self, layers: int) -> "KVCache":
        """The same slots of the first layers alone, with a length of its own that begins as this one."""
        other = object.__new__(KVCache)
        other.slots = self.slots[:layers]
        other.length = self.length
        return other

    def shared(self, capacity: int) -> "KVCache":
        """An empty cache over the first slots of this one. Only one of the two may be in use at a time."""
        other = object.__new__(KVCache)
        other.slots = self.slots[..., :capacity, :]
        other.length = 0
        return other

    def clone(self) -> "KVCache":
        """An independent copy: changes to one do not reach the other."""
        twin = object.__new__(KVCache)
        twin.slots = self.slots.clone()
        twin.length = self.length
        return twin
