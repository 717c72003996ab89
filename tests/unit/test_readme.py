"""README and the pages it links to say what is now true: tables are those of the registry, commands and links exist."""

import re
from pathlib import Path
from typing import Any

import pytest

from specviz import accept, gamma
from specviz.__main__ import main
from specviz.bench import methods_report
from specviz.config import pairs
from specviz.config.settings import HOME, SHARED
from specviz.draft import ENTRIES
from specviz.ui import limits

ROOT = Path(__file__).parents[2]


def page(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


README = page("README.md")


def rows(head: str, entries: Any, field: str) -> str:
    return "\n".join([head, "|---|---|", *(f"| `{entry.name}` | {getattr(entry, field)} |" for entry in entries)])


def test_it_lists_the_drafters_and_rules_of_the_registry() -> None:
    house = page("specviz/README.md")
    assert rows("| drafter | how it guesses |", ENTRIES, "summary") in house
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


def test_its_tables_of_methods_are_the_benchs() -> None:
    """If not: python -m specviz.bench.methods_report."""
    for path, text in methods_report.pages().items():
        assert path.read_text(encoding="utf-8") == text


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
