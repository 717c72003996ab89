"""Gumbel coupling: drafter, target and plain decoding all use the same noise; a guess stands if the target agrees.

A position's noise is a function of the seed and the position alone, and whoever decides that position takes
argmax(log law + noise). So the text is token for token what plain decoding with that seed would write, at any
temperature, and its law is the target's own. Guesses stand no more often than under rejection.

Source: Daliri, Musco and Suresh, Coupling without communication and drafter-invariant speculative decoding,
arXiv:2408.07978.
"""

from typing import Any

import numpy as np
import torch

from specviz.accept.base import Draws
from specviz.accept.token_rule import TokenRule
from specviz.chance import At, Chance, Floats, Noise
from specviz.crowd import NoisyCrowd


class Coupled(TokenRule):
    """The target says its own token first; a guess stands if it is that one."""

    name = "coupled"
    local = False

    def chance(self, seed: int) -> Chance:
        return Noise(seed)

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        return NoisyCrowd(generator, rounds)

    def keeps(self, p: Floats, q: Floats, token: int) -> float:
        """How often the target's token is this one too, given that the drafter's is: 1 / sum max(q p_j / p, q_j)."""
        if not p[token]:
            return 0.0
        return float(1 / np.maximum(p * (q[token] / p[token]), q).sum())

    def test(self, p: Floats, q: Floats, guess: Any, at: At, draws: Any) -> tuple[Any, Any]:
        own, u = draws.pick(p, at)
        return own == guess, u

    def left(self, p: Floats, q: Floats) -> tuple[Floats, Any]:
        """All of p: the same noise gives the same token once more."""
        return p, np.zeros(p.shape[:-1], dtype=bool)


RULE = Coupled()
