"""Times passes with no rounds around them: nothing is sampled, turned into probabilities or judged."""

from dataclasses import dataclass
from statistics import fmean

from specviz.config.settings import Clock
from specviz.lab import stopwatch
from specviz.verify import LanguageModel

REPEATS = 16
"""After one warm-up pass."""


@dataclass(frozen=True, slots=True)
class Bare:
    """Mean milliseconds of a draft's pass over one token, and of a target's pass over gamma + 1 tokens."""

    draft: float
    verify: float


@dataclass(frozen=True, slots=True)
class Passes:
    """Times of passes behind one text.

    Attributes:
        plain: mean milliseconds of a target's pass over one token.
        alone: one kind of pass repeated, so that its weights stay in the processor's caches.
        in_order: gamma draft passes and one target pass in turns, as in rounds, so that each pass reads its weights
            again.
    """

    plain: float
    alone: Bare
    in_order: Bare


class _Reader:
    """A model that has read `behind` tokens."""

    def __init__(self, model: LanguageModel, behind: int, most: int, clock: Clock) -> None:
        self._model, self._behind, self._clock = model, behind, clock
        self._cache = model.new_cache(behind + most)
        if behind:
            model.forward([1] * behind, range(behind), None, self._cache)

    def reads(self, width: int, times: int = 1) -> float:
        """Mean milliseconds of `times` passes over `width` tokens, one after the other. The cache is then cut back."""
        taken = fmean(stopwatch.time_pass(self._model, width, self._cache, self._clock) for _ in range(times))
        self._cache.truncate(self._behind)
        return taken


def measure(target: LanguageModel, draft: LanguageModel, gamma: int, behind: int, clock: Clock) -> Passes:
    """Times passes behind `behind` tokens, or as many as both contexts have room for."""
    behind = max(0, min(behind, target.context - gamma - 1, draft.context - gamma))
    large, small = (_Reader(model, behind, gamma + 1, clock) for model in (target, draft))

    def alone(reader: _Reader, width: int) -> float:
        return fmean([reader.reads(width) for _ in range(REPEATS + 1)][1:])

    plain, each = alone(large, 1), Bare(draft=alone(small, 1), verify=alone(large, gamma + 1))
    rounds = [(small.reads(1, gamma), large.reads(gamma + 1)) for _ in range(REPEATS + 1)][1:]
    return Passes(plain, each, Bare(*map(fmean, zip(*rounds, strict=True))))
