"""Predicts the speed-up from costs and alpha, and what share of it a run reached."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from specviz import theory
from specviz.bench.bare import Bare, Passes
from specviz.bench.clock import Spread, ratio
from specviz.trace.round import Round


@dataclass(frozen=True, slots=True)
class Forecast:
    """The speed-up predicted by a lap's own alpha and costs; each number is the median over the laps.

    Attributes:
        c, v: a draft step and a verify pass over gamma + 1, in plain steps, from means.
        predicted: theory.speedup of alpha, c and v, no overhead.
        reached: the speed-up as a share of that, lap by lap.
    """

    c: float
    v: float
    predicted: float
    reached: Spread


def overhead(rounds: Sequence[Round], step: float) -> float:
    """What a round took besides drafting and verifying, in plain steps of `step` milliseconds."""
    rest = (each.timing.accept + each.timing.trim + each.timing.overhead for each in rounds)
    return statistics.fmean(rest) / step


def in_rounds(rounds: Sequence[Round], gamma: int, step: float) -> tuple[float, float] | None:
    """What a draft step and verifying took, in plain steps of `step` milliseconds.

    None if most rounds were not chains of gamma guesses, as with copies and trees, because the theory needs chains.
    """
    full = [each.timing for each in rounds if len(each.verdicts) == each.offered == gamma]
    if 2 * len(full) < len(rounds):
        return None
    drafting = statistics.fmean(timing.drafting / gamma for timing in full)
    verifying = statistics.fmean(timing.verify for timing in full)
    return drafting / step, verifying / step


def bare(passes: Sequence[Passes], how: Callable[[Passes], Bare]) -> tuple[float, float]:
    """A draft's pass and a verify pass, in plain passes."""
    plain = statistics.fmean(each.plain for each in passes)
    draft, verify = (statistics.fmean(getattr(how(each), kind) for each in passes) for kind in ("draft", "verify"))
    return draft / plain, verify / plain


def of(alphas: Sequence[float], gamma: int, gained: Sequence[float], costs: Sequence[tuple[float, float]]) -> Forecast:
    """The forecast from each lap's alpha, speed-up, c and v."""
    predicted = [theory.speedup(alpha, gamma, *cost) for alpha, cost in zip(alphas, costs, strict=True)]
    c, v = map(statistics.median, zip(*costs, strict=True))
    return Forecast(c, v, statistics.median(predicted), ratio(gained, predicted))
