"""What drafters share that choose instead of drawing."""

from collections.abc import Sequence

from specviz.draft.base import branches
from specviz.gamma.base import Halting
from specviz.law import Law, Point
from specviz.trace.round import Glance, Halt
from specviz.tree import DraftTree


def point_glances(depth: int, halt: Halting | None) -> tuple[list[Glance], Halt | None]:
    """What a gamma rule sees of so many levels without dice, one after the other: the drafter is sure of each.

    As many glances as levels it lets pass, the one it stops after included; none where nobody looks.
    """
    glances: list[Glance] = []
    if halt:
        for _ in range(depth):
            glances.append(Glance(0.0, 1.0))
            if halted := halt(glances):
                return glances, halted
    return glances, None


def matching_points(own: DraftTree, tree: DraftTree) -> Sequence[Law | None]:
    """The points that a drafter chose, for guesses at the same places: None where it chose none."""
    chosen: dict[tuple[int, ...], list[int]] = {}
    for before, token in zip(branches(own), own.tokens, strict=True):
        chosen.setdefault(before, []).append(token)
    found: list[Law | None] = []
    for node, before in enumerate(branches(tree)):
        rank = tree.parents[:node].count(tree.parents[node])
        there = chosen.get(before, ())
        found.append(Point(there[rank]) if rank < len(there) else None)
    return found
