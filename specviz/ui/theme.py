"""Gradio's theme in the player's colours, and the style sheets."""

import gradio as gr

from specviz.styles import PALETTE, css

SANS = ["system-ui", "Segoe UI", "Roboto", "sans-serif"]
MONO = ["ui-monospace", "DejaVu Sans Mono", "Consolas", "monospace"]
COLOURS = {
    "body_background_fill": "background",
    "body_text_color": "ink",
    "body_text_color_subdued": "mute",
    "block_background_fill": "background",
    "block_label_text_color": "mute",
    "block_title_text_color": "mute",
    "border_color_primary": "line",
    "input_border_color": "line",
    "button_primary_background_fill": "ink",
    "button_primary_background_fill_hover": "mute",
    "button_primary_text_color": "background",
    "slider_color": "p",
}
"""Gradio's colours by the palette's."""


def head() -> str:
    """Everything for the document's head. Verbatim, because Gradio's own CSS option drops rules it does not know."""
    return f"<style>{css()}</style>"


def gradio_theme() -> gr.themes.Base:
    """Gradio's own widgets in the same colours, with fonts every system has."""
    light, dark = PALETTE["colours"]["light"], PALETTE["colours"]["dark"]
    theme = gr.themes.Base(font=SANS, font_mono=MONO, primary_hue="blue", neutral_hue="gray")
    for name, colour in COLOURS.items():
        theme.set(**{name: light[colour], f"{name}_dark": dark[colour]})
    theme.set(
        input_background_fill=light["background"],
        input_background_fill_dark=dark["panel"],
        block_border_width="0px",
        block_shadow="none",
        layout_gap="8px",
        block_padding="0px",
        form_gap_width="8px",
    )
    return theme
