"""The page as Python builds it, from a process of its own, and where its parts are."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def build() -> dict[str, Any]:
    """The page's config and its API, from a process of its own: Gradio leaves an event loop open."""
    script = (
        "import json, sys; sys.path[:0] = ['.', 'tests/ui']; import made_up; from specviz.ui import page\n"
        "demo = page.build(made_up.MadeUpBackend(), {'tale': made_up.made_up_trace(max_new_tokens=3)})\n"
        "config = demo.get_config_file()\n"
        "found = {name: config[name] for name in ('components', 'layout', 'dependencies')}\n"
        "found |= {'queues': {each._id: each.concurrency_id for each in demo.fns.values()}}\n"
        "found |= {'api': demo.get_api_info()}\n"
        "print(json.dumps(found, default=str))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    page_as_built: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return page_as_built


def named(built: dict[str, Any], elem_id: str) -> dict[str, Any]:
    """The component of that elem_id."""
    (component,) = (each for each in built["components"] if each["props"].get("elem_id") == elem_id)
    return dict(component)


def listeners(built: dict[str, Any], elem_id: str, event: str) -> list[dict[str, Any]]:
    """What answers to an event of a component, in the order the browser goes through it."""
    target = [named(built, elem_id)["id"], event]
    return [each for each in built["dependencies"] if target in [list(one) for one in each["targets"]]]
