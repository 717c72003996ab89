"""Each room keeps to its lines: budget.toml only goes down."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SLACK = 100
"""Lines that a budget may be too wide by. What was gained is not spent again."""
NO_CODE = {".py": re.compile(r"\s*(#|$)"), ".js": re.compile(r"\s*(//|/?\*|$)"), ".css": re.compile(r"\s*(/?\*.*)?$")}


def lines(paths: Iterable[Path]) -> int:
    """How many lines of these files are neither blank nor a comment; docstrings count."""
    return sum(
        not NO_CODE[path.suffix].match(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()
    )


def files(*patterns: str) -> list[Path]:
    found = [path for pattern in patterns for path in ROOT.glob(pattern)]
    return [path for path in found if ".min." not in path.name and ".venv" not in path.parts]


PLAYER = files("assets/**/*.js")
ROOMS = {
    "python": files("app.py", "specviz/**/*.py"),
    "javascript": [path for path in PLAYER if not path.name.endswith(".test.js")],
    "css": files("assets/**/*.css"),
    "tests": [*files("tests/**/*.py", "tests/**/*.js"), *(path for path in PLAYER if path.name.endswith(".test.js"))],
}
BUDGET = tomllib.loads(Path(__file__).with_name("budget.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_keeps_to_its_budget_and_a_budget_to_its_room(room: str) -> None:
    found, most = lines(ROOMS[room]), BUDGET[room]
    assert found <= most, f"{room} has {found} lines, {found - most} too many: shorten it, or give a reason in the file"
    assert most - found <= SLACK, f"{room} has {found} lines and a budget of {most}: lower it"


def test_every_room_has_a_budget() -> None:
    assert {*BUDGET} == {*ROOMS}
