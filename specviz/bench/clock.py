"""Timing in turns: whatever slows the machine for a while slows every contestant alike."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from specviz.config import Clock


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the least and the largest value seen."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(statistics.median(values), min(values), max(values))


Contestant = Callable[[], int]
"""Does its work and says how many tokens it made."""


def in_turns(
    contestants: Mapping[str, Contestant], laps: int, clock: Clock, done: Callable[[], object]
) -> dict[str, list[float]]:
    """Seconds a token took each contestant, lap by lap. A first lap warms up and does not count.

    Args:
        done: called after every piece of work, laps + 1 times for each contestant.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for lap in range(laps + 1):
        for name, work in contestants.items():
            start = clock()
            tokens = work()
            took = clock() - start
            if lap:
                seconds[name].append(took / tokens)
            done()
    return seconds


def ratio(slower: Sequence[float], faster: Sequence[float]) -> Spread:
    """How many times faster the second is, lap against lap."""
    return Spread.of([one / other for one, other in zip(slower, faster, strict=True)])
