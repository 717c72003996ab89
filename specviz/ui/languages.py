"""The page's language: the browser's or that of lang=, chosen and put in before Gradio draws anything.

The player has its own words, in assets/player/base. The controls are Gradio's, and their words come from Python, in
English; assets/words.json holds each sentence in the other languages. The server itself knows no language, so every
visitor gets the same page.
"""

import json

from specviz.shipped import ASSETS
from specviz.trace import standalone


def sentences() -> dict[str, dict[str, str]]:
    """The controls' sentences in the other languages, by their English."""
    found: dict[str, dict[str, str]] = json.loads(_text("words.json"))
    return found


def script() -> str:
    """Markup that must stand before Gradio's app."""
    words = json.dumps(sentences(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"<script>{standalone.chooser(standalone.LANGUAGES.keys())}({_text('controls.js')})({words});</script>"


def _text(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8").rstrip().rstrip(";")
