"""The style sheets: sizes of type, spaces and radii come from the scale in base/base.css; each screen has one place."""

import re
from pathlib import Path

import pytest

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
