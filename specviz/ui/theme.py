"""Colours, fonts and style sheets, all from assets/: the palette is the one source of every colour."""

import json
from typing import Any

import gradio as gr

from specviz.shipped import ASSETS

PALETTE: dict[str, Any] = json.loads((ASSETS / "palette.json").read_text(encoding="utf-8"))
ROOMS = ("base", "page", "stage", "tabs")
"""The player's rooms that have style sheets, from the bottom up: what stands above may overrule what is below."""
SANS = ["system-ui", "Segoe UI", "Roboto", "sans-serif"]
MONO = ["ui-monospace", "DejaVu Sans Mono", "Consolas", "monospace"]


def variables(mode: str) -> str:
    """The palette of one mode, "light" or "dark", as CSS custom properties."""
    pairs = [(name, colour) for name, colour in PALETTE["colours"][mode].items()]
    for state, look in PALETTE["states"].items():
        pairs += [(f"{state}-{part}", colour) for part, colour in look[mode].items()]
        pairs += [(f"{state}-border", look["border"]), (f"{state}-glyph", f'"{look["glyph"]}"')]
    return "".join(f"--sv-{name}:{value};" for name, value in pairs)


def head() -> str:
    """Everything for the document's head. Verbatim, because Gradio's own CSS option drops rules it does not know."""
    sheets_of = {room: (ASSETS / "player" / room).rglob("*.css") for room in ROOMS}
    # A sheet that all tabs share comes before each tab's own.
    paths = [path for found in sheets_of.values() for path in sorted(found, key=lambda path: (len(path.parts), path))]
    sheets = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return f"<style>body{{{variables('light')}}}body.dark{{{variables('dark')}}}\n{sheets}</style>"


def gradio_theme() -> gr.themes.Base:
    """Gradio's own widgets in the same colours, with fonts every system has."""
    light, dark = PALETTE["colours"]["light"], PALETTE["colours"]["dark"]
    theme = gr.themes.Base(font=SANS, font_mono=MONO, primary_hue="blue", neutral_hue="gray")
    theme.set(
        body_background_fill=light["background"],
        body_background_fill_dark=dark["background"],
        body_text_color=light["ink"],
        body_text_color_dark=dark["ink"],
        body_text_color_subdued=light["mute"],
        body_text_color_subdued_dark=dark["mute"],
        block_background_fill=light["background"],
        block_background_fill_dark=dark["background"],
        block_label_text_color=light["mute"],
        block_label_text_color_dark=dark["mute"],
        block_title_text_color=light["mute"],
        block_title_text_color_dark=dark["mute"],
        block_border_width="0px",
        block_shadow="none",
        border_color_primary=light["line"],
        border_color_primary_dark=dark["line"],
        input_background_fill=light["background"],
        input_background_fill_dark=dark["panel"],
        input_border_color=light["line"],
        input_border_color_dark=dark["line"],
        button_primary_background_fill=light["ink"],
        button_primary_background_fill_dark=dark["ink"],
        button_primary_background_fill_hover=light["mute"],
        button_primary_background_fill_hover_dark=dark["mute"],
        button_primary_text_color=light["background"],
        button_primary_text_color_dark=dark["background"],
        slider_color=light["p"],
        slider_color_dark=dark["p"],
        layout_gap="8px",
        block_padding="0px",
        form_gap_width="8px",
    )
    return theme
