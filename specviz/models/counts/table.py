"""Counts how often each token followed each short context, in a corpus and in one run's own text.

The table is a trie. Bigrams are never pruned, so Laplace smoothing is exact. A pruned longer n-gram leaves its
probability to the shorter context, because the count of its own context stays whole.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

ORDER = 5
"""Length of the longest n-grams: four tokens of context and the next one."""

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


class Parameters(NamedTuple):
    """Parameters chosen on held-out text.

    k: pseudo-count of every token in the bigram distribution, > 0; 1 is Laplace.
    discounts: for contexts of 1 to 4 tokens, what is taken off a count of 1, 2, 3 or more; 0 < D_i <= i.
    weights: for contexts of 0 to 4 tokens, how many corpus tokens one token of the run's own text is worth, >= 0.
    """

    k: float = 1.0
    discounts: tuple[tuple[float, ...], ...] = ((0.6, 0.8, 1.9),) * (ORDER - 1)
    weights: tuple[float, ...] = (1.0,) * ORDER

    def check(self) -> Self:
        """Returns itself. Raises ValueError: a parameter outside its range."""
        shape_ok = len(self.weights) == ORDER and len(self.discounts) == ORDER - 1
        discounts_ok = all(0 < a <= 1 and 0 < b <= 2 and 0 < c <= 3 for a, b, c in self.discounts)
        if not (shape_ok and discounts_ok and 0 < self.k < math.inf and all(0 <= w < math.inf for w in self.weights)):
            raise ValueError(f"want k > 0, 4 x 3 discounts in (0, i], 5 weights >= 0; got {self}")
        return self


class NgramDistribution(NamedTuple):
    """A next-token distribution, and the context that has the most influence on it.

    probs: float64[V], every token > 0, sums to 1.
    length: tokens of that context; 0 stands for the frequencies of single tokens.
    seen: how often any token followed that context in the corpus.
    own: how often any token followed it in the run's own text, unweighted.
    """

    probs: Floats
    length: int
    seen: int
    own: int


class Followers(NamedTuple):
    """What followed one context: how often anything did, the tokens in the table, and their counts, int[n] each."""

    seen: int
    tokens: Ints
    counts: Ints


NOBODY = Followers(0, np.zeros(0, np.uint32), np.zeros(0, np.uint32))


class Mixed(NamedTuple):
    """A context that a distribution is mixed from.

    Attributes:
        length: its tokens.
        corpus, own: what followed it in the corpus, and in the run's own text.
        tokens, kept: those it gives probability to, and how much, discounted: int[n], float64[n].
        mass: the sum of kept.
    """

    length: int
    corpus: Followers
    own: Followers
    tokens: Ints
    kept: Floats
    mass: float


class Level(NamedTuple):
    """The n-grams of one length, sorted by their first tokens, then by the last; uint32, read-only.

    tokens: the last token of each. counts: how often it occurred. followed: how often any token came after it.
    starts: where the children of each n-gram that is one token shorter begin; one more number says where the last end.
    """

    tokens: Ints
    counts: Ints
    followed: Ints
    starts: Ints

    @classmethod
    def of(cls, tokens: Ints, counts: Ints, ends: Ints, starts: Ints) -> Self:
        """A level. ends: the n-gram at the end of each stream; it occurred once more than it was followed."""
        followed = counts - np.bincount(ends, minlength=len(counts))
        level = cls(*(array.astype(np.uint32) for array in (tokens, counts, followed, starts)))
        for array in level:
            array.flags.writeable = False
        return level


@dataclass(frozen=True)
class CountTable:
    """How often each n-gram of 1 to ORDER tokens occurs in a corpus, and the parameters. Concurrent runs share it."""

    vocab_size: int
    levels: tuple[Level, ...]
    parameters: Parameters = field(default_factory=Parameters)

    @property
    def nbytes(self) -> int:
        """Bytes of all its arrays."""
        return sum(array.nbytes for level in self.levels for array in level)

    @classmethod
    def fit(cls, streams: Iterable[Ints], vocab_size: int, minimum: tuple[int, ...] = (1, 1, 1, 2, 2)) -> Self:
        """Counts every n-gram inside each stream; none spans two streams.

        Args:
            streams: token ids, int[n] each, in [0, vocab_size).
            minimum: for n-grams of 1 to 5 tokens, the count below which one is dropped. It starts with 1, 1, because
                tokens and bigrams are always kept, and never falls.

        Raises:
            ValueError: an id outside the vocabulary, no tokens at all, or a minimum that breaks the rule.
        """
        texts = [np.asarray(stream, np.int64) for stream in streams]
        text = np.concatenate([*texts, np.zeros(0, np.int64)])
        if not len(text) or text.min() < 0 or text.max() >= vocab_size:
            raise ValueError(f"token ids must lie in [0, {vocab_size}) and there must be some; got {len(text)} tokens")
        if len(minimum) != ORDER or minimum[:2] != (1, 1) or list(minimum) != sorted(minimum):
            raise ValueError(f"minimum must be {ORDER} counts that never fall and start with 1, 1; got {minimum}")
        lengths = [len(one) for one in texts]
        left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(text))
        tokens, counts = np.arange(vocab_size), np.bincount(text, minlength=vocab_size)
        starts = np.array([0, vocab_size])
        # Where each n-gram of the current length begins in the text, and its number in the table.
        where, node = np.arange(len(text)), text
        levels: list[Level] = []
        for order in range(1, ORDER + 1):
            at_end = left[where] == order
            levels.append(Level.of(tokens, counts, node[at_end], starts))
            if order == ORDER:
                break
            where, node = where[~at_end], node[~at_end]
            longer = node * vocab_size + text[where + order]
            grams, which, counts = np.unique(longer, return_inverse=True, return_counts=True)
            kept = counts >= minimum[order]
            parents, tokens = np.divmod(grams[kept], vocab_size)
            counts, starts = counts[kept], np.searchsorted(parents, np.arange(len(levels[-1].tokens) + 1))
            where, node = where[kept[which]], (np.cumsum(kept) - 1)[which[kept[which]]]
        return cls(vocab_size, tuple(levels))

    @cached_property
    def size(self) -> int:
        """Number of tokens that were counted."""
        return int(self.levels[0].counts.sum())

    def followers(self, context: Sequence[int]) -> Followers:
        """What followed 0 to 4 tokens of context. `seen` is 0 if the table does not hold them.

        Raises:
            ValueError: a token outside the vocabulary.
        """
        if not all(0 <= token < self.vocab_size for token in context):
            raise ValueError(f"token ids must lie in [0, {self.vocab_size}); got {list(context)}")
        node, seen = 0, self.size
        for (tokens, followed, starts), token in zip(self._trie, context, strict=False):
            stop = starts[node + 1]
            node = bisect_left(tokens, token, starts[node], stop)
            if node == stop or tokens[node] != token:
                return NOBODY
            seen = followed[node]
        level, (_, _, starts) = self.levels[len(context)], self._trie[len(context)]
        start, stop = starts[node], starts[node + 1]
        return Followers(seen, level.tokens[start:stop], level.counts[start:stop])

    @cached_property
    def _trie(self) -> list[tuple[memoryview, memoryview, memoryview]]:
        """Tokens, followed and starts of each level as lists, because looking up single numbers is slow in NumPy."""
        return [(level.tokens.data, level.followed.data, level.starts.data) for level in self.levels]

    def bigram(self, token: int, k: float | None = None) -> Floats:
        """P(b | a) = (c(a, b) + k) / (N(a) + k V), float64[V]; k = 1 is Laplace, None the fitted k.

        For a token that nothing ever followed in the corpus it is (c(b) + k) / (N + k V).

        Raises:
            ValueError: token outside the vocabulary, or k not positive.
        """
        k = self.parameters.k if k is None else k
        if not 0 < k < math.inf:
            raise ValueError(f"k must be positive and finite; got {k}")
        followers = self.followers((token,))
        if not followers.seen:
            followers = self.followers(())
        row = np.full(self.vocab_size, k)
        row[followers.tokens.astype(np.intp)] += followers.counts
        return row / (followers.seen + k * self.vocab_size)


class Online:
    """Counts of one run's own text beside a shared table, which it never changes.

    own: how often each token occurred in the run's text, float64[V]. size: number of tokens of that text.
    """

    def __init__(self, table: CountTable) -> None:
        self.table = table
        self.own = np.zeros(table.vocab_size)
        self.size = 0
        self._frequencies: Floats | None = None
        self._counts = np.zeros(table.vocab_size)
        self._tail: tuple[int, ...] = ()
        self._after: dict[tuple[int, ...], dict[int, int]] = {}

    def extend(self, tokens: Iterable[int]) -> None:
        """Counts more of the run's text: first the prompt, then each token once it is committed.

        Raises:
            ValueError: a token outside the vocabulary. The tokens before it are counted.
        """
        for token in map(int, tokens):
            if not 0 <= token < self.table.vocab_size:
                raise ValueError(f"token ids must lie in [0, {self.table.vocab_size}); got {token}")
            self.own[token] += 1
            self.size += 1
            self._frequencies = None
            for start in range(len(self._tail)):
                after = self._after.setdefault(self._tail[start:], {})
                after[token] = after.get(token, 0) + 1
            self._tail = (*self._tail, token)[1 - ORDER :]

    def followers(self, context: Sequence[int]) -> Followers:
        """What followed 1 to 4 tokens of context in the run's own text."""
        after = self._after.get(tuple(context))
        if after is None:
            return NOBODY
        counts = np.fromiter(after.values(), np.uint32, len(after))
        return Followers(sum(after.values()), np.fromiter(after, np.uint32, len(after)), counts)

    def ngram(self, context: Sequence[int]) -> NgramDistribution:
        """The distribution after a context: discounted counts of the longest context, the rest from shorter ones.

        P_L(w) = keep(x_w) / N + (1 - sum keep / N) P_{L-1}(w) for the last L tokens, L = 4 down to 1, and
        P_0(w) = (x_w + k) / (N + k V). x is a count and N how often the context was followed, each the corpus's plus
        weights[L] times the run's own. A context that nothing ever followed is left out.

        Source: modified absolute discounting, interpolated, Chen & Goodman 1999, with plain instead of
        continuation counts below, so that one table serves the bigram distribution too.
        """
        most, share = (0, self.table.size, self.size), 1.0
        levels = list(self.mixed(context))
        for length, corpus, own, _, _, mass in levels:
            share *= 1 - mass
            if mass > share:
                most, share = (length, corpus.seen, own.seen), mass
        row = math.prod(1 - level.mass for level in levels) * self._unigram()
        left = 1.0
        for _, _, _, tokens, kept, mass in reversed(levels):
            row[tokens] += left * kept
            left *= 1 - mass
        return NgramDistribution(row, *most)

    def mixed(self, context: Sequence[int]) -> Iterator[Mixed]:
        """The contexts behind `ngram`, the shortest first, without those that nothing ever followed."""
        table, (_, discounts, weights) = self.table, self.table.parameters
        for length in range(1, min(len(context), ORDER - 1) + 1):
            last = context[-length:]
            corpus, own = table.followers(last), self.followers(last)
            total = corpus.seen + weights[length] * own.seen
            if total:
                tokens, counts = self._together(corpus, own, weights[length])
                kept = keep(counts, discounts[length - 1]) / total
                yield Mixed(length, corpus, own, tokens, kept, float(kept.sum()))

    def _together(self, corpus: Followers, own: Followers, weight: float) -> tuple[Ints, Floats]:
        """The tokens that followed in the corpus or in the run's own text, each once, and their weighted counts."""
        tokens = corpus.tokens.astype(np.intp)  # NumPy would convert any other index type at every use
        if not own.seen:
            return tokens, corpus.counts.astype(np.float64)
        mine, counts = own.tokens.astype(np.intp), self._counts
        counts[tokens] = corpus.counts
        tokens = np.concatenate([tokens, mine[counts[mine] == 0]])
        counts[mine] += weight * own.counts
        summed = counts[tokens]
        counts[tokens] = 0.0
        return tokens, summed

    def _unigram(self) -> Floats:
        """P_0. It is kept until the text grows."""
        if self._frequencies is None:
            table, (k, _, (weight, *_)) = self.table, self.table.parameters
            counts = table.levels[0].counts + (weight * self.own + k)
            self._frequencies = counts / (table.size + weight * self.size + k * table.vocab_size)
        return self._frequencies


def keep(counts: Ints | Floats, discounts: Sequence[float]) -> Floats:
    """Counts x minus their discount D(x): linear through (0, 0), (1, D1), (2, D2), (3, D3), then constant."""
    return np.asarray(counts - np.interp(counts, (0, 1, 2, 3), (0.0, *discounts)))
