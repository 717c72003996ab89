"""The Llama family's forward pass in few steps: fused projections, norms folded into them, one rotation.

In small models, or on slow machines, the steps between the matrix products cost as much as the products. So this pass
has few of them. TorchScript runs them without Python in between, and needs no compiler. The logits equal those of
transformers' own forward pass up to rounding.
"""

import copy
import statistics
import sys
import threading
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.config import Clock
from specviz.models.hf import HFModel, use_threads
from specviz.models.passes.int8 import int8
from specviz.models.passes.lean_body import Body, unit
from specviz.models.passes.packed import LAPS, pack, ways_of
from specviz.models.passes.picked import Picked
from specviz.models.passes.single_row import SinglePass
from specviz.trim import KVCache
from specviz.verify import Scores

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
ROTATIONS = ("default", "linear", "llama3", "yarn")
SCRIPTED = sys.version_info < (3, 14)
"""Whether TorchScript runs on this Python."""
BEHIND = 64
SETTLED = 3
"""Passes after which TorchScript has settled on a program."""
FEW = 3
"""Rows that may go one after the other, should that be faster. After a full round a draft model reads two, and a level
of a tree is often no wider.
"""


def missing(model: PreTrainedModel) -> str:
    """Why a model cannot be run this way; "" if it can."""
    config = model.config
    if config.model_type not in FAMILIES:
        return f"{config.model_type} is not one of {', '.join(FAMILIES)}"
    rotation = config.rope_parameters.get("rope_type", "default")
    if rotation not in ROTATIONS:
        return f"its {rotation} rotation changes with the length of the text"
    if "sliding_attention" in (getattr(config, "layer_types", None) or ()) or _window(config):
        return "some of its layers see only a window of the text"
    return ""


def _window(config: Any) -> bool:
    """The sliding window. Mistral's is always on; Qwen2's counts only where layer_types says so."""
    return config.model_type == "mistral" and bool(config.sliding_window)


class LeanModel(HFModel):
    """A LanguageModel made from a transformers model of the Llama family. It copies the weights and drops the model."""

    @torch.inference_mode()
    def __init__(self, model: PreTrainedModel, clock: Clock, *, packed: bool, picked: Picked | None = None) -> None:
        """picked: how a few rows are computed; timed if None."""
        super().__init__(model)
        del self.model
        self._dtype = model.dtype
        self._body = body = Body(model)
        if packed:
            pack(body, clock, turned=True, ways=picked.ways if picked else None)
        ways = ways_of(body)
        self._whole = _Passes(body)
        self._split_passes: dict[int, tuple[_Passes, Any]] = {}
        self._parting = threading.Lock()
        if picked is None:
            self._choose(clock)
        else:
            self._singly = min(picked.singly, FEW)
        if not self._singly:
            self._whole.single = None
        self.way = replace(self.way, picked=str(Picked(self._singly, ways)))

    def _rounded(self) -> HFModel:
        rough = copy.copy(self)
        rounded = int8(self._body)
        assert isinstance(rounded, Body)
        rough._body, rough._split_passes = rounded, {}
        rough._whole, rough._singly = _Passes(rounded, singly=False), 0
        return rough

    def new_cache(self, capacity: int) -> KVCache:
        return KVCache(self.layers, self._heads, capacity, self._dim, self._dtype)

    @torch.inference_mode()
    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Tensor | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """See OpenModel. Few rows are never computed one after the other here."""
        logits, states = self._whole.together(*self._prepared(tokens, positions, mask, cache), keep=True)
        cache.advance(len(tokens))
        states[-1] = unit(states[-1], self._body.eps) * self._body.norm  # as transformers shows the last one
        return Scores(logits, {layer: states[layer] for layer in hidden})

    @torch.inference_mode()
    def embedded(self, tokens: Sequence[int]) -> Tensor:
        return functional.embedding(torch.tensor(list(tokens)), self._body.embedding)

    @torch.inference_mode()
    def spoken(self, hidden: Tensor) -> Tensor:
        """See HeadedModel. The output layer has the final norm's weights in it, so they are taken out before."""
        use_threads(self.way.threads)
        logits: Tensor = self._body.head(hidden / self._body.norm)
        return logits

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        return self._rows(self._whole, tokens, positions, mask, cache)

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        return self._rows(self._split(layers)[0], tokens, positions, mask, cache)

    @torch.inference_mode()
    def read_off(self, hidden: Tensor) -> Tensor:
        use_threads(self.way.threads)
        logits: Tensor = self._body.head(unit(hidden, self._body.eps))
        return logits

    @torch.inference_mode()
    def resume(
        self, layers: int, hidden: Tensor, positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        """See SplitModel."""
        n, before = len(hidden), cache.length
        use_threads(self.way.threads)
        run, slots = self._split(layers)[1], cache.room(n)[layers:]
        logits: Tensor = run([], hidden, list(positions), self._seen(mask, n, before), slots, before)[0]
        cache.advance(n)
        return logits

    def _split(self, layers: int) -> tuple["_Passes", Any]:
        """The passes through the first layers, and the one through the others. Made when first wanted."""
        with self._parting:
            if layers not in self._split_passes:
                parts = self._body.part(None, layers), self._body.part(layers, None)
                first, rest = _Passes(parts[0], singly=self._singly > 0), _scripted(parts[1])
                slots, seen = self.new_cache(2).room(2), self._seen(None, 2, 0)
                for _ in range(SETTLED):
                    hidden, _ = first.together([0, 0], None, [0, 1], seen, slots[:layers], 0)
                    rest([], hidden, [0, 1], seen, slots[layers:], 0)
                self._split_passes[layers] = first, rest
            return self._split_passes[layers]

    def _rows(
        self, run: "_Passes", tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        n, before = len(tokens), cache.length
        ahead = n > 1 and mask is not None and bool(mask.triu(before + 1).any())  # a row sees one that comes after it
        if run.single is None or n > self._singly or ahead:
            return self._together(run, tokens, positions, mask, cache)
        known, added = cache.room(n).numpy(), None if mask is None else self._added(mask).numpy()
        rows = []
        for row, (token, position) in enumerate(zip(tokens, positions, strict=True)):
            end = before + 1 + row
            seen = None if added is None else added[row, :end]
            rows.append(run.single(token, position, known[..., :end, :], seen))
        cache.advance(n)
        return torch.from_numpy(rows[0][None] if n == 1 else np.stack(rows))

    @torch.inference_mode()
    def _together(
        self, run: "_Passes", tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        rows: Tensor = run.together(*self._prepared(tokens, positions, mask, cache))[0]
        cache.advance(len(tokens))
        return rows

    def _prepared(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> tuple[list[int], None, list[int], Tensor | None, Tensor, int]:
        """What the body takes."""
        n, before = len(tokens), cache.length
        slots = cache.room(n)
        use_threads(self.way.threads)
        return list(tokens), None, list(positions), self._seen(mask, n, before), slots, before

    def _seen(self, mask: Tensor | None, n: int, before: int) -> Tensor | None:
        """What is added to the attention scores of n rows; None for one row that sees everything."""
        if mask is not None:
            return self._added(mask)
        return torch.full((n, before + n), -torch.inf, dtype=self._dtype).triu_(before + 1) if n > 1 else None

    def _added(self, mask: Tensor) -> Tensor:
        """What a mask adds to the attention scores."""
        return torch.zeros(mask.shape, dtype=self._dtype).masked_fill_(~mask, -torch.inf)

    def _choose(self, clock: Clock) -> None:
        """Times a few rows one after the other and together, and chooses the faster way."""
        self._singly = 0
        behind = max(0, min(BEHIND, self.context - FEW))
        cache = self.new_cache(behind + FEW)
        if behind:
            self.forward([0] * behind, range(behind), None, cache)
        for n in range(1, FEW + 1):
            seconds: dict[int, list[float]] = {self._singly: [], n: []}
            for _ in range(LAPS):
                for singly, taken in seconds.items():
                    self._singly = singly
                    cache.truncate(behind)
                    start = clock()
                    self.forward([0] * n, range(behind, behind + n), None, cache)
                    taken.append(clock() - start)
            self._singly = min(seconds, key=lambda singly: statistics.median(seconds[singly]))
            if self._singly < n:
                break


class _Passes:
    """A body's pass over rows together, and over one alone. single: None if that is never used."""

    def __init__(self, body: Body, *, singly: bool = True) -> None:
        self.together = _scripted(body)
        self.single: SinglePass | None = SinglePass(body) if singly else None


def _scripted(body: nn.Module) -> Any:
    """The same as one TorchScript program where this Python has TorchScript. Its successor needs a compiler."""
    if not SCRIPTED:
        return body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return torch.jit.script(body)
