"""The traces the player's own tests read: recorded or made by hand, and whole."""

import json
from pathlib import Path

import pytest

from specviz.proof.problems.run import problems
from specviz.trace.codec import from_json

GOLDEN = Path(__file__).parents[1] / "golden"
TRACES = [path.stem for path in GOLDEN.glob("*.json") if path.stem != "theory"]


@pytest.mark.parametrize("name", TRACES)
def test_a_golden_trace_contradicts_itself_nowhere(name: str) -> None:
    assert problems(from_json((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))) == []


def test_the_sampled_golden_trace_shows_every_outcome() -> None:
    rounds = json.loads((GOLDEN / "player-sampled.json").read_text(encoding="utf-8"))["rounds"]
    seen = {verdict["verdict"] for step in rounds for verdict in step["verdicts"]}
    seen |= {step["extra"]["emission"] for step in rounds}
    assert seen == {"accepted", "rejected", "untested", "resampled", "bonus"}
