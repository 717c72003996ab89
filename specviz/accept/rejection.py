"""Rejection sampling: accept a guess with probability min(1, p/q), else draw from what q missed.

Lossless: whatever q is, the emitted tokens have the target's distribution.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

import torch

from specviz.accept.base import Draws
from specviz.accept.batch import BatchDraws
from specviz.accept.token_rule import TokenRule
from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Chance, Seeded
from specviz.law import Law, Laws


class Rejection(TokenRule):
    """One random number tests each guess; another one draws what replaces a rejected guess."""

    name = "rejection"
    local = True

    def chance(self, seed: int) -> Chance:
        return Seeded(seed)

    def batch_draws(self, generator: torch.Generator, rounds: int) -> Draws:
        return BatchDraws(generator)

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """min(1, p/q)."""
        return min(1.0, p.item(token) / q.of(token))

    def test(self, p: Floats, q: Law, guess: int, at: At, chance: Chance) -> tuple[bool, float | None]:
        return chance.flip(p.item(guess), q.of(guess), at)

    def residual(self, p: Floats, q: Law) -> tuple[Floats, bool]:
        return q.residual(p)

    def test_many(self, p: Floats, q: Laws, guesses: Ids, at: At, draws: Draws) -> tuple[Bools, Floats]:
        weight: Floats = p[range(len(p)), guesses]
        return draws.flip(weight, q.of(guesses), at)

    def residual_many(self, p: Floats, q: Laws) -> tuple[Floats, Bools]:
        return q.residual(p)


RULE = Rejection()
