"""Messages become the same sentences here as in the browser, whose test reads the same table."""

import json
from pathlib import Path

import pytest

from specviz.config import words

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


def test_a_code_that_does_not_exist_is_named() -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        words.say("no.such")
