"""Live runs, which of them are kept and in how much room, and what the page is told where one does not fit."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr
import made_up
import pytest

from specviz import draft
from specviz.config.settings import SHARED, DraftEntry, RunConfig
from specviz.config.words import Sentence
from specviz.trace.codec import to_json
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.ui.runs import live
from specviz.ui.runs.recording import Delta, Recording
from specviz.ui.runs.recordings import Recordings

CONFIG = RunConfig(prompt="made up", max_new_tokens=12)


@pytest.fixture(autouse=True)
def each_round_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that leaves after a message leaves between two rounds."""
    monkeypatch.setattr(live, "TOGETHER", 0.0)


def contents(recordings: Recordings, run: str) -> list[dict[str, Any]]:
    recording = recordings.get(run)
    assert recording is not None
    return [json.loads(message) for message in recording.messages(0, 999)]


class Breaking(made_up.MadeUpBackend):
    """An engine that fails in its third round."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        error = self.error

        class Run(made_up.MadeUpRun):
            def __iter__(self) -> Iterator[Round]:
                for step in super().__iter__():
                    if step.index == 2:
                        raise error
                    yield step

        return Run(config).stream()


class Leaving(made_up.MadeUpBackend):
    """An engine whose person leaves while the models get ready."""

    def __init__(self, leave: Callable[[], object]) -> None:
        super().__init__()
        self.leave = leave

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        self.leave()
        return super().start(config)


def test_one_small_delta_per_round_and_the_recording_is_the_trace() -> None:
    recordings = Recordings({})
    deltas = [each for each in live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me") if each["n"] >= 0]
    trace = dataclasses.replace(made_up.made_up_trace(max_new_tokens=12), race=None)
    assert [each["n"] for each in deltas] == list(range(len(trace.rounds) + 2))
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
    assert live.last_word(recordings, "me") == last, "it ends once, and says so again"
    assert json.loads(live.settle(recordings, "me")["j"]) == {"idle": ""}, "there is nothing left to stop"


def test_a_run_stopped_before_its_first_token_never_takes_the_stage() -> None:
    recordings = Recordings({})
    backend = Leaving(lambda: live.settle(recordings, "me"))
    deltas = list(live.stream(backend, recordings, CONFIG, "me"))
    assert [list(json.loads(each["j"])) for each in deltas] == [["note"]]
    assert live.last_word(recordings, "me") is None


class Closed(made_up.MadeUpBackend):
    """An engine that knows how many of its runs were let go."""

    closed = 0

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        backend = self

        class Run(made_up.MadeUpRun):
            def __iter__(self) -> Iterator[Round]:
                try:
                    yield from super().__iter__()
                finally:
                    backend.closed += 1

        return Run(config).stream()


def test_whoever_leaves_after_any_message_keeps_its_rounds_and_lets_the_engine_go() -> None:
    backend, recordings = Closed(), Recordings({})
    whole = [*live.stream(backend, recordings, CONFIG, "me")]
    for heard in range(1, len(whole)):
        stream = live.stream(backend, recordings, CONFIG, f"leaver {heard}")
        for _ in range(heard):
            next(stream)
        stream.close()  # type: ignore[attr-defined]
        recording = recordings.newest(f"leaver {heard}")
        assert recording is not None
        assert recording.finished
        assert len(recording.rounds) == max(0, heard - 2)
    assert backend.closed == len(whole) - 2, "all but the one that left before its head had started an engine's run"


def test_the_end_of_an_older_run_is_not_told_over_a_newer_one() -> None:
    recordings = Recordings({})
    assert json.loads((live.last_word(recordings, "me") or {})["j"]) == {"idle": ""}
    older = live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me")
    next(older), next(older)
    live.settle(recordings, "me")
    newer = live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me")
    next(newer)
    assert live.last_word(recordings, "me") is None
    run = next(newer)["run"]
    assert live.last_word(recordings, "me") is None
    last = [*newer][-1]
    assert (last["run"], live.last_word(recordings, "me")) == (run, last)


def test_nobody_stops_a_run_of_someone_else() -> None:
    recordings = Recordings({})
    stream = live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me")
    next(stream), next(stream)
    assert live.settle(recordings, "you")["n"] == -1
    assert len(list(stream)) > 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("out of memory\nin layer 3"), "RuntimeError: out of memory"),
        (MemoryError(), {"code": "refusals.fewer", "name": "gamma", "guesses": 4, "instead": 2}),
        (ValueError("x" * 999), "ValueError: " + "x" * 288),
        (KeyError("\ud800"), "KeyError: '\\ud800'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_engine_that_breaks_says_so_and_leaves_its_rounds_playable(error: Exception, said: Sentence) -> None:
    recordings = Recordings({})
    deltas: list[Delta] = []
    with pytest.raises(type(error)) as raised:
        deltas.extend(live.stream(Breaking(error), recordings, CONFIG, "me"))
    assert raised.value is error
    end, failure = deltas[-2:]
    assert json.loads(end["j"]) == {"end": {"stop": "failed"}}
    assert (failure["n"], json.loads(failure["j"])) == (-1, {"failure": said})
    assert live.last_word(recordings, "me") == end
    assert json.loads(live.settle(recordings, "me")["j"]) == {"idle": ""}
    kept = [next(iter(message)) for message in contents(recordings, end["run"])]
    assert kept == ["head", "round", "round", "end"]


def test_what_only_the_models_can_refuse_starts_nothing_and_is_said_on_the_stage() -> None:
    backend, recordings = made_up.MadeUpBackend(), Recordings({})
    with pytest.raises(gr.Error) as refusal:
        list(live.stream(backend, recordings, RunConfig("too long"), "me"))
    assert "the prompt has 2,000 tokens" in refusal.value.message
    assert not refusal.value.visible, "the stage says it; a toast would say it twice"
    assert backend.started == 0
    assert live.settle(recordings, "me")["n"] == -1


class Full(made_up.MadeUpBackend):
    """An engine whose memory runs out in the first pass."""

    def catalog(self) -> tuple[DraftEntry, ...]:
        return draft.ENTRIES

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        class Run(made_up.MadeUpRun):
            def __iter__(self) -> Iterator[Round]:
                raise MemoryError

        return Run(config).stream()


def fewer(name: str, guesses: int) -> Sentence:
    return {"code": "refusals.fewer", "name": name, "guesses": guesses, "instead": guesses // 2}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"drafter": "small-tree", "params": {"nodes": 64}}, fewer("nodes", 64)),
        ({"drafter": "small-tree", "params": {"shape": "4,2"}, "gamma": 4}, fewer("gamma", 4)),
        ({"gamma": 20}, fewer("gamma", 20)),
        ({"gamma": 3}, {"code": "refusals.memory"}),
        ({"drafter": "lookahead", "gamma": 20}, {"code": "refusals.memory"}),
    ],
)
def test_a_run_that_memory_ends_names_how_many_guesses_would_be_half_as_many(
    config: dict[str, Any], said: Sentence
) -> None:
    deltas: list[Delta] = []
    with pytest.raises(MemoryError):
        deltas.extend(live.stream(Full(), Recordings({}), RunConfig(prompt="made up", **config), "me"))
    assert json.loads(deltas[-1]["j"])["failure"] == said


def test_what_is_kept_stays_within_its_room_and_shared_rounds_count_once() -> None:
    backend = made_up.MadeUpBackend()
    backend.limits = SHARED
    recordings = Recordings({}, room=3 * Recording.of("one", made_up.made_up_trace(max_new_tokens=12)).size)
    list(live.stream(backend, recordings, CONFIG, "first"))
    for many in range(50):
        list(live.stream(backend, recordings, CONFIG, f"again {many}"))
    assert recordings.newest("first") is not None
    for seed in range(1, 9):
        list(live.stream(backend, recordings, dataclasses.replace(CONFIG, seed=seed), "another"))
    assert recordings.newest("first") is None
    assert recordings.newest("another") is not None
    assert recordings.like(CONFIG) is None


def test_a_run_is_kept_once_as_the_json_of_its_trace_and_takes_little_room_when_it_is_over() -> None:
    recordings = Recordings({})
    trace = dataclasses.replace(made_up.made_up_trace(seed=2, max_new_tokens=64), race=None)
    made = recordings.begin("first")
    made.open(trace)
    for step in trace.rounds:
        made.add(step)
    assert made.rounds == trace.rounds
    assert made.json() == "", "not yet"
    under_way = made.size
    made.finish(trace.stop, trace.text)
    again = recordings.begin("again", made)
    assert made.json() == again.json() == to_json(trace)
    assert again.rounds == made.rounds == trace.rounds
    assert made.size < under_way / 4
    assert again.size == 0, "what it shares counts once"
    assert recordings.pace() == pytest.approx(made.seconds)


def test_the_store_forgets_the_oldest_live_run_and_no_shipped_one() -> None:
    shipped = Recording.of("tale", made_up.made_up_trace(max_new_tokens=2))
    recordings = Recordings({"tale": shipped}, capacity=2)
    live_runs = [recordings.begin("me") for _ in range(3)]
    names = ["tale", *(each.run for each in live_runs)]
    assert [recordings.get(name) is None for name in names] == [False, True, False, False]
    assert recordings.newest("me") is live_runs[-1]
