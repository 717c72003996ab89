"""The traces the player's own tests read: recorded or made by hand, and whole."""

from pathlib import Path

import pytest

from specviz.check.run import problems
from specviz.trace.codec import from_json

GOLDEN = Path(__file__).parents[1] / "golden"
TRACES = [path.stem for path in GOLDEN.glob("*.json") if path.stem != "theory"]


@pytest.mark.parametrize("name", TRACES)
def test_a_golden_trace_contradicts_itself_nowhere(name: str) -> None:
    assert problems(from_json((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))) == []
