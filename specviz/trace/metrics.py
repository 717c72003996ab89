"""What a recorded run measured, each number with its formula. Standard library only.

Three acceptance rates are in use and they differ. Only the first estimates alpha.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specviz.trace.guess import Emission, TokenVerdict, Verdict
from specviz.trace.round import Round


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over the rounds of one or several runs. A rate is None where nothing was counted.

    Attributes:
        tested: places of the text where guesses were judged; several siblings at one place count once.
        judged: guesses that decided the round; overlap_sum adds up theirs.
        gammas: how deep each round's draft went.
        distance_sum: over those places, the distance of what a lossy rule tested there from the target's p.
    """

    rounds: int
    drafted: int
    tested: int
    judged: int
    accepted: int
    emitted: int
    resampled: int
    bonus: int
    zero_residuals: int
    gammas: tuple[int, ...]
    overlap_sum: float
    distance_sum: float = 0.0

    @property
    def alpha(self) -> float | None:
        """accepted / tested: the share of places where a guess was accepted."""
        return _ratio(self.accepted, self.tested)

    @property
    def accepted_of_drafted(self) -> float | None:
        """accepted / drafted: the share of the drafter's work that was used."""
        return _ratio(self.accepted, self.drafted)

    @property
    def accepted_of_emitted(self) -> float | None:
        """accepted / emitted: the share of the text that the drafter wrote."""
        return _ratio(self.accepted, self.emitted)

    @property
    def tokens_per_pass(self) -> float | None:
        """emitted / rounds, one target pass a round. Plain decoding has 1."""
        return _ratio(self.emitted, self.rounds)

    @property
    def overlap(self) -> float | None:
        """The mean over judged guesses of sum min(p, q): the expected alpha (arXiv:2211.17192, corollary 3.6)."""
        return _ratio(self.overlap_sum, self.judged)

    @property
    def distance(self) -> float | None:
        """The mean over the places where guesses were judged of TVD(v, p); 0 under a rule that tests p itself."""
        return _ratio(self.distance_sum, self.tested)

    @property
    def mean_gamma(self) -> float | None:
        """How deep a draft went. The end of the text may pull it below the gamma asked for."""
        return _ratio(sum(self.gammas), self.rounds)


def summarize(rounds: Sequence[Round]) -> Summary:
    """The counts over these rounds, of one run or many."""
    judged = [verdict for step in rounds for verdict in deciding(step)]
    extras = [step.extra for step in rounds if step.extra]
    return Summary(
        rounds=len(rounds),
        drafted=sum(len(step.verdicts) for step in rounds),
        tested=sum(step.slots for step in rounds),
        judged=len(judged),
        accepted=sum(len(step.path) for step in rounds),
        emitted=sum(len(step.tokens) for step in rounds),
        resampled=sum(extra.emission is Emission.RESAMPLED for extra in extras),
        bonus=sum(extra.emission is Emission.BONUS for extra in extras),
        zero_residuals=sum(extra.zero_residual for extra in extras),
        gammas=tuple(step.offered for step in rounds),
        overlap_sum=sum(verdict.view.overlap for verdict in judged),
        distance_sum=sum(verdict.view.distance for verdict in judged),
    )


def deciding(step: Round) -> Iterator[TokenVerdict]:
    """The guesses that decided a round: those tested at the places it reached."""
    places = (-1, *step.path)[: step.slots]
    return (each for each in step.verdicts if each.parent in places and each.verdict is not Verdict.UNTESTED)


def _ratio(part: float, total: int) -> float | None:
    return part / total if total else None
