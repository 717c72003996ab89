"""Speculative sampling: keep a guess with probability min(1, p/q), else draw from what q missed.

Lossless: whatever q is, the emitted tokens have the target's law.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

import torch
from torch import Tensor

from specviz.accept.base import Draws, TokenRule
from specviz.chance import At, Chance, Crowd, Seeded
from specviz.sampling import residual


class Rejection(TokenRule):
    """A test of its own for each guess, a draw of its own for what replaces it."""

    name = "rejection"
    lossless = True

    def chance(self, seed: int) -> Chance:
        return Seeded(seed)

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        return Crowd(generator)

    def keeps(self, p: Tensor, q: Tensor, token: int) -> float:
        """min(1, p/q)."""
        return min(1.0, float(p[token]) / float(q[token]))

    def test(self, p: Tensor, q: Tensor, guess: Tensor, at: At, rows: Tensor, draws: Draws) -> tuple[Tensor, Tensor]:
        place = guess[:, None]
        return draws.flip(p.gather(1, place).squeeze(1), q.gather(1, place).squeeze(1), at, rows)

    def left(self, p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
        return residual(p, q)


RULE = Rejection()
