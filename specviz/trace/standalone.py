"""A run as one HTML page: the player, its look and the trace in one file, which asks for nothing.

Player and trace are in it as gzip in base64url, because as text they would be four times as long. The player's
modules are joined to one script, because browsers load no modules from a file. A Content-Security-Policy lets nothing
else run.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any

from specviz.config import words
from specviz.config.settings import table
from specviz.shipped import ASSETS
from specviz.styles import css
from specviz.trace.codec import to_json
from specviz.trace.run import Trace

PLAYER = ASSETS / "player"
LANGUAGES = {"en": "en", "de": "de", "zh": "zh-Hans"}
"""What the player speaks, with the tag of each."""
ENTRY = "standalone.js"
TABLES = PLAYER / "words" / "tables.js"
LACKS = ("drawer", "lesson", "narrow-tabs")
"""Parts of the page that this one lacks, by their style sheets."""
UNSAID = ("controls", "refusals", "tabs")
UNSAID_PARTS = (
    "advice", "conversation", "done", "examples", "gone", "lab", "lesson",
    "lost", "refusal", "repeated", "sheet", "untaken",
)  # fmt: skip
"""Sections of the words that it does not need, and parts of the others."""
ADDRESS, PLACE, TRACE = "SPECVIZ-ADDRESS", "SPECVIZ-PLACE", "SPECVIZ-TRACE"
"""Placeholders in `shell` where the page's public address, where it opens and the packed trace belong."""
LINKED = ("name", "kind", "key", "default")
"""What the page must know of a setting to write it into a link."""
_IMPORT = re.compile(r"^import (\{[^}]*\}|\* as \w+) from '(\.[^']+)';$", re.MULTILINE)
_AGAIN = re.compile(r"^export \{([^}]*)\} from '(\.[^']+)';$", re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+|[\[{][\w, ]+[\]}])", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:/\*.*?\*/|//.*?$)\n?", re.MULTILINE | re.DOTALL)
_BOOT = """{
const base64 = document.getElementById('sv-player').textContent.replaceAll('-', '+').replaceAll('_', '/');
const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text().then((code) => {
  const script = document.createElement('script');
  script.textContent = code;
  document.body.append(script);
});
}"""


def page(trace: Trace, address: str = "", language: str = "en", place: str = "") -> str:
    """The HTML of a trace.

    Args:
        address: where a specviz page is served, http or https. Links that are copied from this page lead there; without
            it they lead to this page, wherever it is.
        language: one of LANGUAGES that a reader's browser may ask for beside English.
        place: where it opens, as a link's part after the address says it, if the link says nothing.
    """
    made = shell(language).replace(ADDRESS, html.escape(address)).replace(PLACE, html.escape(place))
    return made.replace(TRACE, _packed(to_json(trace)))


def frame(trace: Trace, place: str = "") -> str:
    """The same page as a frame of another one, where it can reach nothing of that page."""
    inside = html.escape(page(trace, place=place))
    look = "width: 100%; height: 720px; border: 0"
    return f'<iframe sandbox="allow-scripts allow-downloads" style="{look}" srcdoc="{inside}"></iframe>'


@cache
def shell(language: str = "en") -> str:
    """The page without its trace and its address. It speaks English, and another language if one is named: all of them
    would make it a quarter larger."""
    code = script({"en", language})
    scripts = f"script-src {_hashed(_BOOT)} {_hashed(code)}"
    policy = f"default-src 'none'; {scripts}; style-src 'unsafe-inline'; img-src data: blob:"
    parts = (PLAYER / "standalone.html").read_text(encoding="utf-8")
    for name, text in (
        ("POLICY", policy),
        ("SETTINGS", json.dumps([{name: row[name] for name in LINKED} for row in table() if row["key"]])),
        ("PLAYER", _packed(code)),
        ("BOOT", _BOOT),
    ):
        parts = parts.replace(f"SPECVIZ-{name}", text)
    return parts


def script(languages: Set[str]) -> str:
    """The player for one run, its look and all its modules as one script."""
    ordered: dict[Path, str] = {}
    _collect(PLAYER / ENTRY, ordered, (), languages)
    look = json.dumps(_COMMENT.sub("", css(("base", "page", "stage", "fit"), LACKS)))
    start = f"{chooser(languages)}const modules = {{}};\ndocument.querySelector('style').textContent = {look};\n"
    return f"{start}(async () => {{\n{''.join(ordered.values())}}})();\n"


def chooser(languages: Set[str]) -> str:
    """The statement that chooses the page's language. It must run before the player."""
    code = _COMMENT.sub("", (ASSETS / "language.js").read_text(encoding="utf-8")).strip().rstrip(";")
    return f"({code})({json.dumps({name: tag for name, tag in LANGUAGES.items() if name in languages})});\n"


def _collect(path: Path, ordered: dict[Path, str], above: tuple[Path, ...], languages: Set[str]) -> None:
    """Adds a module, as a function that is called once, after those it imports, and the words of these languages."""
    if path in above:
        raise ValueError(f"{path.name} imports itself by way of others")
    if path in ordered:
        return
    text = _tables(languages) if path == TABLES else _COMMENT.sub("", path.read_text(encoding="utf-8"))
    for _, target in [*_IMPORT.findall(text), *_AGAIN.findall(text)]:
        _collect((path.parent / target).resolve(), ordered, (*above, path), languages)

    def name(target: str) -> str:
        return f"modules['{(path.parent / target).resolve().relative_to(PLAYER).as_posix()}']"

    exported = [each for _, names in _EXPORT.findall(text) for each in re.findall(r"\w+", names)]
    exported += [each.strip() for names, _ in _AGAIN.findall(text) for each in names.split(",")]
    text = _IMPORT.sub(lambda match: f"const {_bound(match[1])} = {name(match[2])};", text)
    text = _AGAIN.sub(lambda match: f"const {{{match[1]}}} = {name(match[2])};", text)
    text = _EXPORT.sub(r"\1 \2", text)
    if left := _LEFT.search(text):
        raise ValueError(f"{path.name} has a line that cannot be joined: {left[0]}")
    lines = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    ordered[path] = f"{name(path.name)} = await (async () => {{\n{lines}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def _said(table: Mapping[str, Any]) -> dict[str, Any]:
    """What this page may say of a language's words."""

    def needed(section: Any) -> Any:
        if not isinstance(section, dict):
            return section
        return {name: kept for name, kept in section.items() if name not in UNSAID_PARTS}

    kept = {name: needed(section) for name, section in table.items() if name not in UNSAID}
    plugins = table.get("controls", {}).get("plugins", {})
    summaries = {name: {"summary": plugin["summary"]} for name, plugin in plugins.items() if "summary" in plugin}
    return {**kept, "controls": {"plugins": summaries}}


def _tables(languages: Set[str]) -> str:
    """The module of words, with the tables in it instead of a way to fetch them."""
    tables = {name: _said(words.table(name)) for name in sorted(languages)}
    return f"""
const tables = {json.dumps(tables, ensure_ascii=False)};
const {{ en, ...others }} = tables;
export const english = en;
export const other = others[document.documentElement.dataset.svLang.slice(0, 2)];
"""


def _bound(names: str) -> str:
    """What an import binds, as a declaration writes it."""
    return names.removeprefix("* as ") if names.startswith("*") else names.replace(" as ", ": ")


def _packed(text: str) -> str:
    """Gzip in base64url, as the player's page/packed.js reads and writes it."""
    return base64.urlsafe_b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode().rstrip("=")


def _hashed(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
