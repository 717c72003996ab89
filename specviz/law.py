"""What a guess was taken from: a row of probabilities, or a point mass, which is an id and nothing else.

Both know three things: what they give a token, what the refusal of the guess leaves of p, and their largest entries.
Of one round alone in plain numbers (Row, Point), or of a batch of rounds (Rows, Points).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from specviz.chance import Floats, Ids
from specviz.config import LawKind
from specviz.sampling import residual

Bools = NDArray[np.bool_]


class Law(Protocol):
    """Of one guess."""

    @property
    def kind(self) -> LawKind: ...

    def of(self, token: int) -> float:
        """The probability of a token."""
        ...

    def left(self, p: Floats) -> tuple[Floats, bool]:
        """What the guess's refusal leaves of p, float64[V], and whether it had to fall back to p."""
        ...

    def largest(self, count: int) -> Ids:
        """The tokens it gives most, most first; as many as have weight, or all of them."""
        ...

    def dense(self, size: int) -> Floats:
        """float64[size]."""
        ...

    def many(self) -> "Laws":
        """A batch of this one alone."""
        ...


class Laws(Protocol):
    """Of one guess in each of k rounds."""

    def of(self, tokens: Ids) -> Floats:
        """[k], the probability of each round's token."""
        ...

    def left(self, p: Floats) -> tuple[Floats, Bools]:
        """float64[k, V] and bool[k]; see `Law.left`."""
        ...

    def some(self, rows: Ids) -> "Laws":
        """Those of some rounds, by number."""
        ...


@dataclass(slots=True)
class Row:
    """probs: float64[V], in main memory."""

    probs: Floats
    kind = LawKind.ROW

    def of(self, token: int) -> float:
        return self.probs.item(token)

    def left(self, p: Floats) -> tuple[Floats, bool]:
        law, empty = residual(p, self.probs)
        return law, bool(empty)

    def largest(self, count: int) -> Ids:
        order = (-self.probs).argsort(kind="stable")[:count]
        return order[self.probs[order] > 0]

    def dense(self, size: int) -> Floats:
        return self.probs

    def many(self) -> "Rows":
        return Rows(self.probs[None])


@dataclass(slots=True)
class Point:
    """All of it on one token."""

    token: int
    kind = LawKind.POINT

    def of(self, token: int) -> float:
        return float(token == self.token)

    def left(self, p: Floats) -> tuple[Floats, bool]:
        law = p.copy()
        law[self.token] = 0.0
        mass = law.sum()
        assert mass > 0, "a guess the target is sure of cannot be refused"
        law /= mass
        return law, False

    def largest(self, count: int) -> Ids:
        return np.array([self.token][:count], dtype=np.int64)

    def dense(self, size: int) -> Floats:
        law = np.zeros(size)
        law[self.token] = 1.0
        return law

    def many(self) -> "Points":
        return Points(np.array([self.token]))


@dataclass(slots=True)
class Rows:
    """probs: float64[k, V]."""

    probs: Floats

    def of(self, tokens: Ids) -> Floats:
        found: Floats = self.probs[np.arange(len(self.probs)), tokens]
        return found

    def left(self, p: Floats) -> tuple[Floats, Bools]:
        law, empty = residual(p, self.probs)
        return law, np.asarray(empty)

    def some(self, rows: Ids) -> "Rows":
        return self if rows.size == len(self.probs) else Rows(self.probs[rows])


@dataclass(slots=True)
class Points:
    """tokens: [k]."""

    tokens: Ids

    def of(self, tokens: Ids) -> Floats:
        found: Floats = (tokens == self.tokens).astype(np.float64)
        return found

    def left(self, p: Floats) -> tuple[Floats, Bools]:
        law = p.copy()
        law[np.arange(len(law)), self.tokens] = 0.0
        mass = law.sum(-1, keepdims=True)
        assert mass.all(), "a guess the target is sure of cannot be refused"
        law /= mass
        return law, np.zeros(len(law), dtype=bool)

    def some(self, rows: Ids) -> "Points":
        return Points(self.tokens[rows])


def rows_of(q: Tensor) -> list[Laws]:
    """float64[B, n, V] guess by guess."""
    return [Rows(probs) for probs in by_guess(q)]


def by_guess(laws: Tensor) -> Sequence[Floats]:
    """float64[B, n, V] as n times float64[B, V]."""
    return list(laws.numpy().swapaxes(0, 1))
