"""Passes recorded once and replayed: on a GPU the launches of a small pass cost more than its arithmetic.

A recording is tied to its shapes and addresses. So tokens, places and mask go into fixed tensors, one set for each
number of tokens, and keys and values into one fixed set of slots, all of which every pass attends to, masked.
"""

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.models.hf import HFModel
from specviz.trim import KVCache

WIDEST = 22
"""Tokens of the widest recorded pass: the pending one and 20 guesses, one token owed."""
Recorder = Callable[[Callable[[], Tensor]], tuple[Callable[[], object], Tensor]]
"""Runs some work once and returns what runs it again, over the same tensors, and where its result will stand."""


def cuda_recorder(work: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
    """A CUDA graph; three runs on a stream of its own come first, as PyTorch asks for."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = work()
    return graph.replay, out


class _Fixed(DynamicLayer):  # type: ignore[misc]
    """One layer of fixed slots: writes where `places` says, shows all of them."""

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


class _Pass:
    """A pass over so many tokens: the tensors it reads, and, once recorded, how to replay it."""

    def __init__(self, model: PreTrainedModel, slots: Tensor, width: int) -> None:
        device, capacity = model.device, slots.shape[3]
        self._model, self._slots = model, slots
        self.tokens = torch.zeros(1, width, dtype=torch.long, device=device)
        self.positions = torch.zeros(1, width, dtype=torch.long, device=device)
        self.places = torch.arange(width, device=device)
        self.mask = torch.zeros(1, 1, width, capacity, dtype=model.dtype, device=device)
        self.recorded: tuple[Callable[[], object], Tensor] | None = None

    def work(self) -> Tensor:
        """The pass itself: writes the slots at `places`, returns logits[width, V]."""
        out = self._model(
            input_ids=self.tokens,
            position_ids=self.positions,
            attention_mask=self.mask,
            past_key_values=Cache(layers=[_Fixed(layer, self.places) for layer in self._slots]),
            use_cache=True,
        )
        logits: Tensor = out.logits[0]
        return logits


class GraphedModel(HFModel):
    """Replays passes of up to WIDEST tokens over the one cache it lends; everything else goes the eager way."""

    def __init__(self, model: PreTrainedModel, capacity: int, record: Recorder = cuda_recorder) -> None:
        super().__init__(model)
        self._fixed = super().new_cache(capacity)
        self._record = record
        self._passes: dict[int, _Pass] = {}
        self._lent: Callable[[], KVCache | None] = lambda: None

    def new_cache(self, capacity: int) -> KVCache:
        """The fixed slots if nobody has them and they suffice, else slots of its own."""
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
        if width not in self._passes:
            self._passes[width] = _Pass(self.model, self._fixed.slots, width)
        held = self._passes[width]
        seen = torch.zeros(width, self._fixed.capacity, dtype=torch.bool)
        if mask is None:
            seen[:, : before + width] = torch.ones(width, before + width, dtype=torch.bool).tril(before)
        else:
            seen[:, : before + width] = mask
        held.tokens.copy_(torch.tensor([list(tokens)]))
        held.positions.copy_(torch.tensor([list(positions)]))
        held.places.copy_(torch.arange(before, before + width))
        held.mask.copy_(self._additive(seen))
        if held.recorded is None:  # not before: recording runs the pass, which writes where it is told to
            held.recorded = self._record(held.work)
        replay, logits = held.recorded
        replay()
        cache.advance(width)
        return logits.to("cpu", copy=True)  # the next replay writes here again
