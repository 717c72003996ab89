"""A KV cache of preallocated slots with a length pointer. To roll back, move the pointer."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self


class KVCache(ABC):
    """The first `length` of `capacity` slots are valid; the rest is scrap. Each model has slots of its own kind.

    reread: tokens that roll-backs have read once more, where a model's state cannot be cut.

    state_bytes: what its model keeps beside the slots, however long the text; 0 if nothing.

    A forward pass writes every layer's keys and values after `length`, then advances it once. Batch size is 1: one
    text per cache.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity, self.length, self.reread = capacity, 0, 0

    @property
    def state_bytes(self) -> int:
        return 0

    def room(self, n: int) -> int:
        """Where n slots after the valid ones end.

        Raises:
            ValueError: the cache is full.
        """
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
        """Keeps all slots before `base`, and after them only base + rows, in that order.

        O(1) if the rows are already in place (a chain); otherwise it copies len(rows) slots.

        Raises:
            ValueError: a row is out of range or repeated.
        """
        if list(rows) != list(range(len(rows))):
            if any(not 0 <= row < self.length - base for row in rows) or len(set(rows)) < len(rows):
                raise ValueError(f"rows {list(rows)} after {base}; wanted different ones below {self.length - base}")
            self._copy(base, [base + row for row in rows])
        self.truncate(base + len(rows))

    def first(self, layers: int) -> Self:
        """The same slots of the first layers alone, with its own length that begins as this one."""
        other = copy.copy(self)
        other._narrow(layers)
        return other

    @abstractmethod
    def _copy(self, base: int, slots: Sequence[int]) -> None:
        """Copies these slots, in their order, to the places from `base` on."""

    @abstractmethod
    def _narrow(self, layers: int) -> None:
        """Lets go of all layers but the first ones."""
