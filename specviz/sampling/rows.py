"""The law of a guess: what the guess was taken from. It is a row of probabilities or a point mass on one token.

A law says what probability it gives a token, and what its guess's rejection leaves of p. It is that of one guess, or of
the same guess in k rounds; law[rounds] is that in some of the rounds, and law[None] makes a batch of one round.
"""

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from specviz.config.settings import LawKind
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.distribution import residual


@overload
def weight_at(probs: Floats, tokens: int) -> float: ...
@overload
def weight_at(probs: Floats, tokens: Ids) -> Floats: ...
def weight_at(probs: Floats, tokens: int | Ids) -> float | Floats:
    """A token's probability in float64[V], or that of each round's token, [k], in float64[k, V]."""
    if probs.ndim == 1:
        return probs.item(tokens)
    found: Floats = probs[np.arange(len(probs)), tokens]
    return found


@dataclass(slots=True)
class Row:
    """probs: float64[V], or float64[k, V] for k rounds."""

    probs: Floats
    kind = LawKind.ROW

    def of(self, tokens: Any) -> Any:
        """See `weight_at`."""
        return weight_at(self.probs, tokens)

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        """What the guess's rejection leaves of p, shaped like p, and whether nothing was left, so that it is p."""
        return residual(p, self.probs)

    def dense(self, size: int) -> Floats:
        """All probabilities, float64[size] or float64[k, size]."""
        return self.probs

    def __getitem__(self, rounds: Any) -> "Row":
        return Row(self.probs[rounds])


@dataclass(slots=True)
class Point:
    """All probability on one token, or on one token in each of k rounds, [k]."""

    tokens: int | Ids
    kind = LawKind.POINT

    def of(self, tokens: Any) -> Any:
        """See `weight_at`."""
        return 1.0 * (tokens == self.tokens)

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        """See `Row.residual`."""
        left = p.copy()
        left[self.tokens if p.ndim == 1 else (np.arange(len(p)), self.tokens)] = 0.0
        mass = left.sum(-1, keepdims=True)
        assert mass.all(), "a guess the target gives probability 1 cannot be rejected"
        left /= mass
        return left, np.zeros(p.shape[:-1], dtype=bool)

    def dense(self, size: int) -> Floats:
        """See `Row.dense`."""
        probs: Floats = 1.0 * (np.arange(size) == np.expand_dims(self.tokens, -1))
        return probs

    def __getitem__(self, rounds: Any) -> "Point":
        return Point(np.asarray(self.tokens)[rounds])


Law = Row | Point
