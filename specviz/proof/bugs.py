"""Bugs that people really ship, each built around the true rule, to see the proof fail. Chains only.

The engine never uses them. What each does to the text is said by the page's words.
"""

import dataclasses
from collections.abc import Callable, Sequence
from types import EllipsisType

import numpy as np

from specviz.accept.base import AcceptRule, Draws, Walk
from specviz.accept.batch import by_id
from specviz.accept.rejection import Rejection
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Purpose, falls_below
from specviz.sampling.rows import Law
from specviz.sampling.tree import DraftTree


class _Misled(Rejection):
    """The true rule, which gets other rows of p, or other numbers, or other guesses that end the text."""

    def __init__(
        self,
        p: Callable[[list[Floats]], list[Floats]] = list,
        draws: Callable[[Draws], Draws] = lambda true: true,
        ended: Callable[[Bools], Bools] = np.asarray,
    ) -> None:
        self._p, self._draws, self._ended = p, draws, ended

    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Law],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> Walk:
        return super().walk(tree, tokens, q, self._p([*p]), position, self._ended(ended), self._draws(draws))


@dataclasses.dataclass(frozen=True, slots=True)
class _Always:
    draws: Draws

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        _, u = self.draws.flip(weight, scale, at)
        return np.ones(len(u), dtype=bool), u

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        return self.draws.pick(probs, at)

    def subset(self, rows: Ids) -> "_Always":
        return _Always(self.draws.subset(rows))


class _ResampleFromP(Rejection):
    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Law],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> Walk:
        walk = super().walk(tree, tokens, q, p, position, ended, draws)
        rows = np.flatnonzero(walk.rejected >= 0)
        if rows.size:
            at = At(position, Purpose.RESAMPLE)
            walk.token[rows], walk.token_u[rows] = draws.subset(rows).pick(
                np.stack(p, 1)[rows, walk.rejected[rows]], at
            )
        return walk


class _KeepTesting(Rejection):
    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Law],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> Walk:
        walk = super().walk(tree, tokens, q, p, position, ended, draws)
        for node in range(len(tree) - 1):
            rows = np.flatnonzero(walk.rejected == node)
            if rows.size:
                late = DraftTree.chain(tree.tokens[node + 1 :])
                behind = slice(node + 1, None)
                later_q, later_p = [law[rows] for law in q[behind]], [row[rows] for row in p[behind]]
                retested = super().walk(
                    late, tokens[rows, behind], later_q, later_p, position, ended[rows, behind], draws.subset(rows)
                )
                accepted = retested.won.any(1)
                walk.won[rows[accepted], behind] = retested.won[accepted]
                walk.token[rows[accepted]] = retested.token[accepted]
        return walk


@dataclasses.dataclass(frozen=True, slots=True)
class _SameNumber:
    """Uses a round's first number for every draw of that round.

    Attributes:
        first: the numbers of all rounds, once their first guess was tested.
        rows: the rounds these draws belong to; by default all.
    """

    draws: Draws
    first: list[Floats] = dataclasses.field(default_factory=list)
    rows: Ids | EllipsisType = ...

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        if not self.first:
            self.first.append(self.draws.flip(weight, scale, at)[1])
        u = self.first[0][self.rows]
        return falls_below(u, weight, scale), u

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        if not self.first:
            return self.draws.pick(probs, at)
        u = self.first[0][self.rows]
        return by_id(probs, u), u

    def subset(self, rows: Ids) -> "_SameNumber":
        return _SameNumber(self.draws.subset(rows), self.first, rows)


RULES: dict[str, AcceptRule] = {
    "accept-always": _Misled(draws=_Always),
    "resample-from-p": _ResampleFromP(),
    "keep-testing": _KeepTesting(),
    "q-before-temperature": Rejection(),
    "bonus-from-wrong-row": _Misled(p=lambda p: [*p[:-1], p[-2]]),
    "one-number": _Misled(draws=_SameNumber),
    "penalty-on-committed": Rejection(),
    "penalty-on-p-alone": Rejection(),
    "stop-at-round-end": _Misled(ended=np.zeros_like),  # the text continues after a stop string
}
"""By the names of `findings.BUGS`. Some are the true rule, which then gets wrong rows."""
