"""What the lab asks, on its way to the engine, and what was measured, on its way back."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import made_up
import pytest

from specviz.config.settings import RunConfig
from specviz.config.words import tell
from specviz.lab.measured import Measurement
from specviz.ui.answers.measurements import Labs
from specviz.ui.limits import SWEEP
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings

TRACE = made_up.made_up_trace(seed=3, max_new_tokens=24)
ASKED = {"run": "tale", "ask": "me-7"}


class Counting(made_up.MadeUpBackend):
    """An engine that remembers what it measured."""

    def __init__(self) -> None:
        super().__init__()
        self.measured: list[RunConfig] = []

    def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Measurement]:
        for cell in super().sweep(configs):
            self.measured.append(cell.config)
            yield cell


def lab(**more: Any) -> tuple[Labs, Counting, Recordings]:
    backend, recordings = Counting(), Recordings({"tale": Recording.of("tale", TRACE)})
    return Labs(backend, recordings, **more), backend, recordings


def told(labs: Labs, **asked: Any) -> Iterator[dict[str, Any]]:
    for delta in labs.answer(ASKED | asked):
        ((kind, text),) = json.loads(delta["j"]).items()
        report = json.loads(text)
        assert (delta["run"], delta["n"], kind, report.pop("ask")) == ("tale", -1, "lab", "me-7")
        yield report


def test_a_sweep_is_told_cell_by_cell_and_says_when_it_is_over() -> None:
    labs, backend, _ = lab()
    over = [{"gamma": gamma, "seed": seed} for gamma in (0, 2) for seed in (1, 2)]
    *cells, end = told(labs, job="sweep", over=over)
    assert end == {"ended": True}
    assert [(cell["done"], cell["of"]) for cell in cells] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [{name: getattr(config, name) for name in ("gamma", "seed")} for config in backend.measured] == over
    assert {config.prompt for config in backend.measured} == {TRACE.info.config.prompt}
    first = cells[2]["cell"]
    assert (first["config"]["gamma"], first["plain"]) == (2, 2.0 * len(first["tokens"]))


def test_lanes_say_what_they_wrote_and_what_their_rounds_came_to() -> None:
    labs, backend, _ = lab()
    *lanes, end = told(labs, job="lanes", over=[{"gamma": 1}, {"gamma": 5, "drafter": "bigram"}])
    assert end == {"ended": True}
    for lane, gamma in zip(lanes, (1, 5), strict=True):
        text = [token["token"] for token in lane["written"]]
        assert lane["traits"]["lossless"]
        assert [lane["written"][0]["round"], lane["written"][0]["text"]] == [0, made_up.WORDS[text[0]]]
        assert {token["state"] for token in lane["written"]} == {"accepted", "resampled", "bonus"}
        counts = lane["counts"]
        assert counts["passes"] == lane["written"][-1]["round"] + 1
        assert counts["accepted"] == sum(token["state"] == "accepted" for token in lane["written"])
        assert 0 < counts["tested"] <= gamma * counts["passes"]
    assert backend.measured == [], "how fast a method is stands in the table of all"


def test_a_lane_that_cannot_be_run_says_so_in_its_place_and_the_others_go_on() -> None:
    labs, _, _ = lab()
    over = [{"gamma": 1}, {"gamma": 21}, {"prompt": "too long"}, {"gamma": 2}]
    first, refused, too_long, last, end = told(labs, job="lanes", over=over)
    assert [report["done"] for report in (first, refused, too_long, last)] == [1, 2, 3, 4]
    assert (refused["done"], refused["of"]) == (2, 4)
    assert tell(refused["refused"]) == "gamma is 21; wanted a whole number from 0 to 20"
    assert "1 to 1,023" in tell(too_long["refused"])
    assert {"written", "counts"} <= first.keys() & last.keys()
    assert end == {"ended": True}


def test_costs_come_by_length_and_drafter_as_far_as_the_context_and_the_limits_go() -> None:
    *reports, end = told(lab()[0], job="lengths", over=[{}, {"drafter": "bigram"}])
    assert end == {"ended": True}
    assert [(each["done"], each["of"]) for each in reports] == [
        (done, len(reports)) for done in range(1, 1 + len(reports))
    ]
    cells = [(each["cell"]["behind"], each["cell"]["drafter"]) for each in reports]
    assert cells == [(length, name) for length in (128, 512, 960) for name in ("small-model", "bigram")]
    assert {"draft", "rest", "widths", "passes"} <= {*reports[0]["cell"]["costs"]}


def test_advice_comes_after_the_runs_and_timings_that_it_is_made_of_with_its_sentences() -> None:
    over = [{"drafter": name, "prompt": text} for name in ("suffix", "small-model") for text in ("one", "two")]
    *reports, end = told(lab()[0], job="advise", over=over)
    assert [(each["done"], each["of"]) for each in reports] == [(done, 6) for done in range(1, 7)]
    assert [each["drafter"] for each in end["advice"]["choices"]] == ["small-model", "suffix"]
    assert list(map(tell, end["sentences"])) == ["Use small-model with γ 3: 1.31 to 1.53 times as fast."]
    *_, end = told(lab()[0], job="advise", over=over[:2])
    no, change = map(tell, end["sentences"])
    assert no == "Do not speculate: at best, suffix with γ 3, 2.10 tokens a pass cost 1.50 plain steps."
    assert change == "It would pay if α rose from 0.60 to 0.70, or if a guess took less than 0.2 ms instead of 0.5 ms."


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"job": "mine"}, "job is 'mine'; wanted one of sweep, lanes"),
        ({"job": "sweep"}, f"over is None; wanted 1 to {SWEEP} sets of changes"),
        ({"job": "sweep", "over": [{}] * (SWEEP + 1)}, f"wanted 1 to {SWEEP}"),
        ({"job": "lanes", "over": [{}] * 5}, "wanted 1 to 4"),
        ({"job": "advise", "over": [{}] * 25}, "wanted 1 to 24"),
        ({"job": "exact", "over": [{}, {}]}, "wanted 1 to 1"),
        ({"job": "sweep", "over": [{"device": "cuda"}]}, "wanted one of drafter, "),
        ({"job": "sweep", "over": [{"counts": "/etc/passwd"}]}, "wanted one of drafter, "),
        ({"job": "sweep", "over": ["gamma"]}, "wanted one of drafter, "),
        ({"job": "sweep", "over": [{"gamma": 21}]}, "gamma is 21; wanted a whole number from 0 to 20"),
        ({"job": "sweep", "over": [{"gamma": True}]}, "gamma is True; wanted a whole number"),
        ({"job": "sweep", "over": [{"params": 3}]}, "params is 3; wanted names with numbers"),
        ({"job": "costs", "run": "gone"}, "this run is no longer kept"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(asked: dict[str, Any], wanted: str) -> None:
    labs, backend, _ = lab()
    deltas = list(labs.answer(ASKED | asked))
    assert len(deltas) == 1
    assert wanted in tell(json.loads(json.loads(deltas[0]["j"])["lab"])["error"])
    assert backend.measured == []


def test_a_sweep_that_takes_too_long_keeps_what_it_has() -> None:
    ticks = iter([0.0, 50.0, 100.0, 150.0])
    labs, _, _ = lab(clock=lambda: next(ticks))
    *cells, end = told(labs, job="sweep", over=[{"seed": seed} for seed in range(9)])
    assert [cell["done"] for cell in cells] == [1, 2, 3]
    assert end["error"] == {"code": "refusals.held_long", "seconds": "120"}


FILES = [
    {"name": "a.txt", "text": "Once", "prompt": None, "temperature": 0},
    {"name": "b.json", "text": [5, 17], "prompt": [1], "temperature": 0},
]
COMPARED = {"job": "differ", "pair": "embedded", "dtype": "bfloat16", "prompt": "Tell", "chat": True}


def test_two_files_are_compared_by_the_pair_that_is_chosen() -> None:
    (found,) = told(lab()[0], given=FILES, **COMPARED)
    assert (found["at"], found["gaps"]) == (1, [2.0, 0.1, None, 0.5])
    assert "a.txt and b.json" in tell(found["lines"][0])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"pair": "stories"}, "stories"),
        ({"dtype": "int3"}, "dtype is 'int3'; wanted one of"),
        ({"prompt": ""}, "the prompt is empty"),
        ({"given": [{**FILES[0], "text": 5}, FILES[1]]}, "file.text: wanted a list"),
        ({"given": [{"name": "x"}, FILES[1]]}, "file: field 'text' is missing"),
    ],
)
def test_files_that_cannot_be_compared_are_refused(changed: dict[str, Any], said: str) -> None:
    (found,) = told(lab()[0], **{"given": FILES, **COMPARED, **changed})
    assert said in tell(found["error"])
