"""Words of a published head's own: its embedding or its output layer, instead of the target's."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from specviz.models.border import computing, crossed, place_of
from specviz.sampling.arrays import Reals
from specviz.verify import HeadedModel


class Words(Protocol):
    """What a head reads tokens by, and says them by; a HeadedModel's own methods."""

    def embedded(self, tokens: Sequence[int]) -> Reals: ...

    def spoken(self, hidden: Reals) -> Reals: ...


class OwnWords:
    """Guesses speak by the head's own rows; tokens without a row have probability 0. What it lacks is the target's."""

    def __init__(
        self, target: HeadedModel, embedding: Tensor | None, rows: Tensor | None = None, ids: Tensor | None = None
    ) -> None:
        """rows: [n, width], or [m, n, width], one output layer for each of m states. ids: the target's, [n]."""
        self._target, self._place = target, place_of(target)
        self._embedding = None if embedding is None else embedding.to(*self._place)
        self._rows = None if rows is None else rows.to(*self._place)
        self._ids = None if ids is None else ids.to(self._place.device)

    def embedded(self, tokens: Sequence[int]) -> Reals:
        if self._embedding is None:
            return self._target.embedded(tokens)
        return crossed(self._embedding[list(tokens)])

    @computing()
    def spoken(self, hidden: Reals) -> Reals:
        if self._rows is None:
            return self._target.spoken(hidden)
        states = self._place.tensor(hidden)
        logits = (self._rows @ states[..., None])[..., 0] if self._rows.dim() > 2 else states @ self._rows.mT
        if self._ids is not None:
            full = logits.new_full((*logits.shape[:-1], self._target.vocab_size), -torch.inf)
            logits = full.index_copy_(-1, self._ids, logits)
        return crossed(logits)
