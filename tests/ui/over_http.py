"""A server of strangers in a process of its own, and what one asks it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

from specviz import gamma
from specviz.config.settings import SETTINGS, Group

ROOT = Path(__file__).parents[2]
API = "/gradio_api"
JSON = {"content-type": "application/json"}
PATIENCE = 30.0


@contextmanager
def serving(*arguments: str, log: IO[str] | None = None, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """serve.py with these arguments, first the seconds a round takes; the first line it says is its address."""
    command = [sys.executable, str(ROOT / "tests" / "browser" / "serve.py"), *arguments]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "ui")])
    around = {**os.environ, "PYTHONPATH": paths, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=around) as process:
        try:
            yield process
        finally:
            process.terminate()


def address(server: subprocess.Popen[str]) -> str:
    """Where it is, once it stands."""
    assert server.stdout is not None
    return server.stdout.readline().strip().rstrip("/")


def data(prompt: str = "hello", seed: int = 0, earlier: str = "", **changes: Any) -> list[Any]:
    values = {"drafter": "ngram", "gamma": 4, "temperature": 0.8, "top_k": 0, "top_p": 1, "max_new_tokens": 8}
    chosen = [each for each in SETTINGS if each.group is Group.TEXT]
    rare = {each.name: each.default if each.is_number or each.options else "" for each in chosen}
    values, rare = ({name: changes.get(name, value) for name, value in each.items()} for each in (values, rare))
    tuning = [param.default for entry in gamma.ENTRIES for param in entry.params]
    choices = ["rejection", 0.5, "embedded", True, "fixed", *tuning, "", earlier]
    return [prompt, *values.values(), seed, *choices, *rare.values()]


def ask(web: httpx.Client, session: str, *values: Any, **changes: Any) -> httpx.Response:
    body = json.dumps({"data": data(*values, **changes), "session_hash": session})  # says NaN, as httpx will not
    return web.post(f"{API}/call/run", content=body, headers=JSON)


@contextmanager
def listening(web: httpx.Client, asked: httpx.Response) -> Iterator[Iterator[tuple[str, Any]]]:
    """What a run sends, as it comes: the kind of event and its content."""
    with web.stream("GET", f"{API}/call/run/{asked.json()['event_id']}") as stream:

        def events() -> Iterator[tuple[str, Any]]:
            kind = ""
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: ") and kind != "heartbeat":
                    yield kind, json.loads(line.removeprefix("data: "))

        yield events()


def names_where_it_may_be_shown(web: httpx.Client, frames: str, asked_from_elsewhere: int) -> None:
    """And no site gets credentials."""
    other = {"origin": "https://example.com", "host": "example.org"}
    asked = {**other, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    for answer in (
        web.get("/", headers=other),
        web.post(f"{API}/cancel", json={}, headers=other),
        web.options(f"{API}/call/run", headers=asked),
    ):
        assert "access-control-allow-credentials" not in answer.headers
    policy = web.get("/").headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["frame-ancestors"] == frames
    assert not any("http" in rule or "*" in rule for name, rule in rules.items() if name != "frame-ancestors")
    assert web.post(f"{API}/cancel", json={}, headers=other).status_code == asked_from_elsewhere
