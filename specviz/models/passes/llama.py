"""Models of the Llama family on a CPU, by the compiled pass. Weights are in memory once, as short as stored."""

import copy
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specviz.config.words import Reason, Sentence, because
from specviz.models.weights import Held, Stored, labelled, stored, widened
from specviz.sampling.arrays import Bools, Reals
from specviz.trace.info import Forward, Trial
from specviz.trim import KVCache
from specviz.verify import Scores

try:
    from numba.core.errors import NumbaError

    from specviz.models.passes import llama_pass
    from specviz.models.passes.llama_pass import Linear, Room
    from specviz.models.passes.panels import Reader, in_8_bits, strips, weights_of
    from specviz.models.passes.tile import LANES
except ImportError as error:  # numba is not there, or not made for this Python
    UNREADY: Reason = because("pass.numba", error=str(error)[:200])
    FAULTS: tuple[type[Exception], ...] = ()
else:
    UNREADY, FAULTS = "", (NumbaError, RuntimeError)

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
ROTATIONS = ("default", "linear", "llama3", "yarn")
"""Kinds of rotary embeddings that depend on nothing but the position."""
EACH = 2_000_000
"""Products of a pass for which a thread more is worth waking."""
TURNS = 1024
"""Positions whose rotations are computed together."""


def missing(config: Mapping[str, Any]) -> Reason:
    """Why a model with this config.json cannot be run by the compiled pass; "" if it can."""
    family, rotation = config.get("model_type"), config.get("rope_parameters") or {}
    if family not in FAMILIES:
        return because("pass.family", family=str(family), families=", ".join(FAMILIES))
    if config.get("hidden_act", "silu") != "silu":
        return because("pass.activation", activation=str(config["hidden_act"]))
    if (kind := rotation.get("rope_type", "default")) not in ROTATIONS:
        return because("pass.rotation", kind=str(kind))
    if rotation.get("partial_rotary_factor", config.get("partial_rotary_factor")) not in (None, 1):
        return because("pass.partial")
    windowed = family == "mistral" and config.get("sliding_window")
    if windowed or "sliding_attention" in (config.get("layer_types") or ()):
        return because("pass.window")
    if config.get("quantization_config"):
        return because("pass.quantized")
    return UNREADY


def failed(fault: Exception) -> Reason:
    """What broke a compiled pass, in a line."""
    first = (str(fault).strip() or type(fault).__name__).splitlines()[0]
    return because("pass.fails", error=first[:200])


def _dim(config: Mapping[str, Any]) -> int:
    return int(config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"])


class PanelCache(KVCache):
    """keys[layers, heads, capacity / LANES, dim, LANES]; values[layers, heads, dim / LANES, capacity, LANES]."""

    def __init__(self, layers: int, heads: int, capacity: int, dim: int) -> None:
        super().__init__(capacity)
        slots = strips(capacity)
        self.keys = np.zeros((layers, heads, slots // LANES, dim, LANES), np.float32)
        self.values = np.zeros((layers, heads, strips(dim) // LANES, slots, LANES), np.float32)

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        old, new = np.array(slots), base + np.arange(len(slots))
        self.keys[:, :, new // LANES, :, new % LANES] = self.keys[:, :, old // LANES, :, old % LANES]
        self.values[:, :, :, new] = self.values[:, :, :, old]

    def _narrow(self, layers: int) -> None:
        self.keys, self.values = self.keys[:layers], self.values[:layers]

    def plain(self) -> tuple[Reals, Reals]:
        """Keys and values in use, [layers, heads, length, dim] each."""
        slots, (layers, heads, _, dim, _) = np.arange(self.length), self.keys.shape
        keys = self.keys[:, :, slots // LANES, :, slots % LANES].transpose(1, 2, 0, 3)
        values = self.values[:, :, :, : self.length].transpose(0, 1, 3, 2, 4)
        return keys, values.reshape(layers, heads, self.length, -1)[..., :dim]


class Llama:
    """A LanguageModel, open, headed, split and roundable; see verify.py. Shared between runs: it never changes.

    Attributes:
        label: what it is, for people: family, layers and size, such as llama, 18 layers, 16 M.
        weight_bytes: bytes of weights that a pass reads. weight_size: bytes of one weight.
        slot_bytes: bytes of one token in a cache.
        config: its shape, as its config.json has it.
    """

    unsplit = False

    def __init__(
        self, config: Mapping[str, Any], tensors: Mapping[str, Stored | Held], source: str, reads: int | None = None
    ) -> None:
        """reads: numbers that attention reads of a token, if they are not its normed state; see `stepped`.

        Raises:
            ConfigError: a tensor is missing, not wanted, or of another shape than the config says.
        """
        self.config = config
        self.vocab_size, self.context = int(config["vocab_size"]), int(config["max_position_embeddings"])
        self.layers, self.width = int(config["num_hidden_layers"]), int(config["hidden_size"])
        heads, dim = int(config["num_attention_heads"]), _dim(config)
        kv_heads = int(config.get("num_key_value_heads") or heads)
        self._shape, self._eps = (heads, kv_heads, dim), np.float32(config["rms_norm_eps"])
        self._weights, self._words, self._kind = Reader(config, dim, tensors, source, reads).weights()
        linear = (each.panels for each in self._weights if isinstance(each, Linear))
        self.weight_bytes = sum(panels.nbytes for panels in linear)
        self.weight_size = self._weights.qkv.panels.itemsize
        numbers = sum(int(np.prod(of.shape)) for name, of in tensors.items() if not name.endswith("inv_freq"))
        stored, kept = config.get("stored_as", ""), config.get("kept_as", "float32")
        self.label = labelled(config["model_type"], self.layers, numbers, stored, kept)
        self.slot_bytes = 2 * self.layers * kv_heads * dim * 4
        self._rates, self._swell = _rotation(config, dim)
        self._turns, self._making = np.empty((0, 2, dim // 2), np.float32), threading.Lock()
        self._rough: Llama | None = None
        self.way = Forward("compiled", "", None, llama_pass.team().threads)

    @classmethod
    def load(
        cls,
        folder: Path,
        config: Mapping[str, Any],
        source: str = "",
        tried: tuple[Trial, ...] = (),
        tell: Callable[[Sentence], None] = lambda what: None,
    ) -> "Llama":
        """Reads a model's folder and compiles the pass, or finds it compiled.

        Args:
            config: what config.json says, with the family's defaults.
            source: what it is called in an error; its folder unless given.
            tried: see Forward.
            tell: is called before something is compiled, which takes seconds.

        Raises:
            ConfigError: a file cannot be read, or does not hold what config.json asks for.
        """
        source = source or str(folder)
        model = cls(config, stored(sorted(folder.glob("*.safetensors")), source), source)
        model.warm(tell)
        error = max((trial.error or 0.0 for trial in tried), default=None)
        model.way = replace(model.way, error=error, tried=tried)
        return model

    def warm(self, tell: Callable[[Sentence], None]) -> None:
        """Compiles the pass for weights of this type, or finds it compiled. tell: is called if it takes seconds."""
        with llama_pass.telling(tell):
            self.forward([0], [0], None, self.new_cache(1))

    def reading_by(self, other: "Llama") -> "Llama":
        """A copy that looks tokens up in another model's embedding, of the same width."""
        reader = copy.copy(self)
        reader._words, reader._kind = other._words, other._kind
        return reader

    def new_cache(self, capacity: int) -> PanelCache:
        return PanelCache(self.layers, self._shape[1], capacity, self._shape[2])

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        return self._read(self._embedded(tokens), positions, mask, cache).logits[:, : self.vocab_size]

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """See OpenModel."""
        numbers = {layer: layer % (self.layers + 1) for layer in hidden}
        room = self._read(self._embedded(tokens), positions, mask, cache, kept=sorted({*numbers.values()}))
        states = {layer: room.states[room.which[number], :, : self.width] for layer, number in numbers.items()}
        return Scores(room.logits[:, : self.vocab_size], states)

    def embedded(self, tokens: Sequence[int]) -> Reals:
        """See HeadedModel."""
        return self._embedded(tokens)[:, : self.width]

    def spoken(self, hidden: Reals) -> Reals:
        """See HeadedModel."""
        return self._said(hidden, 2)

    def read_off(self, hidden: Reals) -> Reals:
        """See SplitModel."""
        return self._said(hidden, 1)

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache
    ) -> Reals:
        """See SplitModel."""
        return self._read(self._embedded(tokens), positions, mask, cache, (0, layers), 0).x[:, : self.width]

    def resume(self, layers: int, hidden: Reals, positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        """See SplitModel."""
        room = self._read(self._padded(hidden), positions, mask, cache, (layers, self.layers))
        return room.logits[:, : self.vocab_size]

    def stepped(
        self, hidden: Reals, positions: Sequence[int], mask: Bools | None, cache: KVCache, read: Reals | None = None
    ) -> Reals:
        """States after the last layer, [n, width], from those before the first. Writes and advances n slots.

        Args:
            read: what the first layer's attention reads instead of the normed states, [n, reads].
        """
        x = self._padded(hidden)
        return self._read(x, positions, mask, cache, speaks=0, read=read).x[:, : self.width]

    def remember(self, keys: Reals, values: Reals, cache: PanelCache) -> None:
        """Writes keys, not turned yet, and values of the next n places, [layers, n, heads, dim], after the cache."""
        n, start, dim = keys.shape[1], cache.length, keys.shape[-1]
        cache.room(n)
        slots = np.arange(start, start + n)
        cos, sin = self._turned(range(start, start + n)).swapaxes(0, 1)[:, :, None]
        left, right = np.split(keys, 2, -1)
        turned = np.concatenate([left * cos - right * sin, right * cos + left * sin], -1)
        cache.keys[:, :, slots // LANES, :, slots % LANES] = turned.transpose(1, 0, 2, 3)
        padded = np.zeros((*values.shape[:-1], strips(dim)), np.float32)
        padded[..., :dim] = values
        panels = padded.reshape(*values.shape[:-1], -1, LANES).transpose(0, 2, 3, 1, 4)
        cache.values[:, :, :, start : start + n] = panels
        cache.advance(n)

    def in_8_bits(self) -> "Llama":
        """See RoundableModel. The embedding is looked up, not multiplied, so it is not rounded."""
        with self._making:
            if self._rough is None:
                rough = copy.copy(self)
                rough._weights = in_8_bits(self._weights)
                rough.weight_bytes, rough.weight_size = self.weight_bytes // self.weight_size, 1
                self._rough = rough
            return self._rough

    def scorer(self, token: int) -> Reals:
        """See RoundableModel."""
        return weights_of(self._weights.head, token)[: self.width]

    def _read(
        self,
        x: Reals,
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        part: tuple[int, int] | None = None,
        speaks: int = 1,
        kept: Sequence[int] = (),
        read: Reals | None = None,
    ) -> "Room":
        """A pass through some layers, which writes and advances n slots. x: float32[n, width], padded; overwritten."""
        assert isinstance(cache, PanelCache), "a model's cache is one that it made"
        n, before, end = len(x), cache.length, cache.room(len(x))
        seen = _chain(n) if mask is None else np.ascontiguousarray(mask)
        room = self._room(x, kept, speaks, read)
        if 0 in kept:
            room.states[room.which[0]] = x
        places = self._turned(positions), end - seen.shape[1], seen, cache.keys, cache.values, before
        self._run(room, part or (0, self.layers), speaks, places)
        cache.advance(n)
        return room

    def _said(self, hidden: Reals, speaks: int) -> Reals:
        """logits[..., V] of states[..., width] by the output layer alone."""
        x = self._padded(hidden.reshape(-1, self.width))
        room, nowhere = self._room(x, (), speaks), PanelCache(0, 0, 0, LANES)
        places = np.empty((len(x), 2, 0), np.float32), 0, _chain(0), nowhere.keys, nowhere.values, 0
        self._run(room, (self.layers, self.layers), speaks, places)
        return room.logits[:, : self.vocab_size].reshape(*hidden.shape[:-1], self.vocab_size)

    def _room(self, x: Reals, kept: Sequence[int], speaks: int, read: Reals | None = None) -> "Room":
        w, (heads, _, dim), n = self._weights, self._shape, len(x)
        which = np.full(self.layers + 1, -1)
        if kept:
            which[[*kept]] = range(len(kept))
        return Room(
            x=x,
            read=np.empty((n, 0), np.float32) if read is None else np.ascontiguousarray(read, np.float32),
            qkv=np.empty((n, w.qkv.panels.shape[1] * LANES), np.float32),
            mixed=np.empty((n, heads * strips(dim)), np.float32),
            wide=np.empty((n, w.wide.panels.shape[1] * LANES // 2), np.float32),
            logits=np.empty((n, w.head.panels.shape[1] * LANES if speaks else 0), np.float32),
            states=np.empty((len(kept), *x.shape), np.float32),
            which=which,
            counters=np.zeros(2 * (llama_pass.STAGES * self.layers + 1), np.int64),
        )

    def _run(self, room: "Room", part: tuple[int, int], speaks: int, places: tuple[Any, ...]) -> None:
        helpers = len(room.x) * self.weight_bytes // (EACH * self.weight_size)
        llama_pass.team().run((self._weights, self._shape, self._eps, part, speaks, *places, room), helpers)

    def _embedded(self, tokens: Sequence[int]) -> Reals:
        """float32[n, width], padded to whole strips; from the output layer's panels if it shares their weights."""
        ids, words, kind = np.array(tokens), self._words, self._kind
        rows = words[ids] if words.ndim == 2 else words[ids // LANES, :, ids % LANES]
        return self._padded(widened(rows, kind) if kind == "BF16" else rows)

    def _padded(self, x: NDArray[Any]) -> Reals:
        """A copy as float32 with zeros up to whole strips."""
        padded = np.empty((len(x), strips(self.width)), np.float32)
        padded[:, : self.width] = x
        padded[:, self.width :] = 0
        return padded

    def _turned(self, positions: Sequence[int]) -> Reals:
        """float32[n, 2, dim / 2]: cosine and sine of each position's angles."""
        end = 1 + (positions[-1] if isinstance(positions, range) else max(positions))
        while (known := len(self._turns)) < end:
            places = np.arange(known, known + TURNS, dtype=np.float32)
            angles = (places[:, None] * self._rates).astype(np.float64)
            fresh = self._swell * np.stack([np.cos(angles), np.sin(angles)], 1)
            self._turns = np.concatenate([self._turns[:known], fresh.astype(np.float32)])
        return self._turns[positions[0] : end] if isinstance(positions, range) else self._turns[[*positions]]


def _rotation(config: Mapping[str, Any], dim: int) -> tuple[Reals, float]:
    """Each pair's angle at position 1, float32[dim / 2], and what cosine and sine are multiplied by."""
    rotation = config["rope_parameters"]
    if rotation.get("rope_type", "default") == "default":
        powers = np.arange(0, dim, 2, dtype=np.float32) / np.float32(dim)
        return 1 / np.float32(rotation["rope_theta"]) ** powers, 1.0
    from transformers import LlamaConfig  # transformers knows the scaled ones; it imports torch
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    same = ("rope_parameters", "max_position_embeddings", "hidden_size", "num_attention_heads")
    made = LlamaRotaryEmbedding(LlamaConfig(head_dim=dim, **{name: config[name] for name in same}))
    return made.inv_freq.numpy(), float(made.attention_scaling)


@lru_cache(maxsize=64)
def _chain(n: int) -> Bools:
    """bool[n, n]: every row sees itself and those before it."""
    return np.tri(n, dtype=bool)
