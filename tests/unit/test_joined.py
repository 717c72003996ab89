"""Modules as one script: it does what they do, and holds only what it needs."""

import json
import subprocess
from pathlib import Path

import pytest

from specviz.trace.joined import joined

MODULES = {
    "entry.js": """/** What the page does. */
import { doubled as twice, once } from './parts/sums.js';
import * as names from './parts/names.js';
import { again } from './again.js';

/** Nobody calls it. */
export function idle() {
  return unheard();
}

const said = [twice(4), once, names.first, again];
report(said);
""",
    "again.js": "export { first as again, unused } from './parts/names.js';\n",
    "parts/sums.js": """import { unheard } from './names.js';

const factor = 2;

export function doubled(number) {
  return number * factor;
}

export function tripled(number) {
  return number * lost + unheard();
}

const lost = 3;
export const { once, never } = {
  once: 1,
  never: 0,
};
""",
    "parts/names.js": """// The names.
export const first = `Ada
is one`;
export const unused = 'Bob';
export function unheard() {}
""",
    "unread.js": "export const nothing = 'nothing';\n",
}


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "entry.js"


def test_the_script_does_what_the_modules_do(entry: Path) -> None:
    code = f"(async () => {{ const report = (said) => console.log(JSON.stringify(said));\n{joined(entry, {})}}})();"
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [8, 1, "Ada\nis one", "Ada\nis one"]


def test_what_nobody_needs_stays_out(entry: Path) -> None:
    code = joined(entry, {})
    assert all(word in code for word in ("doubled", "factor", "once", "Ada"))
    assert not any(word in code for word in ("idle", "tripled", "lost", "The names", "What the page"))


def test_a_text_stands_for_a_module(entry: Path) -> None:
    code = joined(
        entry, {entry.parent / "parts" / "names.js": "export const first = 'Eve';\nexport function unheard() {}\n"}
    )
    assert "Eve" in code
    assert "Ada" not in code


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("import { again } from './entry.js';\nagain();\n", "entry.js imports itself"),
        ("export default 3;\n", "line that cannot be joined: export default 3;"),
        ("import './parts/sums.js';\n", "line that cannot be joined: import"),
    ],
)
def test_what_cannot_be_joined_is_named(entry: Path, text: str, trouble: str) -> None:
    with pytest.raises(ValueError, match=trouble):
        joined(entry, {entry.parent / "again.js": text})
