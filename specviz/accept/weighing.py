"""Shared by the rules that weigh a whole draft instead of testing one guess at a time."""

import numpy as np

from specviz.accept import rejection
from specviz.accept.base import AcceptRule
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.distribution import residual
from specviz.sampling.rows import Law


class WeighingRule(AcceptRule):
    """Weighs a draft by the factors min(1, p/q) of its guesses."""

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """min(1, p/q): the factor by which a guess changes the weight."""
        return rejection.RULE.accept_prob(p, q, token)

    def residual(self, weight: Floats, p: Floats, q: Floats) -> tuple[Floats, Bools]:
        """What a rejected guess leaves of p, float64[k, V], and where nothing was left, [k], so that it is p."""
        left, nothing = residual(weight[:, None] * p, q)
        left[nothing] = p[nothing]
        return left, nothing

    def lightened(self, weight: Floats, mass: Floats) -> tuple[Floats, Floats]:
        """mass / (mass + 1 - weight), where 0/0 is 1, as numerator and denominator."""
        total = mass + (1 - weight)
        equal = total <= 0  # p and q are equal
        return np.where(equal, 1.0, mass), np.where(equal, 1.0, total)
