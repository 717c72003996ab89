"""Bugs in the two caches and in trees: what a model was shown, and where it stands."""

import functools
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from specviz import verify
from specviz.draft.base import Committed
from specviz.draft.small_model import SmallModel
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import DraftTree
from specviz.trim import KVCache
from tests.battery.rounds import (
    every_row_recomputes,
    nothing_is_wasted,
    traces_are_sound,
    trees_score_like_their_branches,
)
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


def bend_keep(patch: pytest.MonkeyPatch, bend: Callable[[KVCache, int], None]) -> None:
    """bend may move what keep left; the number is the length before."""
    keep = KVCache.keep

    def bent(self: KVCache, base: int, rows: Sequence[int]) -> None:
        before = self.length
        keep(self, base, rows)
        bend(self, before)

    patch.setattr(KVCache, "keep", bent)


@MUTANTS.put(25, "target cache one short", nothing_is_wasted, "the target kept")
def _(patch: pytest.MonkeyPatch) -> None:
    bend_keep(patch, lambda cache, before: cache.truncate(cache.length - 1))


@MUTANTS.put(25, "target cache one long", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    bend_keep(patch, lambda cache, before: cache.advance(int(cache.length < before)))


@MUTANTS.put(None, "target cache keeps the wrong slots", every_row_recomputes, "target's cache")
def _(patch: pytest.MonkeyPatch) -> None:
    keep = KVCache.keep

    def bent(self: KVCache, base: int, rows: Sequence[int]) -> None:
        last = self.length - base - 1
        keep(self, base, [min(row + 1, last) for row in rows])

    patch.setattr(KVCache, "keep", bent)


def bend_forget(patch: pytest.MonkeyPatch, by: int) -> None:
    forget = SmallModel._forget
    patch.setattr(SmallModel, "_forget", lambda self, n: forget(self, min(max(n + by, 0), self._cache.length)))


MUTANTS.put(26, "draft cache one long", every_row_recomputes, "drafter's cache")(functools.partial(bend_forget, by=1))
MUTANTS.put(26, "draft cache one short", nothing_is_wasted, "the drafter kept")(functools.partial(bend_forget, by=-1))


@MUTANTS.put(27, "draft misses the bonus token", every_row_recomputes, "q is not")
def _(patch: pytest.MonkeyPatch) -> None:
    commit = SmallModel.commit

    def bent(self: SmallModel, step: Committed) -> None:
        full = [*self._text, *step.tokens[:-2]] == self._fed
        commit(self, Committed(step.tokens[:-1]) if full else step)

    patch.setattr(SmallModel, "commit", bent)


@MUTANTS.put(None, "draft never reads its own last guess", every_row_recomputes, "q is not")
def _(patch: pytest.MonkeyPatch) -> None:
    feed = SmallModel._feed

    def bent(self: SmallModel, tokens: Sequence[int]) -> Reals:
        return feed(self, tokens[-1:] if 1 < len(tokens) < 3 and self._cache.length else tokens)

    patch.setattr(SmallModel, "_feed", bent)


@MUTANTS.put(None, "siblings see each other", trees_score_like_their_branches)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(verify, "_mask", lambda unread, tree: np.tri(unread + len(tree), dtype=bool))


@MUTANTS.put(None, "tree positions count nodes", trees_score_like_their_branches)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DraftTree, "depths", lambda self: tuple(range(len(self))))


@MUTANTS.put(None, "a kept branch stays where it was", trees_score_like_their_branches, "branch that was kept")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(KVCache, "keep", lambda self, base, rows: self.truncate(base + len(rows)))
