"""A round, and a race, as they travel to the player: arrays in place of objects, each token's text once a run.

What the player can work out is left out: accept_prob where it is min(1, p/q), where a guess's segment of the ruler
ends, node numbers, p's entropy, residuals, a source that is the guess's before, and the extra's view where it is that
of the guess whose refusal it comes from.
assets/player/trace/wire.js reads it; the two change together.
"""

import json
import math
from collections.abc import Collection, Iterator, Sequence

from specviz.config.settings import LawKind
from specviz.trace.guess import Extra, Source, TokenVerdict, View
from specviz.trace.info import RunInfo
from specviz.trace.round import CacheSpan, Round, Timing
from specviz.trace.run import Race

Packed = list[object]


def pack(step: Round, known: set[int]) -> str:
    """The message of one round.

    Args:
        known: tokens whose text the player has; those of this round join them. The message holds the
            texts of the new ones in the order of their first mention.
    """
    texts = {token: text for token, text in _mentions(step) if token not in known}
    known.update(texts)
    budget, extra, halt = step.budget, step.extra, step.halt
    before = (None, *(verdict.source for verdict in step.verdicts))
    packed = [
        step.index,
        step.position,
        [budget.nodes, budget.depth, budget.reason, _maybe(budget.signal)],
        [_verdict(*each) for each in zip(step.verdicts, before, strict=False)],
        step.path,
        extra and _extra(extra, step),
        _timing(step.timing),
        _span(step.target_cache),
        [_span(span) for span in step.draft_caches],
        [step.calls.target, step.calls.draft],
        [value for glance in step.glances for value in (_short(glance.entropy), _maybe(glance.q))],
        halt and [halt.reason, _short(halt.signal)],
    ]
    scouts = [value for scout in step.scouts for value in (scout.token, scout.depth)]
    learning = step.learning and [step.learning.updates, int(step.learning.used)]
    imagined = [[each.node, _short(each.likeness), each.own, each.true] for each in step.imagined]
    packed += _needed([scouts or 0, learning, imagined or 0])
    return _message({"round": packed, "texts": [*texts.values()]})


def pack_race(race: Race, info: RunInfo, known: Collection[int]) -> str:
    """The message of a race.

    Args:
        info: of a run where and how the race was timed.
        known: tokens whose text the player has. A race teaches it none: a newer one may take its place.
    """
    texts = {token: text for token, text in zip(race.tokens, race.texts, strict=True) if token not in known}
    packed = [
        [_timing(each) for each in race.rounds],
        _times(race.passes),
        race.tokens,
        _times(race.laps),
        _times(race.plain_laps),
    ]
    forward = info.target_forward
    where = [info.device, info.dtype, forward.threads, forward.name, forward.reason, info.recorded]
    return _message({"race": packed, "texts": [*texts.values()], "where": where})


def _message(content: dict[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _mentions(step: Round) -> Iterator[tuple[int, str]]:
    """Every token with its text, repeats included: a guess, its inner one, its bars; the target's own; then scouts."""
    drawn: list[TokenVerdict | Extra] = [*step.verdicts]
    if step.extra:
        drawn.append(step.extra)
    for shown in drawn:
        yield shown.token, shown.text
        if isinstance(shown, TokenVerdict) and (inner := shown.source.inner):
            yield inner.token, inner.text
        for bar in shown.view.bars:
            yield bar.token, bar.text
    for scout in step.scouts:
        yield scout.token, scout.text


def _verdict(each: TokenVerdict, before: Source | None) -> Packed:
    """before: the source of the guess before it. What most guesses do not have stands last, and only as far as needed:
    accept_prob, 1 for a point, weight, mass and entropy."""
    numbers = [_short(each.p), _short(each.q), _maybe(each.draft_u), _maybe(each.u), _short(each.q_entropy)]
    keep = each.accept_prob
    usual = keep is None or math.isclose(keep, min(1.0, each.p / each.q), rel_tol=1e-9)
    seldom: Packed = [
        None if usual else _maybe(keep),
        int(each.law is LawKind.POINT),
        _maybe(each.weight),
        _maybe(each.mass),
        _short(each.entropy),
    ]
    place = [each.parent, each.depth, each.token, each.verdict.value[0]]
    return [*place, *numbers, _short(each.low), _source(each.source, before), _view(each.view), *_needed(seldom)]


def _source(source: Source, before: Source | None) -> Packed | int:
    """Who, rank, span, counts, words, inner guess, as far as needed; 0 for the same who, for none, for all the same."""
    if source == before:
        return 0
    who = 0 if before and source.who == before.who else source.who
    counts = [source.counts.context, source.counts.seen, source.counts.own] if source.counts else 0
    inner = source.inner and [source.inner.who, source.inner.token]
    return _needed([who, source.rank, source.span or 0, counts, source.words, inner])


def _needed(values: Packed) -> Packed:
    """Without what is not there at the end: None, no words, rank 0."""
    while values and values[-1] in (None, "", 0):
        values = values[:-1]
    return values


def _extra(extra: Extra, step: Round) -> Packed:
    """Its view is 0 when it is that of its node."""
    view = 0 if extra.node is not None and step.verdicts[extra.node].view == extra.view else _view(extra.view)
    numbers = [_short(extra.p), _maybe(extra.u), _short(extra.low), _short(extra.high)]
    return [extra.token, extra.emission.value[0], *numbers, int(extra.zero_residual), extra.node, view]


def _view(view: View) -> Packed:
    """Bars, rest and overlap; then, if there are any, the places and residuals of bars whose p - q is too rough."""
    bars = [value for bar in view.bars for value in (bar.token, _short(bar.p), _short(bar.q))]
    rest = view.rest
    sums = [rest.count, *map(_short, (rest.p, rest.q, rest.overlap, rest.residual))]
    rough = [
        value
        for place, bar in enumerate(view.bars)
        if not math.isclose(bar.residual, max(0.0, bar.p - bar.q), rel_tol=1e-4)
        for value in (place, _short(bar.residual))
    ]
    return [bars, sums, _short(view.overlap), *([rough] if rough else [])]


def _timing(timing: Timing) -> Packed:
    return [
        [value for call in timing.draft for value in (call.nodes, *_times([call.ms]))],
        *_times((timing.verify, timing.accept, timing.trim, timing.overhead)),
    ]


def _times(milliseconds: Sequence[float]) -> Packed:
    return [_short(round(each, 4)) for each in milliseconds]


def _span(span: CacheSpan) -> Packed:
    return [span.before, span.written, span.kept]


def _maybe(value: float | None) -> float | None:
    return None if value is None else _short(value)


def _short(value: float) -> float:
    """The same number in fewer letters: 1, not 1.0."""
    return int(value) if value == int(value) else value
