"""A layer for multi-token prediction by the compiled pass: being of the target's own kind, it is a model of one layer.

What makes it none is done here, in NumPy: token and state are normed and joined to what that layer reads.
"""

from collections.abc import Sequence

import numpy as np

from specviz.law.arrays import Bools, Reals
from specviz.models.heads.eagle import EagleShape
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
NO_WORDS = 8
"""Rows of an output layer that says nothing: the target's own is asked."""


class CompiledMtp:
    """Has what `draft.imagining` asks of a head."""

    ours, depth = True, 1

    def __init__(self, module: Mtp, target: Llama) -> None:
        self.shape, self.words = module.shape, target
        weights = {name: each.numpy() for name, each in module.state_dict().items()}
        norms = np.concatenate([weights["token_norm.weight"], weights["state_norm.weight"]])
        self._join = np.ascontiguousarray((weights["join.weight"] * norms).T)
        self._model = _of_one_layer(self.shape, weights, target)
        self.slot_bytes = self._model.slot_bytes

    def new_cache(self, capacity: int) -> PanelCache:
        return self._model.new_cache(capacity)

    def fused(self, states: Reals) -> Reals:
        """[n, width] from the states of the one layer that it reads, [n, 1, width]."""
        return states[:, 0]

    def normed(self, states: Reals) -> Reals:
        """What the output layer reads of its states: they are normed."""
        return states

    def __call__(
        self, embedded: Reals, state: Reals, positions: Sequence[int], mask: Bools | None, cache: PanelCache
    ) -> Reals:
        """See EaglePass; the mask is that of LanguageModel.forward."""
        n, end = len(embedded), cache.room(len(embedded))
        own = np.tri(n, dtype=bool) if mask is None else mask
        seen = np.ones((n, end), dtype=bool)
        seen[:, end - own.shape[1] :] = own
        seen[:, 0] = False
        x = np.concatenate([self._even(embedded), self._even(state)], -1) @ self._join
        return self._model.passed(x, positions, seen, cache)

    def _even(self, x: Reals) -> Reals:
        even: Reals = x / np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(self.shape.eps))
        return even


def _of_one_layer(shape: EagleShape, weights: dict[str, Reals], target: Llama) -> Llama:
    """The layer and the norm behind it as a model that says nothing."""
    config = {
        **target.config,
        "model_type": "llama",
        "num_hidden_layers": 1,
        "hidden_size": shape.width,
        "intermediate_size": shape.wide,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.heads,
        "head_dim": shape.dim,
        "rms_norm_eps": shape.eps,
        "rope_parameters": {"rope_type": "default", "rope_theta": shape.theta},
        "vocab_size": NO_WORDS,
        "tie_word_embeddings": False,
        "attention_bias": False,
        "mlp_bias": False,
    }
    nothing = Held(np.zeros((NO_WORDS, shape.width), np.float16))
    tensors = {f"model.layers.0.{name}.weight": Held(weights[f"{ours}.weight"]) for name, ours in NAMES.items()}
    tensors |= {"model.norm.weight": Held(weights["norm.weight"])}
    return Llama(config, {**tensors, "model.embed_tokens.weight": nothing, "lm_head.weight": nothing}, "mtp")
