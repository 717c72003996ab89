"""The Llama family's forward pass in few steps: fused projections, norms folded into them, one rotation.

In small models, or on slow machines, the steps between the matrix products cost as much as the products. So this pass
has few of them. TorchScript runs them without Python in between, and needs no compiler. The logits equal those of
transformers' own forward pass up to rounding.
"""

import copy
import math
import statistics
import sys
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
from specviz.models.passes.packed import LAPS, pack, ways_of
from specviz.models.passes.picked import Picked
from specviz.models.passes.single_row import SinglePass
from specviz.trim import KVCache
from specviz.verify import Scores

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
ROTATIONS = ("default", "linear", "llama3", "yarn")
SCRIPTED = sys.version_info < (3, 14)
"""Whether TorchScript runs on this Python."""
LONG = 64
"""Rows from which on attention goes by torch's own, which keeps no scores; before, that one costs more."""
BEHIND = 64
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
        self._body = body = _Body(model)
        if packed:
            pack(body, clock, turned=True, ways=picked.ways if picked else None)
        ways = ways_of(body)
        self._single: SinglePass | None = SinglePass(body)
        self._pass = _scripted(body)
        if picked is None:
            self._choose(clock)
        else:
            self._singly = min(picked.singly, FEW)
        if not self._singly:
            self._single = None
        self.way = replace(self.way, picked=str(Picked(self._singly, ways)))

    def _rounded(self) -> HFModel:
        rough = copy.copy(self)
        rough._pass, rough._single = _scripted(int8(self._body)), None
        return rough

    def new_cache(self, capacity: int) -> KVCache:
        return KVCache(self._layers, self._heads, capacity, self._dim, self._dtype)

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Tensor | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """See OpenModel. Few rows are never computed one after the other here."""
        with torch.inference_mode():
            states = self._pass.states(*self._prepared(tokens, positions, mask, cache))
            cache.advance(len(tokens))
            last = states.pop()
            states.append(self._pass.normed(last))
            return Scores(self._pass.logits(last), {layer: states[layer] for layer in hidden})

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        n, before = len(tokens), cache.length
        ahead = n > 1 and mask is not None and bool(mask.triu(before + 1).any())  # a row sees one that comes after it
        if self._single is None or n > self._singly or ahead:
            return self._together(tokens, positions, mask, cache)
        known, added = cache.room(n).numpy(), None if mask is None else self._added(mask).numpy()
        rows = []
        for row, (token, position) in enumerate(zip(tokens, positions, strict=True)):
            end = before + 1 + row
            seen = None if added is None else added[row, :end]
            rows.append(self._single(token, position, known[..., :end, :], seen))
        cache.advance(n)
        return torch.from_numpy(rows[0][None] if n == 1 else np.stack(rows))

    @torch.inference_mode()
    def _together(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        logits: Tensor = self._pass(*self._prepared(tokens, positions, mask, cache))
        cache.advance(len(tokens))
        return logits

    def _prepared(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> tuple[list[int], list[int], Tensor | None, Tensor, int]:
        """What the body takes."""
        n, before = len(tokens), cache.length
        slots = cache.room(n)
        use_threads(self.way.threads)
        added = None
        if mask is not None:
            added = self._added(mask)
        elif n > 1:
            added = torch.full((n, before + n), -torch.inf, dtype=self._dtype).triu_(before + 1)
        return list(tokens), list(positions), added, slots, before

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


def _scripted(body: nn.Module) -> Any:
    """The same as one TorchScript program where this Python has TorchScript. Its successor needs a compiler."""
    if not SCRIPTED:
        return body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return torch.jit.script(body)


class _Body(nn.Module):
    """The whole model."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        config, inner = model.config, model.model
        places = torch.arange(config.max_position_embeddings)[None]
        cos, sin = inner.rotary_emb(torch.zeros(1, dtype=torch.float64), places)
        half = cos.shape[-1] // 2
        rotary = torch.complex(cos[0, :, None, :half], sin[0, :, None, :half])
        self.rotary = rotary.to(torch.complex128 if model.dtype == torch.float64 else torch.complex64)
        self.embedding = inner.embed_tokens.weight.detach().clone()  # a view would keep the whole file mapped
        self.layers = nn.ModuleList([_Layer(layer, config) for layer in inner.layers])
        self.eps = _eps(config.hidden_size, config.rms_norm_eps, model.dtype)
        self.norm = inner.norm.weight.detach() * math.sqrt(config.hidden_size)
        self.head = _linear([model.lm_head], inner.norm)
        self.shared: int = config.num_attention_heads // config.num_key_value_heads

    def forward(
        self, tokens: list[int], positions: list[int], added: Tensor | None, slots: Tensor, before: int
    ) -> Tensor:
        """logits[n, V].

        Args:
            added: [n, before + n], to the scores of attention; None for one row.
            slots: [layers, 2, heads, before + n, dim], the last n of which are written.
        """
        return self.logits(self.states(tokens, positions, added, slots, before)[-1])

    @torch.jit.export
    def states(
        self, tokens: list[int], positions: list[int], added: Tensor | None, slots: Tensor, before: int
    ) -> list[Tensor]:
        """The embedding and what each layer makes of it, all [n, width]."""
        rotary = self.rotary[torch.tensor(positions)]
        if added is not None and self.shared > 1:  # query heads that share a key head are extra rows
            added = added.repeat(self.shared, 1)
        states = [functional.embedding(torch.tensor(tokens), self.embedding)]
        fresh = slots[:, :, :, before:].flatten(1, 2).unbind()
        keys, values = slots[:, 0].transpose(2, 3).unbind(), slots[:, 1].unbind()
        for index, layer in enumerate(self.layers):
            states.append(layer(states[-1], rotary, added, fresh[index], keys[index], values[index]))
        return states

    @torch.jit.export
    def logits(self, x: Tensor) -> Tensor:
        """[n, V] from the last layer's [n, width]."""
        found: Tensor = self.head(_unit(x, self.eps))
        return found

    @torch.jit.export
    def normed(self, x: Tensor) -> Tensor:
        """The same behind the last norm, as transformers shows it."""
        normed: Tensor = _unit(x, self.eps) * self.norm
        return normed


def _unit(x: Tensor, eps: Tensor) -> Tensor:
    """RMS norm without its weights and the root of the width; the next layer's weights contain both."""
    return x / torch.hypot(torch.linalg.vector_norm(x, dim=-1, keepdim=True), eps)


def _eps(width: int, eps: float, dtype: torch.dtype) -> Tensor:
    """A norm's epsilon as `_unit` takes it."""
    return torch.tensor(math.sqrt(width * eps), dtype=dtype)


class _Layer(nn.Module):
    """One block: q, k and v as one linear layer, gate and up as one.

    The two numbers of a head that the rotation turns together are neighbours here, so one complex product turns them.
    Queries come out scaled for attention.
    """

    def __init__(self, layer: Any, config: Any) -> None:
        super().__init__()
        attention, mlp = layer.self_attn, layer.mlp
        self.heads: int = config.num_attention_heads
        self.kv_heads: int = config.num_key_value_heads
        self.dim: int = attention.head_dim
        dtype, root = attention.q_proj.weight.dtype, math.sqrt(self.dim)
        interleaved = torch.arange(self.dim).view(2, -1).t().flatten()
        order = torch.arange((self.heads + 2 * self.kv_heads) * self.dim).view(-1, self.dim)
        order[: -self.kv_heads] = order[: -self.kv_heads, interleaved]
        parts = [attention.q_proj, attention.k_proj, attention.v_proj]
        self.project = _linear(parts, layer.input_layernorm, order.flatten())
        self.mix = _linear([attention.o_proj])
        self.widen = _linear([mlp.gate_proj, mlp.up_proj], layer.post_attention_layernorm)
        self.narrow = _linear([mlp.down_proj])
        self.act = mlp.act_fn
        self.long: int = LONG  # TorchScript sees no globals
        self.eps = self.head_eps = _eps(config.hidden_size, config.rms_norm_eps, dtype)
        self.scale: Tensor | None = None
        if hasattr(attention, "q_norm"):  # Qwen3 normalizes each head's queries and keys
            self.head_eps = _eps(self.dim, attention.q_norm.variance_epsilon, dtype)
            queries, keys = attention.q_norm.weight, attention.k_norm.weight * root
            self.scale = torch.cat([queries.expand(self.heads, -1), keys.expand(self.kv_heads, -1)])[:, interleaved]
        else:
            for outputs in (self.project.weight, self.project.bias):
                if outputs is not None:
                    outputs[: self.heads * self.dim] /= root

    def forward(
        self, x: Tensor, rotary: Tensor, added: Tensor | None, fresh: Tensor, keys: Tensor, values: Tensor
    ) -> Tensor:
        """x[n, width] from x[n, width].

        Args:
            fresh: [2 * kv_heads, n, dim], where the keys and values of these n go.
            keys: [kv_heads, dim, slots], all of them, fresh ones included; values: [kv_heads, slots, dim].
        """
        n = x.shape[0]
        every = self.project(_unit(x, self.eps)).view(n, self.heads + 2 * self.kv_heads, self.dim)
        rotated = every[:, : -self.kv_heads]
        if self.scale is not None:
            rotated.copy_(_unit(rotated, self.head_eps) * self.scale)
        torch.view_as_complex(rotated.view(n, self.heads + self.kv_heads, self.dim // 2, 2)).mul_(rotary)
        every = every.transpose(0, 1)
        fresh.copy_(every[self.heads :])
        queries = every[: self.heads].reshape(self.kv_heads, -1, self.dim)
        if n >= self.long:
            seen = functional.scaled_dot_product_attention(queries, keys.mT, values, attn_mask=added, scale=1.0)
        else:
            scores = torch.bmm(queries, keys)
            seen = torch.bmm((scores if added is None else scores + added).softmax(-1), values)
        x = x + self.mix(seen.view(self.heads, n, self.dim).transpose(0, 1).reshape(n, -1))
        gate, up = self.widen(_unit(x, self.eps)).chunk(2, -1)
        fed: Tensor = x + self.narrow(self.act(gate) * up)
        return fed


def _linear(parts: Sequence[nn.Linear], norm: Any = None, order: Tensor | None = None) -> nn.Linear:
    """Joins linear layers that read the same input, reorders their outputs, and folds in the norm before them."""
    weight = torch.cat([part.weight for part in parts]).double()
    bias = None if parts[0].bias is None else torch.cat([part.bias for part in parts])
    if norm is not None:
        weight *= norm.weight.double() * math.sqrt(norm.weight.numel())
    if order is not None:
        weight, bias = weight[order], None if bias is None else bias[order]
    joined = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, device="meta")
    joined.weight = nn.Parameter(weight.to(parts[0].weight.dtype), requires_grad=False)
    joined.bias = None if bias is None else nn.Parameter(bias, requires_grad=False)
    return joined
