"""What the rules share that weigh a whole draft instead of judging one guess at a time."""

import numpy as np
import torch

from specviz.accept import rejection
from specviz.accept.base import AcceptRule, Draws
from specviz.accept.batch import BatchDraws
from specviz.arrays import Bools, Floats
from specviz.chance import Chance, Seeded
from specviz.law import Law
from specviz.sampling import residual


class WeighingRule(AcceptRule):
    """Weighs a draft by the factors min(1, p/q) of its guesses."""

    local = False

    def chance(self, seed: int) -> Chance:
        return Seeded(seed)

    def batch_draws(self, generator: torch.Generator, rounds: int) -> Draws:
        return BatchDraws(generator)

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """min(1, p/q): the factor by which a guess changes the weight."""
        return rejection.RULE.accept_prob(p, q, token)

    def residual(self, weight: Floats, p: Floats, q: Floats) -> tuple[Floats, Bools]:
        """What a rejected guess leaves of p, float64[k, V], and where nothing was left, [k], so that it is p."""
        left, empty = residual(weight[:, None] * p, q)
        nothing = np.asarray(empty)
        left[nothing] = p[nothing]
        return left, nothing
