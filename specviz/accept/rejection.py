"""Speculative sampling: keep a guess with probability min(1, p/q), else draw from what q missed.

Lossless: whatever q is, the emitted tokens have the target's law.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

from typing import Any

import torch

from specviz.accept.base import Draws
from specviz.accept.token_rule import TokenRule, guessed
from specviz.chance import At, Chance, Floats, Seeded
from specviz.crowd import Crowd
from specviz.sampling import residual


class Rejection(TokenRule):
    """A test of its own for each guess, a draw of its own for what replaces it."""

    name = "rejection"
    local = True

    def chance(self, seed: int) -> Chance:
        return Seeded(seed)

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        return Crowd(generator)

    def keeps(self, p: Floats, q: Floats, token: int) -> float:
        """min(1, p/q)."""
        return min(1.0, p.item(token) / q.item(token))

    def test(self, p: Floats, q: Floats, guess: Any, at: At, draws: Any) -> tuple[Any, Any]:
        won, u = draws.flip(guessed(p, guess), guessed(q, guess), at)
        return won, u

    def left(self, p: Floats, q: Floats) -> tuple[Floats, Any]:
        return residual(p, q)


RULE = Rejection()
