"""Colours, sizes and languages: what style sheets may say, and that all words are there."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from specviz import accept, draft, gamma, styles
from specviz.config import words as tables
from specviz.shipped import ASSETS
from specviz.styles import PALETTE
from specviz.ui import languages, words

SHEETS = sorted((Path(__file__).parents[2] / "assets" / "player").rglob("*.css"))
TYPE = r"var\(--(label|text|ui|lead|title|display)\)"
SPACE = r"var\(--(hair|tight|gap|apart|pad|section|edge)\)"
ROOM = r"(2\.\d|[3-9]|\d\d)(\.?\d)*rem"
"""What is left free for something that lies there."""
CENTRED = r"-[\d.]+(px|em)|calc\(.+\)"
RADIUS = r"var\(--radius(-small|-large)?\)"
ALLOWED = {
    "font-size": rf"({TYPE}|var\(--r\)|calc\(.+\)|inherit|0|(0\.6|0\.8|1|1\.1)em)",
    "gap": rf"(0|{SPACE})",
    "padding": rf"(0|{SPACE}|{ROOM}|calc\(.+\))",
    "margin": rf"(0|auto|{SPACE}|{ROOM}|{CENTRED})",
    "border-radius": rf"(0|50%|{RADIUS})",
}
"""What each part of a value may be. `em` is for letters inside a text, 50 % for a circle."""
PLACES = {
    "(max-width: 899px), (max-height: 559px)": "narrow-",
    "(max-height: 559px)": "narrow-",
    "(min-width: 900px) and (min-height: 560px)": "narrow-",
    "(forced-colors: active)": "forced",
    "(prefers-reduced-motion: reduce)": "base",
    "print": "print",
}
"""The sheets that may ask for a kind of screen, by how their names begin."""
DECLARATION = re.compile(
    r"^\s*(?:row-|column-)?(font-size|gap|padding|margin|border-radius)(?:-[a-z-]+)?: ([^;]+);", re.M
)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_sizes_spaces_and_radii_come_from_the_scale(path: Path) -> None:
    found = DECLARATION.findall(path.read_text(encoding="utf-8"))
    wrong = [
        f"{name}: {value}"
        for name, value in found
        if any(not re.fullmatch(ALLOWED[name], each) for each in parts(value.removesuffix(" !important")))
    ]
    assert wrong == []


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_kind_of_screen_is_asked_for_in_its_own_sheets(path: Path) -> None:
    for query in re.findall(r"@media (.+?) \{", path.read_text(encoding="utf-8")):
        assert path.stem.startswith(PLACES[query])


def parts(value: str) -> list[str]:
    """What is between spaces outside brackets."""
    found, depth = [""], 0
    for letter in value:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter.isspace() and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


STATES = PALETTE["states"]


def luminance(colour: str) -> float:
    """Relative luminance of #RRGGBB, WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_contrast_enough(mode: str) -> None:
    colours = PALETTE["colours"][mode]
    for state, look in STATES.items():
        fill = look[mode]["fill"] if look[mode]["fill"] != "transparent" else colours["panel"]
        assert contrast(look[mode]["ink"], fill) >= 4.5, state
    for ground, ink in itertools.product(("background", "panel"), ("ink", "mute", "focus")):
        assert contrast(colours[ink], colours[ground]) >= 4.5, f"{ink} on {ground}"
    assert contrast(colours["background"], colours["p"]) >= 4.5, "segment labels"
    assert contrast(colours["background"], colours["overlap"]) >= 4.5, "segment labels"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_lines_and_edges_have_contrast_enough(mode: str) -> None:
    colours = PALETTE["colours"][mode]
    for name in ("p", "overlap", "refused", "q-edge", "axis", "owed"):
        assert contrast(colours[name], colours["background"]) >= 3, name
    for state in ("draft", "rejected", "resampled", "untested"):
        assert contrast(STATES[state][mode]["edge"], colours["panel"]) >= 3, state


def test_every_state_has_its_own_border_and_glyph() -> None:
    looks = [(look["border"], look["glyph"]) for look in STATES.values()]
    assert len(set(looks)) == len(looks)
    assert len({look["word"] for look in STATES.values()}) == len(looks)


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


def test_a_selector_that_ends_in_a_choice_of_names_is_written_out_and_no_rule_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written_out = styles.css()
    assert "/*" not in written_out, "a comma in a comment would cut it"
    monkeypatch.setattr(styles, "_indexed", str)
    as_kept = styles.css()
    assert re.findall(r"\{[^{}]*\}", written_out) == re.findall(r"\{[^{}]*\}", as_kept)
    monkeypatch.undo()
    for selector, expected in {
        ".a :is(.b, [c='d'])::before": ".a .b::before,.a [c='d']::before",
        ".a > i:is(.b, .c):not(.d), .f": ".a > i.b:not(.d),.a > i.c:not(.d), .f",
        ".a :is(.b, .c) p": ".a :is(.b, .c) p",
        ".a:not(.x :is(.b, .c))": ".a:not(.x :is(.b, .c))",
        ":is(:is(.a, .b), .c)": ":is(:is(.a, .b), .c)",
        ":is(.a, #b)": ":is(.a, #b)",
        "@media screen, (width > 2px)": "@media screen, (width > 2px)",
    }.items():
        assert styles._indexed(f"{selector}{{color: red}}") == f"{expected}{{color: red}}"
