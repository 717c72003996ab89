"""Which step of a loop draws otherwise than it should, as many sampled texts show.

A token covers a span of its distribution's ruler. A number drawn evenly inside that span is uniform whatever the
distribution was, so the draws of all places of all texts are one sample.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from specviz.proof.statistic import chi_square
from specviz.sampling.arrays import Floats
from specviz.trace.guess import Verdict
from specviz.trace.run import Trace

BINS, LEVEL = 12, 1e-9
"""One sound sample in a thousand million is spread so unevenly."""
STEPS = {
    "draft": "the draft: guesses are not drawn from the q that tests them",
    "test": "the test: guesses are not accepted with probability min(1, p/q)",
    "resampled": "the replacement: after a rejection it is not drawn from norm(max(0, p - q))",
    "bonus": "the replacement: after accepted guesses it is not drawn from the row after the last one",
}
Span = tuple[float, float]


def p_value(spans: Sequence[Span]) -> float:
    """How often the draws of a sound loop are spread so unevenly."""
    low, high = np.array([*spans, (0, 1)]).T
    places = low + (high - low) * np.random.Generator(np.random.Philox(key=len(low))).random(len(low))
    counts = np.bincount((places * BINS).astype(int).clip(0, BINS - 1), minlength=BINS)
    return chi_square(np.full(BINS, 1 / BINS), counts.astype(np.float64)).p_value


def rulers(token: int, p: Floats, q: Floats) -> list[Span]:
    """A token's span of p, float64[V], by how much likelier q makes a token; and by p itself."""
    with np.errstate(all="ignore"):
        ahead = [float(p[order > order[token]].sum()) for order in (q / p, p)]
    return [(low, low + p.item(token)) for low in ahead]


def wrong_step(traces: Sequence[Trace]) -> tuple[str, Trace, int] | None:
    """The first of STEPS whose draws have another law, with the trace and the round that take it first."""
    taken = [(trace, *each) for trace in traces for each in _steps(trace)]
    for name, says in STEPS.items():
        mine = [each for each in taken if each[1] == name]
        if p_value([span for *_, span in mine]) < LEVEL:
            return f"look at {says}", mine[0][0], mine[0][2]
    return None


def _steps(trace: Trace) -> Iterator[tuple[str, int, Span]]:
    for step in trace.rounds:
        for each in step.verdicts:
            yield "draft", step.index, (each.low, each.high)
            if (chance := each.accept_prob) is not None:
                yield "test", step.index, (0.0, chance) if each.verdict is Verdict.ACCEPTED else (chance, 1.0)
        if step.extra:
            yield step.extra.emission.value, step.index, (step.extra.low, step.extra.high)
