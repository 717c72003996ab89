"""The palette: readable in both themes, and no state told by colour alone."""

import itertools

import pytest

from specviz.styles import PALETTE

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
