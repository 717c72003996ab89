"""A race on its way to the page: timed once, kept beside the run, refused where there is no whole run to time."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from typing import Any

import made_up
import pytest

from specviz.config.settings import Limits, RunConfig
from specviz.trace.codec import to_json
from specviz.trace.round import Round
from specviz.trace.run import Race, Stop, Trace
from specviz.ui import words
from specviz.ui.answers.races import Races
from specviz.ui.runs import live
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings

RACED = made_up.made_up_trace(seed=3, max_new_tokens=24)
TRACE = dataclasses.replace(RACED, race=None)
END = len(TRACE.rounds) + 1
ASKED = {"run": "tale", "ask": "me-7"}


class Timed(made_up.MadeUpBackend):
    """An engine that counts its races; each lap takes longer than those of the race before."""

    def __init__(self) -> None:
        super().__init__()
        self.raced: list[tuple[RunConfig, Sequence[Round]]] = []

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        self.raced.append((config, expected))
        for race in super().race(config, expected):
            yield race and dataclasses.replace(race, laps=tuple(len(self.raced) * lap for lap in race.laps))


def over(trace: Trace = TRACE, backend: made_up.MadeUpBackend | None = None) -> tuple[Races, Recording]:
    recording = Recording.of("tale", trace)
    return Races(backend or Timed(), Recordings({"tale": recording})), recording


def told(races: Races, **changes: Any) -> list[dict[str, Any]]:
    """What is said of a race, beside that it is under way, which comes first."""
    reports = []
    for delta in races.answer(ASKED | changes):
        assert (delta["run"], delta["n"]) == (changes.get("run", "tale"), -1)
        ((kind, text),) = json.loads(delta["j"]).items()
        assert kind == "race"
        reports.append(json.loads(text))
    assert {report.pop("ask") for report in reports} == {"me-7"}
    waiting = {"done": 0, "note": words.TIMING}
    assert reports[0] in (waiting, {"error": {"code": "refusals.forgotten"}})
    return [report for report in reports if report != waiting]


def test_a_recorded_race_is_the_message_after_the_end() -> None:
    _, recording = over(RACED)
    *_, end, race = [json.loads(message) for message in recording.messages(0, 999)]
    assert end == {"end": {"stop": "length", "text": RACED.text}}
    assert RACED.race
    assert race["race"] == json.loads(to_json(RACED.race)), "as in a file"
    assert recording.last() == {"run": "tale", "n": END + 1, "j": recording.messages(END + 1, END + 2)[0]}
    assert recording.raced == END + 1


def test_a_run_that_ended_is_timed_whole_and_the_player_told_where_its_race_is() -> None:
    backend = Timed()
    races, recording = over(backend=backend)
    assert recording.raced is None
    assert told(races) == [{"at": END + 1}]
    assert backend.raced == [(TRACE.info.config, TRACE.rounds)]
    content = json.loads(recording.messages(END + 1, END + 2)[0])
    assert len(content["race"]["rounds"]) == len(TRACE.rounds)
    where = {"device": "cpu", "dtype": "float64", "threads": 1, "forward": "eager"}
    assert content["where"] == content["where"] | where


def test_a_race_is_timed_once_unless_somebody_asks_again_and_the_newest_wins() -> None:
    backend = Timed()
    races, recording = over(backend=backend)
    assert told(races) == told(races) == told(races, again=False) == told(races, again="yes") == [{"at": END + 1}]
    assert len(backend.raced) == 1
    first = json.loads(recording.messages(END + 1, END + 2)[0])["race"]
    assert told(races, again=True) == [{"at": END + 2}]
    assert recording.messages(END + 1, END + 2) == ["{}"], "what nobody needs any more is not kept"
    newest = json.loads(recording.last()["j"])["race"]
    assert newest["laps"] == [2 * lap for lap in first["laps"]]
    assert newest == first | {"laps": newest["laps"]}


def test_a_live_run_can_be_raced_once_it_has_ended_and_looked_at_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "TOGETHER", 0.0)
    backend, recordings = Timed(), Recordings({})
    races = Races(backend, recordings)
    stream = live.stream(backend, recordings, TRACE.info.config, "me")
    head = [next(stream) for _ in range(3)][-1]
    assert told(races, run=head["run"]) == [{"error": {"code": "refusals.unfinished"}}]
    *_, end = stream
    assert told(races, run=head["run"]) == [{"at": end["n"] + 1}]
    assert live.last_word(recordings, "me") == recordings.get(head["run"]).last()  # type: ignore[union-attr]


@pytest.mark.parametrize("stop", [Stop.STOPPED, Stop.FAILED])
def test_a_run_that_did_not_come_to_its_end_is_not_timed(stop: Stop) -> None:
    backend = Timed()
    races, _ = over(dataclasses.replace(TRACE, stop=stop), backend)
    assert told(races) == [{"error": {"code": "refusals.unfinished"}}]
    assert backend.raced == []


def test_whoever_leaves_a_race_gives_the_models_back() -> None:
    left: list[str] = []

    class Long(made_up.MadeUpBackend):
        def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
            try:
                while True:
                    yield None
            finally:
                left.append("models")

    races, recording = over(backend=Long())
    answer = races.answer(ASKED)
    assert [next(answer)["run"] for _ in range(5)] == ["tale"] * 5
    answer.close()
    assert left == ["models"]
    assert recording.raced is None


def test_a_race_longer_than_others_should_wait_is_refused() -> None:
    class Hasty(made_up.MadeUpBackend):
        limits = Limits(seconds=1e-3)

    recordings = Recordings({"tale": Recording.of("tale", made_up.made_up_trace(max_new_tokens=12))})
    *_, told = Races(Hasty(), recordings).answer({"run": "tale", "ask": "me", "again": True})
    assert "refusals.too_long" in told["j"]
