"""Judges a round whose rows a GPU holds.

All possible outcomes are computed there first; a few numbers for each guess are copied back, once. This exists because
it is fast. The acceptance rule defines what is right, and tests/unit/test_judge.py compares the two.
"""

import dataclasses
from collections.abc import Set

import numpy as np
import torch
from torch import Tensor

from specviz.accept.base import AcceptRule, Judgement
from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Flip, Pick, Purpose, Seeded
from specviz.config import LawKind
from specviz.draft.base import Proposal
from specviz.law import Row, Rows
from specviz.record import RoundNumbers, gather
from specviz.ruler import invert_on_device, segments_on_device
from specviz.sampling import check, entropy, residual, stacked
from specviz.tree import ROOT, DraftTree


class OnGpu:
    """A round whose rows stay on the GPU, for a rule that is `local`.

    A round ends at a place: the pending token, or a guess. There the target draws its own token, from the row of a
    place without guesses, else from what the rejection of the last guess there leaves. It is drawn for every place,
    with the number that this end would use. All but one of these draws are dropped, and their numbers are not consumed.
    """

    def __init__(self, p: Tensor, proposal: Proposal, chance: Seeded, position: int, *, shown: bool) -> None:
        tree, self._proposal, self._chance = proposal.tree, proposal, chance
        self._size, n = p.shape[-1], len(tree)
        last = {parent: node for node, parent in enumerate(tree.parents)}
        ranks = [tree.parents[:node].count(parent) for node, parent in enumerate(tree.parents)]
        purposes = [Purpose.RESAMPLE if place in last else Purpose.BONUS for place in range(ROOT, n)]
        starts = [position, *(position + depth + 1 for depth in tree.depths())]
        us = [chance.peek(At(*at)) for at in zip(starts, purposes, strict=True)]
        packed = torch.tensor([*tree.tokens, *tree.parents, *us], dtype=torch.float64).to(p.device)
        tokens, parents = packed[:n].long(), packed[n : 2 * n].long()
        q = _rows(proposal, tokens, self._size)
        rows = p[parents + 1]
        before, left, empty = _siblings(rows, q, tree, ranks)
        ends, nothing = p.clone(), torch.zeros(n + 1, dtype=torch.bool, device=p.device)
        places, fallen = (torch.tensor([*each], dtype=torch.long).to(p.device) for each in (last.keys(), last.values()))
        ends[places + 1], nothing[places + 1] = left[fallen], empty[fallen]
        drawn, low, high = invert_on_device(ends, packed[2 * n :])
        own = torch.stack([drawn, p.gather(1, drawn[:, None])[:, 0], low, high, nothing], 1)
        parts = [p[:, 0], own, p[:, tokens], q[:, tokens], left[:, tokens]]
        self._later = [node for node in range(n) if ranks[node]]
        """Guesses that are tested against something else than the target's row, if they are tested."""
        self._leaves = [place for place in range(ROOT, n) if place not in last]
        if shown:
            later, leaves = (torch.tensor(each, dtype=torch.long).to(p.device) for each in (self._later, self._leaves))
            must_show = torch.stack([tokens, torch.where(_last(n, fallen), drawn[parents + 1], tokens)], 1)
            bonus, free = p[leaves + 1], drawn[leaves + 1]
            parts += [segments_on_device(q, tokens), entropy(rows.float()), entropy(q.float())]
            parts += [gather(before, q, must_show), gather(rows[later], q[later], must_show[later])]
            parts += [gather(bonus, torch.zeros_like(bonus), torch.stack([free, free], 1))]
        firsts, *self._parts = _copied(parts)
        check(firsts.tolist())

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        """Asks the rule over a small vocabulary that holds only the guesses.

        Where the rule draws the target's own token, it gets the token that was drawn on the GPU.
        """
        own, p, q, left = (part.numpy() for part in self._parts[:4])
        tree, empty = self._proposal.tree, own[:, 4] > 0
        guessed = [_GuessedRow(*rows) for rows in zip(q, left, strict=True)]
        small = self._proposal._replace(
            guesses=tuple(
                guess._replace(token=node, q=row)
                for node, (guess, row) in enumerate(zip(self._proposal.guesses, guessed, strict=True))
            ),
            tree=DraftTree(tuple(range(len(tree))), tree.parents),
            gpu_q=None,
        )
        last = {node for node, token in enumerate(tree.tokens) if token in ends}
        found = rule.judge(small, list(p), position, last, _ReplayedPicks(self._chance))
        draw = found.draw
        if draw:
            end = (found.path or (ROOT,))[-1] + 1
            draw = draw._replace(token=int(own[end, 0]), zero_residual=bool(empty[end]))
        return Judgement(found.tests, found.path, draw, ())

    def numbers(self, judgement: Judgement) -> RoundNumbers:
        own, p, q, left, segments, p_entropies, q_entropies, tested, plain, bonus = self._parts
        tree, draw, n = self._proposal.tree, judgement.draw, len(self._proposal.tree)
        end = (judgement.path or (ROOT,))[-1]
        slots, found = tested.tolist(), []
        for node, parent in enumerate(tree.parents):
            elder = [other for other in tree.children(parent) if other < node]
            found.append((left[elder[-1]] if elder and judgement.tests[node] else p[parent + 1])[node].item())
        for node, row in zip(self._later, plain.tolist(), strict=True):
            if not judgement.tests[node]:
                slots[node] = row
        if draw and draw.node is None:
            slots.append(bonus[self._leaves.index(end)].tolist())
        _, own_p, low, high, _ = own[end + 1].tolist()
        return RoundNumbers(
            p=found,
            q=q.diagonal().tolist(),
            p_entropies=p_entropies.tolist(),
            q_entropies=q_entropies.tolist(),
            segments=[(low, high) for low, high in segments.tolist()],
            slots=slots,
            size=self._size,
            own=(own_p, low, high),
            before=(None,) * n,
        )


def _rows(proposal: Proposal, tokens: Tensor, size: int) -> Tensor:
    """The guesses' q, float64[n, V], where the tokens are."""
    if proposal.gpu_q is not None:
        return proposal.gpu_q.to(tokens.device)
    drawn = [node for node, q in enumerate(proposal.q) if q.kind is LawKind.ROW]
    q = torch.zeros(len(tokens), size, dtype=torch.float64, device=tokens.device).scatter_(1, tokens[:, None], 1.0)
    if drawn:
        rows = stacked([proposal.q[node].dense(size) for node in drawn], size)
        q[torch.tensor(drawn).to(q.device)] = rows.to(q.device)
    return q


def _siblings(rows: Tensor, q: Tensor, tree: DraftTree, ranks: list[int]) -> tuple[Tensor, Tensor, Tensor]:
    """What each guess is tested against, what its rejection leaves of that, and whether nothing was left.

    Siblings come one after the other, all places at once.
    """
    before, left = rows.clone(), torch.empty_like(rows)
    empty = torch.zeros(len(rows), dtype=torch.bool, device=rows.device)
    latest: dict[int, int] = {}
    for rank in range(max(ranks, default=-1) + 1):
        nodes = [node for node, each in enumerate(ranks) if each == rank]
        at = torch.tensor(nodes).to(rows.device)
        if rank:
            before[at] = left[torch.tensor([latest[tree.parents[node]] for node in nodes]).to(rows.device)]
        left[at], empty[at] = residual(before[at], q[at])
        latest |= {tree.parents[node]: node for node in nodes}
    return before, left, empty


def _last(n: int, nodes: Tensor) -> Tensor:
    """bool[n], true at these nodes."""
    return torch.zeros(n, dtype=torch.bool, device=nodes.device).index_fill_(0, nodes, value=True)


def _copied(parts: list[Tensor]) -> list[Tensor]:
    """Tensors in main memory, copied as one."""
    whole = torch.cat([part.double().flatten() for part in parts]).cpu()
    pieces = whole.split([part.numel() for part in parts])
    return [piece.view(part.shape) for piece, part in zip(pieces, parts, strict=True)]


@dataclasses.dataclass(slots=True)
class _GuessedRow(Row):
    """A row over the guesses' tokens alone, with what its guess's rejection leaves of p at these tokens."""

    left: Floats

    def residual(self, p: Floats) -> tuple[Floats, bool]:
        return self.left, False

    def as_batch(self) -> "_GuessedRows":
        return _GuessedRows(self.probs[None], self.left[None])


@dataclasses.dataclass(slots=True)
class _GuessedRows(Rows):
    """A batch of one `_GuessedRow`, or of none."""

    left: Floats

    def residual(self, p: Floats) -> tuple[Floats, Bools]:
        return self.left, np.zeros(len(self.left), dtype=bool)

    def subset(self, rows: Ids) -> "_GuessedRows":
        return _GuessedRows(self.probs[rows], self.left[rows])


@dataclasses.dataclass(frozen=True, slots=True)
class _ReplayedPicks:
    """Repeats picks that were made on the GPU, and consumes their random numbers."""

    chance: Seeded

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return self.chance.flip(weight, scale, at)

    def pick(self, probs: Floats, at: At) -> Pick:
        return Pick(0, self.chance.uniform(at))
