"""Opens and closes sessions for minutes, some in the middle of a run, and measures what the server keeps."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

from specviz.config.settings import Clock
from tests.load.figures import slope
from tests.load.load import PROMPT, Faults, first_run, where
from tests.load.server import Server, Taken
from tests.load.visitor import Visitor

SETTLED = 300
"""Sessions after which memory should have stopped growing."""
SAMPLE = 20
"""Sessions between two looks at the server's process."""
LONG = 64


@dataclass(frozen=True, slots=True)
class Soak:
    """The results of a soak.

    Attributes:
        sessions: how many opened the page, fetched its recorded run and repeated an earlier run.
        cut: live runs that were cut off at random. lost: how often no run could be made afterwards.
        growth: bytes of memory per session, after the first SETTLED; None if unknown, or if there were too few.
        before, after: what the server's process held, None if unknown.
        on: the machine and the day.
    """

    on: str
    sessions: int
    cut: int
    lost: int
    seconds: float
    growth: float | None
    before: Taken | None
    after: Taken | None
    errors: tuple[str, ...]


def soak(
    server: Server, sessions: int, cuts: int, minutes: float, clock: Clock, seed: int, done: Callable[[], object]
) -> Soak:
    """Makes `sessions` sessions and `cuts` cut runs, or fewer if `minutes` pass first.

    Args:
        done: called after each of them.
    """
    faults, chance, seeds = Faults(), random.Random(seed), itertools.count(seed)
    start = clock()
    with Visitor(server.address, clock) as first:
        same = next(seeds)
        first_run(first, same)
    before, points = server.taken(), []
    cut = lost = held = 0
    every = max(1, sessions // max(1, cuts))
    for held in range(1, sessions + 1):
        faults.of(lambda: _session(server, clock, same))
        done()
        if held % SAMPLE == 0 and (taken := server.taken()):
            points.append((float(held), float(taken.memory)))
        if held % every == 0 and cut < cuts:
            faults.of(lambda: _cut(server, clock, next(seeds), chance.randrange(12)))
            cut += 1
            lost += faults.of(lambda: _works(server, clock, next(seeds))) is None
            done()
        if clock() - start > 60 * minutes:
            break
    settled = [point for point in points if point[0] > SETTLED]
    return Soak(
        on=where(),
        sessions=held,
        cut=cut,
        lost=lost,
        seconds=clock() - start,
        growth=slope(settled) if len(settled) > 2 else None,
        before=before,
        after=server.taken(),
        errors=tuple(faults.errors),
    )


def _session(server: Server, clock: Clock, seed: int) -> None:
    with Visitor(server.address, clock) as visitor:
        visitor.recording(visitor.page())
        first_run(visitor, seed)


def _cut(server: Server, clock: Clock, seed: int, events: int) -> None:
    """Starts a live run and disconnects after so many events."""
    with Visitor(server.address, clock) as visitor:
        name = visitor.ask(prompt=PROMPT, max_new_tokens=LONG, seed=seed)
        if events:
            with visitor.events(name) as heard:
                for _ in itertools.islice(heard, events):
                    pass


def _works(server: Server, clock: Clock, seed: int) -> bool:
    """Whether a run can be made, which is true once the server has dropped the run before."""
    with Visitor(server.address, clock) as visitor:
        first_run(visitor, seed)
    return True
