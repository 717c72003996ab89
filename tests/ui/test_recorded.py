"""Recorded runs as they are shipped."""

import datetime as dt
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from made_up import MadeUpBackend, made_up_trace

from specviz.check.run import problems
from specviz.config.settings import ConfigError, RunConfig
from specviz.lab.measured import Measurement
from specviz.trace.codec import from_json
from specviz.ui import listeners, player
from specviz.ui.answers import recorded
from specviz.ui.events import Remark, Want

ASSETS = Path(__file__).parents[2] / "assets"
WHEN = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
TRACE = made_up_trace()
QUESTIONS = {
    "losslessness": {
        "": {"position": 0, "law": "first", "n": 2000, "seed": 0, "bug": ""},
        "lossy": {"position": 0, "law": "first", "n": 2000, "seed": 0, "bug": "", "run": "other"},
    },
    "race": {"machine": {"job": "machine"}, "sweep": {"job": "sweep", "over": [{"gamma": 2}, {"gamma": 3}]}},
    "methods": {
        "sweep": {"job": "sweep", "over": [{"seed": 1}, {"seed": 2}]},
        "exact": {"job": "exact", "over": [{"params": {}}]},
    },
    "methods-chat": {"sweep": {"job": "sweep", "over": [{"seed": 1}], "run": "other"}},
}


def test_every_question_is_answered_as_a_page_would_be_and_nothing_but_answers_is_kept(tmp_path: Path) -> None:
    asked = {"run": "made", "labs": QUESTIONS}
    (tmp_path / recorded.QUESTIONS).write_text(json.dumps(asked), encoding="utf-8")
    paths = list(recorded.record(MadeUpBackend(), {"made": TRACE, "other": TRACE}, tmp_path, WHEN))
    assert [path.stem for path in paths] == list(QUESTIONS)
    served = {name: json.loads(text) for name, text in recorded.shipped_labs(tmp_path).items()}
    assert set(served) == set(QUESTIONS)
    (found,) = served["losslessness"]["answers"][""]
    assert found["finding"]["n"] == 2000
    (other,) = served["losslessness"]["answers"]["lossy"]
    assert other["config"]["seed"] == 0, "asked of a run of its own, and says of which"
    methods = served["methods"]["answers"]
    assert list(methods) == ["bigram", "ngram", "small-model"], "each of the catalog"
    for name, (*cells, last) in methods.items():
        assert [(each["cell"]["config"]["drafter"], each["cell"]["config"]["seed"]) for each in cells] == [
            (name, 1),
            (name, 2),
        ]
        assert last["exact"]["equal"] == 20 - (name == "ngram")
    chat = served["methods-chat"]
    assert chat["run"] == "other"
    assert list(chat["answers"]) == ["small-model, γ 3", "ngram"], "those that the backend has"
    (machine,) = served["race"]["answers"]["machine"]
    assert machine["machine"]["done"] == machine["machine"]["of"], "the last report has all measurements"
    assert len(served["race"]["answers"]["sweep"]) == 2
    about = served["race"]
    assert (about["run"], about["recorded"], about["config"]["seed"]) == ("made", "2026-11-23T00:00:00+00:00", 0)
    assert about["machine"] == machine["machine"]["machine"]
    assert about["forward"] == TRACE.info.target_forward.name


def test_a_question_that_cannot_be_answered_is_an_error_and_not_a_record(tmp_path: Path) -> None:
    class Refusing(MadeUpBackend):
        def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Measurement]:
            raise ConfigError("no models here")

    asked = {"run": "made", "labs": {"race": QUESTIONS["race"]}}
    (tmp_path / recorded.QUESTIONS).write_text(json.dumps(asked), encoding="utf-8")
    with pytest.raises(ConfigError, match="no models here"):
        list(recorded.record(Refusing(), {"made": TRACE, "other": TRACE}, tmp_path, WHEN))
    assert recorded.shipped_labs(tmp_path) == {}


def test_the_shipped_labs_are_there() -> None:
    assert tuple(sorted(recorded.shipped_labs(ASSETS / "labs"))) == tuple(sorted(player.LABS))


GOLDEN = Path(__file__).parents[1] / "golden"
TRACES = [path.stem for path in GOLDEN.glob("*.json") if path.stem != "theory"]


@pytest.mark.parametrize("name", TRACES)
def test_a_golden_trace_contradicts_itself_nowhere(name: str) -> None:
    assert problems(from_json((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))) == []


PLAYER = Path(__file__).parents[2] / "assets" / "player"
OWN = {"left", "unopened"}
"""Remarks that the player makes to itself."""


def source(name: str) -> str:
    return (PLAYER / name).read_text(encoding="utf-8")


def keys(name: str, table: str) -> set[str]:
    """The keys of an object literal of one line each or several, by what begins it."""
    body = re.search(rf"const {table} = \{{(.*?)\n?\s*\}};", source(name), re.DOTALL)
    assert body, f"{name} has no {table}"
    return set(re.findall(r"(?:^|[\s,])'?([a-z-]+)'?(?::|\(\) \{|(?=,\n))", body[1]))


def test_the_player_answers_every_want() -> None:
    elsewhere = {*re.findall(r"name === '([a-z-]+)'", source("page/files.js") + source("page/pairs.js"))}
    assert keys("shortcuts.js", "wants") | elsewhere == {*Want}


def test_the_player_hears_every_remark() -> None:
    assert keys("main.js", "answers") | keys("page/status.js", "acts") == {*Remark} | OWN


def test_the_page_listens_to_every_event_the_player_raises() -> None:
    raised = re.findall(r"trigger\('([a-z]+)'", player.STAGE_PORT + player.PAIR_PORT)
    connected = re.findall(r"\b(?:stage|control)\.([a-z]+)\b", Path(listeners.__file__).read_text(encoding="utf-8"))
    assert sorted(raised) == sorted(connected)
