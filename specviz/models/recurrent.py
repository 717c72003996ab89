"""Models that run over transformers' own cache: those with a running state, an index of keys or compressed entries.

What such layers keep cannot be cut. So it is saved before every pass; to roll back is to put the last save back that
has read no more than is kept, and to read once more what follows it. That is time of the round's trim, and the
trace says how much of it, and how many tokens were read again. It has read one text, so there are no trees.
"""

import copy
from collections.abc import Iterator, Sequence
from typing import Any, Self

import torch
from torch import Tensor
from transformers import PreTrainedConfig
from transformers.cache_utils import (
    DummyLayer,
    DynamicCache,
    DynamicIndexedLayer,
    DynamicLayer,
    DynamicSlidingWindowLayer,
)

from specviz.config.settings import ConfigError
from specviz.models.border import computing
from specviz.models.hf import HFModel, arguments
from specviz.sampling.arrays import Bools
from specviz.trim import KVCache

SAVES = 21
"""A draft model makes a pass for each guess until the text says where to roll back to; the target makes one."""
GROWN = ("keys", "values", "indexer_keys", "indexer_position_ids")
"""What a layer of a cache keeps of each token, and never changes in place."""
PLAIN = (DynamicLayer, DynamicSlidingWindowLayer, DummyLayer)
"""Layers that keep one entry for each token, or nothing."""
CUT = (DynamicLayer, DynamicIndexedLayer, DummyLayer)
"""Layers that transformers cuts back rightly."""


def keeps_more(config: Any) -> bool:
    """True if a layer keeps more of the text than an entry for each token, as far as transformers' cache shows it."""
    try:
        layers = DynamicCache(config=config).layers
    except (AttributeError, KeyError, TypeError, ValueError):
        return True
    return any(type(layer) not in PLAIN for layer in layers)


class StateCache(KVCache):
    """transformers' own cache, what it has read, and its state before the last passes.

    inner: None before the first pass, in which the model makes one of its own kind.
    """

    def __init__(self, model: "RecurrentModel", capacity: int) -> None:
        super().__init__(capacity)
        self._model = model
        self.inner: Any = None
        self.tokens: list[int] = []
        self._saves: list[tuple[int, Any]] = []

    @property
    def state_bytes(self) -> int:
        return self._model.state_bytes

    def save(self) -> None:
        """Call it before a pass."""
        read = len(self.tokens)
        older = [save for save in self._saves if save[0] < read]
        self._saves = [*older[1 - SAVES :], (read, _copied(self.inner))]

    def truncate(self, length: int) -> None:
        """Puts the state back and reads what is kept of the text after it."""
        super().truncate(length)
        if length == len(self.tokens):
            return
        if self._model.keeps_nothing or _cut(self.inner, len(self.tokens) - length):
            del self.tokens[length:]
            return
        fitting = [save for save in self._saves if save[0] <= length]
        start, kept = fitting[-1] if fitting else (0, None)
        self.inner = _copied(kept)
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


def _cut(kept: Any, tokens: int) -> bool:
    """Takes that many tokens off the end of a cache of transformers, if all of it can be cut."""
    layers = getattr(kept, "layers", ())
    cuts = bool(layers) and bool(kept.is_croppable) and all(type(layer) in CUT for layer in layers)
    for layer in layers if cuts else ():
        layer.crop(-tokens)
    return cuts


def _copied(kept: Any) -> Any:
    """A cache as it is now. What a layer keeps of each token is never changed in place, states are."""
    if isinstance(kept, Tensor):
        return kept.clone()
    if isinstance(kept, dict):
        return {name: _copied(each) for name, each in kept.items()}
    if isinstance(kept, list | tuple):
        return type(kept)(_copied(each) for each in kept)
    if not _is_part(kept):
        return kept
    other = copy.copy(kept)
    for name, value in vars(kept).items():
        if name not in GROWN:
            setattr(other, name, _copied(value))
    return other


def _is_part(kept: Any) -> bool:
    """True if it is a part of a cache with its own parts."""
    return hasattr(kept, "__dict__") and not callable(kept) and not isinstance(kept, PreTrainedConfig)


def _tensors(kept: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """All of a cache's, each by the name of what it is in. The keys of a window are a state: they do not grow."""
    if isinstance(kept, Tensor):
        yield name, kept
    elif isinstance(kept, dict | list | tuple):
        for each in kept.values() if isinstance(kept, dict) else kept:
            yield from _tensors(each, name)
    elif _is_part(kept):
        for part, each in vars(kept).items():
            yield from _tensors(each, "window" if isinstance(kept, DynamicSlidingWindowLayer) else part)


class RecurrentModel(HFModel):
    """A LanguageModel over transformers' own cache, one text after the other.

    One that has no cache reads the whole text in every pass, as it does for `generate`.
    """

    unsplit = True
    _entry = 0
    """Bytes that one token takes in the layers that keep an entry for each, once it has read something."""
    state_bytes = 0
    """Bytes of the states of all layers, once it has read something."""

    def new_cache(self, capacity: int) -> Any:
        return StateCache(self, capacity)

    def _rounded(self) -> HFModel:
        return RecurrentModel(super()._rounded().model)

    @property
    def keeps_nothing(self) -> bool:
        """True if it has no cache."""
        return not arguments(type(self.model).forward)[0]

    @property
    def slot_bytes(self) -> int:
        """See LanguageModel. The state does not grow with the text."""
        return max(1, self._entry)

    def _spanned(self, config: Any) -> dict[str, int]:
        return {}

    def _sized(self, config: Any) -> None:
        return None

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
            raise ConfigError("state_branch", kept="nothing" if self.keeps_nothing else "state")
        cache.room(len(inputs))
        with self._reading:
            cache.save()
            out = self._passed(model, inputs, positions, cache, {"output_hidden_states": True} if hidden else {})
        cache.tokens += inputs
        cache.advance(len(inputs))
        held = [*_tensors(cache.inner)]
        grown = [each for name, each in held if name in GROWN and each.ndim > 2]
        self._entry = sum(each.numel() // max(1, each.shape[-2]) for each in grown) * self.weight_size
        self.state_bytes = sum(each.nbytes for name, each in held if name not in GROWN and each.ndim > 1)
        return out

    def _passed(self, model: Any, inputs: Sequence[int], positions: Sequence[int], cache: StateCache, more: Any) -> Any:
        """The model's own output for these tokens, and its cache after them."""
        name, placed = arguments(type(model).forward)
        count = len(inputs)
        if not name:
            inputs = [*cache.tokens, *inputs]
        elif placed:
            more = {**more, "position_ids": torch.tensor([list(positions)], device=self.place.device)}
        out = model(**self._ids(inputs), **({name: cache.inner, "use_cache": True} if name else {}), **more)
        cache.inner = getattr(out, name, None) if name else None
        if name and cache.inner is None:
            raise ConfigError("state_kept")
        out.logits = out.logits[:, -count:]
        if "output_hidden_states" in more:
            out.hidden_states = [each[:, -count:] for each in out.hidden_states]
        return out
