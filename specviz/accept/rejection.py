"""Speculative sampling: keep a guess with probability min(1, p/q), else draw from what q missed.

Lossless: whatever q is, the emitted tokens have the target's law.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

import numpy as np
import torch

from specviz.accept.base import Bools, Draws, TokenRule
from specviz.chance import At, Chance, Crowd, Floats, Ids, Seeded
from specviz.sampling import residual


class Rejection(TokenRule):
    """A test of its own for each guess, a draw of its own for what replaces it."""

    name = "rejection"
    lossless = True
    local = True

    def chance(self, seed: int) -> Chance:
        return Seeded(seed)

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        return Crowd(generator)

    def keeps(self, p: Floats, q: Floats, token: int) -> float:
        """min(1, p/q)."""
        return min(1.0, float(p[token]) / float(q[token]))

    def test(self, p: Floats, q: Floats, guess: Ids, at: At, rows: Ids, draws: Draws) -> tuple[Bools, Floats]:
        if guess.size == 1:  # a run's case, without looking up many
            return draws.flip(p[:, guess[0]], q[:, guess[0]], at, rows)
        every = np.arange(guess.size)
        return draws.flip(p[every, guess], q[every, guess], at, rows)

    def left(self, p: Floats, q: Floats) -> tuple[Floats, Bools]:
        return residual(p, q)


RULE = Rejection()
