"""A run as one HTML page: the player, its look and the trace in one file, which asks for nothing.

Player and trace stand in it packed, in base64url, because as text they would be four times as long: the trace as gzip,
which browsers write and read by themselves; the player as bzip2, which takes a fifth less and brings what unpacks it
(base/bunzip.js). The player's modules are joined to one script, because browsers load no modules from a file. A
Content-Security-Policy lets nothing else run.
"""

import base64
import bz2
import gzip
import hashlib
import html
import json
from collections.abc import Mapping, Set
from functools import cache
from typing import Any

from specviz.config import words
from specviz.config.settings import table
from specviz.shipped import ASSETS
from specviz.styles import css
from specviz.trace.codec import to_json
from specviz.trace.joined import joined, short
from specviz.trace.run import Trace

PLAYER = ASSETS / "player"
LANGUAGES = {"en": "en", "de": "de", "zh": "zh-Hans"}
"""What the player speaks, with the tag of each."""
ENTRY = "standalone.js"
TABLES = PLAYER / "words" / "tables.js"
LACKS = ("drawer", "lesson", "sheet")
"""Parts of the page that this one lacks, by their style sheets."""
UNSAID = ("controls", "refusals", "tabs")
UNSAID_PARTS = (
    "advice", "conversation", "done", "examples", "gone", "lab", "lesson",
    "lost", "refusal", "repeated", "sheet", "untaken",
)  # fmt: skip
"""Sections of the words that it does not need, and parts of the others."""
ADDRESS, TRACE = "SPECVIZ-ADDRESS", "SPECVIZ-TRACE"
"""What stands in `shell` where the page's public address and the packed trace belong."""
LINKED = ("name", "kind", "key", "default")
"""What the page must know of a setting to write it into a link."""
UNPACKER = PLAYER / "base" / "bunzip.js"
_BOOT = """\
const base64 = document.getElementById('sv-player').textContent.replaceAll('-', '+').replaceAll('_', '/');
const bytes = bunzip(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
const script = document.createElement('script');
script.textContent = new TextDecoder().decode(bytes);
document.body.append(script);"""


def page(trace: Trace, address: str = "", language: str = "en") -> str:
    """The HTML of a trace.

    Args:
        address: where a specviz page is served, http or https. Links that are copied from this page lead there; without
            it they lead to this page, wherever it is.
        language: one of LANGUAGES that a reader's browser may ask for beside English.
    """
    return shell(language).replace(ADDRESS, html.escape(address)).replace(TRACE, _packed(to_json(trace)))


def frame(trace: Trace) -> str:
    """The same page as a frame of another one, where it can reach nothing of that page."""
    inside = html.escape(page(trace))
    look = "width: 100%; height: 720px; border: 0"
    return f'<iframe sandbox="allow-scripts allow-downloads" style="{look}" srcdoc="{inside}"></iframe>'


@cache
def shell(language: str = "en") -> str:
    """The page without its trace and its address. It speaks English, and another language if one is named: all of them
    would make it a quarter larger."""
    code = script({"en", language})
    unpacker = short(UNPACKER.read_text(encoding="utf-8")).replace("export ", "")
    boot = f"{{\n{unpacker}\n{_BOOT}\n}}"
    scripts = f"script-src {_hashed(boot)} {_hashed(code)}"
    policy = f"default-src 'none'; {scripts}; style-src 'unsafe-inline'; img-src data: blob:"
    parts = (PLAYER / "standalone.html").read_text(encoding="utf-8")
    for name, text in (
        ("POLICY", policy),
        ("SETTINGS", json.dumps([{name: row[name] for name in LINKED} for row in table() if row["key"]])),
        ("PLAYER", _base64(bz2.compress(code.encode()))),
        ("BOOT", boot),
    ):
        parts = parts.replace(f"SPECVIZ-{name}", text)
    return parts


def script(languages: Set[str]) -> str:
    """The player for one run: its look, and its modules as one script."""
    look = json.dumps(short(css(("base", "page", "stage"), LACKS)))
    start = f"{chooser(languages)}document.querySelector('style').textContent = {look};\n"
    return f"{start}(async () => {{\n{joined(PLAYER / ENTRY, {TABLES: _tables(languages)})}}})();\n"


def chooser(languages: Set[str]) -> str:
    """The statement that chooses the page's language. It must run before the player."""
    code = short((ASSETS / "language.js").read_text(encoding="utf-8")).rstrip(";")
    return f"({code})({json.dumps({name: tag for name, tag in LANGUAGES.items() if name in languages})});\n"


def _said(table: Mapping[str, Any]) -> dict[str, Any]:
    """What this page may say of a language's words."""

    def needed(section: Any) -> Any:
        if not isinstance(section, dict):
            return section
        return {name: said for name, said in section.items() if name not in UNSAID_PARTS}

    return {name: needed(section) for name, section in table.items() if name not in UNSAID}


def _tables(languages: Set[str]) -> str:
    """The module of words, with the tables in it instead of a way to fetch them."""
    tables = {name: _said(words.table(name)) for name in sorted(languages)}
    return f"""
const tables = {json.dumps(tables, ensure_ascii=False)};
const {{ en, ...others }} = tables;
export const english = en;
export const other = others[document.documentElement.dataset.svLang.slice(0, 2)];
"""


def _packed(text: str) -> str:
    """Gzip in base64url, as the player's page/packed.js reads and writes it."""
    return _base64(gzip.compress(text.encode(), 9, mtime=0))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _hashed(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
