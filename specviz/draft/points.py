"""Shared by drafters that choose their guesses instead of drawing them."""

from collections.abc import Sequence

from specviz.draft.base import branches
from specviz.gamma.base import Halting
from specviz.law.rows import Law, Point
from specviz.law.tree import ROOT, DraftTree
from specviz.trace.round import Glance, Halt


def point_glances(depth: int, halt: Halting | None) -> tuple[list[Glance], Halt | None]:
    """What a gamma rule sees of `depth` levels of point masses: entropy 0 and q 1 at each.

    One glance for each level the rule lets pass, the one it stops after included. Empty if there is no rule to ask.
    """
    glances: list[Glance] = []
    if halt:
        for _ in range(depth):
            glances.append(Glance(0.0, 1.0))
            if halted := halt(glances):
                return glances, halted
    return glances, None


def cut(tree: DraftTree, depth: int) -> list[tuple[int, int]]:
    """The nodes of its first levels, in their order, each with its parent's place among them."""
    kept = [node for node, level in enumerate(tree.depths()) if level < depth]
    places = {ROOT: ROOT} | {node: place for place, node in enumerate(kept)}
    return [(node, places[tree.parents[node]]) for node in kept]


def matching_points(own: DraftTree, tree: DraftTree) -> Sequence[Law | None]:
    """The point masses a drafter chose (`own`), for guesses at the same places of another tree.

    A guess gets the choice of its rank behind the same tokens; None where the drafter chose nothing.
    """
    chosen: dict[tuple[int, ...], list[int]] = {}
    for before, token in zip(branches(own), own.tokens, strict=True):
        chosen.setdefault(before, []).append(token)
    found: list[Law | None] = []
    for node, before in enumerate(branches(tree)):
        rank = tree.parents[:node].count(tree.parents[node])
        choices = chosen.get(before, ())
        found.append(Point(choices[rank]) if rank < len(choices) else None)
    return found
