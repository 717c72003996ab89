"""The traces the player's own tests read: made by the algorithm or recorded, not edited by hand, and whole."""

import json
import math
from pathlib import Path
from typing import Any

import hand_made
import made_up
import pytest

from specviz.proof.problems.run import problems
from specviz.trace.codec import from_json, to_json
from specviz.trace.run import Trace
from specviz.ui.runs import wire

GOLDEN = Path(__file__).parents[1] / "golden"
TRACES = {
    "player-sampled.json": lambda: made_up.made_up_trace(made_up.HOSTILE, seed=2, max_new_tokens=16),
    "player-greedy.json": lambda: made_up.made_up_trace(drafter="bigram", temperature=0, seed=1, max_new_tokens=8),
    "player-coupled.json": lambda: made_up.made_up_trace(rule="coupled", seed=3, max_new_tokens=24),
    "player-plain.json": lambda: made_up.made_up_trace(gamma=0, max_new_tokens=3),
    "tree.json": hand_made.tree,
    "points.json": hand_made.points,
}


def near(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal, but for last digits: machines round powers and logarithms differently."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other))
    return bool(one == other)


@pytest.mark.parametrize("name", TRACES)
def test_a_golden_trace_is_what_the_algorithm_makes(name: str) -> None:
    made: Trace = TRACES[name]()
    kept = from_json((GOLDEN / name).read_text(encoding="utf-8"))
    assert near(json.loads(to_json(kept)), json.loads(to_json(made)))
    assert problems(made) == []


@pytest.mark.parametrize("name", ["branches-drawn", "branches-top", "branches-weighed", "branches-typical"])
def test_a_recorded_tree_is_whole(name: str) -> None:
    trace = from_json((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert problems(trace) == []


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
