"""Brings a model's tensors into the panels of the compiled pass, layer by layer, so that no second copy is made."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specviz.config.settings import ConfigError
from specviz.models.passes.llama_pass import Linear, Weights
from specviz.models.passes.tile import HALVES, LANES, STRIP
from specviz.models.rounded import LARGEST
from specviz.models.weights import TYPES, Held, Stored, widened
from specviz.sampling.arrays import Reals

KINDS = {"i": "F16", "u": "BF16", "f": "F32"}
"""What panels that are not rounded hold, by the kind of their type."""


def strips(size: int) -> int:
    """The outputs of whole strips that hold that many."""
    return -(-size // STRIP) * STRIP


class Reader:
    """Takes the tensors that a config asks for, each once.

    Args:
        source: what the model is called in an error.
        reads: see Llama.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        dim: int,
        tensors: Mapping[str, Stored | Held],
        source: str,
        reads: int | None = None,
    ) -> None:
        self._config, self._dim, self._source = config, dim, source
        self._reads = reads or config["hidden_size"]
        self._left = {name: of for name, of in tensors.items() if not name.endswith("rotary_emb.inv_freq")}
        kinds = {of.kind for of in self._left.values() if len(of.shape) == 2}
        self._kind = kinds.pop() if len(kinds) == 1 and (HALVES or kinds != {"F16"}) else "F32"

    def weights(self) -> tuple[Weights, NDArray[Any], str]:
        """All weights; and the embedding, a table [V, width] or the output layer's panels, with its kind.

        Raises:
            ConfigError: a tensor is missing, not asked for, or of another shape.
        """
        config, dim, tied = self._config, self._dim, self._config.get("tie_word_embeddings")
        layers, width, heads = (config[name] for name in ("num_hidden_layers", "hidden_size", "num_attention_heads"))
        kv_heads = config.get("num_key_value_heads") or heads
        wide, size = config["intermediate_size"], config["vocab_size"]
        layer, attention, mlp = (f"model.layers.{{}}.{part}" for part in ("", "self_attn.", "mlp."))
        family = config["model_type"]
        normed = ("q_norm", "k_norm") if family == "qwen3" else ()
        attends = family in ("llama", "qwen3") and bool(config.get("attention_bias"))
        feeds = family == "llama" and bool(config.get("mlp_bias"))
        qkv = [(attention + "q_proj", heads), (attention + "k_proj", kv_heads), (attention + "v_proj", kv_heads)]
        made = Weights(
            norms=self._norms(layer, ("input_layernorm", "post_attention_layernorm"), width, layers),
            head_norms=self._norms(attention, normed, dim, layers),
            qkv=self._linear(
                [(name, many, dim) for name, many in qkv], (1, self._reads), layers, biased=attends or family == "qwen2"
            ),
            mix=self._linear([(attention + "o_proj", 1, width)], (heads, dim), layers, biased=attends),
            wide=self._linear(
                [(mlp + "gate_proj", 1, wide), (mlp + "up_proj", 1, wide)], (1, width), layers, biased=feeds
            ),
            narrow=self._linear([(mlp + "down_proj", 1, width)], (1, wide), layers, biased=feeds),
            norm=self._take("model.norm.weight", width).floats(),
            head=self._linear([(self._output() if tied else "lm_head", 1, size)], (1, width), 1),
        )
        words, kind = made.head.panels[0].view(TYPES[self._kind]), self._kind
        if not tied:
            own = self._take("model.embed_tokens.weight", size, width)
            words, kind = own.read(), own.kind
        if self._left:
            raise ConfigError(f"{self._source}: its weights hold {min(self._left)}, which config.json has no place for")
        return made, words, kind

    def _take(self, name: str, *shape: int) -> Stored | Held:
        stored = self._left.pop(name, None)
        if stored is None:
            raise ConfigError(f"{self._source}: its weights lack {name}; fetch it again, or choose another model")
        if stored.shape != shape:
            had, wanted = (" x ".join(map(str, each)) for each in (stored.shape, shape))
            raise ConfigError(f"{self._source}: {name} is {had}; config.json asks for {wanted}")
        return stored

    def _output(self) -> str:
        """The one of two names under which weights that the embedding shares with the output layer are read."""
        names = ("model.embed_tokens", "lm_head")
        there = [name for name in names if name + ".weight" in self._left]
        if len(there) == 2:
            kept, twin = (self._left[name + ".weight"] for name in names)
            if kept.shape != twin.shape or not np.array_equal(kept.floats(), twin.floats()):
                raise ConfigError(
                    f"{self._source}: lm_head.weight differs from model.embed_tokens.weight, but config.json ties them"
                    " (tie_word_embeddings); correct it"
                )
            del self._left["lm_head.weight"]
        return (there or names)[0]

    def _norms(self, where: str, names: Sequence[str], width: int, layers: int) -> Reals:
        norms = np.empty((layers, len(names), width), np.float32)
        for layer in range(layers):
            for place, name in enumerate(names):
                norms[layer, place] = self._take(f"{where.format(layer)}{name}.weight", width).floats()
        return norms

    def _linear(
        self, parts: Sequence[tuple[str, int, int]], inputs: tuple[int, int], layers: int, *, biased: bool = False
    ) -> Linear:
        """Layers that read the same, one after the other.

        Args:
            parts: name, groups of outputs and outputs of a group, each of which is padded to whole strips.
            inputs: groups, each padded likewise if there are several, and inputs of a group.
        """
        outputs = sum(groups * strips(size) for _, groups, size in parts)
        many, each = inputs
        wide = strips(each) if many > 1 else each
        panels: NDArray[Any] = np.zeros((layers, outputs // LANES, many * wide, LANES), TYPES[self._kind])
        sides = np.zeros((layers, 2, outputs), np.float32)
        sides[:, 0] = 1
        for layer in range(layers):
            first = 0
            for pattern, groups, size in parts:
                name = pattern.format(layer)
                matrix = self._take(name + ".weight", groups * size, many * each)
                numbers = matrix.floats() if self._kind == "F32" else matrix.read()
                bias = self._take(name + ".bias", groups * size).floats() if biased else np.zeros(groups * size)
                for group in range(groups):
                    own = slice(group * size, (group + 1) * size)
                    place = panels[layer, first // LANES :, :, :].reshape(-1, many, wide, LANES)[:, :, :each]
                    _fill(place, numbers[own].reshape(size, many, each))
                    sides[layer, 1, first : first + size] = bias[own]
                    first += strips(size)
        return Linear(panels.view(np.int16) if self._kind == "F16" else panels, sides)


def _fill(panels: NDArray[Any], matrix: NDArray[Any]) -> None:
    """Writes a matrix, [outputs, ...], into the first panels, [outputs / LANES, ..., LANES]; the rest stays."""
    full, rest = divmod(len(matrix), LANES)
    blocks = matrix[: full * LANES].reshape(full, LANES, *matrix.shape[1:])
    panels[:full] = np.moveaxis(blocks, 1, -1)
    if rest:
        panels[full, ..., :rest] = np.moveaxis(matrix[full * LANES :], 0, -1)


def in_8_bits(weights: Weights) -> Weights:
    """All linear layers as int8, with a scale for each output, whose largest weight becomes 127 or -127.

    Source: absmax rounding, Dettmers et al., arXiv:2208.07339, section 2.
    """
    linear = {name: getattr(weights, name) for name in ("qkv", "mix", "wide", "narrow", "head")}
    rounded: Any = {name: _rounded(each) for name, each in linear.items()}
    return weights._replace(**rounded)


def weights_of(linear: Linear, output: int) -> Reals:
    """The weights of one output of a single layer, float32[inputs], as they multiply."""
    panels, sides = linear
    short = panels[0, output // LANES, :, output % LANES]
    if short.dtype != np.int8:
        kind = KINDS[short.dtype.kind]
        short = widened(short.view(TYPES[kind]), kind)
    full: Reals = short.astype(np.float32) * sides[0, 0, output]
    return full


def _rounded(linear: Linear) -> Linear:
    panels, sides = np.empty(linear.panels.shape, np.int8), linear.sides.copy()
    kind = KINDS[linear.panels.dtype.kind]
    for layer, short in enumerate(linear.panels):
        full = widened(short.view(TYPES[kind]), kind)
        scale = np.maximum(np.abs(full).max(1) / LARGEST, np.finfo(np.float32).tiny)
        panels[layer] = np.rint(full / scale[:, None])
        sides[layer, 0] = scale.ravel()
    return Linear(panels, sides)
