"""A chat model's speed beside its goals: how far the best drafter gets, by temperature and kind of prompt."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from specviz.bench import methods, methods_report
from specviz.bench.clock import Spread, ratio
from specviz.bench.methods import RIVALS, MethodsJob, MethodsReport, Timed
from specviz.config.settings import Clock
from specviz.lab import stopwatch
from specviz.models import pair as pairs

TEMPERATURES = (0.0, 0.8)
WIDTHS = (5, 9)
BEHIND = 200
"""Tokens of text after which passes over several tokens are timed."""
LAPS = 24
COPYING = ("summary", "code")
"""Kinds of prompt whose answers repeat what was asked."""
TRAINED = ("small-model", "eagle")
GAMMA = 5
"""γ of the drafts whose tokens per pass are a goal."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What every one of the figures must reach. met: None where nothing was measured."""

    name: str
    least: float
    figures: Mapping[str, float]
    met: bool | None


@dataclass(frozen=True, slots=True)
class ChatReport:
    """All results.

    Attributes:
        measured: one report a temperature.
        passes: what a pass over that many tokens costs, in passes over one.
        goals: those of SmolLM2-135M-Instruct.
    """

    measured: tuple[MethodsReport, ...]
    passes: Mapping[str, Spread]
    goals: tuple[Goal, ...]


def measure(
    job: MethodsJob, progress: Callable[[int], Callable[[], object]], clock: Clock = time.perf_counter
) -> ChatReport:
    """Runs the job at each temperature, one after the other. See methods.measure."""
    measured = tuple(methods.measure(replace(job, temperature=each), progress, clock) for each in TEMPERATURES)
    target = pairs.load(job.pair, job.device, "auto").target
    taken = stopwatch.passes(target, (1, *WIDTHS), BEHIND, LAPS, clock)
    passes = {str(width): ratio(taken[width], taken[1]) for width in WIDTHS}
    return ChatReport(measured, passes, tuple(goals(measured)))


def goals(measured: Sequence[MethodsReport]) -> Iterator[Goal]:
    """Each goal with its figures, by temperature and kind of prompt."""
    best, plain, assisted = {}, {}, {}
    passes: dict[str, float] = {}
    for report in measured:
        rows = {row.name: row for row in report.rows}
        for kind in report.plain:
            where = f"T {report.job.temperature:g} {kind}"
            best[where] = fastest(report, kind).speedups[kind].median
            plain[where] = 1 / rows["generate"].speedups[kind].median
            if "assisted" in rows:
                assisted[where] = best[where] / rows["assisted"].speedups[kind].median
            if report.job.temperature == 0:
                passes |= {f"{name} {kind}": row.kinds_per_pass[kind] for name, row in _trained(report).items()}
    copying = {where: figure for where, figure in best.items() if where.endswith(COPYING)}
    yield _goal("best drafter over own plain decoding", 1.6, best)
    yield _goal("the same on summaries and code edits", 2.2, copying)
    yield _goal("own plain decoding over transformers' generate", 3.0, plain)
    yield _goal("best drafter over transformers' assisted generation", 4.0, assisted)
    yield _goal(f"trained drafters' tokens a pass, γ {GAMMA}, T 0", 2.2, passes)


def _goal(name: str, least: float, figures: Mapping[str, float]) -> Goal:
    return Goal(name, least, figures, min(figures.values()) >= least if figures else None)


def fastest(report: MethodsReport, kind: str) -> Timed:
    """The method with the largest speed-up on that kind of prompt; transformers' own are none."""
    return max((row for row in report.rows if row.name not in RIVALS), key=lambda row: row.speedups[kind].median)


def _trained(report: MethodsReport) -> Mapping[str, Timed]:
    """Chains of GAMMA guesses of trained drafters, by drafter."""
    rows = {row.name: row for row in report.rows}
    return {
        each.drafter: rows[each.name]
        for each in report.job.methods
        if each.drafter in TRAINED and each.gamma == GAMMA and not each.params
    }


def lines(report: ChatReport) -> Iterator[str]:
    """Everything that was found; the goals last."""
    for each in report.measured:
        yield f"## Temperature {each.job.temperature:g}"
        yield ""
        yield from summary(each)
        yield ""
        yield from methods_report.lines(each)
        yield ""
    passes = ", ".join(f"over {width} tokens {each.median:.2f}" for width, each in report.passes.items())
    yield f"A pass of the target, in passes over one token: {passes}"
    yield ""
    yield from goal_lines(report.goals)


def summary(report: MethodsReport) -> Iterator[str]:
    """Markdown: by kind of prompt what plain decoding, the best drafter and transformers reach."""
    kinds, rows = report.plain, {row.name: row for row in report.rows}
    named = {method.name: f"{methods_report.named(method)}, γ {method.gamma}" for method in report.job.methods}
    best = {kind: fastest(report, kind) for kind in kinds}
    cells = {
        "own plain decoding, tokens a second": [f"{each.median:.1f}" for each in kinds.values()],
        "best drafter over it": [
            f"{each.speedups[kind].median:.2f}× {named[each.name]}" for kind, each in best.items()
        ],
    }
    for name, row in _trained(report).items():
        cells[f"`{name}`, γ {GAMMA}: tokens a pass"] = [f"{row.kinds_per_pass[kind]:.2f}" for kind in kinds]
    for name in (name for name in RIVALS if name in rows):
        speeds = [f"{kinds[kind].median * rows[name].speedups[kind].median:.1f}" for kind in kinds]
        cells[f"transformers' {RIVALS[name]}, tokens a second"] = speeds
    yield f"| | {' | '.join(kinds)} |"
    yield "|---|" + "---|" * len(kinds)
    for title, figures in cells.items():
        yield f"| {title} | {' | '.join(figures)} |"


def goal_lines(goals: Sequence[Goal]) -> Iterator[str]:
    """One line a goal, with every figure."""
    verdicts = {True: "met", False: "missed", None: "not measured"}
    for goal in goals:
        figures = ", ".join(f"{where} {figure:.2f}" for where, figure in goal.figures.items())
        yield f"{verdicts[goal.met]}: {goal.name} ≥ {goal.least:g}" + (f": {figures}" if figures else "")
