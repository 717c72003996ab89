"""Gumbel coupling: drafter, target and plain decoding share one noise. A guess is accepted if the target picks it too.

A position's noise depends only on the seed and the position. The model that decides that position takes
argmax(log probs + noise). So the text is exactly what plain decoding with that seed writes, token for token, at any
temperature, and it has the target's own distribution. Guesses are accepted no more often than under rejection.

Source: Daliri, Musco and Suresh, Coupling without communication and drafter-invariant speculative decoding,
arXiv:2408.07978.
"""

from typing import Any

import numpy as np

from specviz.accept.base import Draws
from specviz.accept.batch import BatchNoise
from specviz.accept.token_rule import TokenRule
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.chance import At, Chance, Noise
from specviz.sampling.rows import Law, Point


class Coupled(TokenRule):
    """The target picks its own token first. A guess is accepted if it is that token."""

    name = "coupled"

    def chance(self, seed: int) -> Chance:
        return Noise(seed)

    def batch_draws(self, generator: np.random.Generator, rounds: int) -> Draws:
        return BatchNoise(generator, rounds)

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """The chance that the target picks a token that the drafter picked: 1 / sum max(q p_j / p, q_j)."""
        share = p.item(token)
        if not share:
            return 0.0
        if isinstance(q, Point):
            return share
        return float(1 / np.maximum(p * (q.of(token) / share), q.probs).sum())

    def test(self, p: Floats, q: Law, guess: Any, at: At, draws: Any) -> Any:
        drawn, u = draws.pick(p, at)
        return drawn == guess, u

    def residual(self, p: Floats, q: Law) -> tuple[Floats, Bools]:
        """All of p: the same noise picks the same token again."""
        return p, np.zeros(p.shape[:-1], dtype=bool)


RULE = Coupled()
