"""The border between NumPy and torch: where a model computes, what crosses, and slots on its device."""

import copy
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

import torch
from torch import Tensor

from specviz.config.settings import ConfigError
from specviz.sampling.arrays import Bools, Reals
from specviz.trim import KVCache

THREADS: int = torch.get_num_threads() if "OMP_NUM_THREADS" in os.environ else max(1, torch.get_num_threads() - 1)
"""A pass by torch takes all cores but one, or what OMP_NUM_THREADS says.

Its threads wait for each other in every layer, so one whose core is busy with the page holds up all: with a thread on
each of two cores and a browser on one of them, passes took 5 to 10 times as long as with one thread.
"""


class Place(NamedTuple):
    """Where a model computes, and in numbers of which type."""

    device: torch.device
    dtype: torch.dtype

    def tensor(self, array: Reals) -> Tensor:
        """The array there."""
        return torch.from_numpy(array).to(self.device, self.dtype)


CPU = Place(torch.device("cpu"), torch.float32)


def place_of(model: object) -> Place:
    """A model that does not say so computes on the CPU in float32."""
    found: Place = getattr(model, "place", CPU)
    return found


def crossed(tensor: Tensor) -> Reals:
    """In main memory as float32; float64 stays float64. On the CPU it may be the tensor's own memory."""
    array: Reals = tensor.to("cpu", torch.promote_types(tensor.dtype, torch.float32)).numpy()
    return array


@contextmanager
def computing() -> Iterator[None]:
    """Without gradients, and on that many threads as a pass takes."""
    use_threads(THREADS)
    with torch.inference_mode():
        yield


def use_threads(count: int) -> None:
    """Sets torch's number of threads for the calling thread; each thread has its own number."""
    if torch.get_num_threads() != count:
        torch.set_num_threads(count)


def widened(mask: Bools, slots: int) -> Tensor:
    """bool[n, slots] from a mask of the last slots: every row sees all slots before those."""
    seen = torch.ones(len(mask), slots, dtype=torch.bool)
    seen[:, slots - mask.shape[1] :] = torch.from_numpy(mask)
    return seen


class TorchCache(KVCache):
    """slots[layers, 2, heads, capacity, dim], on a model's device."""

    def __init__(self, layers: int, heads: int, capacity: int, dim: int, place: Place = CPU) -> None:
        super().__init__(capacity)
        self.slots = torch.zeros(layers, 2, heads, capacity, dim, device=place.device, dtype=place.dtype)

    def write(self, layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Puts k and v, [heads, n, dim], after the valid slots.

        Returns:
            All keys and all values, the new ones included, [heads, length + n, dim] each.

        Raises:
            ValueError: the cache is full.
            ConfigError: the model's layers do not all keep keys and values of one size.
        """
        end = self.room(k.shape[1])
        heads, _, dim = self.slots.shape[2:]
        if k.shape != v.shape or k.shape[0] not in (1, heads) or k.shape[2] != dim:
            raise ConfigError("sizes")
        self.slots[layer, 0, :, self.length : end] = k
        self.slots[layer, 1, :, self.length : end] = v
        return self.slots[layer, 0, :, :end], self.slots[layer, 1, :, :end]

    def shared(self, capacity: int) -> Self:
        """An empty cache over the first slots of this one. Only one of the two may be in use at a time."""
        shorter = copy.copy(self)
        shorter.slots = self.slots[..., :capacity, :]
        shorter.capacity, shorter.length = capacity, 0
        return shorter

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        picked = torch.tensor([*slots], device=self.slots.device)
        self.slots[:, :, :, base : base + len(slots)] = self.slots.index_select(3, picked)

    def _narrow(self, layers: int) -> None:
        self.slots = self.slots[:layers]


class UnevenCache(TorchCache):
    """Slots whose size depends on the layer, and may be one for keys and another for values.

    sizes: by layer, heads and numbers of keys and of values; None until a layer was written the first time. Caches of
    one model share the list, so that later ones are made whole.
    """

    def __init__(self, sizes: list[tuple[int, int, int, int] | None], capacity: int, place: Place = CPU) -> None:
        KVCache.__init__(self, capacity)
        self._sizes, self._place = sizes, place
        self.slots: Any = [size and self._made(size) for size in sizes]

    def write(self, layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """See TorchCache.write."""
        end, size = self.room(k.shape[1]), (k.shape[0], k.shape[2], v.shape[0], v.shape[2])
        if self._sizes[layer] is None:
            self._sizes[layer], self.slots[layer] = size, self._made(size)
        if self._sizes[layer] != size or k.shape[1] != v.shape[1]:
            raise ConfigError("sizes")
        keys, values = self.slots[layer]
        keys[:, self.length : end], values[:, self.length : end] = k, v
        return keys[:, :end], values[:, :end]

    def _made(self, size: tuple[int, int, int, int]) -> tuple[Tensor, Tensor]:
        device, dtype = self._place
        key_heads, keys, value_heads, values = size
        return (
            torch.zeros(key_heads, self.capacity, keys, device=device, dtype=dtype),
            torch.zeros(value_heads, self.capacity, values, device=device, dtype=dtype),
        )

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        for kept in (each for pair in self.slots if pair for each in pair):
            picked = torch.tensor([*slots], device=kept.device)
            kept[:, base : base + len(slots)] = kept.index_select(1, picked)

    def _narrow(self, layers: int) -> None:
        self._sizes, self.slots = self._sizes[:layers], self.slots[:layers]
