"""Judges a round where that is fastest: in main memory, or on the GPU that holds the target's rows."""

from collections.abc import Sequence, Set
from typing import Protocol

import torch
from torch import Tensor

from specviz.accept.base import AcceptRule, Judgement
from specviz.arrays import Floats
from specviz.chance import At, Chance, Seeded
from specviz.draft.base import Proposal
from specviz.judge_on_gpu import OnGpu
from specviz.record import RoundNumbers, round_numbers
from specviz.ruler import invert_on_device
from specviz.sampling import Sampling, check, on_gpu, probabilities, row, rows
from specviz.verify import Scores


class ScoredRound(Protocol):
    """A round's guesses with the target's rows after the pending token and after each guess, ready to be judged."""

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        """See `AcceptRule.judge`."""
        ...

    def numbers(self, judgement: Judgement) -> RoundNumbers:
        """What the record of a shown round needs."""
        ...


def scored(
    scores: Scores,
    sampling: Sampling,
    proposal: Proposal,
    rule: AcceptRule,
    chance: Chance,
    position: int,
    *,
    shown: bool,
) -> ScoredRound:
    """What the target says about a proposal. Waits for the device.

    Args:
        scores: for the pending token, every guess and every scout.
        position: index in the text of the first guess.
        shown: whether the round's figures will be looked at.

    Raises:
        ValueError: a row holds NaN or no finite logit.
    """
    logits = scores.logits[: len(proposal.tree) + 1]
    if on_gpu(logits) and rule.local and isinstance(chance, Seeded):
        return OnGpu(probabilities(logits, sampling), proposal, chance, position, shown=shown)
    return InMemory(rows(logits, sampling), proposal, chance)


def pick(logits: Tensor, sampling: Sampling, chance: Chance, at: At) -> int:
    """Draws a token from logits[V], as a round without guesses would. Raises ValueError: see `scored`."""
    if not on_gpu(logits) or not isinstance(chance, Seeded):
        return chance.pick(row(logits, sampling), at).token
    probs = probabilities(logits[None], sampling)
    u = torch.tensor([chance.uniform(at)], dtype=torch.float64).to(probs.device)
    first, token = torch.cat([probs[:, 0], invert_on_device(probs, u)[0]]).cpu().tolist()
    check([first])
    return int(token)


class InMemory:
    """A round whose rows are in main memory."""

    def __init__(self, p: Sequence[Floats], proposal: Proposal, chance: Chance) -> None:
        self._p, self._chance = p, chance
        self._proposal = proposal.in_memory()

    def judge(self, rule: AcceptRule, position: int, ends: Set[int]) -> Judgement:
        return rule.judge(self._proposal, self._p, position, ends, self._chance)

    def numbers(self, judgement: Judgement) -> RoundNumbers:
        return round_numbers(self._proposal, self._p, judgement)
