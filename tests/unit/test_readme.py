"""README and the pages it links to say what is now true: tables are those of the registry, commands and links exist."""

import json
import re
import statistics
from pathlib import Path
from typing import Any

import pytest

from specviz import accept, gamma
from specviz.__main__ import main
from specviz.bench import methods_report
from specviz.config import pairs
from specviz.config.settings import HOME, SHARED
from specviz.draft import ENTRIES
from specviz.models.pair import EMBEDDED
from specviz.trace.codec import from_json, read
from specviz.train.card import table
from specviz.ui import limits
from tests.load import reliability
from tests.load.load import Load
from tests.load.soak import Soak

ROOT = Path(__file__).parents[2]
RELIABILITY = ROOT / "tests" / "load"


def page(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


README = page("README.md")


def stored(kind: type, path: Path) -> Any:
    """What a trial wrote with --json."""
    return read(kind, json.loads(path.read_text(encoding="utf-8")), path.name)


def rows(head: str, entries: Any, field: str) -> str:
    return "\n".join([head, "|---|---|", *(f"| `{entry.name}` | {getattr(entry, field)} |" for entry in entries)])


def test_it_lists_the_drafters_and_rules_of_the_registry() -> None:
    house = page("specviz/README.md")
    assert rows("| drafter | what it goes by |", ENTRIES, "summary") in house
    assert rows("| rule | what it does |", accept.ENTRIES, "summary") in house
    assert rows("| name | source |", (*ENTRIES, *accept.ENTRIES), "source") in house


def test_the_gamma_rules_page_lists_those_of_the_registry() -> None:
    lines = ["| name | what it does | source |", "|---|---|---|"]
    lines += [f"| `{entry.name}` | {entry.summary} | {entry.source} |" for entry in gamma.ENTRIES]
    assert "\n".join(lines) in page("specviz/gamma/README.md")


def test_it_lists_the_pairs_of_the_registry() -> None:
    assert "\n".join(pairs.table()) in page("specviz/models/README.md")


def test_a_space_brings_the_chat_models_files_ahead() -> None:
    pair = pairs.KNOWN[0]
    (line,) = re.findall(r"^  - (.+)$", README.partition("preload_from_hub:")[2].partition("---")[0], re.MULTILINE)
    repository, files, revision = line.split()
    assert (repository, revision) == (pair.target.repository, pair.target.revision)
    assert {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"} <= {*files.split(",")}


def test_it_repeats_the_cards_figures() -> None:
    card = json.loads((EMBEDDED / "card.json").read_text(encoding="utf-8"))
    assert table(card) in page("specviz/models/README.md")


def test_its_recorded_runs_were_as_fast_as_it_says() -> None:
    told = re.findall(r"`((?:code|tale)-[\w-]+)` ([\d.]+)×", page("assets/bench/README.md"))
    assert len(told) > 10
    for name, speedup in told:
        trace = from_json(page(f"assets/traces/{name}.json"))
        assert trace.race
        laps, plain = (statistics.median(each) for each in (trace.race.laps, trace.race.plain_laps))
        assert f"{plain / laps * len(trace.tokens) / len(trace.race.tokens):.2f}" == speedup, name


def test_its_tables_of_methods_are_the_benchs() -> None:
    """If not: python -m specviz.bench.methods_report."""
    for path, text in methods_report.pages().items():
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", sorted(RELIABILITY.glob("*.json")), ids=lambda path: path.stem)
def test_what_it_says_of_a_class_and_of_long_hours_was_measured(path: Path) -> None:
    soaked = path.stem.startswith("soak")
    lines = reliability.soak_lines(stored(Soak, path)) if soaked else reliability.load_lines(stored(Load, path))
    assert "\n".join(lines) in page("tests/load/README.md")


def test_the_pages_room_names_the_limits_there_are() -> None:
    text = " ".join(page("specviz/ui/README.md").split())
    for each in (SHARED, HOME):
        assert f"{each.prompt:,} characters, {each.prompt_tokens:,} tokens" in text
    for said in (
        f"In all {limits.WAITING} requests may wait, {limits.ADDRESS_WAITING} of them",
        f"The last {limits.LAST} places",
        f"start {limits.STARTS} times a minute",
        f"after {limits.SENDING:g} s is closed",
    ):
        assert said in text


def test_it_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.encode()) <= 10_000
    assert len(README.splitlines()) <= 120
    for path in ROOT.glob("**/README.md"):
        if ".venv" not in path.parts and "node_modules" not in path.parts:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
                assert (path.parent / link).exists(), f"{path} links to {link}"


def test_ci_runs_its_second_command() -> None:
    first, second = re.findall(r"^```sh\n(pip .*)\n```", README, re.MULTILINE)
    assert first == "pip install -r requirements.txt && python app.py"
    assert second in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_its_command_line_is_understood(capsys) -> None:  # type: ignore[no-untyped-def]
    commands = re.findall(r"^specviz (.*)$", README, re.MULTILINE)
    assert len(commands) == 4
    for command in ("run", "fetch", "check", "export", "bench", "study", "train"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
    helped = capsys.readouterr().out
    for option in re.findall(r"--[a-z-]+", " ".join(commands)):
        assert option in helped


def test_every_top_level_entry_is_one_of_the_fixed_layout() -> None:
    fixed = {"app.py", "specviz", "assets", "tests", "requirements.txt", "README.md", "pyproject.toml", "LICENSE"}
    spaces = {"pre-requirements.txt", "packages.txt"}
    found = {
        path.name
        for path in ROOT.iterdir()
        if not path.name.startswith(".") and path.name != "build" and "egg-info" not in path.name
    }
    assert fixed <= found <= fixed | spaces
