"""Rejection sampling: accept a guess with probability min(1, p/q), else draw from norm(max(0, p - q)).

Lossless: whatever q is, the emitted tokens have the target's distribution.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

from typing import Any

from specviz.accept.token_rule import TokenRule
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.chance import At
from specviz.sampling.rows import Law, weight_at


class Rejection(TokenRule):
    """One random number tests each guess; another one draws what replaces a rejected guess."""

    name = "rejection"

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """min(1, p/q)."""
        ratio: float = p.item(token) / q.of(token)
        return min(1.0, ratio)

    def test(self, p: Floats, q: Law, guess: Any, at: At, draws: Any) -> Any:
        return draws.flip(weight_at(p, guess), q.of(guess), at)

    def residual(self, p: Floats, q: Law) -> tuple[Floats, Bools]:
        return q.residual(p)


RULE = Rejection()
