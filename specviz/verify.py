"""One target pass over the pending token and every drafted one: all rows of p at once."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

import torch
from torch import Tensor

from specviz.trace.info import Forward
from specviz.tree import DraftTree
from specviz.trim import KVCache


class Needs(NamedTuple):
    """What somebody wants of the target's passes beyond a law for each guess.

    Attributes:
        rows: the logits of every token of the pass, refused ones too.
        hidden: the states after these layers, 0 being the embedding.
    """

    rows: bool = False
    hidden: tuple[int, ...] = ()


NOTHING = Needs()


class Scores(NamedTuple):
    """What a pass says of its tokens.

    Attributes:
        logits: [n, V], where the model is.
        hidden: by layer, [n, width]; of those asked for.
    """

    logits: Tensor
    hidden: Mapping[int, Tensor] = MappingProxyType({})


class LanguageModel(Protocol):
    """A causal model that keeps nothing between calls but what is in the cache it is given.

    context is the longest text it can read, in tokens; slot_bytes what one takes in a cache; way how a pass is run.
    """

    @property
    def slot_bytes(self) -> int: ...

    @property
    def way(self) -> Forward: ...

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
class OpenModel(LanguageModel, Protocol):
    """One that can show the states between its layers."""

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Tensor | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """`forward`, and the states after these layers; perhaps by a slower pass than without."""
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


def read(
    model: LanguageModel, tokens: Sequence[int], cache: KVCache, hidden: Sequence[int] = ()
) -> Mapping[int, Tensor]:
    """Reads tokens behind the cache for their keys and values, and for the states after these layers."""
    parts = []
    for start in range(0, len(tokens), CHUNK):
        part, length = tokens[start : start + CHUNK], cache.length
        parts.append(_pass(model, part, range(length, length + len(part)), None, cache, hidden))
    return {layer: torch.cat([part.hidden[layer] for part in parts]) for layer in hidden if parts}


def _pass(
    model: LanguageModel,
    tokens: Sequence[int],
    positions: Sequence[int],
    mask: Tensor | None,
    cache: KVCache,
    hidden: Sequence[int],
) -> Scores:
    if not hidden:
        return Scores(model.forward(tokens, positions, mask, cache))
    assert isinstance(model, OpenModel), "who needs hidden states was built for a model that shows them"
    return model.opened(tokens, positions, mask, cache, hidden)


def verify(
    model: LanguageModel, cache: KVCache, owed: Sequence[int], tree: DraftTree, needs: Needs = NOTHING
) -> Scores:
    """What the target says after the pending token and after each node.

    Args:
        owed: committed tokens the cache does not hold yet, at least one; the last is the pending token.
        tree: may be empty, then this is a plain decoding step.

    Returns:
        n + 1 rows, and one for each scout: row 0 follows the pending token, row i + 1 follows node i.
        The cache grows by len(owed) + n slots, and one for each scout.
    """
    if len(owed) > CHUNK:
        read(model, owed[:-1], cache)
        owed = owed[-1:]
    start = len(owed) - 1 + cache.length
    tokens, depths = tree.tokens, tree.depths()
    if tree.scouts:
        tokens, depths = (*tokens, *tree.scouts.tokens), (*depths, *tree.scouts.depths)
    positions = [*range(cache.length, start + 1), *(start + 1 + depth for depth in depths)]
    mask = None if tree.is_chain and not tree.scouts else _mask(cache.length, len(owed), tree)
    scores = _pass(model, [*owed, *tokens], positions, mask, cache, needs.hidden)
    if len(owed) == 1:
        return scores
    first = len(owed) - 1
    return Scores(scores.logits[first:], {layer: rows[first:] for layer, rows in scores.hidden.items()})


def _mask(length: int, owed: int, tree: DraftTree) -> Tensor:
    """bool[owed + n, length + owed + n]: everyone sees the text before, a node its own ancestors."""
    seen = tree.mask()
    n = owed - 1 + len(seen)
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    mask[owed:, owed - 1 :] = seen[1:]
    return torch.cat([torch.ones(n, length, dtype=torch.bool), mask], dim=1)
