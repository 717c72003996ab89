"""A transformers model over our own cache slots, through its public forward: no monkeypatching."""

import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.config.settings import ConfigError
from specviz.models.border import THREADS, Place, TorchCache, UnevenCache, computing, crossed, widened
from specviz.models.passes.int8 import Int8Linear, int8, twin
from specviz.models.weights import labelled
from specviz.sampling.arrays import Bools, Reals
from specviz.trace.info import Forward
from specviz.trim import KVCache
from specviz.verify import Scores


class Slots(DynamicLayer):  # type: ignore[misc]
    """One layer of a cache in the shape of a transformers cache layer."""

    def __init__(self, cache: TorchCache, layer: int) -> None:
        super().__init__()
        self.store = cache
        self.layer = layer
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        keys, values = self.store.write(self.layer, key_states[0], value_states[0])
        device = key_states.device  # not the cache's device if the model is spread over several
        return keys[None].to(device), values[None].to(device)

    def get_seq_length(self) -> int:
        return self.store.length

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.store.length + query_length, 0


class HFModel:
    """A LanguageModel over any transformers causal model whose layers keep plain, croppable attention caches.

    The model stays shared and read-only: everything that changes lives in the cache.

    Attributes:
        label: what it is, for people: family, layers and size, such as llama, 10 layers, 9.4 M.
        weight_bytes: bytes of weights that a pass reads: all but the embedding rows it does not look up.
        weight_size: bytes of one weight.
        window: how many tokens back every layer can look: the context, or the sliding window.
        way: how its forward pass is run.
        place: where it computes, and in which type. What it takes and returns crosses from and to main memory.
        config: its shape, as transformers has it.
        unsplit: see SplitModel.
        layers, width: how many layers it has, and the numbers in a hidden state.
    """

    unsplit = False

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model.eval().requires_grad_(requires_grad=False)
        self.config = model.config
        config = model.config.get_text_config()
        self.vocab_size: int = config.vocab_size
        self.context: int = config.max_position_embeddings
        self._spans = self._spanned(config)
        self.window: int = min([self.context, *self._spans.values()])
        self.layers: int = getattr(config, "decoder_layers", None) or config.num_hidden_layers
        self.width: int = config.hidden_size
        self._size = self._sized(config)
        self._sizes: list[tuple[int, int, int, int] | None] = [None] * self.layers
        self.place = Place(model.device, model.dtype)
        size = sum(weight.numel() for weight in model.parameters())
        inputs = model.get_input_embeddings().weight.nbytes * (not getattr(config, "tie_word_embeddings", False))
        self.weight_bytes: int = sum(weight.nbytes for weight in model.parameters()) - inputs
        self.weight_size: int = model.dtype.itemsize
        stored, kept = getattr(config, "stored_as", ""), getattr(config, "kept_as", "float32")
        self.label = labelled(config.model_type, self.layers, size, stored, kept)
        self.way = Forward("eager", "", None, THREADS)
        self._rough: HFModel | None = None
        self._rounding = threading.Lock()
        self._reading = threading.RLock()  # some keep how they turn positions in the model, not in the cache
        self._parts: dict[tuple[int | None, int | None], Any] = {}

    def _spanned(self, config: Any) -> dict[str, int]:
        return spans(config)

    def _sized(self, config: Any) -> tuple[int, int] | None:
        return _size(config)

    def in_8_bits(self) -> "HFModel":
        """See RoundableModel. It runs as this model does."""
        with self._rounding:
            if self._rough is None:
                self._rough = self._rounded()
                self._rough.way = replace(self.way, error=None)
            return self._rough

    def _rounded(self) -> "HFModel":
        return HFModel(int8(self.model))

    def scorer(self, token: int) -> Reals:
        """See RoundableModel."""
        head = self.model.get_output_embeddings()
        scale = head.scale[token] if isinstance(head, Int8Linear) else 1
        return crossed(head.weight[token].float() * scale)

    @property
    def slot_bytes(self) -> int:
        """See LanguageModel. Of layers of several sizes, once it has read something."""
        if self._size:
            return 2 * self.layers * self._size[0] * self._size[1] * self.weight_size
        numbers = sum(heads * keys + others * values for heads, keys, others, values in filter(None, self._sizes))
        return max(1, numbers * self.weight_size)

    @property
    def is_even(self) -> bool:
        """True if keys and values have one size in all layers."""
        return self._size is not None

    def new_cache(self, capacity: int) -> TorchCache:
        if self._size is None:
            return UnevenCache(self._sizes, capacity, self.place)
        heads, dim = self._size
        return TorchCache(self.layers, heads, capacity, dim, self.place)

    def _masks(self, mask: Tensor, positions: Sequence[int]) -> Tensor | dict[str, Tensor]:
        """The mask of all slots, for each type of layer. Given one, transformers' layers apply none of their own."""
        if mask.shape[1] <= self.window:
            return additive(mask, self.place)
        here = torch.tensor(positions)
        places = torch.cat([torch.arange(mask.shape[1] - len(here)), here])
        seen = {
            kind: additive(mask & near(kind, span, places, here[:, None]), self.place)
            for kind, span in self._spans.items()
        }
        return seen if len(seen) > 1 else seen.popitem()[1]

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        return crossed(self._read(self.model, tokens, positions, mask, cache).logits[0])

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """See OpenModel. Always uses transformers' own pass, because only that one shows its hidden states."""
        out = self._read(self.model, tokens, positions, mask, cache, hidden=True)
        return Scores(crossed(out.logits[0]), {layer: crossed(out.hidden_states[layer][0]) for layer in hidden})

    @computing()
    def embedded(self, tokens: Sequence[int]) -> Reals:
        """See HeadedModel."""
        return crossed(self.model.get_input_embeddings()(torch.tensor(list(tokens), device=self.place.device)))

    @computing()
    def spoken(self, hidden: Reals) -> Reals:
        """See HeadedModel."""
        return crossed(self.model.get_output_embeddings()(self.place.tensor(hidden)))

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache
    ) -> Reals:
        """See SplitModel."""
        return crossed(self._read(self._part(None, layers), tokens, positions, mask, cache).last_hidden_state[0])

    @computing()
    def resume(self, layers: int, hidden: Reals, positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        """See SplitModel."""
        inner = self._read(self._part(layers, None), self.place.tensor(hidden), positions, mask, cache)
        return crossed(self._said(inner.last_hidden_state[0]))

    @computing()
    def read_off(self, hidden: Reals) -> Reals:
        """See SplitModel."""
        return crossed(self._said(self.place.tensor(hidden)))

    def _said(self, hidden: Tensor) -> Tensor:
        logits: Tensor = self.model.lm_head(self.model.base_model.norm(hidden))
        return logits

    def _part(self, first: int | None, last: int | None) -> Any:
        """These layers without the final norm, over the same weights. Made when first wanted."""
        if (first, last) not in self._parts:
            part: Any = twin(self.model.base_model)
            part.layers, part.norm = part.layers[first:last], nn.Identity()
            self._parts[first, last] = part
        return self._parts[first, last]

    @computing()
    def _read(
        self,
        model: PreTrainedModel,
        inputs: Sequence[int] | Tensor,
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        *,
        hidden: bool = False,
    ) -> Any:
        assert isinstance(cache, TorchCache), "it is given a cache that it made"
        layers = [Slots(cache, layer) for layer in range(len(cache.slots))]
        with self._reading:
            out = model(
                **({"inputs_embeds": inputs[None]} if isinstance(inputs, Tensor) else self._ids(inputs)),
                position_ids=torch.tensor([list(positions)], device=self.place.device),
                attention_mask=None if mask is None else self._masks(widened(mask, cache.room(len(inputs))), positions),
                use_cache=True,
                **cache_argument(model, Cache(layers=layers)),
                **({"output_hidden_states": True} if hidden else {}),
            )
        cache.advance(len(inputs))
        return out

    def _ids(self, tokens: Sequence[int]) -> dict[str, Tensor]:
        return {"input_ids": torch.tensor([list(tokens)], device=self.place.device)}


FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
"""Types of layers by what they see of the text: all, the last tokens, or their own chunk of it."""
BLIND = ("mlp", "moe", "dummy")
"""Layers without attention."""


def spans(config: Any) -> dict[str, int]:
    """How many tokens each type of layer in a config sees at most.

    Raises:
        ConfigError: a type is unknown.
    """
    limits = {FULL: config.max_position_embeddings}
    for kind, name in ((SLIDING, "sliding_window"), (CHUNKED, "attention_chunk_size")):
        limits[kind] = getattr(config, name, None) or config.max_position_embeddings
    kinds = {*(getattr(config, "layer_types", None) or ())} - {*BLIND}
    if not kinds:
        kinds = {next((kind for kind in (SLIDING, CHUNKED) if limits[kind] < limits[FULL]), FULL)}
    if unknown := sorted(kinds - limits.keys()):
        raise ConfigError(
            f"{config.model_type} has layers of type {unknown[0]}, which specviz does not know;"
            f" wanted {', '.join(limits)}"
        )
    return {kind: limits[kind] for kind in sorted(kinds)}


LATENT = ("kv_lora_rank", "v_head_dim", "global_head_dim", "swa_v_head_dim")
"""What configs call sizes of keys and values that are not one size in all layers."""


def _size(config: Any) -> tuple[int, int] | None:
    """Heads for keys and values, and the numbers of each. None: they are not of one size in all layers."""
    if any(getattr(config, name, None) for name in LATENT):
        return None
    if getattr(config, "is_heterogeneous", False):
        sizes = {_size(layer) for layer in config.per_layer_config}
        return sizes.pop() if len(sizes) == 1 else None
    heads = getattr(config, "decoder_attention_heads", None) or config.num_attention_heads
    dim = getattr(config, "head_dim", None) or config.hidden_size // heads
    if getattr(config, "multi_query", False) and not getattr(config, "new_decoder_architecture", False):
        return 1, dim
    return getattr(config, "num_key_value_heads", None) or heads, dim


def additive(mask: Tensor, place: Place) -> Tensor:
    """0 where a row may look, the most negative number elsewhere; every attention of transformers takes that."""
    added = torch.zeros(mask.shape, dtype=place.dtype).masked_fill(~mask, torch.finfo(place.dtype).min)
    return added[None, None].to(place.device)


def near(kind: str, span: int, places: Tensor, here: Tensor) -> Tensor:
    """bool[n, slots]: which places a layer of that type sees from here, [n, 1], the later ones included."""
    if kind == FULL:
        return torch.ones(1, dtype=torch.bool)
    return places // span == here // span if kind == CHUNKED else places > here - span


CACHES = ("cache", "past_key_values", "state")
"""What the cache is called by a model's forward: the first since transformers 5.24, the last in RWKV."""


def cache_argument(model: PreTrainedModel, cache: Cache) -> dict[str, Cache]:
    """A cache as a keyword argument of the model's forward."""
    return {arguments(type(model).forward)[0] or CACHES[0]: cache}


@functools.cache
def arguments(forward: Callable[..., Any]) -> tuple[str, bool]:
    """What a model's forward calls its cache, "" if it keeps none, and whether it takes positions."""
    named = inspect.signature(forward).parameters
    return next((name for name in CACHES if name in named), ""), "position_ids" in named
