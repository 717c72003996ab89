"""A round's tensors as the plain data a trace keeps: top rows, the rest summed token by token."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from specviz.accept.base import Judgement
from specviz.chance import Floats, segment
from specviz.draft.base import Proposal
from specviz.sampling import entropy
from specviz.trace import Bar, Extra, Rest, TokenVerdict, Verdict, View
from specviz.tree import ROOT

Piece = Callable[[int], str]
"""A token's own text."""

ROWS = 5
"""Bars each of p, q and the residual may claim; an untested slot gets fewer, it decides nothing."""
ROWS_UNTESTED = 2
MOST_BARS = 12
UNSEEN = View((), Rest(0, 0.0, 0.0, 0.0, 0.0), 0.0)
"""In the place of a view, in rounds that are timed and never shown."""


def views(
    p: Tensor, q: Tensor, must_show: Sequence[Sequence[int]], rows: Sequence[int], piece: Piece | None
) -> list[View]:
    """p and q, float64[n, V], as bars for the largest of p, q and max(0, p - q), and one bucket for the rest.

    Bars stand by max(p, q), largest first, ties by id; tokens in must_show always get one. rows: how many each of the
    three may claim, at most ROWS.
    """
    if piece is None:
        return [UNSEEN] * len(p)
    both = torch.minimum(p, q)
    tops = zip(*map(_tops, (p, q, p - both)), strict=True)
    sums = zip(*(law.sum(-1).tolist() for law in (p, q, both)), strict=True)
    slots = zip(p.numpy(), q.numpy(), must_show, rows, tops, sums, strict=True)
    return [
        _view(p_of, q_of, must, [ids[:most] for ids in top], whole, piece)
        for p_of, q_of, must, most, top, whole in slots
    ]


def _view(
    p_of: Floats, q_of: Floats, must_show: Sequence[int], tops: Sequence[list[int]], sums: Sequence[float], piece: Piece
) -> View:
    """tops and sums: the largest of p, of q and of what q missed; what p, q and the smaller of the two sum to."""
    certain = {*must_show, *tops[2]}

    def order(token: int) -> tuple[float, int]:
        return -max(p_of[token], q_of[token]), token

    optional = sorted({*tops[0], *tops[1]} - certain, key=order)
    tokens = sorted([*certain, *optional[: MOST_BARS - len(certain)]], key=order)
    shown = [(float(p_of[token]), float(q_of[token])) for token in tokens]
    hidden = [max(0.0, whole - part) for whole, part in zip(sums, _sums(shown), strict=True)]
    return View(
        bars=tuple(
            Bar(token, piece(token), _six(one), _six(other), _six(max(0.0, one - other)))
            for token, (one, other) in zip(tokens, shown, strict=True)
        ),
        rest=Rest(len(p_of) - len(tokens), *map(_six, [*hidden, max(0.0, hidden[0] - hidden[2])])),
        overlap=_six(sums[2]),
    )


def _tops(laws: Tensor) -> list[list[int]]:
    """The ids of each one's largest, those of weight 0 left out."""
    top = laws.topk(min(ROWS, laws.shape[-1]))
    return [
        [token for token, weight in zip(*both, strict=True) if weight]
        for both in zip(top.indices.tolist(), top.values.tolist(), strict=True)
    ]


def _sums(shown: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Of p, of q, of the smaller of the two."""
    return sum(p for p, _ in shown), sum(q for _, q in shown), sum(map(min, shown))


def verdicts(proposal: Proposal, probs: Tensor, judgement: Judgement, piece: Piece | None) -> tuple[TokenVerdict, ...]:
    """Every drafted token of the round with what became of it."""
    tree, tests, draw = proposal.tree, judgement.tests, judgement.draw
    rows = probs[: len(tree)] if tree.is_chain else probs[[parent + 1 for parent in tree.parents]]
    # What a guess was tested against is the target's row, or what an earlier sibling left of it.
    p = rows if tree.is_chain else torch.stack([test.p if test else row for test, row in zip(tests, rows, strict=True)])
    q = proposal.q
    drawn = [[draw.token] if draw and draw.node == node else [] for node in range(len(tree))]
    must_show = [[token, *more] for token, more in zip(tree.tokens, drawn, strict=True)]
    shown = views(p, q, must_show, [ROWS if test else ROWS_UNTESTED for test in tests], piece)
    p_entropies, q_entropies = ([0.0] * len(tree) if piece is None else _entropies(laws) for laws in (rows, q))
    p_of, q_of = p.numpy(), q.numpy()
    return tuple(
        TokenVerdict(
            node=node,
            parent=tree.parents[node],
            depth=depth,
            token=token,
            text="" if piece is None else piece(token),
            verdict=Verdict.UNTESTED if test is None else Verdict.ACCEPTED if test.won else Verdict.REJECTED,
            p=float(p_of[node, token]),
            q=float(q_of[node, token]),
            draft_u=proposal.us[node],
            accept_prob=None if test is None else test.keeps,
            u=None if test is None else test.u,
            p_entropy=p_entropies[node],
            q_entropy=q_entropies[node],
            evidence=proposal.evidence[node],
            view=shown[node],
        )
        for node, (token, depth, test) in enumerate(zip(tree.tokens, tree.depths(), tests, strict=True))
    )


def _entropies(laws: Tensor) -> list[float]:
    return [_six(nats) for nats in entropy(laws.float()).tolist()]


def extra(
    proposal: Proposal, probs: Tensor, judgement: Judgement, told: Sequence[TokenVerdict], piece: Piece | None
) -> Extra | None:
    """The target's own token of the round, if it got one. told: the round's verdicts, whose rows a resample shares."""
    draw = judgement.draw
    if draw is None:
        return None
    if draw.node is None:
        end = judgement.path[-1] if judgement.path else ROOT
        p = probs[end + 1]
        [shown] = views(p[None], torch.zeros_like(p[None]), [[draw.token]], [ROWS], piece)
    else:
        p, shown = probs[proposal.tree.parents[draw.node] + 1], told[draw.node].view
    low, high = (0.0, 0.0) if piece is None else segment(draw.law, draw.token)
    return Extra(
        token=draw.token,
        text="" if piece is None else piece(draw.token),
        emission=draw.emission,
        p=float(p.numpy()[draw.token]),
        u=draw.u,
        low=low,
        high=high,
        view=shown,
        zero_residual=draw.zero_residual,
    )


def _six(value: float) -> float:
    return float(f"{value:.6g}")
