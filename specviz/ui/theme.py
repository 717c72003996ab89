"""Gradio's theme in the player's colours, and the style sheets."""

import gradio as gr

from specviz.styles import PALETTE, css

SANS = ["system-ui", "Segoe UI", "Roboto", "sans-serif"]
MONO = ["ui-monospace", "DejaVu Sans Mono", "Consolas", "monospace"]


def head() -> str:
    """Everything for the document's head. Verbatim, because Gradio's own CSS option drops rules it does not know."""
    return f"<style>{css()}</style>"


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
