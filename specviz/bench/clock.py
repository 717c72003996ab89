"""Timing in turns, so that anything that slows the machine for a while slows all contestants alike."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the least and the largest value seen."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(statistics.median(values), min(values), max(values))


class TimedWork(NamedTuple):
    """The tokens a contestant decoded, and the seconds it took after it had read the prompt."""

    tokens: int
    seconds: float


Contestant = Callable[[int, int], TimedWork]
"""Does one part of a lap's work. Called with the numbers of the part and the lap."""


def in_turns(
    contestants: Mapping[str, Contestant], parts: int, laps: int, done: Callable[[], object]
) -> dict[str, list[float]]:
    """Seconds per token for each contestant, lap by lap. Before them all do the first part once, which does not count.

    Args:
        parts: how many parts a lap has. Every contestant does a part before any of them does the next one.
        done: called after every part.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for lap in range(laps + 1):
        work: dict[str, list[TimedWork]] = {name: [] for name in contestants}
        for part, (name, contestant) in product(range(parts if lap else 1), contestants.items()):
            work[name].append(contestant(part, lap))
            done()
        if lap:
            for name, laps_seconds in seconds.items():
                laps_seconds.append(sum(each.seconds for each in work[name]) / sum(each.tokens for each in work[name]))
    return seconds


def ratio(slower: Sequence[float], faster: Sequence[float]) -> Spread:
    """How many times faster the second is, lap by lap."""
    return Spread.of([one / other for one, other in zip(slower, faster, strict=True)])
