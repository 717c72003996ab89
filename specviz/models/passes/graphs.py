"""Passes recorded once and replayed, because on a GPU launching a small pass costs more than computing it.

A recording is tied to its shapes and addresses. So tokens and positions go into fixed tensors, one set for each number
of tokens. Keys and values go into one fixed set of slots; every pass attends to all of them through a mask. Its rows
cross to main memory once it is through.
"""

import weakref
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.config.settings import MOST_GAMMA
from specviz.models.border import TorchCache, computing, crossed, widened
from specviz.models.hf import HFModel, cache_argument
from specviz.models.passes.int8 import int8
from specviz.sampling.arrays import Bools, Reals
from specviz.trim import KVCache

WIDEST = MOST_GAMMA + 2
"""Tokens of the widest recorded pass: the pending one and as many guesses as a run may ask for, one token owed."""
Recorder = Callable[[Callable[[], Tensor]], tuple[Callable[[], object], Tensor]]
"""Runs some work once and returns what runs it again, over the same tensors, and where its result will be."""


def cuda_recorder(work: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
    """Records a CUDA graph, after three runs on a separate stream, as PyTorch requires."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):  # another thread may load a pair meanwhile
        out = work()
    return graph.replay, out


class _FixedLayer(DynamicLayer):  # type: ignore[misc]
    """One layer of fixed slots. It writes at `places` and shows all slots."""

    def __init__(self, slots: Tensor, places: Tensor) -> None:
        super().__init__()
        self._slots, self._places = slots, places
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        self._slots[0].index_copy_(1, self._places, key_states[0])
        self._slots[1].index_copy_(1, self._places, value_states[0])
        return self._slots[0][None], self._slots[1][None]

    def get_seq_length(self) -> int:
        return 0

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self._slots.shape[2], 0


def _read(
    model: PreTrainedModel, slots: Tensor, tokens: Tensor, positions: Tensor, places: Tensor, seen: Tensor
) -> Tensor:
    """A pass, logits[n, V]: tokens, positions and places are int64[n], seen is bool[n, capacity]."""
    mask = torch.zeros(seen.shape, dtype=model.dtype, device=seen.device)
    out = model(
        input_ids=tokens[None],
        position_ids=positions[None],
        attention_mask=mask.masked_fill_(~seen, torch.finfo(model.dtype).min)[None, None],
        use_cache=True,
        **cache_argument(model, Cache(layers=[_FixedLayer(layer, places) for layer in slots])),
    )
    logits: Tensor = out.logits[0]
    return logits


class _Recorded:
    """A recorded pass over fixed tensors."""

    def __init__(self, inputs: Sequence[Tensor], work: Callable[..., Tensor], record: Recorder) -> None:
        """inputs: as large as those of every replay, on the device. The work is run over them."""
        self._inputs = inputs
        self._replay, self._result = record(lambda: work(*inputs))

    def __call__(self, inputs: Sequence[Tensor]) -> Tensor:
        """The result, in place: the next call overwrites it."""
        for held, new in zip(self._inputs, inputs, strict=True):
            held.copy_(new, non_blocking=True)
        self._replay()
        return self._result


class GraphedModel(HFModel):
    """Replays passes of up to WIDEST tokens over the one cache it lends; everything else goes the eager way."""

    unsplit = True

    def __init__(self, model: PreTrainedModel, capacity: int, record: Recorder = cuda_recorder) -> None:
        super().__init__(model)
        self._fixed = super().new_cache(capacity)
        self._columns = torch.arange(capacity, device=model.device)
        self._record = record
        self._recordings: dict[tuple[int, bool], _Recorded] = {}
        self._lent: Callable[[], TorchCache | None] = lambda: None
        self._lending = Lock()

    def _rounded(self) -> HFModel:
        return GraphedModel(int8(self.model), self._fixed.capacity, self._record)

    def new_cache(self, capacity: int) -> TorchCache:
        """The fixed slots if they are free and large enough, else new slots."""
        with self._lending:
            if self._lent() is not None or capacity > self._fixed.capacity:
                return super().new_cache(capacity)
            lent = self._fixed.shared(capacity)
            self._lent = weakref.ref(lent)
            return lent

    @computing()
    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        width = len(tokens)
        if width > WIDEST or cache is not self._lent():
            return super().forward(tokens, positions, mask, cache)
        end = cache.room(width)
        inputs = [torch.tensor([*tokens, *positions, cache.length])]
        if mask is not None:
            seen = torch.zeros(width, self._fixed.capacity, dtype=torch.bool)
            seen[:, :end] = widened(mask, end)
            inputs.append(seen)
        kind = width, mask is not None
        if kind not in self._recordings:
            fixed = [each.to(self.place.device, copy=True) for each in inputs]
            self._recordings[kind] = _Recorded(fixed, self._pass, self._record)
        logits = self._recordings[kind](inputs)
        cache.advance(width)
        return crossed(logits.clone())

    def _pass(self, inputs: Tensor, seen: Tensor | None = None) -> Tensor:
        width = len(inputs) // 2
        places = inputs[-1] + self._columns[:width]
        seen = self._columns <= places[:, None] if seen is None else seen
        return _read(self.model, self._fixed.slots, inputs[:width], inputs[width:-1], places, seen)
