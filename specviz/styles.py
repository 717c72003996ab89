"""The player's look as CSS, from the palette and the style sheets in assets/. Standard library only."""

import json
import re
from collections.abc import Collection
from typing import Any

from specviz.shipped import ASSETS

PALETTE: dict[str, Any] = json.loads((ASSETS / "palette.json").read_text(encoding="utf-8"))
ROOMS = ("base", "page", "stage", "tabs", "article", "fit")
"""The player's rooms that have style sheets, from the bottom up: rules above may override those below."""


def css(rooms: Collection[str] = ROOMS, without: Collection[str] = ()) -> str:
    """The colours of both modes and the sheets of some rooms, without the sheets of some parts. Paper is light."""
    sheets_of = {room: (ASSETS / "player" / room).rglob("*.css") for room in ROOMS if room in rooms}
    # A sheet that all tabs share comes before each tab's own.
    paths = [path for sheets in sheets_of.values() for path in sorted(sheets, key=lambda path: (len(path.parts), path))]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths if path.stem not in without)
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    return (
        f"body{{{_variables('light')}}}@media screen{{body.dark{{{_variables('dark')}}}}}\n{_looks()}\n{_indexed(bare)}"
    )


_NAME = r"(?:\.[\w-]+|\[[^][()]+\])"
_SELECTOR = re.compile(r"(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+")
_ENDS_IN_NAMES = re.compile(rf"(.*?):is\(({_NAME}(?:,\s*{_NAME})+)\)([^\s>+~]*)\s*", re.DOTALL)


def _indexed(code: str) -> str:
    """The same rules, where a selector that ends in a choice of names is written out as a list: `.a :is(.b, [c])` as
    `.a .b, .a [c]`. A browser looks a rule up by the name that it ends in, and tries a choice on every element.
    """

    def written_out(selector: str) -> list[str]:
        choice = _ENDS_IN_NAMES.fullmatch(selector)
        if not choice or choice[1].count("(") != choice[1].count(")"):
            return [selector]
        return [f"{choice[1]}{name}{choice[3]}" for name in re.findall(_NAME, choice[2])]

    def rewritten(rule: re.Match[str]) -> str:
        return ",".join(one for selector in _SELECTOR.findall(rule[0]) for one in written_out(selector))

    return re.sub(r"[^{};]+(?=\{)", rewritten, code)


def _variables(mode: str) -> str:
    """The palette of one mode, "light" or "dark", as CSS custom properties."""
    pairs = [(name, colour) for name, colour in PALETTE["colours"][mode].items()]
    for state, look in PALETTE["states"].items():
        pairs += [(f"{state}-{part}", colour) for part, colour in look[mode].items()]
        pairs += [(f"{state}-border", look["border"]), (f"{state}-glyph", f'"{look["glyph"]}"')]
    return "".join(f"--sv-{name}:{value};" for name, value in pairs)


def _looks() -> str:
    """What each state gives to an element that shows it, as CSS custom properties; not every state has a glyph."""
    return "".join(
        f"[data-look={state}]{{"
        + "".join(
            f"--look-{part}:var(--sv-{state}-{part});"
            for part in ("fill", "ink", "edge", "glyph")
            if part != "glyph" or look["glyph"]
        )
        + "}"
        for state, look in PALETTE["states"].items()
    )
