"""Chances that try everything: the law of a run, exactly, instead of a sample of it."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Flip, Pick
from specviz.sampling.ruler import segment

C = TypeVar("C", "Branching", "Shared")
R = TypeVar("R", bound=Hashable)


class _Script:
    """An odometer over choices that are only discovered while they are made."""

    def __init__(self) -> None:
        self.digits: list[list[int]] = []  # [chosen, number of options]
        self.at = 0

    def choose(self, options: int) -> int:
        if self.at == len(self.digits):
            self.digits.append([0, options])
        chosen, known = self.digits[self.at]
        assert known == options, "the run is not a function of its choices"
        self.at += 1
        return chosen

    def turn(self) -> bool:
        """On to the next combination; False when all were seen."""
        while self.digits and self.digits[-1][0] == self.digits[-1][1] - 1:
            self.digits.pop()
        if not self.digits:
            return False
        self.digits[-1][0] += 1
        self.at = 0
        return True


class Branching:
    """Takes every branch a flip or a pick can take, and knows the probability of the ones taken."""

    def __init__(self, script: _Script) -> None:
        self.script = script
        self.weight = 1.0

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        probability = min(1.0, weight / scale)
        sides = [won for won, chance in ((True, probability), (False, 1 - probability)) if chance > 0]
        won = sides[self.script.choose(len(sides))]
        self.weight *= probability if won else 1 - probability
        return Flip(won, probability / 2 if won else (1 + probability) / 2)

    def pick(self, probs: Floats, at: At) -> Pick:
        support = probs.nonzero()[0].tolist()
        token = support[self.script.choose(len(support))]
        self.weight *= float(probs[token])
        low, high = segment(probs, token)
        return Pick(token, (low + high) / 2)


class Shared:
    """Noise that a position's picks share, two tokens, every outcome: of Gumbel noise only u = sigmoid(g1 - g0) counts.

    u is even, and token 0 is picked where u < probs[0]; each pick cuts what is known of it.
    """

    def __init__(self, script: _Script) -> None:
        self.script = script
        self.weight = 1.0
        self.known: dict[int, tuple[float, float]] = {}

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        raise NotImplementedError("noise picks tokens; it flips no coins")

    def pick(self, probs: Floats, at: At) -> Pick:
        low, high = self.known.get(at.position, (0.0, 1.0))
        edge = min(max(float(probs[0]), low), high)
        parts = [(token, *ends) for token, ends in enumerate(((low, edge), (edge, high))) if ends[0] < ends[1]]
        token, start, end = parts[self.script.choose(len(parts))]
        self.weight *= (end - start) / (high - low)
        self.known[at.position] = start, end
        return Pick(token, None)


def every_run(make: Callable[[_Script], C]) -> Iterator[C]:
    """A fresh chance for each combination of outcomes; use each for one whole run."""
    script = _Script()
    while True:
        yield make(script)
        if not script.turn():
            return


def law(make: Callable[[_Script], C], run: Callable[[C], R]) -> dict[R, float]:
    """The exact law of what `run` returns."""
    found: dict[R, float] = defaultdict(float)
    for chance in every_run(make):
        result = run(chance)
        found[result] += chance.weight
    return dict(found)
