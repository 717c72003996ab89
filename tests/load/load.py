"""Loads a server with many clients at once: how long they wait, how fairly they are served, what it costs."""

import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import httpx

from specviz.config.settings import Clock
from specviz.lab import machine
from tests.load.figures import jain, quantile
from tests.load.server import Server
from tests.load.visitor import RefusedError, Visitor

T = TypeVar("T")

PROMPT = "Once upon a time a fox met a hen, and the hen said"
LIVE = 30
"""Clients that ask for live runs. More of them would only wait for one another."""
RUNS = 3
"""Live runs that each of these clients asks for, one after the other."""
TOKENS = 16
BUSY = 50
"""Runs that the greedy client asks for at once."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that clients waited; 0 if there were no clients."""

    count: int
    median: float
    p95: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Waits":
        if not seconds:
            return cls(0, 0.0, 0.0, 0.0)
        return cls(len(seconds), quantile(seconds, 0.5), quantile(seconds, 0.95), max(seconds))


@dataclass(frozen=True, slots=True)
class Load:
    """What many clients at once experienced.

    Attributes:
        page: opening the page and fetching all of its recorded run.
        repeated: from asking for a run that was made before to its first event.
        live: from asking for a live run to its first event.
        ideal: the same in a queue that serves in the order of asking and loses no time between two runs.
        rate: live runs a minute.
        fairness: Jain's index of the runs each client had when the first one was done.
        alone, beside: seconds that one run takes by itself, and beside a client that asks for BUSY runs at once.
        starts: how many of those BUSY runs were accepted.
        refused: how often the server answered that it is full. errors: everything that was not an answer.
        memory: the server's bytes at the end, None if unknown.
        on: the machine and the day.
    """

    clients: int
    on: str
    page: Waits
    repeated: Waits
    live: Waits
    ideal: Waits
    rate: float
    fairness: float
    alone: float
    beside: float
    starts: int
    refused: int
    errors: tuple[str, ...]
    memory: int | None


def load(server: Server, clients: int, clock: Clock, seed: int) -> Load:
    """Loads the server with `clients` clients. The live runs have the seeds from `seed` on, so no two are alike."""
    seeds = itertools.count(seed)
    faults = Faults()
    with Visitor(server.address, clock) as first:
        first_run(first, next(seeds), drafter="ngram")  # a server that has just started loads its models here
        page = at_once(clients, lambda _: faults.of(lambda: _page(server, clock)))
        same = next(seeds)
        first_run(first, same)
        alone = timed(first, next(seeds))
    repeated = at_once(clients, lambda _: faults.of(lambda: _first_event(server, clock, same)))
    few = min(clients, LIVE)
    begin = clock()
    lives = at_once(few, lambda _: faults.of(lambda: _live(server, clock, [next(seeds) for _ in range(RUNS)])))
    served = [run for runs in lives if runs for run in runs]
    beside, starts = _with_a_busy_client(server, clock, seeds, faults)
    done = min((runs[-1].end for runs in lives if runs), default=begin)
    taken = server.taken()
    return Load(
        clients=clients,
        on=where(),
        page=Waits.of([each for each in page if each]),
        repeated=Waits.of([each for each in repeated if each]),
        live=Waits.of([run.first - run.asked for run in served]),
        ideal=Waits.of(list(ideal(served))),
        rate=60 * len(served) / max(1e-9, max((run.end for run in served), default=begin) - begin),
        fairness=jain([sum(run.end <= done for run in runs) for runs in lives if runs]),
        alone=alone,
        beside=beside,
        starts=starts,
        refused=faults.refused,
        errors=tuple(faults.errors),
        memory=None if taken is None else taken.memory,
    )


def where() -> str:
    """The machine and the day."""
    return f"{machine.name('cpu')}, {os.cpu_count()} CPUs, {datetime.now(UTC):%Y-%m-%d}"


class Faults:
    """Counts what went wrong, from several threads."""

    def __init__(self) -> None:
        self.refused = 0
        self.errors: list[str] = []
        self._lock = threading.Lock()

    def of(self, work: Callable[[], T]) -> T | None:
        """The result of the work, None if the server was full or an error occurred. Both are counted."""
        try:
            return work()
        except RefusedError:
            with self._lock:
                self.refused += 1
        except (httpx.HTTPError, ValueError, KeyError) as error:
            with self._lock:
                self.errors.append(f"{type(error).__name__}: {error}"[:200])
        return None


def at_once(clients: int, work: Callable[[int], T]) -> list[T]:
    """Does the same work in many threads, started together."""
    ready = threading.Barrier(clients)

    def begin(index: int) -> T:
        ready.wait()
        return work(index)

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(begin, range(clients)))


@dataclass(frozen=True, slots=True)
class Served:
    """When a run was asked for, and when its first and its last event came."""

    asked: float
    first: float
    end: float


def ideal(runs: Sequence[Served]) -> Iterator[float]:
    """Seconds to the first event of each run, if one worker had served them in the order of asking.

    Each run takes as long as it did, and no time passes between two runs.
    """
    ordered = sorted(runs, key=lambda run: run.asked)
    begin = min((run.first for run in runs), default=0.0)
    lengths = [end - start for start, end in itertools.pairwise([begin, *sorted(run.end for run in runs)])]
    free = 0.0
    for run, length in zip(ordered, lengths, strict=True):
        start = max(free, run.asked)
        yield start - run.asked
        free = start + length


def first_run(visitor: Visitor, seed: int, **choices: str) -> None:
    """Makes one run, to its end. choices: the page's other settings."""
    for _ in _events(visitor, seed, **choices):
        pass


def timed(visitor: Visitor, seed: int) -> float:
    """Seconds from asking for a run to its end."""
    start = visitor.clock()
    first_run(visitor, seed)
    return visitor.clock() - start


def _events(visitor: Visitor, seed: int, **choices: str) -> Iterator[float]:
    """When each event of a run came. Raises ValueError: the run ended without its end message."""
    name = visitor.ask(prompt=PROMPT, max_new_tokens=TOKENS, seed=seed, **choices)
    kind = ""
    with visitor.events(name) as events:
        for at, kind, _ in events:
            yield at
            if kind in ("complete", "error"):
                break
    if kind != "complete":
        raise ValueError(f"run {name} ended in {kind or 'nothing'}")


def _page(server: Server, clock: Clock) -> float:
    start = clock()
    with Visitor(server.address, clock) as visitor:
        messages = visitor.recording(visitor.page())
    if '"end"' not in messages[-1] and '"race"' not in messages[-1]:
        raise ValueError("the recorded run did not come whole")
    return clock() - start


def _first_event(server: Server, clock: Clock, seed: int) -> float:
    with Visitor(server.address, clock) as visitor:
        start = clock()
        stamps = list(_events(visitor, seed))
    return stamps[0] - start


def _live(server: Server, clock: Clock, seeds: Sequence[int]) -> list[Served]:
    """Makes so many runs, one after the other."""
    runs = []
    with Visitor(server.address, clock) as visitor:
        for seed in seeds:
            asked = clock()
            stamps = list(_events(visitor, seed))
            runs.append(Served(asked, stamps[0], stamps[-1]))
    return runs


def _with_a_busy_client(server: Server, clock: Clock, seeds: Iterator[int], faults: Faults) -> tuple[float, int]:
    """Seconds that one run takes beside a client that asks for many at once, and how many of those were accepted."""
    with Visitor(server.address, clock) as busy, Visitor(server.address, clock) as other:

        def start() -> str:
            return busy.ask(prompt=PROMPT, max_new_tokens=TOKENS, seed=next(seeds))

        let = sum(faults.of(start) is not None for _ in range(BUSY))
        return timed(other, next(seeds)), let
