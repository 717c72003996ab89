"""What a recorded run measured: each number with its formula. Standard library only.

Three acceptance rates are in use, and they differ; only the first estimates alpha.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from specviz.trace import Emission, Round, Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over the rounds of one or several runs; every rate is None where nothing was counted."""

    rounds: int
    drafted: int
    tested: int
    accepted: int
    emitted: int
    resampled: int
    bonus: int
    zero_residuals: int
    gammas: tuple[int, ...]
    overlap_sum: float

    @property
    def alpha(self) -> float | None:
        """accepted / tested: the share of guesses that stood once they were looked at."""
        return _ratio(self.accepted, self.tested)

    @property
    def accepted_of_drafted(self) -> float | None:
        """accepted / drafted: what the drafter's work was good for."""
        return _ratio(self.accepted, self.drafted)

    @property
    def accepted_of_emitted(self) -> float | None:
        """accepted / emitted: how much of the text the drafter wrote."""
        return _ratio(self.accepted, self.emitted)

    @property
    def tokens_per_pass(self) -> float | None:
        """emitted / rounds: one target pass a round; plain decoding makes 1."""
        return _ratio(self.emitted, self.rounds)

    @property
    def overlap(self) -> float | None:
        """Mean over tested slots of sum min(p, q): what alpha is expected to be (arXiv:2211.17192, corollary 3.6)."""
        return _ratio(self.overlap_sum, self.tested)

    @property
    def mean_gamma(self) -> float | None:
        """drafted / rounds, which the end of the text may pull below the gamma asked for."""
        return _ratio(self.drafted, self.rounds)


def summarize(rounds: Sequence[Round]) -> Summary:
    """Adds up rounds, of one run or of many."""
    seen = Counter(verdict.verdict for step in rounds for verdict in step.verdicts)
    extras = [step.extra for step in rounds if step.extra]
    return Summary(
        rounds=len(rounds),
        drafted=seen.total(),
        tested=seen[Verdict.ACCEPTED] + seen[Verdict.REJECTED],
        accepted=seen[Verdict.ACCEPTED],
        emitted=sum(len(step.tokens) for step in rounds),
        resampled=sum(extra.emission is Emission.RESAMPLED for extra in extras),
        bonus=sum(extra.emission is Emission.BONUS for extra in extras),
        zero_residuals=sum(extra.zero_residual for extra in extras),
        gammas=tuple(len(step.verdicts) for step in rounds),
        overlap_sum=sum(
            verdict.view.overlap
            for step in rounds
            for verdict in step.verdicts
            if verdict.verdict is not Verdict.UNTESTED
        ),
    )


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None
