"""A recorded run decoded once more, for what its trace left out: the laws of a slot over the whole vocabulary.

The same seed makes the same run on the same machine and build; elsewhere it may part from the recording.
"""

from collections.abc import Sequence, Set

from torch import Tensor

from specviz import accept, session
from specviz.accept.base import AcceptRule, Judgement
from specviz.chance import Chance
from specviz.config import ConfigError, RunConfig
from specviz.draft.base import Proposal
from specviz.laws import Laws
from specviz.models.pair import Pair
from specviz.trace import Round


def laws(config: RunConfig, index: int, slot: int, expected: Sequence[Round], pair: Pair | None = None) -> Laws:
    """p and q of one slot, as the acceptance rule was given them. Decodes no further than that round.

    Args:
        index: the round, in range(len(expected)).
        slot: a guess of that round, or their number for the row after the last guess, which has no q.
        expected: the rounds as they were recorded, up to this one at least.

    Raises:
        ConfigError: the config cannot be run, or the run goes differently here.
    """
    witness = _Witness(accept.load(session.RULE))
    run = session.start(config, pair, witness)
    alike = 0
    for step in run:
        if _decided(step) != _decided(expected[step.index]):
            break
        if step.index == index:
            p, q = witness.saw(slot)
            texts = tuple(run.piece(token) for token in range(run.info.vocab_size))
            return Laws(p.tolist(), None if q is None else q.tolist(), texts)
        alike += 1
    raise ConfigError(
        f"this machine decodes the run differently from round {alike + 1} on,"
        " so its full laws are not those of the recording"
    )


class _Witness:
    """An acceptance rule that remembers what it was last given, and what became of it."""

    def __init__(self, rule: AcceptRule) -> None:
        self.name, self.lossless = rule.name, rule.lossless
        self._rule = rule

    def judge(self, proposal: Proposal, probs: Tensor, position: int, ends: Set[int], chance: Chance) -> Judgement:
        judgement = self._rule.judge(proposal, probs, position, ends, chance)
        self._last = proposal, probs, judgement
        return judgement

    def saw(self, slot: int) -> tuple[Tensor, Tensor | None]:
        """p and q of a slot of the last round, float64[V]; p is what the guess was tested against."""
        proposal, probs, judgement = self._last
        if slot == len(proposal.tree):
            return probs[slot], None
        test = judgement.tests[slot]
        return test.p if test else probs[proposal.tree.parents[slot] + 1], proposal.q[slot]


def _decided(step: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a round guessed and what it added to the text."""
    return tuple(verdict.token for verdict in step.verdicts), step.tokens
