"""One target pass over the pending token and all drafted tokens. It gives all rows of p at once."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from specviz.sampling.arrays import Bools, Reals
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Forward
from specviz.trim import KVCache


class Needs(NamedTuple):
    """What a drafter needs from the target's passes besides the rows of p.

    Attributes:
        rows: the logits of every token in the pass, rejected ones included.
        hidden: the layers whose hidden states it needs; 0 is the embedding.
        scouts: the most scouts it has read in a pass.
        layers: how many of the target's first layers it runs itself, over the target's own slots.
    """

    rows: bool = False
    hidden: tuple[int, ...] = ()
    scouts: int = 0
    layers: int = 0


NOTHING = Needs()


class Scores(NamedTuple):
    """What one pass says about its tokens.

    Attributes:
        logits: [n, V].
        hidden: [n, width] for each layer that was asked for.
    """

    logits: Reals
    hidden: Mapping[int, Reals] = MappingProxyType({})


class LanguageModel(Protocol):
    """A causal model. All its state between calls is in the cache it is given.

    context: the longest text it can read, in tokens. slot_bytes: the bytes one token takes in a cache. way: which
    forward pass runs it.
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

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        """Reads n tokens after the cache, writes their keys and values, and advances the cache.

        Args:
            positions: each token's position in the text. Siblings in a tree share one.
            mask: bool[n, m], True where a row may attend to a column. The columns are the last m slots, the n new
                ones included; all slots before them are seen by every row. None means causal.

        Returns:
            logits[n, V]. Row i predicts what follows token i.
        """
        ...


@runtime_checkable
class OpenModel(LanguageModel, Protocol):
    """A model that can also return its hidden states."""

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """Like `forward`, and returns the hidden states of these layers too. It may be slower.

        The last layer's are those after the final norm.
        """
        ...


@runtime_checkable
class HeadedModel(OpenModel, Protocol):
    """An open model that lends its embedding and its output layer to heads.

    width: the numbers in a hidden state. layers: how many layers it has.
    """

    @property
    def width(self) -> int: ...

    @property
    def layers(self) -> int: ...

    def embedded(self, tokens: Sequence[int]) -> Reals:
        """[n, width]: what its first layer reads of these tokens."""
        ...

    def spoken(self, hidden: Reals) -> Reals:
        """logits[n, V] of states as they are after the final norm, by the output layer."""
        ...


@runtime_checkable
class SplitModel(LanguageModel, Protocol):
    """A model whose first layers can be run alone, and the others later.

    width: the numbers in a hidden state. unsplit: whether a whole pass is faster than the rest of one.
    """

    @property
    def width(self) -> int: ...

    @property
    def unsplit(self) -> bool: ...

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache
    ) -> Reals:
        """Like `forward`, through the first layers only.

        Args:
            cache: has these layers alone; see KVCache.first.

        Returns:
            hidden[n, width].
        """
        ...

    def read_off(self, hidden: Reals) -> Reals:
        """logits[n, V] of hidden states, by the model's final norm and output layer."""
        ...

    def resume(self, layers: int, hidden: Reals, positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        """Like `forward`, through all layers but the first ones.

        Args:
            hidden: what `start` returned for these tokens. It wrote their slots of the first layers after the cache.
        """
        ...


@runtime_checkable
class RoundableModel(LanguageModel, Protocol):
    """A model that has a rough copy of itself, with its own caches."""

    def in_8_bits(self) -> "RoundableModel":
        """The copy, made once: the weights of its linear layers are rounded to 8 bits, and the model stays as it is."""
        ...

    def scorer(self, token: int) -> Reals:
        """The weights of the output layer that score a token, float32[width]; those of a copy are the rounded ones."""
        ...


CHUNK = 512
"""Tokens read at once. All logits of a long text could take gigabytes."""


def read(model: LanguageModel, tokens: Sequence[int], cache: KVCache, needs: Needs = NOTHING) -> Scores | None:
    """Reads tokens after the cache and keeps their keys and values.

    Returns:
        What is needed of that: the hidden states of all tokens, and the logits of the last ones, at most CHUNK.
        None if nothing is needed, or there are no tokens.
    """
    states: list[Mapping[int, Reals]] = []
    logits: Reals | None = None
    for end in range(len(tokens) % CHUNK or CHUNK, len(tokens) + 1, CHUNK):
        part, length = tokens[max(0, end - CHUNK) : end], cache.length
        logits, hidden = _pass(model, part, range(length, length + len(part)), None, cache, needs.hidden)
        states.append(hidden)
    if needs == NOTHING or logits is None:
        return None
    return Scores(logits, {layer: np.concatenate([each[layer] for each in states]) for layer in needs.hidden})


def _pass(
    model: LanguageModel,
    tokens: Sequence[int],
    positions: Sequence[int],
    mask: Bools | None,
    cache: KVCache,
    hidden: Sequence[int],
) -> Scores:
    if not hidden:
        return Scores(model.forward(tokens, positions, mask, cache))
    assert isinstance(model, OpenModel), "hidden states are only asked of a model that can return them"
    return model.opened(tokens, positions, mask, cache, hidden)


def verify(
    model: LanguageModel,
    cache: KVCache,
    unread: Sequence[int],
    tree: DraftTree,
    needs: Needs = NOTHING,
    started: Reals | None = None,
) -> Scores:
    """What the target says after the pending token and after each node.

    Args:
        unread: committed tokens that the cache does not hold yet, at least one. The last is the pending token.
        tree: may be empty; then this is a step of plain decoding.
        started: what `needs.layers` layers made of the first of these tokens already. The pass continues from there,
            unless the model is faster as a whole.

    Returns:
        n + 1 rows, and one more for each scout. Row 0 follows the pending token, row i + 1 follows node i.
        The cache grows by len(unread) + n slots, and one more for each scout.
    """
    if len(unread) > CHUNK:
        read(model, unread[:-1], cache)
        unread, started = unread[-1:], None
    start = len(unread) - 1 + cache.length
    tokens, depths = tree.tokens, tree.depths()
    if tree.scouts:
        tokens, depths = (*tokens, *tree.scouts.tokens), (*depths, *tree.scouts.depths)
    chain = tree.is_chain and not tree.scouts
    mask = None if chain else _mask(len(unread), tree)
    positions: Sequence[int] = range(cache.length, start + 1 + len(tokens))
    if not chain:
        positions = [*range(cache.length, start + 1), *(start + 1 + depth for depth in depths)]
    if started is not None and isinstance(model, SplitModel) and not model.unsplit:
        scores = Scores(_resumed(model, needs.layers, started, [*unread, *tokens], positions, mask, cache))
    else:
        scores = _pass(model, [*unread, *tokens], positions, mask, cache, needs.hidden)
    if len(unread) == 1:
        return scores
    first = len(unread) - 1
    return Scores(scores.logits[first:], {layer: rows[first:] for layer, rows in scores.hidden.items()})


def _resumed(
    model: SplitModel,
    layers: int,
    started: Reals,
    tokens: Sequence[int],
    positions: Sequence[int],
    mask: Bools | None,
    cache: KVCache,
) -> Reals:
    done = len(started)
    if done < len(tokens):  # the last guess was drawn, but not read
        first = cache.first(layers)
        first.advance(done)
        others = None if mask is None else mask[done:]
        started = np.concatenate([started, model.start(layers, tokens[done:], positions[done:], others, first)])
    return model.resume(layers, started, positions, mask, cache)


def _mask(unread: int, tree: DraftTree) -> Bools:
    """bool[unread + n, unread + n]: a row sees the unread tokens before it; a node sees its ancestors too."""
    seen = tree.mask()
    n = unread - 1 + len(seen)
    mask = np.tri(n, dtype=bool)
    mask[unread:, unread - 1 :] = seen[1:]
    return mask
