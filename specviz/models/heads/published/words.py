"""A target whose embedding or output layer is a published head's own."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.trace.info import Forward
from specviz.trim import KVCache
from specviz.verify import HeadedModel, Scores


class OwnWords(HeadedModel):
    """Reads as the target does. Guesses speak by the head's own rows; tokens without a row have probability 0."""

    def __init__(
        self, target: HeadedModel, embedding: Tensor | None, rows: Tensor | None = None, ids: Tensor | None = None
    ) -> None:
        """rows: [n, width], or [m, n, width], one output layer for each of m states. ids: the target's, [n]."""
        like = target.embedded([0])
        self._target = target
        self._embedding = None if embedding is None else embedding.to(like.device, like.dtype)
        self._rows = None if rows is None else rows.to(like.device, like.dtype)
        self._ids = None if ids is None else ids.to(like.device)

    @property
    def vocab_size(self) -> int:
        return self._target.vocab_size

    @property
    def context(self) -> int:
        return self._target.context

    @property
    def slot_bytes(self) -> int:
        return self._target.slot_bytes

    @property
    def way(self) -> Forward:
        return self._target.way

    @property
    def width(self) -> int:
        return self._target.width

    @property
    def layers(self) -> int:
        return self._target.layers

    def new_cache(self, capacity: int) -> KVCache:
        return self._target.new_cache(capacity)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        return self._target.forward(tokens, positions, mask, cache)

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Tensor | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        return self._target.opened(tokens, positions, mask, cache, hidden)

    def embedded(self, tokens: Sequence[int]) -> Tensor:
        if self._embedding is None:
            return self._target.embedded(tokens)
        return self._embedding[list(tokens)]

    @torch.inference_mode()
    def spoken(self, hidden: Tensor) -> Tensor:
        if self._rows is None:
            return self._target.spoken(hidden)
        logits = (self._rows @ hidden[..., None])[..., 0] if self._rows.dim() > 2 else hidden @ self._rows.mT
        if self._ids is None:
            return logits
        whole = logits.new_full((*logits.shape[:-1], self.vocab_size), -torch.inf)
        return whole.index_copy_(-1, self._ids, logits)
