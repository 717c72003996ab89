"""Runs of a table model, and how to doctor their traces."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from specviz.check.run import problems
from specviz.sampling.chance import Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.guess import Bar, Emission, Extra, Rest, TokenVerdict, Verdict
from specviz.trace.round import Round
from specviz.trace.run import Trace
from tests.tiny import TableModel, traced

TARGET, DRAFT = TableModel(6, 1), TableModel(6, 2)
WARM = Sampling(0.7)


def run(seed: int = 0, length: int = 16, **choices: Any) -> Trace:
    choices = {"sampling": WARM, "draft": DRAFT, **choices}
    return traced(choices.pop("target", TARGET), (0, 1), length, chance=Seeded(seed), **choices)


@cache
def plain() -> Trace:
    """Every verdict and both emissions occur in it, a round that begins well, two that end badly."""
    trace = next(
        trace
        for trace in map(run, range(99))
        if {verdict.verdict for step in trace.rounds for verdict in step.verdicts} == set(Verdict)
        and {step.extra.emission for step in trace.rounds if step.extra} == set(Emission)
        and trace.rounds[0].path
        and sum(step.extra is not None and step.extra.emission is RESAMPLED for step in trace.rounds) > 2
    )
    assert problems(trace) == []
    return trace


@cache
def ended() -> Trace:
    """Its text ends inside a draft, with more of the draft to come."""
    return next(
        trace
        for trace in (run(seed, gamma=4, ends=frozenset([end])) for end in range(6) for seed in range(9))
        if trace.rounds[-1].extra is None and len(trace.rounds[-1].path) + 1 < len(trace.rounds[-1].verdicts)
    )


ACCEPTED, REJECTED, UNTESTED = Verdict.ACCEPTED, Verdict.REJECTED, Verdict.UNTESTED
RESAMPLED, BONUS = Emission.RESAMPLED, Emission.BONUS
Doctor = Callable[[Trace], Trace]


def at_round(index: int, change: Callable[[Round], Round]) -> Doctor:
    def doctor(trace: Trace) -> Trace:
        rounds = list(trace.rounds)
        rounds[index] = change(rounds[index])
        return replace(trace, rounds=tuple(rounds))

    return doctor


def with_verdict(verdict: Verdict, change: Callable[[TokenVerdict], TokenVerdict]) -> Doctor:
    """Changes the first node with that verdict."""

    def doctor(trace: Trace) -> Trace:
        index, node = next(
            (step.index, each.node) for step in trace.rounds for each in step.verdicts if each.verdict is verdict
        )

        def changed(step: Round) -> Round:
            verdicts = list(step.verdicts)
            verdicts[node] = change(verdicts[node])
            return replace(step, verdicts=tuple(verdicts))

        return at_round(index, changed)(trace)

    return doctor


def with_extra(emission: Emission, change: Callable[[Extra], Extra]) -> Doctor:
    def doctor(trace: Trace) -> Trace:
        index = next(step.index for step in trace.rounds if step.extra and step.extra.emission is emission)

        def changed(step: Round) -> Round:
            assert step.extra
            return replace(step, extra=change(step.extra))

        return at_round(index, changed)(trace)

    return doctor


def with_step(**fields: Callable[[Round], Any]) -> Doctor:
    """Changes round 1."""
    return at_round(1, lambda step: replace(step, **{name: change(step) for name, change in fields.items()}))


def with_info(**fields: Any) -> Doctor:
    return lambda trace: replace(trace, info=replace(trace.info, **fields))


stateful = with_info(target_state_bytes=4096)
"""As a target would have it that keeps a running state, and was never rolled back."""


def reread(more: int = 0, ms: float = 0.0) -> Callable[[Round], Round]:
    """All that a round kept was read again, and so many tokens more, that many milliseconds longer than the trim."""

    def change(step: Round) -> Round:
        span, timing = step.target_cache, step.timing
        span = replace(span, reread=span.kept - span.before + more)
        return replace(step, target_cache=span, timing=replace(timing, reread=timing.trim + ms))

    return change


def bars(change: Callable[[Bar], Bar], which: int = 0) -> Callable[[Any], Any]:
    """Changes one bar of a verdict's or an extra's view."""

    def doctor(shown: Any) -> Any:
        view = shown.view
        changed = [change(bar) if place == which else bar for place, bar in enumerate(view.bars)]
        return replace(shown, view=replace(view, bars=tuple(changed)))

    return doctor


def rest(**fields: Callable[[Rest], Any]) -> Callable[[Any], Any]:
    def doctor(shown: Any) -> Any:
        changed = replace(shown.view.rest, **{name: change(shown.view.rest) for name, change in fields.items()})
        return replace(shown, view=replace(shown.view, rest=changed))

    return doctor


def another(token: int) -> int:
    return (token + 1) % 6


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value and to every list that is not empty."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if value not in (None, [], {}) and not isinstance(value, dict):
        yield path
    for key, each in inside:
        yield from leaves(each, (*path, key))


def changed(value: Any) -> Any:
    if isinstance(value, str):
        return value + "ha"
    if isinstance(value, bool | int):
        return not value if isinstance(value, bool) else value + 1
    return value[1:] if isinstance(value, list) else 0.98 * value + 0.002


def unnoticed(trace: Trace, looked_at: Callable[[str], bool]) -> set[str]:
    """The fields, as rounds.verdicts.p, in which a small change leaves the trace without problems."""
    text, found = to_json(trace), set[str]()
    for *way, last in leaves(json.loads(text)):
        name = ".".join(each for each in (*way, last) if isinstance(each, str))
        if looked_at(name):
            doctored = inner = json.loads(text)
            for key in way:
                inner = inner[key]
            inner[last] = changed(inner[last])
            try:
                found |= set() if problems(from_json(json.dumps(doctored))) else {name}
            except TraceError:
                continue
    return found
