"""A person's own file, checked on a server of strangers: what no file can do to it; `test_server.py` asks over HTTP."""

import asyncio
import gzip
import json
import zlib
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from specviz.check import of_file
from specviz.ui.limits import PACKED, UNPACKED
from specviz.ui.server.checks import checked
from tests.unit.test_cli import saved

TRACES = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))
SOUND = (Path(__file__).parents[1] / "golden" / "player-greedy.json").read_bytes()


def answer(asked: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own, because a browser test in this process may have left a loop running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


def test_what_is_no_trace_is_one_contradiction_in_one_short_line() -> None:
    for content in (
        b"",
        b"\xff\xfe",
        b"[]",
        b"[" * 500_000,
        b"9" * 500_000,
        b'{"schema":8}',
        SOUND.replace(b":0.", b":7."),
    ):
        found = json.loads(of_file.answer(content))
        assert found["count"] >= 1
        assert 0 < len(found["first"]) <= of_file.FIRST
        assert all(0 < len(line) <= of_file.LETTERS and "\n" not in line for line in found["first"])


def test_a_file_is_read_as_editors_save_it() -> None:
    assert {of_file.answer(content) for content in saved(SOUND.decode())} == {'{"count": 0, "first": []}'}


def test_a_file_that_takes_too_long_or_breaks_the_checker_is_given_up() -> None:
    assert answer(checked(gzip.compress(SOUND), seconds=0.001)) is None
    trace = json.loads(SOUND)
    trace["info"]["shown"]["tested"] = 10**400
    assert answer(checked(gzip.compress(json.dumps(trace).encode()))) is not None
    bomb = zlib.compressobj(wbits=31)
    packed = b"".join(bomb.compress(b" " * 1_000_000) for _ in range(200)) + bomb.flush()
    assert answer(checked(packed)) is None


def test_every_shipped_run_is_small_enough_to_be_checked() -> None:
    for path in TRACES:
        content = path.read_bytes()
        assert len(gzip.compress(content, 6)) < PACKED, path
        assert len(content) < UNPACKED, path
