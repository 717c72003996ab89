"""Bugs in the rule's core. They bend what it asks its draws for, batch or not, so that every caller has them."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest

from specviz.accept.base import AcceptRule, Draws, Walk
from specviz.accept.rejection import Rejection
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Purpose
from specviz.sampling.rows import Law, Row, weight_at
from specviz.sampling.tree import DraftTree
from specviz.trim import KVCache
from tests.battery.laws import law_of_a_round
from tests.battery.rounds import traces_are_sound
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


@dataclass
class Ask:
    """The rounds that something is asked for, and the guess they are at; chains only.

    tokens: int64[k, n]; q: float64[k, n, V]; p: float64[k, n + 1, V].
    """

    tokens: Ids
    q: Floats
    p: Floats
    node: int

    @property
    def excess(self) -> Floats:
        return self.p[:, self.node] - self.q[:, self.node]


Flips = Callable[[Floats, Floats, Ask], tuple[Floats, Floats]]
Weights = Callable[[Ask], Floats]


@dataclass
class Bent:
    """Draws that are asked for something else than the rule meant, for some rounds of a batch."""

    draws: Draws
    ask: Callable[[At, Ids], Ask]
    flips: Flips
    laws: dict[Purpose, Weights]
    rows: Ids

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        return self.draws.flip(*self.flips(weight, scale, self.ask(at, self.rows)), at)

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        if at.purpose in self.laws:
            weights = self.laws[at.purpose](self.ask(at, self.rows))
            probs = weights / weights.sum(-1, keepdims=True)
        return self.draws.pick(probs, at)

    def subset(self, rows: Ids) -> "Bent":
        return replace(self, draws=self.draws.subset(rows), rows=self.rows[rows])


class Asked(NamedTuple):
    """What the rule's walk is asked."""

    tree: DraftTree
    tokens: Ids
    q: Sequence[Law]
    p: Sequence[Floats]
    position: int
    ended: Bools
    draws: Draws

    def ask(self, rows: Ids, node: int) -> Ask:
        p = np.stack([row[rows] for row in self.p], 1)
        q = np.empty((len(rows), len(self.q), p.shape[-1]))
        for place, law in enumerate(self.q):
            assert isinstance(law, Row), "no points here"
            q[:, place] = law.probs[rows]
        return Ask(self.tokens[rows], q, p, node)


def bend_walk(patch: pytest.MonkeyPatch, bent: Callable[[Callable[[Asked], Walk], Asked], Walk]) -> None:
    """bent is given the true walk, and what it was asked."""
    true = Rejection.walk
    patch.setattr(Rejection, "walk", lambda self, *asked: bent(lambda it: true(self, *it), Asked(*asked)))
    patch.setattr(Rejection, "judge", AcceptRule.judge)


def bend(
    patch: pytest.MonkeyPatch,
    flips: Flips = lambda weight, scale, ask: (weight, scale),
    laws: dict[Purpose, Weights] = {},  # noqa: B006 - read only
) -> None:
    def bent(walk: Callable[[Asked], Walk], it: Asked) -> Walk:
        def ask(at: At, rows: Ids) -> Ask:
            return it.ask(rows, at.position - it.position)

        return walk(it._replace(draws=Bent(it.draws, ask, flips, laws, np.arange(len(it.tokens)))))

    bend_walk(patch, bent)


def bend_after(patch: pytest.MonkeyPatch, change: Callable[[Walk, Ask, int, Draws], None]) -> None:
    """change may alter what became of the whole batch; the number is the position of its first guess."""

    def bent(walk: Callable[[Asked], Walk], it: Asked) -> Walk:
        done = walk(it)
        change(done, it.ask(np.arange(len(it.tokens)), 0), it.position, it.draws)
        return done

    bend_walk(patch, bent)


def one_hot(rows: Floats) -> Floats:
    return np.eye(rows.shape[-1])[rows.argmax(-1)]


def another_row(weight: Floats, scale: Floats, ask: Ask, by: int) -> tuple[Floats, Floats]:
    """The guess's weight in a row of p that is not its own."""
    return weight_at(ask.p[:, ask.node + by], ask.tokens[:, ask.node]), scale


RESIDUALS: dict[str, Weights] = {
    "resample from p": lambda ask: ask.p[:, ask.node],
    "residual is abs(p - q)": lambda ask: np.abs(ask.excess),
    "residual is max(0, q - p)": lambda ask: np.maximum(-ask.excess, 0),
    "residual is p without the rejected token": lambda ask: (
        ask.p[:, ask.node] * (np.arange(ask.p.shape[-1]) != ask.tokens[:, ask.node, None])
    ),
    "residual uses the next row of q": lambda ask: np.maximum(
        ask.p[:, ask.node] - ask.q[:, (ask.node + 1) % ask.q.shape[1]], 0
    ),
    "residual uses the next row of p": lambda ask: np.maximum(ask.p[:, ask.node + 1] - ask.q[:, ask.node], 0),
    "residual's argmax": lambda ask: one_hot(ask.excess),
}
for _number, (_name, _law) in enumerate(RESIDUALS.items(), 1):
    MUTANTS.put(_number, _name, law_of_a_round, "resampled")(functools.partial(bend, laws={Purpose.RESAMPLE: _law}))

FLIPS: dict[str, Flips] = {
    "accept with the next row of p": functools.partial(another_row, by=1),
    "accept with the row of p before": functools.partial(another_row, by=-1),
    "accept with q / p": lambda p, q, ask: (np.where(p > 0, q, 1.0), np.where(p > 0, p, 1.0)),
    "accept with p": lambda p, q, ask: (p, np.ones_like(p)),
    "accept only where p >= q": lambda p, q, ask: (1.0 * (p >= q), np.ones_like(p)),
    "accept with 1.1 p / q": lambda p, q, ask: (1.1 * p, q),
    "accept with the root of p / q": lambda p, q, ask: (np.sqrt(p), np.sqrt(q)),
}
for _number, (_name, _flips) in enumerate(FLIPS.items(), 11):
    MUTANTS.put(_number, _name, law_of_a_round, "resampled")(functools.partial(bend, flips=_flips))

BONUSES: dict[str, Weights] = {
    "bonus from the row before": lambda ask: ask.p[:, -2],
    "bonus is the argmax": lambda ask: one_hot(ask.p[:, -1]),
    "bonus from q": lambda ask: ask.q[:, -1],
}
for _number, (_name, _law) in enumerate(BONUSES.items(), 18):
    MUTANTS.put(_number, _name, law_of_a_round, "bonus")(functools.partial(bend, laws={Purpose.BONUS: _law}))


@MUTANTS.put(24, "no stop at the first rejection", law_of_a_round)
def _(patch: pytest.MonkeyPatch) -> None:
    def test_on(done: Walk, ask: Ask, position: int, draws: Draws) -> None:
        for node in range(1, ask.tokens.shape[1]):
            rows = np.flatnonzero((done.rejected >= 0) & (done.rejected < node))
            if len(rows):
                guess = ask.tokens[rows, node]
                weight, scale = ask.p[rows, node, guess], ask.q[rows, node, guess]
                kept, _ = draws.subset(rows).flip(weight, scale, At(position + node, Purpose.ACCEPT))
                done.won[rows[kept], node] = True

    bend_after(patch, test_on)


@MUTANTS.put(28, "bonus dropped", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    def drop(done: Walk, ask: Ask, position: int, draws: Draws) -> None:
        done.token[(done.rejected < 0) & done.won.any(1)] = -1

    bend_after(patch, drop)
    keep = KVCache.keep

    def leaves_one_pending(self: KVCache, base: int, rows: list[int]) -> None:
        before = self.length
        keep(self, base, rows)
        self.truncate(self.length - (self.length == before))

    patch.setattr(KVCache, "keep", leaves_one_pending)
