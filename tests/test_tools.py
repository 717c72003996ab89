"""How long files may be, which rooms know which, and the player's pure modules, which Node tests."""

import ast
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from specviz import draft

ROOT = Path(__file__).parents[1]


def passes(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def test_every_drafter_is_among_those_that_do_not_know_each_other() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (apart,) = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    assert {*apart} == {f"specviz.draft.{entry.name.replace('-', '_')}" for entry in draft.ENTRIES}


LONGEST_FILE = 400
LONGEST_LINE = 120
"""Letters; a picture that is in a style sheet as data may have more."""
LONGEST_FUNCTION = 60
"""Lines, those of the functions inside it counted as well."""
BEGINS = re.compile(r"(?:export )?(?:async )?(?:function\*? \w+|const \w+ = (?:async )?(?:\([^=]*\)|\w+) =>)")
ENDS = re.compile(r"\}[^{]*|\S.*;")
"""The first and the last line of a JavaScript module's function; one inside another is shorter than that."""


def sources(*endings: str) -> Iterator[Path]:
    """Every file that a person wrote."""
    for room in ("app.py", "specviz", "assets/player", "tests"):
        path = ROOT / room
        yield from (each for each in [path, *path.rglob("*")] if each.suffix in endings and ".min." not in each.name)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of each function of a file, at least of those that stand in no other."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or 0) - node.lineno + 1
        return
    lines = text.splitlines()
    for begin in (at for at, line in enumerate(lines) if BEGINS.match(line)):
        end = next(at for at in range(begin, len(lines)) if ENDS.fullmatch(lines[at]))
        yield lines[begin], end - begin + 1


def test_files_functions_and_lines_are_short() -> None:
    for path in sources(".py", ".js", ".css"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= LONGEST_FILE, f"{path} has {len(lines)} lines"
        long = [line for line in lines if len(line) > LONGEST_LINE and 'url("data:' not in line]
        assert not long, f"{path}: {long[0]}"
    for path in sources(".py", ".js"):
        for name, length in functions(path):
            assert length <= LONGEST_FUNCTION, f"{path}: {name} has {length} lines"


def player_imports() -> Iterator[tuple[Path, Path]]:
    """Each module of the player but its tests, which may hold a room against those above, with each file it imports."""
    for path in (ROOT / "assets" / "player").rglob("*.js"):
        if not path.name.endswith(".test.js"):
            text = path.read_text(encoding="utf-8")
            for target in re.findall(r"^(?:import|export)[^;]*?from '(\.[^']+)'", text, re.MULTILINE):
                yield path, (path.parent / target).resolve()


def test_the_players_rooms_look_down_only() -> None:
    rooms = {"base": 0, "words": 0, "trace": 1, "rules": 2, "page": 2, "stage": 3, "tabs": 4, "article": 5}
    player = ROOT / "assets" / "player"
    for path, target in player_imports():
        assert target.exists(), f"{path} imports {target}, which is not there"
        room = path.relative_to(player).parts[0]
        if room in rooms and target.is_relative_to(player):
            found = target.relative_to(player).parts[0]
            assert found in rooms, f"{path} looks up to {target}"
            assert rooms[found] <= rooms[room], f"{path} looks up to {target}"


STAGE = ["round", "sources", "scene.js", "draw", "motion", "foot", "panes", "lead"]
"""The rooms of the stage, from the bottom up."""


def test_the_rooms_of_the_stage_look_down_only() -> None:
    stage = ROOT / "assets" / "player" / "stage"
    up = []
    for path, target in player_imports():
        if stage in path.parents and stage in target.parents:
            above, below = path.relative_to(stage).parts[0], target.relative_to(stage).parts[0]
            if below in STAGE and (above not in STAGE or STAGE.index(below) > STAGE.index(above)):
                up.append(f"{path.relative_to(stage)} looks up to {target.relative_to(stage)}")
    assert not up, "\n".join(up)


def test_the_players_tabs_do_not_know_each_other() -> None:
    tabs = ROOT / "assets" / "player" / "tabs"
    above = ["labs.js"]  # it gathers the tabs
    for path, target in player_imports():
        if tabs in path.parents and path.parent != tabs and tabs in target.parents:
            assert target.parent in (tabs, path.parent), f"{path} reads another tab's {target}"
            assert target.parent != tabs or target.name not in above, f"{path} looks up to {target}"


@pytest.mark.parametrize("every", ["0", pytest.param("1", marks=pytest.mark.long)], ids=["sampled", "every scene"])
def test_the_players_pure_modules(every: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECVIZ_LONG", every)
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI"):
            pytest.fail("there is no node here, and CI must run the player's tests")
        pytest.skip("there is no node here; install Node 20 or later to run the player's tests")
    tests = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "assets" / "player").rglob("*.test.js"))
    assert tests, "the player lost its tests"
    passes(node, "--max-semi-space-size=64", "tests/player.js", *tests)
