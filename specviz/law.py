"""The law of a guess: what the guess was taken from. It is a row of probabilities or a point mass on one token.

A law answers three questions: what probability it gives a token, what its guess's rejection leaves of p (the residual),
and which tokens it gives most. Row and Point are for one round; Rows and Points are for a batch of rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from torch import Tensor

from specviz.arrays import Bools, Floats, Ids
from specviz.config import LawKind
from specviz.sampling import residual


class Law(Protocol):
    """The law of one guess."""

    @property
    def kind(self) -> LawKind: ...

    def of(self, token: int) -> float:
        """The probability of a token."""
        ...

    def residual(self, p: Floats) -> tuple[Floats, bool]:
        """What the guess's rejection leaves of p, float64[V], and whether nothing was left, so that it is p itself."""
        ...

    def largest(self, count: int) -> Ids:
        """The most probable tokens, most probable first: at most `count`, and none of probability 0."""
        ...

    def dense(self, size: int) -> Floats:
        """All probabilities, float64[size]."""
        ...

    def as_batch(self) -> "Laws":
        """A batch that holds only this law."""
        ...


class Laws(Protocol):
    """The laws of one guess in k rounds."""

    def of(self, tokens: Ids) -> Floats:
        """The probability of each round's token, [k]."""
        ...

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        """float64[k, V] and bool[k]; see `Law.residual`."""
        ...

    def subset(self, rows: Ids) -> "Laws":
        """The laws of some of the rounds, by number."""
        ...


@dataclass(slots=True)
class Row:
    """probs: float64[V], in main memory."""

    probs: Floats
    kind = LawKind.ROW

    def of(self, token: int) -> float:
        return self.probs.item(token)

    def residual(self, p: Floats) -> tuple[Floats, bool]:
        left, empty = residual(p, self.probs)
        return left, bool(empty)

    def largest(self, count: int) -> Ids:
        order = (-self.probs).argsort(kind="stable")[:count]
        return order[self.probs[order] > 0]

    def dense(self, size: int) -> Floats:
        return self.probs

    def as_batch(self) -> "Rows":
        return Rows(self.probs[None])


@dataclass(slots=True)
class Point:
    """All probability on one token."""

    token: int
    kind = LawKind.POINT

    def of(self, token: int) -> float:
        return float(token == self.token)

    def residual(self, p: Floats) -> tuple[Floats, bool]:
        left = p.copy()
        left[self.token] = 0.0
        mass = left.sum()
        assert mass > 0, "a guess the target gives probability 1 cannot be rejected"
        left /= mass
        return left, False

    def largest(self, count: int) -> Ids:
        return np.array([self.token][:count], dtype=np.int64)

    def dense(self, size: int) -> Floats:
        probs = np.zeros(size)
        probs[self.token] = 1.0
        return probs

    def as_batch(self) -> "Points":
        return Points(np.array([self.token]))


@dataclass(slots=True)
class Rows:
    """probs: float64[k, V]."""

    probs: Floats

    def of(self, tokens: Ids) -> Floats:
        found: Floats = self.probs[np.arange(len(self.probs)), tokens]
        return found

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        left, empty = residual(p, self.probs)
        return left, np.asarray(empty)

    def subset(self, rows: Ids) -> "Rows":
        return self if rows.size == len(self.probs) else Rows(self.probs[rows])


@dataclass(slots=True)
class Points:
    """tokens: [k]."""

    tokens: Ids

    def of(self, tokens: Ids) -> Floats:
        found: Floats = (tokens == self.tokens).astype(np.float64)
        return found

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        left = p.copy()
        left[np.arange(len(left)), self.tokens] = 0.0
        mass = left.sum(-1, keepdims=True)
        assert mass.all(), "a guess the target gives probability 1 cannot be rejected"
        left /= mass
        return left, np.zeros(len(left), dtype=bool)

    def subset(self, rows: Ids) -> "Points":
        return Points(self.tokens[rows])


def rows_of(q: Tensor) -> list[Laws]:
    """The laws of n guesses from float64[B, n, V]."""
    return [Rows(probs) for probs in by_guess(q)]


def by_guess(probs: Tensor) -> Sequence[Floats]:
    """float64[B, n, V] as n arrays float64[B, V]."""
    return list(probs.numpy().swapaxes(0, 1))
