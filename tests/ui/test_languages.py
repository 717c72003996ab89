"""The controls in every language: whatever Gradio shows has its words, and no words are left over."""

from typing import Any

from specviz import accept, draft, gamma
from specviz.config import words as tables
from specviz.shipped import ASSETS
from specviz.ui import languages, words

ENTRIES = (*draft.ENTRIES, *accept.ENTRIES, *gamma.ENTRIES)


def ids(built: dict[str, Any], kind: str) -> set[str]:
    """What components of a kind are for, by their ids."""
    found = {str(each["props"].get("elem_id")) for each in built["components"] if each["type"] == kind}
    return {each.removeprefix("sv-") for each in found}


def test_every_control_has_its_words_and_no_words_are_left_over(built: dict[str, Any]) -> None:
    widgets = words.widgets()
    inputs = {name for kind in ("number", "textbox", "dropdown", "radio", "checkbox") for name in ids(built, kind)}
    assert {name.replace("-", "_") for name in inputs if "-param-" not in name} == {*widgets["labels"]}
    assert {*widgets["help"]} < {*widgets["labels"]}
    assert ids(built, "button") == {*widgets["buttons"]}
    assert {*widgets["rules"]} == {entry.name for entry in accept.ENTRIES}
    assert {*widgets["gamma_rules"]} == {entry.name for entry in gamma.ENTRIES}


def test_every_example_is_a_recorded_run() -> None:
    examples = tables.table()["page"]["examples"]["items"]
    assert len(examples) <= 12
    assert {*examples} <= {path.stem for path in (ASSETS / "traces").glob("*.json")}


def test_every_plug_in_and_its_parameters_are_explained() -> None:
    plugins = tables.table()["controls"]["plugins"]
    assert {*plugins} == {entry.name for entry in ENTRIES}
    for entry in ENTRIES:
        assert entry.summary
        assert {param.name for param in entry.params} == {*plugins[entry.name].get("params", {})}


def test_no_sentence_can_end_the_script_that_holds_it() -> None:
    script = languages.script()
    assert script.count("<") == 2
    assert script.startswith("<script>")
    assert tables.table("de")["controls"]["widgets"]["help"]["chat"] in script
