"""A pair on its way into memory: what is told and how often, and that nothing else but an offered pair is ever used."""

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr
import made_up
import pytest

from specviz.config.pairs import Loading, Offer
from specviz.config.settings import ConfigError, RunConfig
from specviz.config.words import tell
from specviz.proof.findings import Finding, Question
from specviz.ui.answers.pairs import Pairs, usable
from specviz.ui.answers.proofs import Proofs
from specviz.ui.answers.races import Races
from specviz.ui.runs import live
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings

ASKED = {"name": "stories", "ask": "me-7"}


class Held(made_up.MadeUpBackend):
    """An engine that knows what is in memory; takes its steps from outside and tells whether they were called off."""

    def __init__(self, steps: Callable[[], Iterator[Loading]] | None = None) -> None:
        super().__init__()
        self._steps = steps
        self.held = {"embedded"}
        self.called_off = False

    def offers(self) -> tuple[Offer, ...]:
        return tuple(offer._replace(ready=offer.name in self.held) for offer in super().offers())

    def ready(self, name: str) -> Iterator[Loading]:
        try:
            yield from self._steps() if self._steps else super().ready(name)
        except GeneratorExit:
            self.called_off = True
            raise
        self.held = {"embedded", name}


def told(pairs: Pairs, **changes: Any) -> list[dict[str, Any]]:
    """What is said, each with the name of the question, here taken off."""
    reports = [json.loads(report["j"]) for report in pairs.answer(ASKED | changes)]
    assert {report.pop("ask") for report in reports} <= {changes.get("ask", "me-7")}
    return reports


def every(seconds: float) -> Callable[[], float]:
    """A clock that goes on by so much whenever it is read."""
    ticks = itertools.count()
    return lambda: seconds * next(ticks)


def test_a_pair_is_followed_to_its_end_and_then_offered_as_ready() -> None:
    *steps, end = told(Pairs(Held(), every(1.0)))
    assert [step["done"] for step in steps] == [made_up.SIZE * part // 10 for part in range(1, 11)]
    assert steps[0] == {"done": 50_000_000, "total": made_up.SIZE, "seconds": 0.25, "what": "downloading"}
    assert steps[-1]["what"] == "placing in memory"
    assert end["pair"] == "stories"
    assert [name for name, _, _, _, ready, *_ in end["offers"] if ready] == ["embedded", "stories"]


def test_a_pair_that_cannot_be_had_leaves_one_line() -> None:
    backend = Held()
    *steps, end = told(Pairs(backend, every(1.0)), name="broken")
    assert (len(steps), end["error"]) == (5, "the disk is full")
    assert [name for name, _, _, _, ready, *_ in end["offers"] if ready] == ["embedded"], "and what is left to run"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("huge", "huge 1B → 70B cannot run here: needs 18 GB, this machine has 7.4 GB free"),
        (
            "me/own",
            "pair is 'me/own'; wanted one of embedded, stories, endless, broken, crashing, huge, chatty, hostile",
        ),
    ],
)
def test_what_does_not_fit_or_is_not_offered_is_not_even_begun(name: str, said: str) -> None:
    backend = Held(steps=lambda: pytest.fail("begun"))
    assert [tell(report["error"]) for report in told(Pairs(backend), name=name)] == [said]
    with pytest.raises(ConfigError) as refusal:
        usable(backend, name)
    assert str(refusal.value) == said


def test_what_breaks_is_told_in_a_line_and_goes_on_to_the_log() -> None:
    reports: list[Any] = []
    with pytest.raises(RuntimeError, match="broke"):
        reports.extend(Pairs(Held()).answer(ASKED | {"name": "crashing"}))
    told = json.loads(reports[-1]["j"])
    assert (told["ask"], told["error"]) == ("me-7", "RuntimeError: the made-up engine broke")
    assert told["offers"], "what stands in memory now may be less than before"


def test_offers_that_cannot_be_made_say_why(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(made_up.MadeUpBackend):
        def offers(self) -> tuple[Offer, ...]:
            raise OSError("no such driver")

    report = Pairs(Broken()).offers()
    assert "no such driver" in caplog.text
    assert json.loads(report["j"]) == {"ask": "", "error": "OSError: no such driver"}


def test_called_off_under_way_or_before_its_turn_nothing_more_is_told() -> None:
    backend = Held()
    pairs = Pairs(backend, every(1.0))
    under_way = pairs.answer(ASKED)
    next(under_way)
    pairs.leave("me-7")
    pairs.leave("you-1")
    pairs.leave(["no name"])
    assert [*under_way] == []
    assert backend.called_off
    assert backend.held == {"embedded"}
    assert told(pairs, ask="you-1") == []
    assert told(pairs, ask="me-8")[-1]["pair"] == "stories"


@pytest.mark.parametrize(
    ("pair", "said"), [("huge", "needs 18 GB"), ("me/own", "pair is 'me/own'; wanted one of embedded")]
)
def test_a_run_is_made_with_an_offered_pair_only(pair: str, said: str) -> None:
    backend = made_up.MadeUpBackend()
    with pytest.raises(gr.Error) as refusal:
        list(live.stream(backend, Recordings({}), RunConfig("made up", pair=pair), "me"))
    assert said in refusal.value.message
    assert backend.started == 0


def test_nor_is_a_recorded_run_of_another_pair_decoded_again() -> None:
    class Untouched(made_up.MadeUpBackend):
        def prove(self, question: Question) -> Iterator[int | Finding]:
            pytest.fail("decoded")

        race = equal = model = prove  # type: ignore[assignment]

    trace = made_up.made_up_trace(pair="me/own")
    recordings = Recordings({"tale": Recording.of("tale", trace)})
    asked = {"run": "tale", "ask": "a", "position": 0, "law": "plain", "n": 1000, "seed": 0, "bug": ""}
    answers = [
        *Proofs(Untouched(), recordings).answer(asked),
        *Proofs(Untouched(), recordings).answer(asked | {"whole": True}),
        *Proofs(Untouched(), recordings).answer(asked | {"model": True}),
        *[
            delta
            for delta in Races(Untouched(), recordings).answer(asked | {"again": True})
            if "timing" not in delta["j"]
        ],
    ]
    assert len(answers) == 4
    assert all("refusals.wrong" in delta["j"] and "'me/own'" in delta["j"] for delta in answers)
