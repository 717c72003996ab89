"""What a sweep measures: one configuration after the other, as plain data. Standard library only."""

from dataclasses import dataclass

from specviz.config import RunConfig


@dataclass(frozen=True, slots=True)
class Cell:
    """One configuration, decoded once on the clock: nothing shown, nothing recorded, the prompt read off the clock.

    Attributes:
        config: with the costs its gamma rule went by, if it goes by any.
        tokens: what it wrote.
        gammas: tokens drafted, round by round.
        tested, accepted: guesses, summed over the rounds.
        rolled_back: slots of the target's cache that were written and not kept.
        draft, verify, rest: milliseconds, summed over the rounds; rest is everything else in them.
        plain: milliseconds plain decoding by the same target took for as many tokens, in its turn.
    """

    config: RunConfig
    tokens: tuple[int, ...]
    gammas: tuple[int, ...]
    tested: int
    accepted: int
    rolled_back: int
    draft: float
    verify: float
    rest: float
    plain: float

    @property
    def took(self) -> float:
        """Milliseconds of the whole run."""
        return self.draft + self.verify + self.rest
