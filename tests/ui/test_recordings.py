"""Which runs the server keeps, for how long, and how much room they take."""

import dataclasses

import made_up
import pytest
from test_live import CONFIG, Shared

from specviz.trace.run import Stop
from specviz.ui.runs import live
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import FRESH, Recordings


def test_what_is_kept_stays_within_its_room_and_shared_messages_count_once() -> None:
    backend = Shared()
    size = len("".join(Recording.of("one", made_up.made_up_trace(max_new_tokens=12)).messages(0, 99)))
    recordings = Recordings({}, letters=3 * size)
    list(live.stream(backend, recordings, CONFIG, "first"))
    for many in range(50):
        list(live.stream(backend, recordings, CONFIG, f"again {many}"))
    assert recordings.newest("first") is not None
    for seed in range(1, 9):
        list(live.stream(backend, recordings, dataclasses.replace(CONFIG, seed=seed), "another"))
    assert recordings.newest("first") is None
    assert recordings.newest("another") is not None
    assert recordings.like(CONFIG) is None


def test_an_older_run_takes_little_room_and_has_all_its_rounds() -> None:
    recordings = Recordings({})
    list(live.stream(Shared(), recordings, CONFIG, "first"))
    first = recordings.newest("first")
    assert first is not None
    rounds = first.rounds
    list(live.stream(Shared(), recordings, CONFIG, "again"))
    for _ in range(FRESH + 1):
        recordings.begin("later")
    assert first._rounds == []
    again = recordings.newest("again")
    assert again is not None
    assert again.rounds == first.rounds == rounds
    assert recordings.pace() == pytest.approx(first.seconds)


def test_the_pace_is_that_of_whole_runs_and_of_none_when_there_were_none() -> None:
    recordings = Recordings({})
    assert recordings.pace() is None
    list(live.stream(made_up.MadeUpBackend(), recordings, CONFIG, "me"))
    trace = made_up.made_up_trace(max_new_tokens=12)
    spent = sum(each.timing.drafting + each.timing.verify + each.timing.overhead for each in trace.rounds)
    assert recordings.pace() == pytest.approx((spent + trace.prefill) / 1e3)


def test_the_store_forgets_the_oldest_live_run_and_no_shipped_one() -> None:
    shipped = Recording.of("tale", made_up.made_up_trace(max_new_tokens=2))
    recordings = Recordings({"tale": shipped}, capacity=2)
    live_runs = [recordings.begin("me") for _ in range(3)]
    names = ["tale", *(each.run for each in live_runs)]
    assert [recordings.get(name) is None for name in names] == [False, True, False, False]
    assert recordings.newest("me") is live_runs[-1]


def test_a_closed_recording_takes_no_more_rounds() -> None:
    trace = made_up.made_up_trace(max_new_tokens=4)
    recording = Recording.of("done", trace)
    before = recording.messages(0, 99)
    assert recording.add(trace.rounds[0]) is None
    recording.finish(Stop.STOPPED)
    assert recording.messages(0, 99) == before
