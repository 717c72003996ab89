"""Which runs the server keeps, for how long, and how much room they take."""

import dataclasses

import made_up
import pytest
from test_live import CONFIG

from specviz.config.settings import SHARED
from specviz.trace.codec import to_json
from specviz.ui.runs import live
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings


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
