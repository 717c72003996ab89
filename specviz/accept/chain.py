"""Judges a run's chain with plain floats, because that is faster. `TokenRule.walk` defines what is right.

tests/unit/test_walk.py checks that both give the same numbers.
"""

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from specviz.accept.base import Draw, Judgement, Trial
from specviz.arrays import Floats
from specviz.chance import At, Chance, Purpose
from specviz.draft.base import Proposal
from specviz.trace.guess import Emission

if TYPE_CHECKING:
    from specviz.accept.token_rule import TokenRule


def judge_chain(
    rule: "TokenRule", proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
) -> Judgement:
    """See `AcceptRule.judge`. A chain has no branches to search."""
    guesses = proposal.guesses
    size, accepted, rejected, empty = len(guesses), 0, None, False
    tests: list[Trial | None] = [None] * size
    tested: list[Floats] = []
    for node, guess in enumerate(guesses):
        row, q, token = p[node], guess.q, guess.token
        assert q is not None, "q is in main memory"
        tested.append(row)
        won, u = rule.test(row, q, token, At(position + node, Purpose.ACCEPT), chance)
        tests[node] = Trial(won, u, rule.accept_prob(row, q, token))
        if not won:
            left, empty = rule.residual(row, q)
            tested.append(left)
            rejected = node
            break
        accepted += 1
        if token in ends:
            return Judgement(tuple(tests), tuple(range(accepted)), None, tested)
    else:
        tested.append(p[size])
    bonus = rejected is None
    token, u = chance.pick(tested[-1], At(position + accepted, Purpose.BONUS if bonus else Purpose.RESAMPLE))
    emission = Emission.BONUS if bonus else Emission.RESAMPLED
    return Judgement(tuple(tests), tuple(range(accepted)), Draw(token, u, emission, rejected, empty), tested)
