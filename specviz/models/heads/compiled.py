"""EAGLE's head or a layer for multi-token prediction by the compiled pass, as a model of one layer.

What makes it none is done here, in NumPy: token and state are normed, side by side, and read by attention alone or
joined; and the words that it may guess are some of the target's.
"""

from collections.abc import Sequence

import numpy as np

from specviz.law.arrays import Bools, Reals
from specviz.models.heads.eagle import Eagle
from specviz.models.heads.mtp import Mtp
from specviz.models.passes.llama import Llama, PanelCache
from specviz.models.weights import Held

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


class Compiled:
    """Has what `draft.imagining` asks of a head, which says and reads tokens by itself."""

    ours, depth = True, 1

    def __init__(self, module: Eagle | Mtp, target: Llama, ids: Sequence[int] | None = None) -> None:
        """ids: tokens that it may guess, whose output rows are their embedding's. None: the target's own layer."""
        self.shape, self.words, self._target = module.shape, self, target
        self._ids = None if ids is None else np.array(ids)
        weights = {name: each.numpy() for name, each in module.state_dict().items()}
        self._norms = np.concatenate([weights["token_norm.weight"], weights["state_norm.weight"]])
        self._norm, self._reads = weights["norm.weight"], isinstance(module, Eagle)
        before = weights["fuse.weight"] if self._reads else weights["join.weight"] * self._norms
        self._before = np.ascontiguousarray(before.T)
        self._model = self._of_one_layer(weights)
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
        return self._even(states).reshape(len(states), -1) @ self._before if self._reads else states[:, 0]

    def normed(self, states: Reals) -> Reals:
        """What the output layer reads of its states. Those of a layer for multi-token prediction are normed."""
        return self._even(states) * self._norm if self._reads else states

    def __call__(
        self, embedded: Reals, state: Reals, positions: Sequence[int], mask: Bools | None, cache: PanelCache
    ) -> Reals:
        """See EaglePass; the mask is that of LanguageModel.forward."""
        n, end = len(embedded), cache.room(len(embedded))
        own = np.tri(n, dtype=bool) if mask is None else mask
        seen = np.ones((n, end), dtype=bool)
        seen[:, end - own.shape[1] :] = own
        seen[:, 0] = False
        both = np.concatenate([self._even(embedded), self._even(state)], -1)
        if self._reads:
            return self._model.stepped(state, positions, seen, cache, both * self._norms)
        out: Reals = self._even(self._model.stepped(both @ self._before, positions, seen, cache)) * self._norm
        return out

    def _even(self, x: Reals) -> Reals:
        even: Reals = x / np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(self.shape.eps))
        return even

    def _of_one_layer(self, weights: dict[str, Reals]) -> Llama:
        """The layer as a model whose words are those that it may guess; where that is all, a single one."""
        shape = self.shape
        rows = self._target.embedded([0] if self._ids is None else self._ids.tolist())
        config = {
            **self._target.config,
            "model_type": "llama",
            "num_hidden_layers": 1,
            "hidden_size": shape.width,
            "intermediate_size": shape.wide,
            "num_attention_heads": shape.heads,
            "num_key_value_heads": shape.heads,
            "head_dim": shape.dim,
            "rms_norm_eps": shape.eps,
            "rope_parameters": {"rope_type": "default", "rope_theta": shape.theta},
            "vocab_size": len(rows),
            "tie_word_embeddings": True,
            "attention_bias": False,
            "mlp_bias": False,
        }
        weights = {"input_norm.weight": np.ones(shape.width, np.float32), **weights}
        tensors = {f"model.layers.0.{name}.weight": Held(weights[f"{ours}.weight"]) for name, ours in NAMES.items()}
        tensors |= {"model.norm.weight": Held(self._norm), "model.embed_tokens.weight": Held(rows)}
        return Llama(config, tensors, "a head", 2 * shape.width if self._reads else None)
