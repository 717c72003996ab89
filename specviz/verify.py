"""One target pass over the pending token and every drafted one: all rows of p at once."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from specviz.tree import DraftTree
from specviz.trim import KVCache


class LanguageModel(Protocol):
    """A causal model that keeps nothing between calls but what is in the cache it is given.

    context is the longest text it can read, in tokens.
    """

    @property
    def vocab_size(self) -> int: ...

    @property
    def context(self) -> int: ...

    def new_cache(self, capacity: int) -> KVCache: ...

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        """Reads n tokens behind the cache, writes their keys and values, advances the cache.

        Args:
            positions: each token's place in the text (a tree's siblings share one).
            mask: bool[n, len(cache) + n], True where row may attend column; None is causal.

        Returns:
            logits[n, V] where the model is: row i is what follows token i. Nobody has waited for them.
        """
        ...


@runtime_checkable
class BlockModel(LanguageModel, Protocol):
    """One that can draw several tokens from its own law without anybody waiting in between."""

    def blocks(self, cache: KVCache) -> bool:
        """Whether it can over this cache."""
        ...

    def block(self, token: int, us: Sequence[float], law: Callable[[Tensor], Tensor], cache: KVCache) -> Tensor:
        """Reads a token, draws the next by us[0], reads that, and so on; writes and advances len(us) slots.

        Args:
            law: logits[1, V'] -> float64[1, V], which does not wait either; equal laws share what is recorded.

        Returns:
            float64[len(us), V + 1] where the model is: the law of each token, and last its id.
        """
        ...


CHUNK = 512
"""Tokens that are read at once where their logits are not wanted: those of a long prompt could be gigabytes."""


def read(model: LanguageModel, tokens: Sequence[int], cache: KVCache) -> None:
    """Reads tokens behind the cache for their keys and values alone."""
    for start in range(0, len(tokens), CHUNK):
        part, length = tokens[start : start + CHUNK], cache.length
        model.forward(part, range(length, length + len(part)), None, cache)


def verify(model: LanguageModel, cache: KVCache, owed: Sequence[int], tree: DraftTree) -> Tensor:
    """The target's logits after the pending token and after each node.

    Args:
        owed: committed tokens the cache does not hold yet, at least one; the last is the pending token.
        tree: may be empty, then this is a plain decoding step.

    Returns:
        logits[n + 1, V]: row 0 follows the pending token, row i + 1 follows node i.
        The cache grows by len(owed) + n slots.
    """
    if len(owed) > CHUNK:
        read(model, owed[:-1], cache)
        owed = owed[-1:]
    start = len(owed) - 1 + cache.length
    positions = [*range(cache.length, start + 1), *(start + 1 + depth for depth in tree.depths())]
    mask = None if tree.is_chain else _mask(cache.length, len(owed), tree)
    logits = model.forward([*owed, *tree.tokens], positions, mask, cache)
    return logits[len(owed) - 1 :] if len(owed) > 1 else logits


def _mask(length: int, owed: int, tree: DraftTree) -> Tensor:
    """bool[owed + n, length + owed + n]: everyone sees the text before, a node its own ancestors."""
    n = owed + len(tree)
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    mask[owed:, owed - 1 :] = tree.mask()[1:]
    return torch.cat([torch.ones(n, length, dtype=torch.bool), mask], dim=1)
