"""The page's language: the browser's or that of lang=, chosen and put in before Gradio draws anything.

The player has its own words. The controls are Gradio's, and their words come from Python, in English; in the page
assets/controls.js puts the others in their place. The server knows no language, so every visitor gets the same page.
"""

import json

from specviz.config import words
from specviz.shipped import ASSETS
from specviz.trace import standalone


def script() -> str:
    """Markup that must come before Gradio's app."""
    tables = {name: words.table(name)["controls"] for name in standalone.LANGUAGES if name != "en"}
    text = json.dumps(tables, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    code = (ASSETS / "controls.js").read_text(encoding="utf-8").rstrip().rstrip(";")
    return f"<script>{standalone.chooser(standalone.LANGUAGES.keys())}({code})({text});</script>"
