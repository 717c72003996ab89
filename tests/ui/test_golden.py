"""The traces the player's own tests read: recorded or made by hand, and whole."""

import json
from pathlib import Path

import pytest

from specviz.proof.problems.run import problems
from specviz.trace.codec import from_json
from specviz.ui.runs import wire

GOLDEN = Path(__file__).parents[1] / "golden"
TRACES = [path.stem for path in GOLDEN.glob("*.json") if "wire" not in path.name and path.stem != "theory"]


@pytest.mark.parametrize("name", TRACES)
def test_a_golden_trace_contradicts_itself_nowhere(name: str) -> None:
    assert problems(from_json((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))) == []


def test_the_sampled_golden_trace_shows_every_outcome() -> None:
    rounds = json.loads((GOLDEN / "player-sampled.json").read_text(encoding="utf-8"))["rounds"]
    seen = {verdict["verdict"] for step in rounds for verdict in step["verdicts"]}
    seen |= {step["extra"]["emission"] for step in rounds}
    assert seen == {"accepted", "rejected", "untested", "resampled", "bonus"}


def test_the_golden_messages_are_the_sampled_trace_packed() -> None:
    trace = from_json((GOLDEN / "player-sampled.json").read_text(encoding="utf-8"))
    known: set[int] = set()
    packed = [json.loads(wire.pack(step, known)) for step in trace.rounds]
    assert json.loads((GOLDEN / "player-sampled.wire.json").read_text(encoding="utf-8")) == packed
    assert trace.race
    raced = json.loads(wire.pack_race(trace.race, trace.info, known))
    assert json.loads((GOLDEN / "player-race.wire.json").read_text(encoding="utf-8")) == raced
