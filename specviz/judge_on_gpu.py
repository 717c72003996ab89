"""Judges a chain whose rows a GPU holds.

All possible outcomes are computed there first; one small table is copied back. This exists because it is fast. The
acceptance rule defines what is right, and tests/unit/test_judge.py compares the two.
"""

import dataclasses
from collections.abc import Set

import torch
from torch import Tensor
from torch.nn import functional

from specviz.accept.base import AcceptRule, Judgement
from specviz.arrays import Floats
from specviz.chance import At, Flip, Pick, Purpose, Seeded
from specviz.draft.base import Proposal
from specviz.law import Row
from specviz.record import RoundNumbers, gather
from specviz.ruler import invert_on_device, segments_on_device
from specviz.sampling import check, entropy, residual, stacked
from specviz.tree import DraftTree


class OnGpu:
    """A round whose rows stay on the GPU. For a chain whose guesses were all drawn, and a rule that is `local`.

    The target's own token is drawn for every way the round may end, with the number that this end would use. All but
    one of these draws are dropped, and their numbers are not consumed.
    """

    def __init__(self, p: Tensor, proposal: Proposal, chance: Seeded, position: int, *, shown: bool) -> None:
        tree, self._proposal, self._chance = proposal.tree, proposal, chance
        self._size = p.shape[-1]
        n = len(tree)
        ats = [At(position + node, Purpose.RESAMPLE) for node in range(n)] + [At(position + n, Purpose.BONUS)]
        given = torch.tensor([*tree.tokens, *map(chance.peek, ats)], dtype=torch.float64).to(p.device)
        tokens, us, q = given[:n].long(), given[n:], _rows(proposal, self._size).to(p.device)
        left, empty = residual(p[:-1], q)
        drawn, low, high = invert_on_device(torch.cat([left, p[-1:]]), us)
        segments = segments_on_device(q, tokens) if shown else q.new_empty(0)
        q = functional.pad(q, (0, 0, 0, 1))  # the row behind the last guess has no q
        own = [drawn, p.gather(1, drawn[:, None])[:, 0], low, high, functional.pad(empty, (0, 1))]
        columns = [p[:, :1], p[:, tokens], q[:, tokens], torch.stack(own, 1)]
        if shown:
            must_show = torch.stack([torch.cat([tokens, drawn[-1:]]), drawn], 1)
            entropies = [entropy(law.float())[:, None] for law in (p, q)]
            columns += [functional.pad(segments, (0, 0, 0, 1)), *entropies, gather(p, q, must_show)]
        table = torch.cat(columns, 1).cpu()
        check(table[:, 0].tolist())
        self._of_guesses = table[:, 1 : 1 + n], table[:-1, 1 + n : 1 + 2 * n]
        self._own: list[list[float]] = table[:, 1 + 2 * n : 6 + 2 * n].tolist()
        self._rest: list[list[float]] = table[:, 6 + 2 * n :].tolist()

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        """Asks the rule over a small vocabulary that holds only the guesses.

        Where the rule draws the target's own token, it gets the token that was drawn on the GPU.
        """
        p, q = self._of_guesses
        tokens = self._proposal.tree.tokens
        guesses = zip(self._proposal.guesses, q.numpy(), strict=True)
        small = self._proposal._replace(
            guesses=tuple(guess._replace(token=node, law=Row(row)) for node, (guess, row) in enumerate(guesses)),
            tree=DraftTree.chain(range(len(tokens))),
            gpu_q=None,
        )
        last = {node for node, token in enumerate(tokens) if token in ends}
        drawn = _Drawn(self._chance, {position + end: int(own[0]) for end, own in enumerate(self._own)})
        found = rule.judge(small, list(p.numpy()), position, last, drawn)
        draw = found.draw
        if draw:
            end = len(tokens) if draw.node is None else draw.node
            draw = draw._replace(zero_residual=bool(self._own[end][4]))
        return Judgement(found.tests, found.path, draw, ())

    def numbers(self, judgement: Judgement) -> RoundNumbers:
        p, q = (law.diagonal().tolist() for law in self._of_guesses)
        draw, n = judgement.draw, len(p)
        _, own_p, low, high, _ = self._own[n if draw is None or draw.node is None else draw.node]
        return RoundNumbers(
            p=p,
            q=q,
            p_entropies=[row[2] for row in self._rest[:n]],
            q_entropies=[row[3] for row in self._rest[:n]],
            segments=[(row[0], row[1]) for row in self._rest[:n]],
            slots=[row[4:] for row in self._rest],
            size=self._size,
            own=(own_p, low, high),
            before=(None,) * n,
        )


def _rows(proposal: Proposal, size: int) -> Tensor:
    """The guesses' q, float64[n, V]."""
    return stacked([law.dense(size) for law in proposal.laws], size) if proposal.gpu_q is None else proposal.gpu_q


@dataclasses.dataclass(frozen=True, slots=True)
class _Drawn:
    """Replays picks made on the GPU, and consumes their random numbers."""

    chance: Seeded
    tokens: dict[int, int]

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return self.chance.flip(weight, scale, at)

    def pick(self, probs: Floats, at: At) -> Pick:
        return Pick(self.tokens[at.position], self.chance.uniform(at))
