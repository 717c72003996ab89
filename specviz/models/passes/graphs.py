"""Passes recorded once and replayed, because on a GPU launching a small pass costs more than computing it.

A recording is tied to its shapes and addresses. So tokens and positions go into fixed tensors, one set for each number
of tokens. Keys and values go into one fixed set of slots; every pass attends to all of them through a mask. A draft is
recorded as a whole: its tokens are drawn on the device, and the host waits once, at the end.
"""

import weakref
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from threading import Lock
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.models.hf import HFModel, cache_argument
from specviz.models.passes.int8 import int8
from specviz.ruler import invert_on_device
from specviz.trim import KVCache

WIDEST = 22
"""Tokens of the widest recorded pass: the pending one and 20 guesses, one token owed."""
MOST = 48
"""Recordings that are kept: passes by width, drafts by length and `to_q`. The least recently used one is dropped."""
Recorder = Callable[[Callable[[], Tensor]], tuple[Callable[[], object], Tensor]]
"""Runs some work once and returns what runs it again, over the same tensors, and where its result will stand."""


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


class _RecordedWork:
    """Recorded work over fixed tensors. Fill in `inputs` before each replay."""

    def __init__(
        self, inputs: Sequence[Tensor], work: Callable[..., Tensor], device: torch.device, record: Recorder
    ) -> None:
        self._inputs = [each.to(device) for each in inputs]
        self._work, self._record = work, record
        self._recorded: tuple[Callable[[], object], Tensor] | None = None

    def __call__(self, *inputs: Tensor) -> Tensor:
        """The result, in place: the next call overwrites it."""
        for held, new in zip(self._inputs, inputs, strict=True):
            held.copy_(new, non_blocking=True)
        if self._recorded is None:  # not earlier, because recording runs the work and writes slots
            self._recorded = self._record(lambda: self._work(*self._inputs))
        replay, result = self._recorded
        replay()
        return result


class GraphedModel(HFModel):
    """Replays passes of up to WIDEST tokens over the one cache it lends, and whole drafts of a few tokens, which are
    drawn on the device; everything else goes the eager way."""

    unsplit = "this target's passes are recorded whole"

    def __init__(self, model: PreTrainedModel, capacity: int, record: Recorder = cuda_recorder) -> None:
        super().__init__(model)
        self._fixed = super().new_cache(capacity)
        self._columns = torch.arange(capacity, device=model.device)
        self._record = record
        self._recordings: dict[Hashable, _RecordedWork] = {}
        self._lent: Callable[[], KVCache | None] = lambda: None
        self._lending = Lock()

    def _rounded(self) -> HFModel:
        return GraphedModel(int8(self.model), self._fixed.capacity, self._record)

    def new_cache(self, capacity: int) -> KVCache:
        """The fixed slots if they are free and large enough, else new slots."""
        with self._lending:
            if self._lent() is not None or capacity > self._fixed.capacity:
                return super().new_cache(capacity)
            lent = self._fixed.shared(capacity)
            self._lent = weakref.ref(lent)
            return lent

    @torch.inference_mode()
    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        width, before = len(tokens), cache.length
        if width > WIDEST or cache is not self._lent():
            return super().forward(tokens, positions, mask, cache)
        cache.room(width)
        inputs = [torch.tensor([*tokens, *positions, before])]
        if mask is not None:
            seen = torch.zeros(width, self._fixed.capacity, dtype=torch.bool)
            seen[:, : before + width] = mask
            inputs.append(seen)
        logits = self._recording((width, mask is not None), inputs, self._pass)(*inputs)
        cache.advance(width)
        return logits.clone()

    def blocks(self, cache: KVCache) -> bool:
        return cache is self._lent()

    @torch.inference_mode()
    def block(self, token: int, us: Sequence[float], to_q: Callable[[Tensor], Tensor], cache: KVCache) -> Tensor:
        cache.room(len(us))
        inputs = [torch.tensor([token, cache.length]), torch.tensor(us, dtype=torch.float64)]
        drawn = self._recording((len(us), to_q), inputs, partial(self._draw, to_q))(*inputs)
        cache.advance(len(us))
        return drawn.clone()

    def _recording(self, name: Hashable, inputs: Sequence[Tensor], work: Callable[..., Tensor]) -> _RecordedWork:
        found = self._recordings.pop(name, None) or _RecordedWork(inputs, work, self.model.device, self._record)
        self._recordings[name] = found
        if len(self._recordings) > MOST:
            del self._recordings[next(iter(self._recordings))]
        return found

    def _pass(self, inputs: Tensor, seen: Tensor | None = None) -> Tensor:
        width = len(inputs) // 2
        places = inputs[-1] + self._columns[:width]
        seen = self._columns <= places[:, None] if seen is None else seen
        return _read(self.model, self._fixed.slots, inputs[:width], inputs[width:-1], places, seen)

    def _draw(self, to_q: Callable[[Tensor], Tensor], inputs: Tensor, us: Tensor) -> Tensor:
        token, place = inputs.split(1)
        drawn = []
        for u in us.split(1):
            q = to_q(_read(self.model, self._fixed.slots, token, place, place, self._columns <= place[:, None]))
            token, place = invert_on_device(q, u)[0], place + 1
            drawn.append(torch.cat([q[0], token]))
        return torch.stack(drawn)
