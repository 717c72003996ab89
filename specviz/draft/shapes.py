"""Shapes of drawn trees, fixed before anything is drawn. A plan is a tuple of its children's plans, eldest first."""

import heapq
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

Plan = tuple["Plan", ...]
Rates = tuple[float, ...]
"""How often the first, the second, the third ... guess at a place is accepted, of all places that are reached."""

RATES: Rates = (0.743, 0.083, 0.045, 0.029, 0.017, 0.012, 0.009, 0.007)
"""Measured for the small model, drawing without replacement at temperature 0.8."""


def parsed(text: str) -> Plan:
    """A shape as people write it.

    4,2,1 gives the children of every guess of a level. (2)(2,1)(1)(1) gives those of each guess; guesses that are not
    named have none.
    """
    if "(" not in text:
        plan: Plan = ()
        for count in map(int, reversed(text.split(","))):
            plan = (plan,) * count
        return plan
    levels = [[int(count) for count in level.split(",")] for level in re.findall(r"\(([^)]*)\)", text)]
    below: list[Plan] = []
    for place, counts in reversed([*enumerate(levels)]):
        slots = 1 if place == 0 else sum(levels[place - 1])
        widths = [*counts, *[0] * slots][:slots]
        below += [()] * (sum(widths) - len(below))
        ends = [sum(widths[: number + 1]) for number in range(slots)]
        below = [tuple(below[end - count : end]) for end, count in zip(ends, widths, strict=True)]
    return below[0]


def written(plan: Plan) -> str:
    """The same as text, guess by guess."""
    text, level = "", [plan]
    while any(level):
        counts = [len(each) for each in level]
        while not counts[-1]:
            counts.pop()
        text += f"({','.join(map(str, counts))})"
        level = [child for each in level for child in each]
    return text


def size(plan: Plan) -> int:
    """How many guesses it has."""
    return sum(1 + size(child) for child in plan)


def cut(plan: Plan, depth: int) -> Plan:
    """The plan without the levels below that depth."""
    return tuple(cut(child, depth - 1) for child in plan) if depth > 0 else ()


def expected(plan: Plan, rates: Sequence[float]) -> float:
    """Expected tokens of a round, the target's own included.

    Guesses are taken to be accepted at these rates, whatever they follow.
    """
    return 1 + sum(rate * expected(child, rates) for child, rate in zip(plan, rates, strict=False))


@lru_cache(maxsize=1 << 16)
def best(nodes: int, depth: int, rates: Rates) -> tuple[float, Plan]:
    """The most expected tokens of any shape with that many guesses, and that shape. No place has more than len(rates)
    guesses.

    Source: Sequoia, Chen et al., arXiv:2402.12374, section 4.1.
    """
    tokens, plan = _children(nodes, depth, rates, 0) if depth else (0.0, ())
    return 1 + tokens, plan


@lru_cache(maxsize=1 << 18)
def _children(nodes: int, depth: int, rates: Rates, rank: int) -> tuple[float, Plan]:
    """The best that the children from that rank on can add."""
    top: tuple[float, Plan] = 0.0, ()
    if rank == len(rates):
        return top
    for first in range(1, nodes + 1):
        tokens, plan = best(first - 1, depth - 1, rates)
        more, others = _children(nodes - first, depth, rates, rank + 1)
        if rates[rank] * tokens + more > top[0]:
            top = rates[rank] * tokens + more, (plan, *others)
    return top


def grown(nodes: int, rates: Sequence[Rates]) -> Plan:
    """The shape of that many guesses that is likeliest to be reached, guess by guess, if rates differ by depth.

    Args:
        rates: for each level.

    Source: Medusa, Cai et al., arXiv:2401.10774, section 2.3.3.
    """
    kept: dict[tuple[int, ...], None] = {}
    waiting: list[tuple[float, tuple[int, ...]]] = [(-rates[0][0], (0,))] if rates and rates[0] else []
    while waiting and len(kept) < nodes:
        weight, path = heapq.heappop(waiting)
        kept[path] = None
        level, rank = len(path) - 1, path[-1]
        if level + 1 < len(rates):
            heapq.heappush(waiting, (weight * rates[level + 1][0], (*path, 0)))
        if rank + 1 < len(rates[level]):
            before = rates[level][rank]
            heapq.heappush(
                waiting, (weight * rates[level][rank + 1] / before if before else 0.0, (*path[:-1], rank + 1))
            )
    return _below((), kept)


def _below(path: tuple[int, ...], kept: Mapping[tuple[int, ...], None]) -> Plan:
    children = [(*path, rank) for rank in range(len(kept)) if (*path, rank) in kept]
    return tuple(_below(child, kept) for child in children)
