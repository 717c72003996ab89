"""What a live run sends the page, and that nothing recorded is lost however it ends."""

import json
from collections.abc import Iterator
from typing import Any

import gradio as gr
import made_up
import pytest

from specviz.config import RunConfig
from specviz.trace import Round, Stop
from specviz.ui import live
from specviz.ui.recordings import Recording, Recordings

CONFIG = RunConfig(prompt="made up", max_new_tokens=12)


def contents(recordings: Recordings, run: str) -> list[dict[str, Any]]:
    recording = recordings.get(run)
    assert recording is not None
    return [json.loads(message) for message in recording.messages(0, 999)]


class Breaking(made_up.MadeUpBackend):
    """An engine that fails in its third round."""

    def start(self, config: RunConfig) -> made_up.MadeUpRun:
        class Run(made_up.MadeUpRun):
            def __iter__(self) -> Iterator[Round]:
                for step in super().__iter__():
                    if step.index == 2:
                        raise RuntimeError("out of memory")
                    yield step

        return Run(config)


def test_one_small_delta_per_round_and_the_recording_is_the_trace() -> None:
    recordings = Recordings({})
    deltas = [each for each in live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me") if each["n"] >= 0]
    trace = made_up.made_up_trace(max_new_tokens=12)
    assert [each["n"] for each in deltas] == list(range(len(trace.rounds) + 2))
    assert max(len(each["j"]) for each in deltas[1:]) < 12_000
    run = deltas[0]["run"]
    whole = Recording.of("recorded", trace).messages(0, 999)
    assert contents(recordings, run)[1:] == [json.loads(message) for message in whole][1:]


def test_stop_closes_the_run_with_everything_recorded_so_far() -> None:
    recordings = Recordings({})
    stream = live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me")
    seen = [next(stream) for _ in range(4)]
    last = live.settle(recordings, "me")
    assert json.loads(last["j"]) == {"end": {"stop": "stopped"}}
    assert last["n"] == seen[-1]["n"] + 1
    assert list(stream) == [], "a stopped run goes no further"
    assert live.settle(recordings, "me") == last, "it ends once"


def test_a_run_that_could_not_start_does_not_bring_an_older_one_back() -> None:
    recordings = Recordings({})
    for _ in live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me"):
        pass
    with pytest.raises(gr.Error):
        list(live.stream(made_up.MadeUpBackend(), recordings, RunConfig(prompt=""), "me"))
    assert live.settle(recordings, "me")["n"] == -1


def test_nobody_stops_a_run_of_someone_else() -> None:
    recordings = Recordings({})
    stream = live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me")
    next(stream), next(stream)
    assert live.settle(recordings, "you")["n"] == -1
    assert len(list(stream)) > 2


def test_an_engine_that_breaks_leaves_its_rounds_playable() -> None:
    recordings = Recordings({})
    stream = live.stream(Breaking(), recordings, CONFIG, "me")
    with pytest.raises(RuntimeError, match="out of memory"):
        list(stream)
    last = live.settle(recordings, "me")
    assert [list(message) for message in contents(recordings, last["run"])] == [["head"], ["round"], ["round"], ["end"]]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"prompt": ""}, "the prompt is empty"),
        ({"gamma": 99}, "gamma is 99"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"drafter": "nobody"}, "drafter is 'nobody'"),
        ({"drafter": "bigram", "params": {"k": 99.0}}, "k is 99.0"),
        ({"prompt": "too long"}, "the prompt has 2,000 tokens"),
    ],
)
def test_a_bad_choice_gives_one_clear_line_and_starts_nothing(choice: dict[str, Any], said: str) -> None:
    backend, recordings = made_up.MadeUpBackend(), Recordings({})
    config = RunConfig(**{"prompt": "made up", **choice})
    stream = live.stream(backend, recordings, config, "me")
    with pytest.raises(gr.Error) as refusal:
        list(stream)
    assert said in refusal.value.message
    assert not refusal.value.visible, "the stage says it; a toast would say it twice"
    assert backend.started == 0
    assert recordings.newest("me") is None


def test_the_store_forgets_the_oldest_live_run_and_no_shipped_one() -> None:
    shipped = Recording.of("tale", made_up.made_up_trace(max_new_tokens=2))
    recordings = Recordings({"tale": shipped}, capacity=2)
    for name in ("one", "two", "three"):
        recordings.keep(Recording(name, shipped.info, (), (), 0.0), "me")
    assert [recordings.get(name) is None for name in ("tale", "one", "two", "three")] == [False, True, False, False]
    newest = recordings.newest("me")
    assert newest is not None
    assert newest.run == "three"


def test_a_closed_recording_takes_no_more_rounds() -> None:
    trace = made_up.made_up_trace(max_new_tokens=4)
    recording = Recording.of("done", trace)
    before = recording.messages(0, 99)
    assert recording.add(trace.rounds[0]) is None
    recording.finish(Stop.STOPPED)
    assert recording.messages(0, 99) == before
