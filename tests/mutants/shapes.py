"""Bugs of siblings and of blocks: what only a tree, or guesses weighed together, can get wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from specviz.accept import token_rule
from specviz.accept.block import Block
from specviz.accept.rejection import Rejection
from specviz.accept.traversal import Traversal
from specviz.draft.lookahead import Lookahead
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At
from specviz.sampling.rows import Law
from specviz.sampling.tree import DraftTree
from specviz.trim import KVCache
from tests.battery.drafters import groups_are_what_the_target_said
from tests.battery.laws import law_behind_a_tree, law_of_a_block, law_of_a_weighed_tree
from tests.battery.rounds import every_row_of_a_tree_recomputes
from tests.mutants.registry import Mutants
from tests.trees import Grown

MUTANTS = Mutants()


@MUTANTS.put(None, "a block breaks at its first failure", law_of_a_block)
def _(patch: pytest.MonkeyPatch) -> None:
    def leading(self: Block, below: Bools) -> Ids:
        kept: Ids = np.minimum.accumulate(below, 1).sum(1)
        return kept

    patch.setattr(Block, "accepted", leading)


@MUTANTS.put(None, "a block's residual without its weight", law_of_a_block)
def _(patch: pytest.MonkeyPatch) -> None:
    left = Block.residual

    def unweighed(self: Block, weight: Floats, p: Floats, q: Floats) -> tuple[Floats, Bools]:
        return left(self, np.ones_like(weight), p, q)

    patch.setattr(Block, "residual", unweighed)


@MUTANTS.put(None, "a tree's residual without its weight", law_of_a_weighed_tree)
def _(patch: pytest.MonkeyPatch) -> None:
    left = Traversal.residual

    def unweighed(self: Traversal, weight: Floats, p: Floats, q: Floats) -> tuple[Floats, Bools]:
        return left(self, np.ones_like(weight), p, q)

    patch.setattr(Traversal, "residual", unweighed)


@MUTANTS.put(None, "a parent weighs what it did after a child fell", law_of_a_weighed_tree)
def _(patch: pytest.MonkeyPatch) -> None:
    def kept(self: Traversal, weight: Floats, mass: Floats) -> tuple[Floats, Floats]:
        return weight, np.ones_like(weight)

    patch.setattr(Traversal, "lightened", kept)


@MUTANTS.put(None, "a child is tested against what its parent's siblings left", law_behind_a_tree)
def _(patch: pytest.MonkeyPatch) -> None:
    """The parent's residual is kept: its own row comes in only where nothing was refused before it."""
    put = token_rule.put
    seen: list[Floats] = []

    def keeps(laws: Floats, rows: Ids, fresh: Floats) -> Floats:
        stale = [each for each in seen if each is laws]
        changed = put(laws, rows, laws[rows] if stale else fresh)
        seen.append(changed)
        return changed

    patch.setattr(token_rule, "put", keeps)


def forget_elder_siblings(patch: pytest.MonkeyPatch) -> None:
    taken = Grown._taken

    def plain(q: Floats, gone: Sequence[int]) -> Floats:
        return q

    def drawn(self: Grown, law: Any, chance: Any, at: At, before: Sequence[int]) -> Any:
        left = law.probs.copy()
        left[list(before)] = 0.0
        return taken(self, type(law)(left / left.sum()), chance, at, before)

    patch.setattr(Grown, "renormalises", staticmethod(plain))
    patch.setattr(Grown, "_taken", drawn)


MUTANTS.put(None, "q of siblings not renormalised", law_behind_a_tree)(forget_elder_siblings)
MUTANTS.put(None, "q of a weighed tree's siblings not renormalised", law_of_a_weighed_tree)(forget_elder_siblings)


@MUTANTS.put(None, "a sibling's test skipped", law_behind_a_tree)
def _(patch: pytest.MonkeyPatch) -> None:
    """Whoever comes second stands."""
    test: Callable[..., tuple[Bools, Floats]] = Rejection.test

    def skips(self: Rejection, p: Floats, q: Law, guesses: Ids, at: At, draws: Any) -> tuple[Bools, Floats]:
        won, u = test(self, p, q, guesses, at, draws)
        return (won | True if at.sibling else won), u

    patch.setattr(Rejection, "test", skips)


@MUTANTS.put(None, "a node's position is its index", every_row_of_a_tree_recomputes, "positions")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DraftTree, "depths", lambda self: tuple(range(len(self))))


@MUTANTS.put(None, "the cache keeps the first slots of a draft", every_row_of_a_tree_recomputes, "cache does not hold")
def _(patch: pytest.MonkeyPatch) -> None:
    """Gathered in the order of the draft, not by who was accepted."""
    patch.setattr(KVCache, "keep", lambda self, base, rows: self.truncate(base + len(rows)))


@MUTANTS.put(None, "scouts see each other's columns", groups_are_what_the_target_said, "positions")
def _(patch: pytest.MonkeyPatch) -> None:
    mask = DraftTree.mask

    def causal(self: DraftTree) -> Bools:
        found, first = mask(self), len(self) + 1
        found[first:, first:] = np.tri(len(found) - first, dtype=bool)
        return found

    patch.setattr(DraftTree, "mask", causal)


@MUTANTS.put(None, "a group ends with the row above its column", groups_are_what_the_target_said, "levels")
def _(patch: pytest.MonkeyPatch) -> None:
    scouts = Lookahead._scouts

    def above(self: Lookahead, guesses: int) -> Any:
        found = scouts(self, guesses)
        self._rows = [max(0, row - 1) for row in self._rows]
        return found

    patch.setattr(Lookahead, "_scouts", above)


@MUTANTS.put(None, "a scout's slot is kept", groups_are_what_the_target_said, "cache does not hold")
def _(patch: pytest.MonkeyPatch) -> None:
    """The slots are gathered from the end, where the scouts stand."""
    keep = KVCache.keep

    def last(self: KVCache, base: int, rows: Sequence[int]) -> None:
        keep(self, base, [self.length - base - 1 - row for row in rows])

    patch.setattr(KVCache, "keep", last)
