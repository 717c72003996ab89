"""A round's tensors as the plain data of a trace: the largest tokens get bars, the rest is summed token by token."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from specviz.accept.base import Judgement
from specviz.arrays import Floats
from specviz.config import LawKind
from specviz.draft.base import Proposal
from specviz.law import Law, Row
from specviz.ruler import segment
from specviz.sampling import entropy, stacked
from specviz.trace.guess import Bar, Extra, Rest, Scout, Source, TokenVerdict, Verdict, View
from specviz.tree import ROOT, Scouts

Piece = Callable[[int], str]
"""Gives a token's text."""

ROWS = 5
"""Bars that each of p, q and the residual may claim. An untested slot gets fewer, because it decides nothing."""
ROWS_UNTESTED = 2
MOST_BARS = 12
NO_VIEW = View((), Rest(0, 0.0, 0.0, 0.0, 0.0), 0.0)
"""Stands for the view in rounds that are timed and not shown."""


class RoundNumbers(NamedTuple):
    """The numbers a round's record is made from. Whole distributions are not copied.

    Attributes:
        p, q: of each guess.
        p_entropies, q_entropies: of the distributions there.
        slots: a row of `gather` for each guess, and one more if the target's own token is a bonus.
        size: tokens in the vocabulary.
        segments: each guess's segment of q's ruler.
        before: under a rule that weighs guesses together, the weight of each guess's place when it is reached, and what
            the guess's row leaves of it; else None.
        own: the probability of the target's own token, and its segment of the ruler.
    """

    p: Sequence[float]
    q: Sequence[float]
    p_entropies: Sequence[float]
    q_entropies: Sequence[float]
    segments: Sequence[tuple[float, float]]
    slots: Sequence[Sequence[float]]
    size: int
    own: tuple[float, float, float]
    before: Sequence[tuple[float, float] | None]


CHUNK = 8
"""Guesses whose distributions are stacked at once; 64 of a large vocabulary would take too much memory."""


def no_numbers(n: int) -> RoundNumbers:
    """For a round with n guesses that is timed and not shown."""
    zeros = (0.0,) * n
    return RoundNumbers(zeros, zeros, zeros, zeros, ((0.0, 0.0),) * n, (), 0, (0.0, 0.0, 0.0), (None,) * n)


def round_numbers(proposal: Proposal, target: Sequence[Floats], judgement: Judgement) -> RoundNumbers:
    """For a round in main memory. target: the target's rows, n + 1 times float64[V]."""
    tree, draw, q = proposal.tree, judgement.draw, proposal.q
    tokens, size = tree.tokens, len(target[0])
    rows = [target[parent + 1] for parent in tree.parents]
    p = [judgement.p[node] if test else rows[node] for node, test in enumerate(judgement.tests)]
    before = _before(proposal, judgement)
    drawn = [draw.token if draw and draw.node == node else token for node, token in enumerate(tokens)]
    slots: list[list[float]] = []
    p_entropies: list[float] = []
    q_entropies: list[float] = []
    for start in range(0, len(tokens), CHUNK):
        part = slice(start, start + CHUNK)
        dense = stacked([each.dense(size) for each in q[part]], size)
        must_show = torch.tensor([tokens[part], drawn[part]], dtype=torch.long).t()
        slots += gather(stacked(p[part], size), dense, must_show, _weights(before[part])).tolist()
        p_entropies += entropy(stacked(rows[part], size).float()).tolist()
        q_entropies += entropy(dense.float()).tolist()
    own = 0.0, 0.0, 0.0
    if draw:
        end = (judgement.path or (ROOT,))[-1] if draw.node is None else tree.parents[draw.node]
        end_row = target[end + 1]
        own = end_row.item(draw.token), *segment(judgement.p[-1], draw.token)
        if draw.node is None:
            row = torch.from_numpy(end_row)[None]
            slots += gather(row, torch.zeros_like(row), torch.tensor([[draw.token] * 2])).tolist()
    return RoundNumbers(
        p=[row.item(token) for row, token in zip(p, tokens, strict=True)],
        q=[each.of(token) for each, token in zip(q, tokens, strict=True)],
        p_entropies=p_entropies,
        q_entropies=q_entropies,
        segments=[_segment(each, token) for each, token in zip(q, tokens, strict=True)],
        slots=slots,
        size=size,
        own=own,
        before=before,
    )


def _before(proposal: Proposal, judgement: Judgement) -> list[tuple[float, float] | None]:
    """See RoundNumbers. The first guess has None: no weight was lost before it."""
    found: list[tuple[float, float] | None] = []
    weights = {ROOT: 1.0}  # of each node, after the children tested so far
    for node, (guess, test) in enumerate(zip(proposal.guesses, judgement.tests, strict=True)):
        if test is None or test.weight is None:
            found.append(None)
            continue
        assert guess.q is not None, "q is in main memory"
        weight, tested = weights[guess.parent], judgement.p[node]
        mass = float(np.maximum(weight * tested - guess.q.dense(len(tested)), 0).sum())
        found.append((weight, mass) if node else None)
        whole = mass + (1 - weight)
        weights[guess.parent] = mass / whole if whole > 0 else 1.0
        weights[node] = test.weight
    return found


def _weights(before: Sequence[tuple[float, float] | None]) -> Tensor | None:
    """float64[n, 1]; None if all are 1."""
    if not any(before):
        return None
    return torch.tensor([[1.0 if each is None else each[0]] for each in before], dtype=torch.float64)


def _segment(q: Law, token: int) -> tuple[float, float]:
    return segment(q.probs, token) if isinstance(q, Row) else (0.0, 1.0)


def gather(p: Tensor, q: Tensor, must_show: Tensor, weights: Tensor | None = None) -> Tensor:
    """The numbers that views are made of, float64[n, k], from p and q, float64[n, V]. Waits for no device.

    A row begins with the sums of p, q and min(p, q). Then follow ids: those in must_show, int64[n, 2], and the ROWS
    largest of p, of q and of what q missed. Then come p of all these ids, and q of them.

    Args:
        weights: float64[n, 1], the factor of p in what q missed; 1 if None.
    """
    both = torch.minimum(p, q)
    missed = p - both if weights is None else (weights * p - q).clamp(min=0)
    tops = [probs.topk(min(ROWS, p.shape[-1])).indices for probs in (p, q, missed)]
    ids = torch.cat([must_show, *tops], 1)
    sums = [probs.sum(-1, keepdim=True) for probs in (p, q, both)]
    return torch.cat([*sums, ids, p.gather(1, ids), q.gather(1, ids)], 1)


def _view(
    slot: Sequence[float],
    size: int,
    must_show: Sequence[int],
    most: int,
    piece: Piece,
    before: tuple[float, float] | None = None,
) -> View:
    """A row of `gather` as bars for the largest of p, q and max(0, p - q), and one bucket for the rest.

    Bars are ordered by max(p, q), largest first, ties by id. Tokens in must_show always get one. most: how many bars
    each of the three may claim, at most ROWS. before: the factor of p in the residual, and the residual's total mass.
    """
    weight = 1.0 if before is None else before[0]
    sums, count = slot[:3], len(slot) // 3 - 1
    ids = [int(token) for token in slot[3 : 3 + count]]
    p_and_q = dict(zip(ids, zip(slot[3 + count : -count], slot[-count:], strict=True), strict=True))
    rows = (count - 2) // 3
    top = [ids[start : start + min(most, rows)] for start in range(2, count, rows)]
    certain = {*must_show, *(token for token in top[2] if weight * p_and_q[token][0] > p_and_q[token][1])}

    def order(token: int) -> tuple[float, int]:
        return -max(p_and_q[token]), token

    likely = {token for which in (0, 1) for token in top[which] if p_and_q[token][which]}
    optional = sorted(likely - certain, key=order)
    tokens = sorted([*certain, *optional[: MOST_BARS - len(certain)]], key=order)
    shown = [p_and_q[token] for token in tokens]
    hidden = [max(0.0, whole - part) for whole, part in zip(sums, _sums(shown), strict=True)]
    residuals = [max(0.0, weight * one - other) for one, other in shown]
    missed = hidden[0] - hidden[2] if before is None else before[1] - sum(residuals)
    return View(
        bars=tuple(
            Bar(token, piece(token), _six_digits(one), _six_digits(other), _six_digits(residual))
            for token, (one, other), residual in zip(tokens, shown, residuals, strict=True)
        ),
        rest=Rest(size - len(tokens), *map(_six_digits, [*hidden, max(0.0, missed)])),
        overlap=_six_digits(sums[2]),
    )


def _sums(shown: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The sums of p, of q and of min(p, q)."""
    return sum(p for p, _ in shown), sum(q for _, q in shown), sum(map(min, shown))


def verdicts(
    proposal: Proposal, found: RoundNumbers, judgement: Judgement, piece: Piece | None
) -> tuple[TokenVerdict, ...]:
    """Every drafted token of the round with what became of it."""
    tree, draw = proposal.tree, judgement.draw
    verdicts = []
    for node, (guess, depth, test) in enumerate(zip(proposal.guesses, tree.depths(), judgement.tests, strict=True)):
        token = guess.token
        view, (low, high) = NO_VIEW, found.segments[node]
        if piece is not None:
            must_show = [token, draw.token] if draw and draw.node == node else [token]
            view = _view(
                found.slots[node], found.size, must_show, ROWS if test else ROWS_UNTESTED, piece, found.before[node]
            )
        verdicts.append(
            TokenVerdict(
                node=node,
                parent=guess.parent,
                depth=depth,
                token=token,
                text="" if piece is None else piece(token),
                verdict=Verdict.UNTESTED if test is None else Verdict.ACCEPTED if test.won else Verdict.REJECTED,
                law=LawKind.ROW if guess.q is None else guess.q.kind,
                p=found.p[node],
                q=found.q[node],
                draft_u=guess.u,
                low=low,
                high=high,
                accept_prob=test and test.accept_prob,
                u=test and test.u,
                weight=test and test.weight,
                mass=test and test.mass,
                p_entropy=_six_digits(found.p_entropies[node]),
                q_entropy=_six_digits(found.q_entropies[node]),
                source=_source(guess.source, piece),
                view=view,
                entropy=test.entropy if test else 0.0,
            )
        )
    return tuple(verdicts)


def _source(source: Source, piece: Piece | None) -> Source:
    """With its inner guess's text."""
    if source.inner is None or piece is None:
        return source
    return replace(source, inner=replace(source.inner, text=piece(source.inner.token)))


def scouts(read: Scouts | None, piece: Piece | None) -> tuple[Scout, ...]:
    """What the pass read besides the guesses."""
    if read is None:
        return ()
    both = zip(read.tokens, read.depths, strict=True)
    return tuple(Scout(token, "" if piece is None else piece(token), depth) for token, depth in both)


def extra(
    found: RoundNumbers, judgement: Judgement, verdicts: Sequence[TokenVerdict], piece: Piece | None
) -> Extra | None:
    """The target's own token of the round, if there is one.

    Args:
        verdicts: the round's verdicts. A resampled token shares the view of the rejected guess.
    """
    draw = judgement.draw
    if draw is None:
        return None
    if draw.node is not None:
        shown = verdicts[draw.node].view
    else:
        shown = NO_VIEW if piece is None else _view(found.slots[-1], found.size, [draw.token], ROWS, piece)
    p, low, high = found.own
    return Extra(
        token=draw.token,
        text="" if piece is None else piece(draw.token),
        emission=draw.emission,
        p=p,
        u=draw.u,
        low=low,
        high=high,
        view=shown,
        zero_residual=draw.zero_residual,
        node=draw.node,
    )


def _six_digits(value: float) -> float:
    return value and float(f"{value:.6g}")
