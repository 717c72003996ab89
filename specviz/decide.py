"""What becomes of a round's guesses, decided where that is fastest.

Here: the target's laws are in main memory. There: they stay on a GPU. Then everything that a round may come to is made
there before anybody knows what it will come to, and a few numbers a token cross, once.
"""

import dataclasses
from collections.abc import Sequence, Set
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from specviz.accept.base import AcceptRule, Judgement
from specviz.chance import At, Chance, Flip, Floats, Pick, Purpose, Seeded, invert_there, segments_there
from specviz.draft.base import Proposal
from specviz.record import Numbers, gather, numbers
from specviz.sampling import Sampling, check, entropy, probabilities, residual, row, rows, stacked
from specviz.tree import DraftTree


class Laws(Protocol):
    """The target's laws after the pending token and after each guess. They have been waited for."""

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        """See `AcceptRule.judge`."""
        ...

    def numbers(self, judgement: Judgement) -> Numbers:
        """What is told of a round that is shown."""
        ...


def laws(
    logits: Tensor,
    sampling: Sampling,
    proposal: Proposal,
    rule: AcceptRule,
    chance: Chance,
    position: int,
    *,
    shown: bool,
) -> Laws:
    """What the target says of a proposal.

    Args:
        logits: [n + 1, V].
        position: index in the text of the first guess.
        shown: whether the round's figures will be looked at.

    Raises:
        ValueError: a row holds NaN or no finite logit.
    """
    if far(logits) and rule.local and proposal.tree.is_chain and isinstance(chance, Seeded):
        return There(probabilities(logits, sampling), proposal, chance, position, shown=shown)
    return Here(rows(logits, sampling), proposal, chance)


def pick(logits: Tensor, sampling: Sampling, chance: Chance, at: At) -> int:
    """A token by logits[V], as a round without guesses draws it. Raises ValueError: see `laws`."""
    if not far(logits) or not isinstance(chance, Seeded):
        return chance.pick(row(logits, sampling), at).token
    probs = probabilities(logits[None], sampling)
    u = torch.tensor([chance.uniform(at)], dtype=torch.float64).to(probs.device)
    first, token = torch.cat([probs[:, 0], invert_there(probs, u)[0]]).cpu().tolist()
    check([first])
    return int(token)


def far(logits: Tensor) -> bool:
    """Whether they are behind something that has to be waited for."""
    return logits.is_cuda


class Here:
    """Laws in main memory."""

    def __init__(self, p: Sequence[Floats], proposal: Proposal, chance: Chance) -> None:
        self._p, self._chance = p, chance
        q = proposal.q
        self._proposal = proposal._replace(q=list(q.cpu().numpy())) if isinstance(q, Tensor) else proposal

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        return rule.judge(self._proposal, self._p, position, ends, self._chance)

    def numbers(self, judgement: Judgement) -> Numbers:
        return numbers(self._proposal, self._p, judgement)


class There:
    """Laws where they were made: of a chain, under a rule whose tests need p and q of the guesses alone.

    The target's own token is drawn for every end the round may have, by the number that end would use; all but one of
    these draws are forgotten, and their numbers stay unused.
    """

    def __init__(self, p: Tensor, proposal: Proposal, chance: Seeded, position: int, *, shown: bool) -> None:
        tree, self._proposal, self._chance = proposal.tree, proposal, chance
        self._size = p.shape[-1]
        n = len(tree)
        ats = [At(position + node, Purpose.RESAMPLE) for node in range(n)] + [At(position + n, Purpose.BONUS)]
        given = torch.tensor([*tree.tokens, *map(chance.peek, ats)], dtype=torch.float64).to(p.device)
        tokens, us, q = given[:n].long(), given[n:], stacked(proposal.q, self._size).to(p.device)
        left, empty = residual(p[:-1], q)
        drawn, low, high = invert_there(torch.cat([left, p[-1:]]), us)
        segments = segments_there(q, tokens) if shown else q.new_empty(0)
        q = functional.pad(q, (0, 0, 0, 1))  # behind the last guess nobody guessed
        own = [drawn, p.gather(1, drawn[:, None])[:, 0], low, high, functional.pad(empty, (0, 1))]
        told = [p[:, :1], p[:, tokens], q[:, tokens], torch.stack(own, 1)]
        if shown:
            must_show = torch.stack([torch.cat([tokens, drawn[-1:]]), drawn], 1)
            entropies = [entropy(law.float())[:, None] for law in (p, q)]
            told += [functional.pad(segments, (0, 0, 0, 1)), *entropies, gather(p, q, must_show)]
        table = torch.cat(told, 1).cpu()
        check(table[:, 0].tolist())
        self._of_guesses = table[:, 1 : 1 + n], table[:-1, 1 + n : 1 + 2 * n]
        self._own: list[list[float]] = table[:, 1 + 2 * n : 6 + 2 * n].tolist()
        self._rest: list[list[float]] = table[:, 6 + 2 * n :].tolist()

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        """The rule is asked over a vocabulary of the guesses alone, and draws what was drawn."""
        p, q = self._of_guesses
        tokens = self._proposal.tree.tokens
        alone = self._proposal._replace(tree=DraftTree.chain(range(len(tokens))), q=list(q.numpy()))
        last = {node for node, token in enumerate(tokens) if token in ends}
        drawn = _Drawn(self._chance, {position + end: int(own[0]) for end, own in enumerate(self._own)})
        found = rule.judge(alone, list(p.numpy()), position, last, drawn)
        draw = found.draw
        if draw:
            end = len(tokens) if draw.node is None else draw.node
            draw = draw._replace(zero_residual=bool(self._own[end][4]))
        return Judgement(found.tests, found.path, draw, ())

    def numbers(self, judgement: Judgement) -> Numbers:
        p, q = (law.diagonal().tolist() for law in self._of_guesses)
        draw, n = judgement.draw, len(p)
        _, own_p, low, high, _ = self._own[n if draw is None or draw.node is None else draw.node]
        return Numbers(
            p=p,
            q=q,
            p_entropies=[row[2] for row in self._rest[:n]],
            q_entropies=[row[3] for row in self._rest[:n]],
            segments=[(row[0], row[1]) for row in self._rest[:n]],
            slots=[row[4:] for row in self._rest],
            size=self._size,
            own=(own_p, low, high),
        )


@dataclasses.dataclass(frozen=True, slots=True)
class _Drawn:
    """A run's own chance, but that what it picks at each position was picked before, by the number it uses up now."""

    chance: Seeded
    tokens: dict[int, int]

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return self.chance.flip(weight, scale, at)

    def pick(self, probs: Floats, at: At) -> Pick:
        return Pick(self.tokens[at.position], self.chance.uniform(at))
