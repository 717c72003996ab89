"""Timing in turns: whatever slows the machine for a while slows every contestant alike."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

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


Contestant = Callable[[int], int]
"""Does a part of its work, by number, and says how many tokens it made."""


def in_turns(
    contestants: Mapping[str, Contestant], parts: int, laps: int, clock: Clock, done: Callable[[], object]
) -> dict[str, list[float]]:
    """Seconds a token took each contestant, lap by lap. A first lap warms up and does not count.

    Args:
        parts: a lap is so many, and all do one before anybody does the next.
        done: called after every piece of work.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for lap in range(laps + 1):
        taken, made = dict.fromkeys(contestants, 0.0), dict.fromkeys(contestants, 0)
        for part, (name, work) in product(range(parts), contestants.items()):
            start = clock()
            made[name] += work(part)
            taken[name] += clock() - start
            done()
        if lap:
            for name, found in seconds.items():
                found.append(taken[name] / made[name])
    return seconds


def ratio(slower: Sequence[float], faster: Sequence[float]) -> Spread:
    """How many times faster the second is, lap against lap."""
    return Spread.of([one / other for one, other in zip(slower, faster, strict=True)])
