"""A round's tensors as the plain data a trace keeps: top rows, the rest summed token by token."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from specviz.accept.base import Judgement
from specviz.chance import segment
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


def view(p: Tensor, q: Tensor, must_show: Sequence[int], piece: Piece | None, rows: int = ROWS) -> View:
    """p and q, float64[V], as bars for the largest of p, q and max(0, p - q), and one bucket for the rest.

    Bars stand by max(p, q), largest first, ties by id; tokens in must_show always get one.
    """
    if piece is None:
        return UNSEEN
    both = torch.minimum(p, q)
    missed, *largest = (_top(law, rows) for law in (p - both, p, q))
    certain = {*must_show, *missed}
    p_of, q_of = p.numpy(), q.numpy()

    def order(token: int) -> tuple[float, int]:
        return -max(p_of[token], q_of[token]), token

    optional = sorted({*largest[0], *largest[1]} - certain, key=order)
    tokens = sorted([*certain, *optional[: MOST_BARS - len(certain)]], key=order)
    shown = [(float(p_of[token]), float(q_of[token])) for token in tokens]
    sums = [float(law.sum()) for law in (p, q, both)]
    hidden = [max(0.0, total - part) for total, part in zip(sums, _sums(shown), strict=True)]
    return View(
        bars=tuple(
            Bar(token, piece(token), _six(one), _six(other), _six(max(0.0, one - other)))
            for token, (one, other) in zip(tokens, shown, strict=True)
        ),
        rest=Rest(len(p) - len(tokens), *map(_six, [*hidden, max(0.0, hidden[0] - hidden[2])])),
        overlap=_six(sums[2]),
    )


def _top(law: Tensor, rows: int) -> list[int]:
    """The ids of the largest, those of weight 0 left out."""
    top = law.topk(min(rows, len(law)))
    return [token for token, weight in zip(top.indices.tolist(), top.values.tolist(), strict=True) if weight]


def _sums(shown: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Of p, of q, of the smaller of the two."""
    return sum(p for p, _ in shown), sum(q for _, q in shown), sum(map(min, shown))


def verdicts(proposal: Proposal, probs: Tensor, judgement: Judgement, piece: Piece | None) -> tuple[TokenVerdict, ...]:
    """Every drafted token of the round with what became of it."""
    tree = proposal.tree
    parents = torch.tensor(tree.parents, dtype=torch.long)
    before = [test.p if test else probs[parent + 1] for test, parent in zip(judgement.tests, tree.parents, strict=True)]
    nothing = [0.0] * len(tree)
    p_entropies = nothing if piece is None else entropy(probs[parents + 1].float()).tolist()
    q_entropies = nothing if piece is None else entropy(proposal.q.float()).tolist()
    out = []
    for node, (token, depth, test) in enumerate(zip(tree.tokens, tree.depths(), judgement.tests, strict=True)):
        p, q = before[node], proposal.q[node]
        p_token, q_token = float(p.numpy()[token]), float(q.numpy()[token])
        emitted = [judgement.draw.token] if judgement.draw and judgement.draw.node == node else []
        out.append(
            TokenVerdict(
                node=node,
                parent=tree.parents[node],
                depth=depth,
                token=token,
                text="" if piece is None else piece(token),
                verdict=Verdict.UNTESTED if test is None else Verdict.ACCEPTED if test.won else Verdict.REJECTED,
                p=p_token,
                q=q_token,
                draft_u=proposal.us[node],
                accept_prob=None if test is None else test.keeps,
                u=None if test is None else test.u,
                p_entropy=_six(p_entropies[node]),
                q_entropy=_six(q_entropies[node]),
                evidence=proposal.evidence[node],
                view=view(p, q, [token, *emitted], piece, ROWS if test else ROWS_UNTESTED),
            )
        )
    return tuple(out)


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
        shown = view(p, torch.zeros_like(p), [draw.token], piece)
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
