"""The controls in every language: each sentence that Gradio shows has its translations, and only those."""

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

from specviz import accept, draft, gamma
from specviz.shipped import ASSETS
from specviz.ui import languages, words

LANGUAGES = {"de", "zh"}
SHORT = re.compile(r"\W*\w?\W*|.*_.*")
"""What is the same everywhere: a letter of mathematics, and names of parameters."""
LIMITS = re.compile(r"\w+, [\d.]+ to [\d.]+")


def said(component: dict[str, Any]) -> Iterator[str]:
    """What a component shows, but for the names of drafters, gamma rules and parameters."""
    props = component["props"]
    if component["type"] in ("button", "markdown"):
        yield props["value"]
    for name in ("label", "info"):
        if props.get(name) and not (name == "label" and "-param-" in str(props.get("elem_id"))):
            yield props[name]
    if props.get("elem_id") == "sv-rule":
        yield from (label for label, _ in props["choices"])


def test_every_sentence_of_the_controls_is_in_every_language(built: dict[str, Any]) -> None:
    entries = (*draft.ENTRIES, *gamma.ENTRIES, *accept.ENTRIES)
    shown = {text for component in built["components"] for text in said(component)}
    shown |= {entry.summary for entry in entries} | {param.help for entry in entries for param in entry.params}
    shown |= {words.rule(entry.name) for entry in accept.ENTRIES}
    shown |= {path.stem.partition("-")[0] for path in (ASSETS / "traces").glob("*.json")}
    shown = {text for text in shown if text and not SHORT.fullmatch(text) and text != f"# {words.TITLE}"}
    known = languages.sentences()
    assert shown - {*known} == set()
    assert {*known} - shown == {"to", words.NOSCRIPT}, "nobody shows it, or it changed"
    assert all({*each} == LANGUAGES and all(each.values()) for each in known.values())


def test_limits_are_the_only_labels_that_are_put_together() -> None:
    for entry in (*draft.ENTRIES, *gamma.ENTRIES):
        for param in entry.params:
            if {"low", "high"} <= {field.name for field in dataclasses.fields(param)}:
                assert LIMITS.fullmatch(words.param(param.name, param.low, param.high))


def test_no_sentence_can_end_the_script_that_holds_it() -> None:
    script = languages.script()
    assert script.count("<") == 2
    assert script.startswith("<script>")
    assert json.dumps(words.HELP["chat"]) in script
