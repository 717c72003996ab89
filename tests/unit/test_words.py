"""Messages become the same sentences here as in the browser, whose test reads the same table."""

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import specviz
from specviz.config import words
from specviz.config.settings import ConfigError
from specviz.config.words import because, tell

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
