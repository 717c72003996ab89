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
    excess = (p - q).clamp(min=0)
    overlap = torch.minimum(p, q)
    most = min(rows, p.shape[0])
    tops = [[token for token in law.topk(most).indices.tolist() if law[token] > 0] for law in (excess, p, q)]
    height = torch.maximum(p, q)
    certain = {*must_show, *tops[0]}
    optional = sorted({*tops[1], *tops[2]} - certain, key=lambda token: (-float(height[token]), token))
    tokens = torch.tensor(sorted([*certain, *optional[: MOST_BARS - len(certain)]]))
    tokens = tokens[torch.argsort(height[tokens], descending=True, stable=True)]
    laws = torch.stack([p, q, overlap, excess])
    shown = laws[:, tokens].T.tolist()
    hidden = laws.clone()
    hidden[:, tokens] = 0
    rest = [_six(value) for value in hidden.sum(1).tolist()]
    return View(
        bars=tuple(
            Bar(token, piece(token), _six(row[0]), _six(row[1]), _six(row[3]))
            for token, row in zip(tokens.tolist(), shown, strict=True)
        ),
        rest=Rest(p.shape[0] - len(tokens), *rest),
        overlap=_six(float(overlap.sum())),
    )


def verdicts(proposal: Proposal, probs: Tensor, judgement: Judgement, piece: Piece | None) -> tuple[TokenVerdict, ...]:
    """Every drafted token of the round with what became of it."""
    tree = proposal.tree
    parents = torch.tensor(tree.parents, dtype=torch.long)
    before = [test.p if test else probs[parent + 1] for test, parent in zip(judgement.tests, tree.parents, strict=True)]
    p_entropies = [0.0] * len(tree) if piece is None else entropy(probs[parents + 1]).tolist()
    q_entropies = [0.0] * len(tree) if piece is None else entropy(proposal.q).tolist()
    out = []
    for node, (token, depth, test) in enumerate(zip(tree.tokens, tree.depths(), judgement.tests, strict=True)):
        p, q = before[node], proposal.q[node]
        p_token, q_token = float(p[token]), float(q[token])
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


def extra(proposal: Proposal, probs: Tensor, judgement: Judgement, piece: Piece | None) -> Extra | None:
    """The target's own token of the round, if it got one."""
    draw = judgement.draw
    if draw is None:
        return None
    if draw.node is None:
        end = judgement.path[-1] if judgement.path else ROOT
        p, q = probs[end + 1], torch.zeros_like(probs[end + 1])
        shown = view(p, q, [draw.token], piece)
    else:
        test = judgement.tests[draw.node]
        assert test is not None, "a rejected node was tested"
        p, q = probs[proposal.tree.parents[draw.node] + 1], proposal.q[draw.node]
        shown = view(test.p, q, [proposal.tree.tokens[draw.node], draw.token], piece)
    low, high = (0.0, 0.0) if piece is None else segment(draw.law, draw.token)
    return Extra(
        token=draw.token,
        text="" if piece is None else piece(draw.token),
        emission=draw.emission,
        p=float(p[draw.token]),
        u=draw.u,
        low=low,
        high=high,
        view=shown,
        zero_residual=draw.zero_residual,
    )


def _six(value: float) -> float:
    return float(f"{value:.6g}")
