"""Random numbers: each is used once, and none makes the impossible happen."""

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from specviz.accept.batch import BatchDraws
from specviz.accept.rejection import Rejection
from specviz.draft.base import Guess, proposal
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import BLOCK, At, Flip, Noise, Purpose, Seeded
from specviz.sampling.rows import Row
from specviz.trace.guess import Source
from tests.battery.common import PROMPT, WARM, models
from tests.tiny import traced


def numbers_are_fresh() -> Iterator[str]:
    """No random number decides two things, nor in a text longer than the positions whose numbers are made together."""
    target, draft = models(6)
    run = traced(target, PROMPT, 2 * BLOCK + 20, draft=draft, sampling=WARM, chance=Seeded(3))
    if run.rounds[-1].position <= 2 * BLOCK:
        yield f"the text ends at position {run.rounds[-1].position}, so this check is blind"
    used: Counter[float] = Counter()
    for step in run.rounds:
        used.update(verdict.draft_u for verdict in step.verdicts)
        used.update(verdict.u for verdict in step.verdicts if verdict.u is not None)
        used.update([step.extra.u] if step.extra else [])
    for number, times in used.items():
        if times > 1:
            yield f"{number} was used {times} times"


def seeds_and_positions_share_nothing() -> Iterator[str]:
    """Neither seeds that differ in one bit, high or low, nor neighbouring positions, have a number in common."""
    first: dict[float, tuple[str, int, int]] = {}
    for seed in (0, 1, 2, 3, *(2**bit + low for bit in (31, 32, 33, 48, 62) for low in (0, 1))):
        noise, chance = Noise(seed), Seeded(seed)
        for position in (0, 1, 2, 3, BLOCK - 1, BLOCK, BLOCK + 1):
            of_purposes = [chance.uniform(At(position, purpose)) for purpose in Purpose]
            for kind, numbers in (("noise", noise.vector(position, 4).tolist()), ("draws", of_purposes)):
                here = (kind, seed, position)
                for number in numbers:
                    if first.setdefault(number, here) != here:
                        yield f"{kind} of seed {seed} at {position} is that of {first[number]}"


class Zero(Seeded):
    """Every number is 0."""

    def uniform(self, at: At) -> float:
        return 0.0


class Zeros(BatchDraws):
    """Every number is 0, for a batch."""

    def _uniforms(self, count: int) -> Floats:
        return np.zeros(count)


def impossible_tokens_never_stand() -> Iterator[str]:
    """Even the number 0 neither accepts nor draws a token of probability 0, alone or in a batch."""
    test, draw = At(0, Purpose.ACCEPT), At(0, Purpose.DRAFT)
    one, many = Zero(0), Zeros(np.random.default_rng())
    law = np.array([[0.0, 0.5, 0.5]])
    if one.flip(0.0, 0.5, test).won or many.flip(law[:, 0], law[:, 1], test)[0].any():
        yield "a token with p = 0 was accepted"
    if one.pick(law[0], draw).token == 0 or many.pick(law, draw)[0] == 0:
        yield "a token with q = 0 was drawn"


class Refuse(Seeded):
    """Nothing is ever accepted."""

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return Flip(False, math.nextafter(1.0, 0.0))


def a_rejection_that_leaves_nothing_draws_from_p() -> Iterator[str]:
    """p and q differ in the last bit only, and the guess is refused all the same."""
    p = np.array([0.5, 0.3, 0.2])
    q = np.array([math.nextafter(0.5, 1.0), 0.3, 0.2])
    made = proposal([Guess(0, -1, Row(q), 0.0, Source("test"))], ())
    judged = Rejection().judge(made, [p, p], 2, frozenset(), Refuse(0))
    assert judged.draw
    if not judged.draw.zero_residual or judged.p[-1].tolist() != p.tolist():
        yield f"drawn from {judged.p[-1].tolist()}"
