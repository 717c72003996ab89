"""Messages become the same sentences here as in the browser, whose test reads the same table."""

import json
import pickle
import re
from pathlib import Path

import pytest

from specviz.config import words
from specviz.config.settings import ConfigError

GOLDEN = Path(__file__).with_name("messages.json")


@pytest.mark.parametrize(("message", "values", "language", "sentence"), json.loads(GOLDEN.read_text(encoding="utf-8")))
def test_a_message_says_the_same_here_as_in_the_browser(
    message: str, values: dict[str, object], language: str, sentence: str
) -> None:
    assert words._said(message, values, language) == sentence


@pytest.mark.parametrize("message", ["{n", "{n, plural, one {x}", "a }", "{}"])
def test_a_message_that_does_not_end_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match=r"wanted|closes"):
        words._said(message, {"n": 1}, "en")


def test_every_refusal_has_its_message_and_every_message_its_refusal() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path("specviz").rglob("*.py"))
    given = re.findall(r'(?:ConfigError\(\s*"|sentence\("refusals\.)([a-z_]+)"', source)
    assert {*given} == {*words.table()["refusals"]} - {"wanted"}


def test_an_error_stays_what_it_is_on_its_way_from_another_process() -> None:
    error = ConfigError("tokens", name="prompt", tokens="9", most="3")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.sentence) == ("the prompt has 9 tokens; wanted 1 to 3", error.sentence)


def test_a_code_that_does_not_exist_is_named() -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        words.say("no.such")
