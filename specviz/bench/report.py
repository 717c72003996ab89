"""A bench's report as text, ratios first. The README's tables have the same lines."""

from collections.abc import Iterator
from dataclasses import astuple

from specviz.bench.clock import Spread
from specviz.bench.loop import ROUNDS
from specviz.bench.results import PAIRED, RECORDED, GenreResult, LaneResult
from specviz.bench.suite import BenchReport
from specviz.trace.info import Forward


def lines(report: BenchReport) -> Iterator[str]:
    """Ratios, then costs, then times with the machine they were taken on."""
    yield "Speed-up over specviz's own plain decoding; median (lowest to highest lap)"
    yield from table(report)
    yield ""
    yield from forecasts(report)
    yield ""
    for genre in report.genres:
        yield f"{genre.name}: specviz plain is {_times(genre.over_generate)} transformers' generate"
        best = _best(genre, "small-model")
        if best.over_assisted:
            yield f"{genre.name}: small model, γ {best.gamma}, is {_times(best.over_assisted)} assisted generation"
    yield ""
    if report.job.rules:
        yield f"γ rules over the best fixed γ, lap by lap; all {PAIRED}, where every γ writes the same text"
        yield from rules(report)
        yield ""
    first = report.passes[0].median
    verify = "  ".join(f"{width}: {each.median / first:.2f}" for width, each in enumerate(report.passes, 1))
    yield f"c = T_draft / T_target = {report.draft_pass.median / first:.3f}"
    yield f"v(k) = T_target(k) / T_target(1): {verify}"
    for loop in report.loops:
        rounds = ", ".join(f"{at:.2f} at round {place}" for place, at in zip(ROUNDS, loop.at, strict=True) if at)
        yield f"a round beside its passes, {loop.drafter}, γ 4: {loop.behind.whole:.2f} ms; {rounds}"
        yield f"the same with the passes played back, so that caches stay warm: {loop.alone.whole:.2f} ms"
    yield from profile(report)
    yield _limit(report)
    yield ""
    yield made_on(report)
    yield f"target {report.target} ({_way(report.target_forward)}), draft {report.draft} ({_way(report.draft_forward)})"
    yield f"a plain pass {first:.2f} ms, a draft pass {report.draft_pass.median:.2f} ms"
    for genre in report.genres:
        assisted = ", ".join(f"γ {gamma}: {each.median:.0f}" for gamma, each in genre.assisted.items())
        yield f"{genre.name}, tokens a second: specviz plain {_speed(genre.plain)}; transformers plain" + (
            f" {_speed(genre.generate)}, assisted {assisted}, prompt lookup {_speed(genre.lookup)}"
        )


def profile(report: BenchReport) -> Iterator[str]:
    """Markdown: the parts of a round's time outside the models' passes, if they were measured."""
    if not report.loops:
        return
    yield "| a round's own ms | whole | drawing guesses | around the target's pass | p and q, judging | the rest |"
    yield "|---|---|---|---|---|---|"
    for loop in report.loops:
        for name, own in ((loop.drafter, loop.behind), (f"{loop.drafter}, passes played back", loop.alone)):
            cells = " | ".join(f"{each:.2f}" for each in astuple(own))
            yield f"| {name} | {cells} |"


def made_on(report: BenchReport) -> str:
    """Where and how the figures were measured."""
    machine, job = report.machine, report.job
    return (
        f"{machine.name}, {machine.device}, {report.dtype}, torch {machine.torch};"
        f" temperature {job.temperature}, {job.tokens} tokens, {job.prompts} prompts a genre, {job.laps} laps"
    )


def table(report: BenchReport) -> Iterator[str]:
    """Markdown: for each genre, drafter and rule, the best γ, its speed-up, and what recording costs at γ RECORDED."""
    yield "| text | drafter | rule | best γ | speed-up | predicted | α | tokens a pass | recording |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for genre in report.genres:
        for drafter, rule in report.job.lanes:
            best = _best(genre, drafter, rule)
            both = [row for row in genre.rows if (row.drafter, row.rule, row.gamma) == (drafter, rule, RECORDED)]
            bare, recorded = sorted(both, key=lambda row: row.recorded)
            own = best.in_rounds
            predicted = f"{own.predicted:.2f} ({own.reached.median:.0%})" if own else "–"
            recording = recorded.speed.median / bare.speed.median - 1
            yield (
                f"| {genre.name} | {drafter} | {rule} | {best.gamma} | {_times(best.speedup)} | {predicted}"
                f" | {best.alpha:.2f} | {best.tokens_per_pass:.2f} | {recording:+.0%} |"
            )


def forecasts(report: BenchReport) -> Iterator[str]:
    """Markdown: the speed-up predicted for the small model's best γ, from the costs of passes in rounds and alone."""
    yield "| text | passes timed | c | v | predicted | reached |"
    yield "|---|---|---|---|---|---|"
    for genre in report.genres:
        best = _best(genre, "small-model")
        for name, found in (
            ("alone", best.alone),
            ("in a round's order", best.in_order),
            ("in its rounds", best.in_rounds),
        ):
            if found:
                yield (
                    f"| {genre.name}, γ {best.gamma} | {name} | {found.c:.3f} | {found.v:.2f} | {found.predicted:.2f}"
                    f" | {_share(found.reached)} |"
                )


def rules(report: BenchReport) -> Iterator[str]:
    """Markdown: each adaptive γ rule against plain decoding and the best fixed γ, by genre, if any rule was timed."""
    if not report.job.rules:
        return
    yield "| text | drafter | γ rule | speed-up | over the best fixed γ | mean γ | α | tokens a pass |"
    yield "|---|---|---|---|---|---|---|---|"
    for genre in report.genres:
        for row in genre.adaptive:
            yield (
                f"| {genre.name} | {row.drafter} | {row.rule} | {_times(row.speedup)}"
                f" | {_times(row.over_best)}, γ {row.best} | {row.mean_gamma:.1f} | {row.alpha:.2f}"
                f" | {row.tokens_per_pass:.2f} |"
            )


def _best(genre: GenreResult, drafter: str, rule: str = "rejection") -> LaneResult:
    rows = [row for row in genre.rows if (row.drafter, row.rule, row.recorded) == (drafter, rule, False)]
    return max(rows, key=lambda row: row.speedup.median)


def _limit(report: BenchReport) -> str:
    if report.limit is None:
        return "memory limit: does not apply, the weights fit the last-level cache or its size is unknown"
    share = report.limit / report.passes[0].median
    return (
        f"memory limit: {report.limit:.2f} ms a pass at {report.machine.bandwidth / 1e9:.1f} GB/s; {share:.0%} reached"
    )


def _way(forward: Forward) -> str:
    name = f"{forward.name}, {forward.threads} thread{'s' * (forward.threads > 1)}"
    return f"{name}: {forward.reason}" if forward.reason else name


def _times(spread: Spread) -> str:
    return f"{spread.median:.2f}× ({spread.low:.2f} to {spread.high:.2f})"


def _share(spread: Spread) -> str:
    return f"{spread.median:.0%} ({spread.low:.0%} to {spread.high:.0%})"


def _speed(spread: Spread) -> str:
    return f"{spread.median:.0f} ({spread.low:.0f} to {spread.high:.0f})"
