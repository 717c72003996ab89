"""A sound trace has no problems and a doctored one has, also of what a row was before penalties and bans."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.entry import Shape
from specviz.config.settings import Budget, resolve_params
from specviz.draft import entry
from specviz.draft.base import Resources
from specviz.draft.small_tree import SmallTree
from specviz.record.extras import LEAST
from specviz.sampling.chance import Seeded
from specviz.sampling.distribution import Sampling, row
from specviz.sampling.processors import Processors
from specviz.trace.codec import from_json, to_json
from specviz.trace.guess import Change, Emission, Extra, Processor, View
from specviz.trace.info import DraftCache, Shown
from specviz.trace.round import Drafting, Round
from specviz.trace.run import Stop, Trace
from tests.doctored import (
    ACCEPTED,
    BONUS,
    REJECTED,
    RESAMPLED,
    TARGET,
    UNTESTED,
    WARM,
    Doctor,
    at_round,
    bars,
    ended,
    plain,
    reread,
    run,
    stateful,
    unnoticed,
    with_extra,
    with_info,
    with_step,
    with_verdict,
)
from tests.tiny import EAGER, TableModel, traced

# -- Sound traces -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sampling", [WARM, Sampling(0), Sampling(1.0, top_k=3), Sampling(0.8, top_p=0.7)], ids=str)
@pytest.mark.parametrize("gamma", [0, 1, 5])
def test_what_the_engine_records_has_no_problems(gamma: int, sampling: Sampling) -> None:
    for seed in range(3):
        assert problems(run(seed, gamma=gamma, sampling=sampling)) == []


@pytest.mark.parametrize("end", range(6))
def test_a_text_that_ends_anywhere_has_no_problems(end: int) -> None:
    for seed in range(3):
        assert problems(run(seed, gamma=4, ends=frozenset([end]))) == []


def test_a_run_that_was_stopped_or_broke_has_no_problems() -> None:
    for kept in range(3):
        for stop in (Stop.STOPPED, Stop.FAILED):
            assert problems(replace(plain(), rounds=plain().rounds[:kept], stop=stop)) == []


@pytest.mark.parametrize("caches", [0, 1])
def test_without_a_round_nobody_knows_whether_the_drafter_keeps_a_cache(caches: int) -> None:
    stopped = replace(plain(), rounds=(), stop=Stop.STOPPED)
    assert problems(with_info(draft_caches=plain().info.draft_caches[:caches])(stopped)) == []


class Near(TableModel):
    """The target, a hair off: residuals of almost no mass."""

    def law(self, text: Any) -> Any:
        logits = super().law(text)
        logits[4] += 3e-4
        return logits


def test_a_draft_that_is_nearly_the_target_has_no_problems() -> None:
    """Six digits of an overlap of 0.9999 say little about the mass of its residual."""

    class Reluctant(Seeded):
        """Refuses whatever can be refused."""

        def flip(self, weight: float, scale: float, at: Any) -> Any:
            won = weight >= scale
            return super().flip(weight, scale, at)._replace(won=won, u=0.5 if won else math.nextafter(1.0, 0.0))

    for seed in range(5):
        trace = traced(TARGET, (0, 1), 16, draft=Near(6, 1), sampling=WARM, chance=Reluctant(seed))
        assert any(step.extra and step.extra.emission is Emission.RESAMPLED for step in trace.rounds)
        assert problems(trace) == []


# -- Doctored traces --------------------------------------------------------------------------------------------

DOCTORED: dict[str, Doctor] = {
    # verdicts
    "more allowed than there are": with_verdict(ACCEPTED, lambda v: replace(v, view=replace(v.view, allowed=7))),
    "accepted called rejected": with_verdict(ACCEPTED, lambda v: replace(v, verdict=REJECTED)),
    "accepted called untested": with_verdict(
        ACCEPTED, lambda v: replace(v, verdict=UNTESTED, u=None, accept_prob=None)
    ),
    "rejected called accepted": with_verdict(REJECTED, lambda v: replace(v, verdict=ACCEPTED)),
    "rejected called untested": with_verdict(
        REJECTED, lambda v: replace(v, verdict=UNTESTED, u=None, accept_prob=None)
    ),
    "untested called rejected": with_verdict(UNTESTED, lambda v: replace(v, verdict=REJECTED, u=0.99, accept_prob=0.5)),
    "rejected with a u that accepts": with_verdict(REJECTED, lambda v: replace(v, u=0.0)),
    "accepted with a u that rejects": with_verdict(ACCEPTED, lambda v: replace(v, u=math.nextafter(1, 0), p=v.p / 2)),
    "u of 1": with_verdict(REJECTED, lambda v: replace(v, u=1.0)),
    "u below 0": with_verdict(ACCEPTED, lambda v: replace(v, u=-0.1)),
    "no u": with_verdict(ACCEPTED, lambda v: replace(v, u=None)),
    "draft_u of 1": with_verdict(ACCEPTED, lambda v: replace(v, draft_u=1.0)),
    "draft_u below 0": with_verdict(UNTESTED, lambda v: replace(v, draft_u=-1e-9)),
    "draft_u above its segment": with_verdict(UNTESTED, lambda v: replace(v, draft_u=v.high + 1e-6)),
    "a guess's segment moved": with_verdict(
        ACCEPTED, lambda v: replace(v, low=v.low + 0.001, high=v.high + 0.001, draft_u=v.low + 0.0011)
    ),
    "q of 0": with_verdict(UNTESTED, lambda v: replace(v, q=0.0)),
    "token beyond the vocabulary": with_verdict(ACCEPTED, lambda v: replace(v, token=6)),
    "entropy below 0": with_verdict(ACCEPTED, lambda v: replace(v, p_entropy=-0.1)),
    "parent is itself": with_verdict(UNTESTED, lambda v: replace(v, parent=v.node)),
    "parent out of range": with_verdict(UNTESTED, lambda v: replace(v, parent=-2)),
    # views
    "bar's token beyond the vocabulary": with_verdict(REJECTED, bars(lambda bar: replace(bar, token=77), which=4)),
    "bar twice": with_verdict(ACCEPTED, lambda v: replace(v, view=replace(v.view, bars=v.view.bars * 2))),
    "views that cannot show what they say": with_info(shown=Shown(5, 2, 12, 9)),
    # the target's own token
    "bonus called resampled": with_extra(BONUS, lambda e: replace(e, emission=RESAMPLED)),
    "resampled called bonus": with_extra(RESAMPLED, lambda e: replace(e, emission=BONUS)),
    "no extra": with_step(extra=lambda step: None),
    "extra token beyond the vocabulary": with_extra(BONUS, lambda e: replace(e, token=6)),
    "extra u above its segment": with_extra(RESAMPLED, lambda e: replace(e, u=e.high + 1e-6)),
    "extra segment moved": with_extra(BONUS, lambda e: replace(e, low=e.low + 0.3, high=e.high + 0.3, u=e.low + 0.301)),
    "resampled with a bonus's view": with_extra(RESAMPLED, bars(lambda bar: replace(bar, q=0.0))),
    "resampled from another slot's rows": with_step(
        extra=lambda step: replace(_other_resample(step), token=_other_resample(step).token)
    ),
    "a bonus of nothing left": with_extra(BONUS, lambda e: replace(e, zero_residual=True)),
    # rounds
    "path out of range": with_step(path=lambda step: (99,)),
    "path backwards": with_step(path=lambda step: (1, 0)),
    "round twice": lambda trace: replace(trace, rounds=trace.rounds[:2] + trace.rounds[1:]),
    "rounds swapped": lambda trace: replace(trace, rounds=(trace.rounds[1], trace.rounds[0], *trace.rounds[2:])),
    "budget smaller than the draft": with_step(budget=lambda step: Budget.chain(len(step.verdicts) - 1, "")),
    "budget deeper than there is room": with_step(budget=lambda step: Budget.chain(500, "")),
    "budget below 0": at_round(-1, lambda step: replace(step, budget=Budget(-1, -1, ""))),
    "target cache before": with_step(target_cache=lambda step: replace(step.target_cache, before=0)),
    "draft cache before": with_step(
        draft_caches=lambda step: (replace(step.draft_caches[0], before=step.draft_caches[0].before - 1),)
    ),
    "draft cache kept more than was written": with_step(
        draft_caches=lambda step: (replace(step.draft_caches[0], kept=99),)
    ),
    "no draft calls below 0": with_step(calls=lambda step: replace(step.calls, draft=-1)),
    "negative verify time": with_step(timing=lambda step: replace(step.timing, verify=-0.1)),
    "negative draft time": with_step(
        timing=lambda step: replace(step.timing, draft=(Drafting(1, -0.1), *step.timing.draft[1:]))
    ),
    "negative overhead": with_step(timing=lambda step: replace(step.timing, overhead=-0.1)),
    # the run
    "stop is eos": lambda trace: replace(trace, stop=Stop.EOS),
    "stop is context": lambda trace: replace(trace, stop=Stop.CONTEXT),
    "stop is stopped": lambda trace: replace(trace, stop=Stop.STOPPED),
    "stop is failed": lambda trace: replace(trace, stop=Stop.FAILED),
    "prompt empty": lambda trace: replace(trace, prompt=()),
    "prompt token beyond the vocabulary": lambda trace: replace(trace, prompt=(0, 6)),
    **{
        f"chat template {stretches}": with_info(template=stretches)
        for stretches in (((0, 99),), ((1, 1),), ((1, 0),), ((-1, 1),), ((0, 1), (1, 2)), ((1, 2), (0, 1)))
    },
    **{f"control tokens {places}": with_info(control=places) for places in ((99,), (1, 0), (-1,), (0, 0))},
    "prefill time negative": lambda trace: replace(trace, prefill=-1.0),
    "vocabulary smaller": with_info(vocab_size=5),
    "vocabulary negative": with_info(vocab_size=-6),
    "context smaller than the text": with_info(context=10),
    "target slots of nothing": with_info(target_slot_bytes=0),
    "draft slots of nothing": with_info(draft_caches=(DraftCache("small-model", 0, EAGER),)),
    "no draft cache though there are spans": with_info(draft_caches=()),
    "two draft caches of one name": with_info(draft_caches=(DraftCache("small-model", 16, EAGER),) * 2),
    "a draft cache without spans": lambda trace: replace(
        trace, rounds=tuple(replace(step, draft_caches=()) for step in trace.rounds)
    ),
    "tokens read again without a state": at_round(0, reread()),
    "a drafter's read again without a state": at_round(
        0, lambda step: replace(step, draft_caches=(replace(step.draft_caches[0], reread=1),))
    ),
    "more tokens read again than the round kept": lambda trace: at_round(0, reread(1))(stateful(trace)),
    "time for reading again where nothing was": lambda trace: at_round(
        0, lambda step: replace(step, timing=replace(step.timing, reread=step.timing.trim))
    )(stateful(trace)),
    "reading again longer than the trim": lambda trace: at_round(0, reread(ms=1.0))(stateful(trace)),
    "ends a token of the text": lambda trace: with_info(eos=(trace.tokens[2],))(trace),
    "fewer tokens asked for": lambda trace: with_info(config=replace(trace.info.config, max_new_tokens=15))(trace),
    "more tokens asked for": lambda trace: with_info(config=replace(trace.info.config, max_new_tokens=17))(trace),
}

FREE = re.compile(
    r"info\.(rule|controller|target|draft|context|device|dtype|recorded|target_slot_bytes)"
    r"|info\.traits\.(plain_text|lossless)"
    r"|info\.(config|shown|target_forward|draft_caches)\..*|prefill|rounds\.calls\.draft|rounds\.timing\..*"
    r"|rounds\.(budget|verdicts\.source)\..*|rounds\.(verdicts|extra)\.(u|draft_u|p_entropy|q_entropy)"
    r"|rounds\.draft_caches\.(before|written|kept)|text"
)
"""Fields that a small change leaves possible. What is wrong with them is in DOCTORED, or nobody can know."""


def test_every_small_change_of_a_field_that_is_not_free_is_noticed() -> None:
    short = replace(plain(), rounds=plain().rounds[:3], text="", stop=Stop.STOPPED)
    assert unnoticed(short, lambda name: not FREE.fullmatch(name)) == set()


def test_a_state_that_was_put_back_has_no_problems() -> None:
    assert problems(stateful(at_round(0, reread())(plain()))) == []


def _other_resample(step: Round) -> Extra:
    return next(
        other.extra
        for other in plain().rounds
        if other.extra and other.extra.emission is RESAMPLED and other.index != step.index
    )


@pytest.mark.parametrize("name", DOCTORED)
def test_a_doctored_trace_has_problems(name: str) -> None:
    doctored = DOCTORED[name](plain())
    assert doctored != plain(), "nothing was changed"
    assert problems(doctored)


@pytest.mark.parametrize("stop", [Stop.LENGTH, Stop.CONTEXT, Stop.STOPPED, Stop.FAILED])
def test_a_text_that_ended_did_not_stop_for_another_reason(stop: Stop) -> None:
    assert problems(replace(ended(), stop=stop))


def test_a_draft_is_not_judged_past_the_end_of_the_text() -> None:
    last = len(ended().rounds) - 1
    assert problems(at_round(last, lambda step: replace(step, extra=plain().rounds[0].extra))(ended()))
    assert problems(with_info(eos=())(ended()))


def test_problems_say_where_they_are() -> None:
    (line,) = problems(with_verdict(REJECTED, lambda v: replace(v, u=None))(plain()))
    step = next(step for step in plain().rounds for each in step.verdicts if each.verdict is REJECTED)
    node = next(each.node for each in step.verdicts if each.verdict is REJECTED)
    assert line.startswith(f"round {step.index}, node {node}: ")


SIZE, PROMPT = 30, (1, 2, 1)
THEIRS, OURS = TableModel(SIZE, 1), TableModel(SIZE, 2)
CASES = {
    "repetition": Sampling(0.7, processors=Processors(repetition=1.8, prompt=len(PROMPT))),
    "filters": Sampling(0.7, 12, 0.9, 0.01, processors=Processors(repetition=1.8, prompt=len(PROMPT))),
    "presence and no token twice": Sampling(processors=Processors(presence=0.5, no_repeat=1, prompt=len(PROMPT))),
    "temperature 0": Sampling(0, processors=Processors(repetition=1.8, banned=((4,), (5, 6)), prompt=len(PROMPT))),
}


def processed(sampling: Sampling, rule: str = "rejection", *, tree: bool = False, seed: int = 0) -> Trace:
    params = resolve_params(entry("small-tree"), {"shape": "3,2,1"})
    drafter = SmallTree(OURS, params, Resources(sampling, SIZE, 64, OURS)) if tree else None
    made: dict[str, Any] = {"shape": Shape.TREE if tree else Shape.CHAIN}
    loaded = accept.load(rule)
    chance = loaded.chance(seed)
    return traced(
        THEIRS, PROMPT, 20, drafter=drafter, draft=OURS, rule=loaded, sampling=sampling, chance=chance, **made
    )


def views(trace: Trace) -> Iterator[tuple[View, list[int]]]:
    """Each view with the text that its row follows."""
    for step in trace.rounds:
        text = [*PROMPT, *trace.tokens][: step.position]
        behind = {-1: text}
        for each in step.verdicts:
            behind[each.node] = [*behind[each.parent], each.token]
            yield each.view, behind[each.parent]
        if step.extra and step.extra.node is None:
            yield step.extra.view, behind[step.path[-1] if step.path else -1]


@pytest.mark.parametrize(("rule", "tree"), [("rejection", False), ("rejection", True), ("traversal", True)], ids=str)
@pytest.mark.parametrize("case", CASES)
def test_a_record_has_each_row_before_its_processors_and_what_they_were_for(case: str, rule: str, tree: bool) -> None:
    sampling = CASES[case]
    assert sampling.processors
    trace, said = processed(sampling, rule, tree=tree), 0
    for view, text in views(trace):
        bars = [bar.token for bar in view.bars]
        was = row(THEIRS.law(text), replace(sampling, processors=None))
        over = was - row(THEIRS.law(text), sampling, text)
        if over.max() <= LEAST:
            assert not view.before
            assert not view.changed
            continue
        said += 1
        assert int(over.argmax()) in bars, "the token that lost most has a bar"
        assert view.before == tuple(float(f"{was[token]:.6g}") for token in bars)
        assert view.changed == sampling.processors.changes(bars, text)
    assert said > 3
    assert problems(trace) == []
    assert from_json(to_json(trace)) == trace


def viewed(**fields: Any) -> Doctor:
    def changed(view: View) -> View:
        return replace(view, **{name: change(view) for name, change in fields.items()})

    return with_verdict(ACCEPTED, lambda each: replace(each, view=changed(each.view)))


BEFORE: dict[str, Doctor] = {
    "a bar without its probability before": viewed(before=lambda view: view.before[1:]),
    "more than 1 before": viewed(before=lambda view: tuple(0.9 for _ in view.before)),
    "below 0 before": viewed(before=lambda view: (-0.1, *view.before[1:])),
    "no row before": viewed(before=lambda _: ()),
    "a change not named": viewed(changed=lambda _: ()),
    "a token without a bar": viewed(changed=lambda _: (Change(SIZE, Processor.BANNED, ()),)),
    "a place behind the row": viewed(
        changed=lambda view: tuple(replace(each, places=(*each.places, 60)) for each in view.changed)
    ),
    "a place twice": viewed(changed=lambda view: tuple(replace(each, places=each.places * 2) for each in view.changed)),
    "a place of another token": viewed(
        changed=lambda view: tuple(replace(each, places=(2,) if each.token != 1 else (1,)) for each in view.changed)
    ),
    "a penalty for no place": viewed(changed=lambda view: tuple(replace(each, places=()) for each in view.changed)),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_record_that_contradicts_itself_is_found(name: str) -> None:
    sound = processed(CASES["repetition"], seed=1)
    first = next(each for step in sound.rounds for each in step.verdicts if each.verdict is ACCEPTED)
    assert first.view.changed
    assert problems(sound) == []
    assert problems(BEFORE[name](sound))
