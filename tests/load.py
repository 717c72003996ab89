"""A class at once, then sessions that hang up: how long they wait, what fails, what the server then holds.

`python -m tests.load --clients 30 --sessions 200`, over the made-up engine, or over a server that is named by --url.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import httpx

from tests.ui.over_http import PATIENCE, address, ask, listening, serving

RUNS = 3
"""Live runs of each client."""


@contextmanager
def server(url: str) -> Iterator[tuple[str, int | None]]:
    """Its address and its process, if it is one of ours."""
    if url:
        yield url, None
        return
    with serving("0.005", "shared", "few", FORWARDED_ALLOW_IPS="127.0.0.1") as process:
        yield address(process), process.pid


def megabytes(process: int | None) -> float:
    return 0.0 if process is None else int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 1e6


def session(url: str, number: int, heard: int | None) -> list[tuple[str, float]]:
    """Opens the page and makes runs, to their ends or up to so many events; what took how many seconds."""
    found = []
    headers = {"X-Forwarded-For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"}
    with httpx.Client(base_url=url, timeout=PATIENCE, headers=headers) as web:
        begun = time.perf_counter()
        found.append((f"page {web.get('/').status_code}", time.perf_counter() - begun))
        for seed in range(RUNS if heard is None else 1):
            begun = time.perf_counter()
            asked = ask(web, f"session {number}", seed=number * RUNS + seed)
            if asked.status_code == 200:
                with listening(web, asked) as events:
                    kind, _ = next(events)
                    found.append(("first event", time.perf_counter() - begun))
                    kinds = [kind, *(each for each, _ in islice(events, heard))]
                found += [("broken", 0.0)] if heard is None and kinds[-1] != "complete" else []
            else:
                found.append((f"refused {asked.status_code}", time.perf_counter() - begun))
    return found


def tell(what: str, sessions: list[list[tuple[str, float]]]) -> None:
    """Prints the waits of every kind."""
    kinds = Counter(kind for each in sessions for kind, _ in each)
    for kind, many in sorted(kinds.items()):
        waits = sorted(seconds for each in sessions for name, seconds in each if name == kind)
        print(f"{what}: {kind}, {many} times: median {waits[many // 2]:.2f} s, p95 {waits[int(0.95 * many)]:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--url", default="")
    chosen = parser.parse_args()
    with server(chosen.url) as (url, process):
        with ThreadPoolExecutor(chosen.clients) as pool:
            tell("a class", [*pool.map(lambda number: session(url, number, None), range(chosen.clients))])
        before = megabytes(process)
        with ThreadPoolExecutor(4) as pool:
            many = range(chosen.clients, chosen.clients + chosen.sessions)
            tell("hung up", [*pool.map(lambda number: session(url, number, number % 5), many)])
        print(f"memory: {before:.0f} MB, then {megabytes(process):.0f} MB")


if __name__ == "__main__":
    main()
