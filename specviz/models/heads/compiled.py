"""Trained heads by the compiled pass: EAGLE's and a layer for multi-token prediction as a model of one layer, DFlash's
as one of a few, Medusa's and Hydra's as products.

What makes them none is done here, in NumPy: what they read is normed and put side by side, blanks form a block, and
the words that they may guess are some of the target's. No product is left to NumPy: the threads of its BLAS continue
turning for a while, and the pass after takes half as long again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from torch import nn

from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.medusa import Medusa
from specviz.models.heads.mtp import Mtp
from specviz.models.passes.llama import Llama, PanelCache
from specviz.models.weights import Held
from specviz.sampling.arrays import Bools, Reals

NAMES = {
    "self_attn.q_proj": "q_proj",
    "self_attn.k_proj": "k_proj",
    "self_attn.v_proj": "v_proj",
    "self_attn.o_proj": "o_proj",
    "mlp.gate_proj": "gate_proj",
    "mlp.up_proj": "up_proj",
    "mlp.down_proj": "down_proj",
    "input_layernorm": "input_norm",
    "post_attention_layernorm": "mlp_norm",
}


def _model(
    shape: Mapping[str, Any], norm: Reals, words: Reals, layers: Sequence[Mapping[str, Reals]] = (), **more: Any
) -> Llama:
    """A model of these layers. shape: width, heads, dim, wide, eps, theta. words: [V, width], those that it says."""
    config = {
        "model_type": "llama",
        "num_hidden_layers": len(layers),
        "hidden_size": shape["width"],
        "intermediate_size": shape["wide"],
        "num_attention_heads": shape["heads"],
        "head_dim": shape["dim"],
        "rms_norm_eps": shape["eps"],
        "rope_parameters": {"rope_type": "default", "rope_theta": shape["theta"]},
        "max_position_embeddings": 1,
        "vocab_size": len(words),
        "tie_word_embeddings": True,
    }
    tensors = {"model.norm.weight": Held(norm), "model.embed_tokens.weight": Held(words)}
    for number, weights in enumerate(layers):
        of = f"model.layers.{number}."
        tensors |= {f"{of}{name}.weight": Held(weights[f"{ours}.weight"]) for name, ours in NAMES.items()}
    return Llama(config, tensors, "a head", **more)


def _product(matrix: Reals) -> Callable[[Reals], Reals]:
    """[..., outputs] = x[..., inputs] @ matrix.T, by the output layer of a model without any other."""
    width = matrix.shape[1]
    shape = {"width": width, "heads": 1, "dim": 2, "wide": 1, "eps": 0.0, "theta": 1.0}
    return _model(shape, np.ones(width, np.float32), matrix).spoken


def _even(x: Reals, eps: float) -> Reals:
    """RMS norm without weights."""
    even: Reals = x / np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(eps))
    return even


def _weights(module: nn.Module) -> dict[str, Reals]:
    return {name: each.numpy() for name, each in module.state_dict().items()}


def _sizes(shape: EagleShape | DFlashShape) -> dict[str, Any]:
    return {name: getattr(shape, name) for name in ("width", "heads", "dim", "wide", "eps", "theta")}


class Compiled:
    """Has what `draft.imagining` asks of a head, which says and reads tokens by itself."""

    ours, depth = True, 1

    def __init__(self, module: Eagle | Mtp, target: Llama, ids: Sequence[int] | None = None) -> None:
        """ids: tokens that it may guess, whose output rows are their embedding's. None: the target's own layer."""
        self.shape, self.words, self._target = module.shape, self, target
        self._ids = None if ids is None else np.array(ids)
        weights = _weights(module)
        self._norms = np.concatenate([weights["token_norm.weight"], weights["state_norm.weight"]])
        self._norm, self._reads = weights["norm.weight"], isinstance(module, Eagle)
        self._joined = _product(weights["fuse.weight" if self._reads else "join.weight"])
        rows = target.embedded([0] if self._ids is None else self._ids.tolist())
        layer = {"input_norm.weight": np.ones(self.shape.width, np.float32), **weights}
        reads = 2 * self.shape.width if self._reads else None
        self._model = _model(_sizes(self.shape), self._norm, rows, [layer], reads=reads)
        self.slot_bytes = self._model.slot_bytes

    def new_cache(self, capacity: int) -> PanelCache:
        return self._model.new_cache(capacity)

    def embedded(self, tokens: Sequence[int]) -> Reals:
        """See HeadedModel."""
        return self._target.embedded(tokens)

    def spoken(self, hidden: Reals) -> Reals:
        """See HeadedModel; -inf for tokens that it may not guess."""
        if self._ids is None:
            return self._target.spoken(hidden)
        logits = np.full((*hidden.shape[:-1], self._target.vocab_size), -np.inf, np.float32)
        logits[..., self._ids] = self._model.spoken(hidden)
        return logits

    def fused(self, states: Reals) -> Reals:
        """[n, width] from the states of the layers that it reads, [n, layers, width]."""
        if not self._reads:
            return states[:, 0]
        return self._joined(_even(states, self.shape.eps).reshape(len(states), -1))

    def normed(self, states: Reals) -> Reals:
        """What the output layer reads of its states. Those of a layer for multi-token prediction are normed."""
        return _even(states, self.shape.eps) * self._norm if self._reads else states

    def __call__(
        self, embedded: Reals, state: Reals, positions: Sequence[int], mask: Bools | None, cache: PanelCache
    ) -> Reals:
        """See EaglePass; the mask is that of LanguageModel.forward."""
        n, end, eps = len(embedded), cache.room(len(embedded)), self.shape.eps
        own = np.tri(n, dtype=bool) if mask is None else mask
        seen = np.ones((n, end), dtype=bool)
        seen[:, end - own.shape[1] :] = own
        seen[:, 0] = False
        both = np.concatenate([_even(embedded, eps), _even(state, eps)], -1) * self._norms
        if self._reads:
            return self._model.stepped(state, positions, seen, cache, both)
        out: Reals = _even(self._model.stepped(self._joined(both), positions, seen, cache), eps) * self._norm
        return out


class CompiledHeads:
    """Medusa's or Hydra's: has what `draft.one_state` asks of them."""

    pending = True

    def __init__(self, module: Medusa, target: Llama) -> None:
        self.shape, self.words = module.shape, target
        weights = _weights(module)
        self._inner, self._outer = (
            [_product(weights[f"{part}.{head}.weight"]) for head in range(self.shape.heads)]
            for part in ("inner", "outer")
        )

    def __call__(self, head: int, states: Reals, given: Reals) -> Reals:
        """See Medusa.forward."""
        both = [_even(each, self.shape.eps).reshape(*each.shape[:-2], -1) for each in (states, given)]
        inside = self._inner[head](np.concatenate(both, -1))
        out: Reals = states[..., -1, :] + self._outer[head](inside / (1 + np.exp(-inside)))
        return out


class CompiledBlock:
    """DFlash's: has what `draft.dflash` asks of it."""

    def __init__(self, module: DFlash, target: Llama) -> None:
        self.shape, self.words = module.shape, target
        weights, depth = _weights(module), range(self.shape.depth)
        layers = [{name.removeprefix(f"layers.{at}."): each for name, each in weights.items()} for at in depth]
        self._norms = {name: weights[f"{name}.weight"] for name in ("fused_norm", "token_norm", "norm")}
        self._masks, self._fuse = weights["masks"], _product(weights["fuse.weight"])
        self._model = _model(_sizes(self.shape), self._norms["norm"], target.embedded([0]), layers)
        self._written = [_product(np.concatenate([each["k_proj.weight"], each["v_proj.weight"]])) for each in layers]
        self.slot_bytes = self._model.slot_bytes

    def new_cache(self, capacity: int) -> PanelCache:
        return self._model.new_cache(capacity)

    def remember(self, states: Reals, cache: PanelCache) -> None:
        """Writes keys and values of the text's next states, [n, layers, width], after the cache."""
        fused = self._fuse(_even(states, self.shape.eps).reshape(len(states), -1))
        fused = self._normed(fused, "fused_norm")
        both = np.stack([product(fused) for product in self._written])
        keys, values = np.split(both.reshape(*both.shape[:2], 2 * self.shape.heads, self.shape.dim), 2, 2)
        self._model.remember(keys, values, cache)

    def filled(self, last: int, cache: PanelCache) -> Reals:
        """See DFlashHead.filled."""
        block, length = self.shape.block, cache.length
        x = np.concatenate([self._normed(self.words.embedded([last]), "token_norm"), self._masks])
        all_of_it = np.ones((block, block), dtype=bool)
        out = self._model.stepped(x, range(length, length + block), all_of_it, cache)
        cache.truncate(length)
        return self.words.spoken(self._normed(out[1:], "norm"))

    def _normed(self, x: Reals, name: str) -> Reals:
        normed: Reals = _even(x, self.shape.eps) * self._norms[name]
        return normed
