"""Models with layers that keep a running state instead of one entry for each token: hybrids, state spaces.

A state cannot be cut. So it is saved before every pass; to roll back is to put the last save back that has read no more
than is kept, and to read once more what stands behind it. That is time of the round's trim, and the trace says how much
of it, and how many tokens were read again. A state has read one text, so there are no trees.
"""

import copy
from collections.abc import Sequence
from typing import Any, Self

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, LinearAttentionCacheLayerMixin

from specviz.config.settings import ConfigError
from specviz.law.arrays import Bools
from specviz.models.border import computing
from specviz.models.hf import HFModel, cache_argument
from specviz.trim import KVCache

SAVES = 21
"""A draft model makes a pass for each guess until the text says where to roll back to; the target makes one."""


def has_state(kept: DynamicCache) -> bool:
    """Whether a layer of a cache as transformers makes it keeps a running state."""
    return any(isinstance(layer, LinearAttentionCacheLayerMixin) for layer in kept.layers)


class StateCache(KVCache):
    """transformers' own cache, what it has read, and how it stood before the last passes."""

    def __init__(self, model: "RecurrentModel", capacity: int) -> None:
        super().__init__(capacity)
        self._model = model
        self.inner = model.empty()
        self.tokens: list[int] = []
        self._saves: list[tuple[int, list[Any]]] = []

    @property
    def state_bytes(self) -> int:
        return self._model.state_bytes

    def save(self) -> None:
        """Call it before a pass."""
        read = len(self.tokens)
        older = [save for save in self._saves if save[0] < read]
        self._saves = [*older[1 - SAVES :], (read, [_copied(layer) for layer in self.inner.layers])]

    def truncate(self, length: int) -> None:
        """Puts the state back and reads what is kept of the text behind it."""
        super().truncate(length)
        if length == len(self.tokens):
            return
        fitting = [save for save in self._saves if save[0] <= length]
        start, layers = fitting[-1] if fitting else (0, self._model.empty().layers)
        self.inner.layers = [_copied(layer) for layer in layers]
        again, self.length = self.tokens[start:length], start
        del self.tokens[start:]
        if again:
            self._model.forward(again, range(start, length), None, self)
            self.reread += len(again)

    def first(self, layers: int) -> Self:
        raise ConfigError("early exits cannot be taken from a model that keeps a running state; choose another drafter")

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        raise AssertionError("no tree is read into a state")

    def _narrow(self, layers: int) -> None:
        raise AssertionError("`first` refuses")


def _copied(layer: Any) -> Any:
    """A layer's state as it is now. Keys and values are never changed in place, states are."""
    other = copy.copy(layer)
    for name, value in vars(layer).items():
        if isinstance(value, dict):
            setattr(other, name, {at: each.clone() if isinstance(each, Tensor) else each for at, each in value.items()})
    return other


def _state_bytes(layer: Any) -> int:
    if not isinstance(layer, LinearAttentionCacheLayerMixin):
        return 0
    states = [*layer.conv_states.values(), *layer.recurrent_states.values()]
    return sum(each.numel() * each.element_size() for each in states if each is not None)


class RecurrentModel(HFModel):
    """A LanguageModel over transformers' own cache, one text after the other."""

    unsplit = True
    _entry = 0
    """Bytes that one token takes in the layers that keep an entry for each, once it has read something."""
    state_bytes = 0
    """Bytes of the states of all layers, once it has read something."""

    def empty(self) -> DynamicCache:
        """A cache that has read nothing."""
        return DynamicCache(config=self.config.get_text_config())

    def new_cache(self, capacity: int) -> Any:
        return StateCache(self, capacity)

    def _rounded(self) -> HFModel:
        return RecurrentModel(super()._rounded().model)

    @property
    def slot_bytes(self) -> int:
        """See LanguageModel. The state does not grow with the text."""
        return max(1, self._entry)

    def _spanned(self, config: Any) -> dict[str, int]:
        return {}

    @computing()
    def _read(
        self,
        model: Any,
        inputs: Sequence[int] | Tensor,
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        *,
        hidden: bool = False,
    ) -> Any:
        assert isinstance(cache, StateCache), "it is given a cache that it made"
        if mask is not None or isinstance(inputs, Tensor):
            raise ConfigError("state_branch")
        cache.room(len(inputs))
        with self._reading:
            cache.save()
            out = model(
                **self._ids(inputs),
                position_ids=torch.tensor([list(positions)], device=self.place.device),
                use_cache=True,
                **cache_argument(model, cache.inner),
                **({"output_hidden_states": True} if hidden else {}),
            )
        cache.tokens += inputs
        cache.advance(len(inputs))
        held = [
            each
            for layer in cache.inner.layers
            for each in (getattr(layer, "keys", None), getattr(layer, "values", None))
        ]
        self._entry = (
            sum(each.shape[1] * each.shape[-1] for each in held if isinstance(each, Tensor)) * self.weight_size
        )
        self.state_bytes = sum(_state_bytes(layer) for layer in cache.inner.layers)
        return out
