"""Timing in turns: whatever slows the machine for a while slows every contestant alike."""

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


class Made(NamedTuple):
    """What a contestant made, and in what time, once it had read the prompt."""

    tokens: int
    seconds: float


Contestant = Callable[[int, int], Made]
"""Does a part of its work, by number, in a lap, by number."""


def in_turns(
    contestants: Mapping[str, Contestant], parts: int, laps: int, done: Callable[[], object]
) -> dict[str, list[float]]:
    """Seconds a token for each contestant, lap by lap. The first lap is a warm-up and does not count.

    Args:
        parts: pieces of a lap; every contestant does one before any does the next.
        done: called after every piece of work.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for lap in range(laps + 1):
        made: dict[str, list[Made]] = {name: [] for name in contestants}
        for part, (name, work) in product(range(parts), contestants.items()):
            made[name].append(work(part, lap))
            done()
        if lap:
            for name, found in seconds.items():
                found.append(sum(each.seconds for each in made[name]) / sum(each.tokens for each in made[name]))
    return seconds


def ratio(slower: Sequence[float], faster: Sequence[float]) -> Spread:
    """How many times faster the second is, lap by lap."""
    return Spread.of([one / other for one, other in zip(slower, faster, strict=True)])
