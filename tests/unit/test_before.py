"""What a record says of a row before penalties and bans, computed anew from the logits, guess by guess."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.entry import Shape
from specviz.config.settings import resolve_params
from specviz.draft import entry
from specviz.draft.base import Resources
from specviz.draft.small_tree import SmallTree
from specviz.record.extras import LEAST
from specviz.sampling.distribution import Sampling, row
from specviz.sampling.processors import Processors
from specviz.trace.codec import from_json, to_json
from specviz.trace.guess import Change, Processor, View
from specviz.trace.run import Trace
from tests.doctored import ACCEPTED, Doctor, with_verdict
from tests.tiny import TableModel, traced

SIZE, PROMPT = 30, (1, 2, 1)
TARGET, DRAFT = TableModel(SIZE, 1), TableModel(SIZE, 2)
CASES = {
    "repetition": Sampling(0.7, processors=Processors(repetition=1.8, prompt=len(PROMPT))),
    "filters": Sampling(0.7, 12, 0.9, 0.01, processors=Processors(repetition=1.8, prompt=len(PROMPT))),
    "presence and no token twice": Sampling(processors=Processors(presence=0.5, no_repeat=1, prompt=len(PROMPT))),
    "temperature 0": Sampling(0, processors=Processors(repetition=1.8, banned=((4,), (5, 6)), prompt=len(PROMPT))),
}


def run(sampling: Sampling, rule: str = "rejection", *, tree: bool = False, seed: int = 0) -> Trace:
    params = resolve_params(entry("small-tree"), {"shape": "3,2,1"})
    drafter = SmallTree(DRAFT, params, Resources(sampling, SIZE, 64, DRAFT)) if tree else None
    made: dict[str, Any] = {"shape": Shape.TREE if tree else Shape.CHAIN}
    loaded = accept.load(rule)
    chance = loaded.chance(seed)
    return traced(
        TARGET, PROMPT, 20, drafter=drafter, draft=DRAFT, rule=loaded, sampling=sampling, chance=chance, **made
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
    trace, said = run(sampling, rule, tree=tree), 0
    for view, text in views(trace):
        bars = [bar.token for bar in view.bars]
        was = row(TARGET.law(text), replace(sampling, processors=None))
        over = was - row(TARGET.law(text), sampling, text)
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


DOCTORED: dict[str, Doctor] = {
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


@pytest.mark.parametrize("name", DOCTORED)
def test_a_record_that_contradicts_itself_is_found(name: str) -> None:
    sound = run(CASES["repetition"], seed=1)
    first = next(each for step in sound.rounds for each in step.verdicts if each.verdict is ACCEPTED)
    assert first.view.changed
    assert problems(sound) == []
    assert problems(DOCTORED[name](sound))
