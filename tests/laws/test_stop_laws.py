"""A stop string biases nothing: the law of whole texts by trying every outcome, and traces that say how they ended."""

import dataclasses
from collections.abc import Sequence

import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.loop import Parts
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.stops import Stops
from specviz.trace.codec import from_json, to_json
from specviz.trace.run import Stop, Trace
from tests.battery.common import differences
from tests.reference import texts
from tests.tiny import TableModel, parts, traced
from tests.trees import SHAPES, Grown, Once, written

PROMPT = (0, 1)
WARM = Sampling(0.7)


def letters(tokens: Sequence[int]) -> str:
    return "".join(map(str, tokens))


def cut(text: tuple[int, ...], strings: Sequence[str]) -> tuple[int, ...]:
    """The text up to the first token that completes a string, by the definition."""
    for end in range(1, len(text) + 1):
        if letters((*PROMPT, *text[:end])).endswith(tuple(strings)):
            return text[:end]
    return text


def plain(target: TableModel, length: int, strings: Sequence[str]) -> dict[tuple[int, ...], float]:
    """The law of plain decoding with these stop strings."""
    wanted: dict[tuple[int, ...], float] = {}
    for text, weight in texts(target, PROMPT, WARM, length).items():
        ended = cut(text, strings)
        wanted[ended] = wanted.get(ended, 0.0) + weight
    return wanted


CHAINS = [
    ("rejection", 3, 3, 3, ("20",)),
    ("rejection", 3, 2, 3, ("11", "02")),
    ("rejection", 5, 1, 2, ("10", "43")),
    ("rejection", 5, 2, 2, ("14", "3")),
    ("block", 3, 3, 3, ("20",)),
    ("block", 3, 3, 3, ("10", "2")),
    ("block", 4, 2, 2, ("13", "2")),
    ("traversal", 3, 3, 3, ("201", "11")),
    ("coupled", 2, 3, 3, ("10",)),
    ("coupled", 2, 2, 3, ("00", "011")),
]
"""A rule, the vocabulary, guesses a round, tokens of the text, and the strings. "1…" may begin in the prompt."""


@pytest.mark.parametrize(("rule", "size", "gamma", "length", "strings"), CHAINS)
def test_the_law_is_that_of_plain_decoding_with_the_string(
    rule: str, size: int, gamma: int, length: int, strings: tuple[str, ...]
) -> None:
    target, draft = TableModel(size, 1), TableModel(size, 2)

    def made(chance: Chance) -> Parts:
        rest = {"gamma": gamma, "stops": Stops(strings, letters), "limit": len(PROMPT) + length}
        return parts(target, draft=draft, rule=accept.load(rule), sampling=WARM, chance=chance, **rest)

    found = written(rule, made, PROMPT, length)
    assert list(differences(found, plain(target, length, strings))) == []
    assert len({len(text) for text in found}) > 1, "some texts end early"


def test_every_lossless_rule_is_tried() -> None:
    assert {rule for rule, *_ in CHAINS} == {entry.name for entry in accept.ENTRIES if entry.lossless}


TREES = [
    ("rejection", "2,1", "i.i.d.", 3, ("20",)),
    ("rejection", "2,1", "without replacement", 3, ("10", "2")),
    ("rejection", "uneven", "points", 3, ("02", "11")),
    ("block", "2,1", "without replacement", 3, ("12",)),
    ("traversal", "2,1", "without replacement", 3, ("20", "1")),
    ("traversal", "2,1", "i.i.d.", 3, ("10", "22")),
    ("coupled", "2,1", "points", 2, ("00",)),
]


@pytest.mark.parametrize(("rule", "shape", "how", "size", "strings"), TREES)
def test_the_same_where_only_some_branches_of_a_tree_complete_it(
    rule: str, shape: str, how: str, size: int, strings: tuple[str, ...]
) -> None:
    target, models, length = TableModel(size, 1, spread=0.8), [TableModel(size, 2, spread=0.8)], 3

    def made(chance: Chance) -> Parts:
        drafter, rest = Grown(models, SHAPES[shape], how, WARM), {"limit": len(PROMPT) + length}
        rest |= {"stops": Stops(strings, letters), "controller": Once(4), "chance": chance}
        return parts(target, drafter, rule=accept.load(rule), sampling=WARM, **rest)

    assert list(differences(written(rule, made, PROMPT, length), plain(target, length, strings))) == []


def runs(rule: str, strings: Sequence[str] = ("20", "31")) -> list[Trace]:
    target, draft = TableModel(6, 1), TableModel(6, 2)
    judge, stops = accept.load(rule), Stops(tuple(strings), letters)
    how = {"draft": draft, "gamma": 4, "sampling": WARM, "rule": judge, "stops": stops}
    ends = ({"chance": judge.chance(seed), "ends": frozenset([seed % 9])} for seed in range(40))
    return [traced(target, PROMPT, 17, **how, **each) for each in ends]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rule", [entry.name for entry in accept.ENTRIES])
def test_a_trace_says_which_string_ended_its_text_and_contradicts_itself_nowhere(rule: str) -> None:
    seen = set()
    for run in runs(rule):
        assert problems(run) == []
        assert from_json(to_json(run)) == run
        last = run.rounds[-1]
        ended = cut(run.tokens, run.info.stop_strings)
        assert run.tokens[: len(ended)] == run.tokens
        said = letters((*PROMPT, *run.tokens))
        if run.stop is Stop.STRING:
            assert said.endswith(last.stop_string)
            seen.add(("inside a draft" if last.extra is None else last.extra.emission.value, last.stop_string))
            behind = [each for each in last.verdicts if each.depth >= len(last.path)]
            if last.extra is None:
                assert all(each.verdict.value == "untested" for each in behind)
                assert last.target_cache.kept == last.position + len(last.path)
        else:
            assert not last.stop_string
            assert run.stop is Stop.EOS or not said.endswith(run.info.stop_strings)
    assert {how for how, _ in seen} >= {"inside a draft", "resampled"}
    assert {string for _, string in seen} == {"20", "31"}


def test_what_says_otherwise_than_its_tokens_is_a_contradiction() -> None:
    run = next(run for run in runs("rejection") if run.stop is Stop.STRING and run.rounds[-1].extra is None)
    string = run.rounds[-1].stop_string

    def last(**changes: object) -> Trace:
        return dataclasses.replace(run, rounds=(*run.rounds[:-1], dataclasses.replace(run.rounds[-1], **changes)))

    for doctored, line in (
        (last(stop_string=""), f"said to complete '', but it completes '{string}'"),
        (last(stop_string="9"), f"said to complete '9', but it completes '{string}'"),
        (dataclasses.replace(run, stop=Stop.LENGTH), "stop is length"),
    ):
        assert any(line in problem for problem in problems(doctored)), line


def test_a_text_that_goes_on_behind_a_complete_string_is_a_contradiction() -> None:
    """Wherever in a round the string is: what a run without it wrote, told to have had it."""
    inside = at_end = 0
    for run in runs("rejection", ()):
        for step in run.rounds[:-1]:
            for place in range(len(step.tokens)):
                written = letters([*PROMPT, *run.tokens])[: step.position + place + 1]
                told = dataclasses.replace(run, info=dataclasses.replace(run.info, stop_strings=(written[1:],)))
                assert any("the text goes on behind" in problem for problem in problems(told)), (step.index, place)
                inside += place + 1 < len(step.tokens)
                at_end += place + 1 == len(step.tokens)
    assert inside > 20
    assert at_end > 20
