"""Judges a run's round as a batch of one, for every shape and rule that has no faster code of its own."""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import overload

import numpy as np

from specviz.accept.base import AcceptRule, Draw, Judgement, Trial, Walk
from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Chance
from specviz.draft.base import Proposal
from specviz.trace.guess import Emission


def judge_one_round(
    rule: AcceptRule, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
) -> Judgement:
    """See `AcceptRule.judge`."""
    tree = proposal.tree
    tokens = np.array([tree.tokens], dtype=np.int64)
    many = [q.as_batch() for q in proposal.q]
    walk = rule.walk(tree, tokens, many, _BatchOfOne(p), position, ends, OneRoundDraws(chance))
    (tested,), (won,), (us,) = walk.tested.tolist(), walk.won.tolist(), walk.u.tolist()
    rows = [row[0] for row in walk.p]
    tests = tuple(
        _trial(rule, walk, node, won[node], us[node], rows[node], proposal) if tested[node] else None
        for node in range(len(tree))
    )
    path = tuple(node for node, accepted in enumerate(won) if accepted)
    (token,), (token_u,), (rejected,) = walk.token.tolist(), walk.token_u.tolist(), walk.rejected.tolist()
    if token < 0:
        return Judgement(tests, path, None, rows)
    bonus = rejected < 0
    draw = Draw(
        token=token,
        u=_number(token_u),
        emission=Emission.BONUS if bonus else Emission.RESAMPLED,
        node=None if bonus else rejected,
        zero_residual=bool(walk.empty[0]),
    )
    return Judgement(tests, path, draw, rows)


def _trial(rule: AcceptRule, walk: Walk, node: int, won: bool, u: float, p: Floats, proposal: Proposal) -> Trial:  # noqa: FBT001 - one entry of Walk.won
    if walk.chances is None or walk.weights is None or walk.masses is None:
        entropy = 0.0 if walk.entropies is None else walk.entropies[0, node].item()
        keep = rule.accept_prob(p, proposal.q[node], proposal.tree.tokens[node])
        return Trial(won, _number(u), keep, entropy=entropy)
    chance, weight, mass = (each[0, node].item() for each in (walk.chances, walk.weights, walk.masses))
    return Trial(won, _number(u), chance, weight, _number(mass))


def _number(u: float) -> float | None:
    return None if math.isnan(u) else u


class _BatchOfOne(Sequence[Floats]):
    """Rows as batches of one. Each row is read only when it is needed, because a rule may compute it then."""

    def __init__(self, rows: Sequence[Floats]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Floats: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Floats]: ...
    def __getitem__(self, place: int | slice) -> Floats | Sequence[Floats]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        row: Floats = self._rows[place][None]
        return row


@dataclass(frozen=True, slots=True)
class OneRoundDraws:
    """Makes a run's `Chance` usable as the `Draws` of a batch of one round."""

    chance: Chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        won, u = self.chance.flip(weight.item(), scale.item(), at)
        return np.array([won]), np.array([u])

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        token, u = self.chance.pick(probs[0], at)
        return np.array([token]), np.array([math.nan if u is None else u])

    def subset(self, rows: Ids) -> "OneRoundDraws":
        return self
