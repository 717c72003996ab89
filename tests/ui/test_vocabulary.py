"""A slot's whole laws on their way to the player: computed once, searched, and small whatever the vocabulary."""

import dataclasses
import json
import random
from collections.abc import Sequence
from typing import Any

import made_up
import pytest

from specviz.config.settings import ConfigError, RunConfig
from specviz.proof.slot import SlotDistributions
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.ui.answers import vocabulary
from specviz.ui.answers.vocabulary import Vocabulary
from specviz.ui.runs.recording import Delta, Recording
from specviz.ui.runs.recordings import Recordings

TRACE = made_up.made_up_trace(seed=3, max_new_tokens=24)
ASKED = {"run": "tale", "round": 1, "slot": 0, "find": ""}


def over(trace: Trace = TRACE, backend: made_up.MadeUpBackend | None = None) -> Vocabulary:
    return Vocabulary(backend or made_up.MadeUpBackend(), Recordings({"tale": Recording.of("tale", trace)}))


def content(delta: Delta) -> dict[str, Any]:
    assert delta["n"] == -1
    (kind, text), *others = json.loads(delta["j"]).items()
    assert (kind, others) == ("row", [])
    answer: dict[str, Any] = json.loads(text)
    return answer


def asked(where: Vocabulary, **changes: Any) -> dict[str, Any]:
    (delta,) = where.answer(ASKED | changes)
    assert delta["run"] == "tale"
    return content(delta)


def test_every_bar_of_a_recorded_view_is_a_row_of_its_full_laws() -> None:
    where = over()
    for step in TRACE.rounds:
        for slot, verdict in enumerate(step.verdicts):
            told = asked(where, round=step.index, slot=slot)
            found = {token: (text, p, q) for token, text, p, q in told["rows"]}
            assert len(found) == told["count"] == len(made_up.WORDS)
            for bar in verdict.view.bars:
                text, p, q = found[bar.token]
                assert (text, p, q) == (bar.text, pytest.approx(bar.p, rel=1e-5), pytest.approx(bar.q, rel=1e-5))
            assert sum(p for _, p, _ in found.values()) == pytest.approx(1, abs=1e-5)
            assert sum(q for _, _, q in found.values()) == pytest.approx(1, abs=1e-5)


def test_the_row_after_the_last_guess_has_no_q() -> None:
    step = next(each for each in TRACE.rounds if each.extra and len(each.path) == len(each.verdicts))
    told = asked(over(), round=step.index, slot=len(step.verdicts))
    for found in (told, told["raw"]):
        assert ({q for *_, q in found["rows"]}, found["ranks"]["q"]) == ({None}, None)


def test_raw_laws_come_beside_those_decided_on() -> None:
    told = asked(over(), find="cat")
    decided, raw = ({token: (p, q) for token, _, p, q in each["rows"]} for each in (told, told["raw"]))
    assert decided.keys() == raw.keys()
    temperature = TRACE.info.config.temperature
    for other in decided:
        for law in (0, 1):
            ratio = (decided[other][law] / decided[0][law]) ** temperature
            assert raw[other][law] / raw[0][law] == pytest.approx(ratio, rel=1e-4)
    heights = [max(p, q) for _, _, p, q in told["raw"]["rows"]]
    assert heights == sorted(heights, reverse=True)
    assert told["raw"]["ranks"] != told["ranks"]


def test_a_run_whose_laws_are_raw_has_no_others() -> None:
    trace = made_up.made_up_trace(seed=3, max_new_tokens=24, temperature=1)
    assert asked(over(trace))["raw"] is None


def test_rows_come_largest_first_and_a_search_ignores_case() -> None:
    where = over()
    heights = [max(p, q) for _, _, p, q in asked(where)["rows"]]
    assert heights == sorted(heights, reverse=True)
    told = asked(where, find="CAT")
    assert {text for _, text, _, _ in told["rows"]} == {word for word in made_up.WORDS if "cat" in word}
    assert told["count"] == len(told["rows"])
    assert asked(where, find="nowhere")["count"] == 0


def test_an_answer_says_what_it_answers_and_is_never_the_same_twice() -> None:
    where = over()
    one, other = asked(where, find="dog"), asked(where, find="dog")
    assert (one["round"], one["slot"], one["find"]) == (1, 0, "dog")
    assert one.pop("mark") != other.pop("mark"), "Gradio tells the page nothing when a value stays the same"
    assert one == other


def test_a_search_decodes_the_run_only_once() -> None:
    backend = made_up.MadeUpBackend()
    where = over(backend=backend)
    for find in ("", "c", "ca", "cat"):
        asked(where, find=find)
    assert backend.asked == 1
    asked(where, slot=1)
    assert backend.asked == 2


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        "tale",
        {},
        {key: value for key, value in ASKED.items() if key != "find"},
        *(
            ASKED | {key: value}
            for key, values in {
                "run": ["n" * 201, None, 0, ["tale"], {"tale": 1}],
                "round": [-1, 99, 10**30, 1.0, "1", None, True],
                "slot": [-1, 6, 0.0, "0", None, False],
                "find": ["x" * 51, None, 7, ["a"]],
            }.items()
            for value in values
        ),
    ],
    ids=repr,
)
def test_a_request_that_makes_no_sense_is_not_answered(request_: object) -> None:
    assert len(TRACE.rounds[1].verdicts) < 6
    assert [*over().answer(request_)] == []


def test_a_search_for_anything_comes_back_as_it_was() -> None:
    where = over(made_up.made_up_trace(made_up.HOSTILE, seed=2, max_new_tokens=16))
    for find in (*(text for text in made_up.HOSTILE if len(text) <= 50), "\ud800", "\x00", '"}]', "\U0001f600" * 50):
        assert asked(where, find=find)["find"] == find


def test_a_machine_that_decodes_otherwise_says_so() -> None:
    trace = made_up.made_up_trace(seed=3, max_new_tokens=24, gamma=2)
    where = Vocabulary(made_up.MadeUpBackend(), Recordings({"tale": other_seed(trace)}))
    told = asked(where)
    assert told["error"] == {"code": "refusals.rows_differ", "round": 1}
    assert "rows" not in told


def other_seed(trace: Trace) -> Recording:
    """A recording whose config does not make its rounds."""
    recording = Recording("tale")
    recording.open(dataclasses.replace(trace, info=made_up.made_up_trace(seed=4).info))
    for step in trace.rounds:
        recording.add(step)
    return recording


class Breaking(made_up.MadeUpBackend):
    def distributions(self, config: RunConfig, index: int, slot: int, expected: Sequence[Round]) -> SlotDistributions:
        raise OSError("no room\nat all")


def test_an_engine_that_breaks_says_so_before_it_breaks() -> None:
    answer = over(backend=Breaking()).answer(ASKED)
    assert content(next(iter(answer)))["error"] == "OSError: no room"
    with pytest.raises(OSError, match="no room"):
        list(answer)


def test_a_run_that_is_forgotten_says_so() -> None:
    (delta,) = over().answer(ASKED | {"run": "gone", "round": 99})
    assert content(delta)["error"] == {"code": "refusals.forgotten"}


class Vast(made_up.MadeUpBackend):
    """An engine with a hundred thousand tokens, each text as costly as texts get."""

    def distributions(self, config: RunConfig, index: int, slot: int, expected: Sequence[Round]) -> SlotDistributions:
        draw = random.Random(0)
        weights = [draw.random() ** 9 for _ in range(100_000)]
        total = sum(weights)
        law = [weight / total for weight in weights]
        return SlotDistributions(law, law[::-1], ["\U0001f600" * 100] * len(law), law, law[::-1])


def test_a_message_stays_small_whatever_the_vocabulary() -> None:
    (delta,) = over(backend=Vast()).answer(ASKED | {"find": "\U0001f600" * 50})
    assert len(delta["j"]) < 36_000
    told = content(delta)
    assert told["count"] == 100_000
    assert 10 < len(told["rows"]) <= vocabulary.ROWS
    assert len(told["rows"]) == len(told["raw"]["rows"])
    assert len(told["rows"][0][1]) == vocabulary.TEXT


def test_a_rank_plot_goes_from_the_largest_token_to_the_last() -> None:
    for size in (1, 2, 17, 4096, 250_000):
        draw = random.Random(size)
        law = [draw.random() for _ in range(size)]
        points = vocabulary.ranked(law)
        ranks = [rank for rank, _ in points]
        values = [value for _, value in points]
        assert (ranks[0], ranks[-1]) == (1, size)
        assert ranks == sorted(set(ranks))
        assert len(ranks) <= vocabulary.POINTS
        assert values == sorted(values, reverse=True)
        assert (values[0], values[-1]) == (pytest.approx(max(law), rel=1e-5), pytest.approx(min(law), rel=1e-5))


def test_a_law_that_is_refused_is_not_kept() -> None:
    class Once(made_up.MadeUpBackend):
        def distributions(
            self, config: RunConfig, index: int, slot: int, expected: Sequence[Round]
        ) -> SlotDistributions:
            if not self.asked:
                self.asked += 1
                raise ConfigError("not yet")
            return super().distributions(config, index, slot, expected)

    where = over(backend=Once())
    assert asked(where)["error"] == "not yet"
    assert asked(where)["count"] == len(made_up.WORDS)
