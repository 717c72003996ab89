"""A round's message is small, however late in the run, and holds all the player needs."""

import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_up
import pytest

from specviz.config.settings import Budget, LawKind, Shape
from specviz.trace.codec import from_json
from specviz.trace.guess import Bar, Counts, Emission, Extra, Inner, Rest, Scout, Source, TokenVerdict, Verdict, View
from specviz.trace.round import CacheSpan, Calls, Drafting, Glance, Halt, Imagined, Learning, Round, Timing
from specviz.trace.run import Trace
from specviz.ui.runs import wire

SHIPPED = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))
MOST = 3_000 - 450
"""Bytes a round may take on the wire, less what Gradio puts around a message."""


def shipped(path: Path) -> Trace:
    return from_json(path.read_text(encoding="utf-8"))


def unpacked(message: str, texts: dict[int, str]) -> Round:
    """What the player makes of a message; entropies, which are not sent, as 0."""
    data = json.loads(message)
    fresh = iter(data["texts"])

    def text(token: int) -> str:
        return texts[token] if token in texts else texts.setdefault(token, next(fresh))

    def verdict(node: int, packed: Any) -> TokenVerdict:
        parent, depth, token, letter, p, q, draft_u, u, entropy, low, source, shown, *more = packed
        fate = next(each for each in Verdict if each.value[0] == letter)
        chance, point, weight, mass, decisive = [*more, *[None] * 5][:5]
        accept = None if letter == "u" else min(1.0, p / q) if chance is None else chance
        name = text(token)
        if source != 0:
            who, rank, span, counts, words, inner = [*source, *[None] * 6][:6]
            who = who or sources[-1].who
            place, counted = tuple(span) if span else None, Counts(*counts) if counts else None
            sources.append(Source(who, rank or 0, place, counted, words or "", inner and Inner(*inner, text(inner[1]))))
        law = LawKind.POINT if point else LawKind.ROW
        segment = low, min(1.0, low + q)
        return TokenVerdict(
            node, parent, depth, token, name, fate, law, p, q, draft_u, *segment, accept, u, weight, mass, 0.0, entropy,
            sources[-1], unpacked_view(shown, text), decisive or 0.0,
        )  # fmt: skip

    def extra(packed: Any) -> Extra:
        token, letter, p, u, low, high, zero, refused, shown = packed
        emission = Emission.RESAMPLED if letter == "r" else Emission.BONUS
        name = text(token)
        seen = unpacked_view(shown, text) if shown else verdicts[refused].view
        return Extra(token, name, emission, p, u, low, high, seen, bool(zero), refused)

    index, position, budget, drafted, path, own, (draft, *times), target, drafter, calls, glances, halt, *more = data[
        "round"
    ]
    sources: list[Source] = []
    verdicts = tuple(verdict(node, packed) for node, packed in enumerate(drafted))
    times = Timing(tuple(map(Drafting, draft[::2], draft[1::2])), *times)
    spans = tuple(CacheSpan(*each) for each in drafter)
    own_token = own and extra(own)
    flat, learned, states = [*more, *[0, None, 0][len(more) :]]
    scouts = tuple(Scout(token, text(token), depth) for token, depth in zip(*[iter(flat or ())] * 2, strict=True))
    learning = learned and Learning(learned[0], bool(learned[1]))
    imagined = tuple(Imagined(node, like, tuple(own), tuple(true)) for node, like, own, true in states or ())
    made = Round(
        index, position, Budget(*budget), verdicts, tuple(path), own_token, times, CacheSpan(*target), spans,
        Calls(*calls), tuple(map(Glance, glances[::2], glances[1::2])), halt and Halt(*halt), scouts,
        learning, imagined,
    )  # fmt: skip
    assert not [*fresh], "every text has its token"
    return made


def unpacked_view(packed: Any, text: Callable[[int], str]) -> View:
    flat, rest, overlap, *rough = packed
    kept = dict(zip(rough[0][0::2], rough[0][1::2], strict=True)) if rough else {}
    bars = tuple(
        Bar(token, text(token), p, q, kept.get(place, max(0.0, p - q)))
        for place, (token, p, q) in enumerate(zip(flat[0::3], flat[1::3], flat[2::3], strict=True))
    )
    return View(bars, Rest(*rest), overlap)


def told(value: Any) -> Any:
    """A part of a round as far as it is sent: times to 4 decimals, no entropy of p, an end of a segment to 9."""
    if isinstance(value, Timing):
        beats = (value.verify, value.accept, value.trim, value.overhead)
        return Timing(
            tuple(Drafting(call.nodes, round(call.ms, 4)) for call in value.draft), *(round(each, 4) for each in beats)
        )
    if isinstance(value, TokenVerdict):
        return dataclasses.replace(value, p_entropy=0.0, high=round(value.high, 9))
    return value


def bars(step: Round) -> list[Bar]:
    views = [each.view for each in (*step.verdicts, *([step.extra] if step.extra else []))]
    return [bar for view in views for bar in view.bars]


def without_residuals(step: Round) -> Round:
    def bare(value: Any) -> Any:
        shown = tuple(dataclasses.replace(bar, residual=0.0) for bar in value.view.bars)
        return dataclasses.replace(told(value), view=dataclasses.replace(value.view, bars=shown))

    return dataclasses.replace(
        step,
        verdicts=tuple(bare(each) for each in step.verdicts),
        extra=step.extra and bare(step.extra),
        timing=told(step.timing),
    )


def same(one: Round, other: Round) -> bool:
    """Equal, with residuals good to four digits."""
    pairs = zip(bars(one), bars(other), strict=True)
    close = all(math.isclose(a.residual, b.residual, rel_tol=1e-4) for a, b in pairs)
    return close and without_residuals(one) == without_residuals(other)


@pytest.mark.parametrize(
    "trace",
    [
        *map(shipped, SHIPPED),
        made_up.made_up_trace(made_up.HOSTILE, seed=2),
        made_up.made_up_trace(temperature=0, drafter="bigram"),
        made_up.made_up_trace(gamma=0, max_new_tokens=4),
    ],
    ids=[*(path.stem for path in SHIPPED), "hostile", "greedy", "plain"],
)
def test_the_player_gets_back_what_the_trace_holds(trace: Trace) -> None:
    known: set[int] = set()
    texts: dict[int, str] = {}
    for step in trace.rounds:
        assert same(unpacked(wire.pack(step, known), texts), step)
    assert known == set(texts)


def test_a_text_travels_once() -> None:
    step = made_up.made_up_trace().rounds[0]
    known: set[int] = set()
    assert json.loads(wire.pack(step, known))["texts"]
    assert json.loads(wire.pack(step, known))["texts"] == []


def test_a_residual_that_p_and_q_cannot_give_is_sent() -> None:
    """Six digits of two numbers that agree in five leave one digit of their difference."""
    step = made_up.made_up_trace(seed=2).rounds[0]
    first = step.verdicts[0]
    near = View((Bar(first.token, first.text, 0.500001, 0.5, 1.4e-6), *first.view.bars[1:]), first.view.rest, 0.5)
    step = dataclasses.replace(step, verdicts=(dataclasses.replace(first, view=near), *step.verdicts[1:]))
    assert unpacked(wire.pack(step, set()), {}).verdicts[0].view.bars[0].residual == 1.4e-6


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_round_takes_at_most_3_kb_and_no_more_late_than_early(path: Path) -> None:
    """For every five rows, one a guess and a last one; 110 bytes more for a guess that is weighed, whose bars have
    residuals of their own, and for a state that was imagined. Trees, and who copies, may find more guesses later.
    """
    known: set[int] = set()
    trace = shipped(path)
    sizes = [len(json.dumps(wire.pack(step, known), ensure_ascii=False).encode()) for step in trace.rounds]
    for size, step in zip(sizes, trace.rounds, strict=True):
        more = sum(each.weight is not None for each in step.verdicts) + len(step.imagined)
        assert size <= MOST * max(1, (len(step.verdicts) + 1) / 5) + 110 * more
    if trace.info.traits.shape is Shape.TREE or trace.info.traits.law is LawKind.POINT:
        return
    half = len(sizes) // 2
    assert sum(sizes[half:]) / len(sizes[half:]) <= 1.2 * sum(sizes[:half]) / half, (
        "rounds differ, but not by their number"
    )
