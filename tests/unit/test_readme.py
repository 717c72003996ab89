"""README, the pages it links to and every message say what is now true."""

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import specviz
from specviz import accept, gamma
from specviz.__main__ import main
from specviz.bench import methods_report
from specviz.config import pairs, words
from specviz.config.settings import HOME, SHARED, ConfigError
from specviz.config.words import because, tell
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
    for command in ("run", "fetch", "check", "differ", "export", "bench", "study", "train"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
    helped = capsys.readouterr().out
    for option in re.findall(r"--[a-z-]+", " ".join(commands)):
        assert option in helped


GOLDEN = Path(__file__).with_name("messages.json")


@pytest.mark.parametrize(("message", "values", "language", "sentence"), json.loads(GOLDEN.read_text(encoding="utf-8")))
def test_a_message_says_the_same_here_as_in_the_browser(
    message: str, values: dict[str, object], language: str, sentence: str
) -> None:
    assert words._said(message, values, language) == sentence


def test_every_refusal_has_its_message_and_every_message_its_refusal() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path("specviz").rglob("*.py"))
    given = re.findall(r'(?:ConfigError\(\s*"|sentence\("refusals\.)([a-z_]+)"', source)
    assert {*given} == {*words.table()["refusals"]} - {"wanted", "hub"}


def test_an_error_stays_what_it_is_on_its_way_from_another_process() -> None:
    error = ConfigError("tokens", name="prompt", tokens="9", most="3")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.sentence) == ("the prompt has 9 tokens; wanted 1 to 3", error.sentence)


class Taken(dict[str, object]):
    """Values for any message, which note what it takes."""

    def __init__(self) -> None:
        super().__init__()
        self.names = set[str]()

    def get(self, name: str, *_: object) -> object:  # type: ignore[override]
        self.names.add(name)
        return 2


def reasons() -> Iterator[tuple[str, ast.Call]]:
    """Every reason that the engine gives, with the call that gives it."""
    for path in Path(specviz.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "because":
                first = node.args[0]
                for each in [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]:
                    yield ast.literal_eval(each), node


def test_every_reason_has_a_message_that_takes_its_values() -> None:
    def flat(table: object, path: str = "") -> Iterator[tuple[str, str]]:
        if isinstance(table, str):
            yield path, table
        elif isinstance(table, dict):
            for name, each in table.items():
                yield from flat(each, f"{path}.{name}".strip("."))

    messages = dict(flat(words.table()["reasons"]))
    for code, call in reasons():
        assert code in messages, f"{code} has no message"
        if all(each.arg for each in call.keywords):  # else they are gathered in a mapping
            taken = Taken()
            words._said(messages[code], taken, "en")
            assert taken.names == {str(each.arg) for each in call.keywords}, code
    assert set(messages) == {code for code, _ in reasons()}, "nobody gives this reason"


def test_a_reason_is_english_as_text_and_one_of_another_version_its_code() -> None:
    counted = because("ngram", context=2, seen="4,230", own="1")
    assert tell(counted) == "2 tokens of context, seen 4,230 times, 1 in this text"
    assert tell(because("lookup", length=1)) == "the last token occurred here before"
    assert tell({"code": "reasons.of_tomorrow", "a": 1}) == "reasons.of_tomorrow"
