"""What can be asked about losslessness, and what was found. Plain data, standard library only.

Nothing here says "proved": a sample shows a difference, or shows no evidence of one.
"""

from dataclasses import dataclass
from enum import StrEnum

from specviz.config import ConfigError, RunConfig

FEWEST, MOST = 200, 200_000
"""Samples one question may ask for."""
LEVEL = 0.001
"""Below this p-value two laws are called different."""


class SampledToken(StrEnum):
    """Which of a round's laws is sampled. Each must be the target's own."""

    FIRST = "first"
    SECOND = "second"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class Bug:
    """A planted bug: which law exposes it, from how many samples on, and why it biases the text."""

    name: str
    title: str
    law: SampledToken
    n: int
    why: str


BUGS = (
    Bug(
        "accept-always",
        "Accept always",
        SampledToken.FIRST,
        2_000,
        "Every guess stands, so the text is the drafter's: what q has too much of is never given back.",
    ),
    Bug(
        "resample-from-p",
        "Resample from p",
        SampledToken.FIRST,
        2_000,
        "min(p, q) was already paid out by the accepted guesses; drawing from all of p pays it a second time.",
    ),
    Bug(
        "keep-testing",
        "Keep testing after a rejection",
        SampledToken.FIRST,
        2_000,
        "The later guesses were drafted behind a token that is gone; accepting them takes the place of the residual,"
        " which alone pays out what q has too little of.",
    ),
    Bug(
        "q-before-temperature",
        "q before temperature",
        SampledToken.FIRST,
        20_000,
        "The guess was drawn from one law and is tested against another, so min(1, p/q) no longer pays out min(p, q)."
        " At temperature 1 the two are the same, and the bug hides.",
    ),
    Bug(
        "bonus-from-wrong-row",
        "Bonus from the wrong row",
        SampledToken.BONUS,
        2_000,
        "The bonus must follow the last guess; here it is drawn from the row before, which never saw that guess.",
    ),
    Bug(
        "one-number",
        "One number for the whole round",
        SampledToken.FIRST,
        2_000,
        "A refusal already says that the number is large; drawing the replacement with it again reaches only the far"
        " end of the residual.",
    ),
)


@dataclass(frozen=True, slots=True)
class Question:
    """Does the real rule, fed with one context's rows, give the target's law?

    Attributes:
        config: the pair, drafter, rule and settings, and the prompt.
        text: token ids that follow the prompt, so that any position of a run can be asked about.
        n: samples of the law.
        bug: the name of a planted bug, empty for the engine's own rule.
    """

    config: RunConfig
    text: tuple[int, ...] = ()
    law: SampledToken = SampledToken.FIRST
    n: int = 2_000
    seed: int = 0
    bug: str = ""


@dataclass(frozen=True, slots=True)
class TokenShare:
    """One token, or all the others together, of a sampled law.

    Attributes:
        token: None for the others.
        p: the target's probability.
        share: how often it came up, of n.
        low, high: where 95 % of such shares lie if the law is p.
    """

    token: int | None
    text: str
    p: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What n samples say.

    Attributes:
        cells: the most probable tokens, then the others as one.
        given: the token the law is conditional on, as text; empty for the first token's law.
        rounds: rounds played to get n samples of this law.
        accepted: share of the first guesses that stood, over those rounds.
        overlap: sum of min(p, q) there: what that share is under rejection on average, and at most under any rule.
        tvd: total variation distance between the shares and p, over the whole vocabulary.
        tvd_median, tvd_high: median and 95 % point of that distance if the law is p, n being what it is.
        chi2, bins: the statistic and its bins (degrees of freedom: bins - 1).
        p_value: 0 if something impossible came up.
        impossible: samples of tokens the target gives no probability.
    """

    question: Question
    cells: tuple[TokenShare, ...]
    given: str
    rounds: int
    accepted: float
    overlap: float
    tvd: float
    tvd_median: float
    tvd_high: float
    chi2: float
    bins: int
    p_value: float
    impossible: int

    @property
    def different(self) -> bool:
        """Whether the sample tells the two laws apart."""
        return self.p_value < LEVEL


@dataclass(frozen=True, slots=True)
class Equality:
    """A whole run held against plain decoding with the same target and the same noise, token by token.

    Attributes:
        speculative, plain: the tokens' texts, position by position.
        differs: index of the first difference, None if there is none.
        logits: what the target gave the two tokens there, in the many-token pass and in the one-token pass:
            (speculative's token, plain's token) twice; empty if nothing differs.
        error: largest difference between one-token and many-token logits measured on this text.
    """

    speculative: tuple[str, ...]
    plain: tuple[str, ...]
    differs: int | None
    logits: tuple[tuple[float, float], ...]
    error: float

    @property
    def gap(self) -> float:
        """How far apart plain decoding had the two tokens, in logits; 0 if nothing differs."""
        return abs(self.logits[1][0] - self.logits[1][1]) if self.logits else 0.0

    @property
    def tie(self) -> bool:
        """A difference no larger than rounding explains: the gap is under four times the measured error."""
        return self.differs is not None and self.gap < 4 * self.error


def check(question: Question) -> None:
    """Refuses a question out of range, whoever asks it; its config is the engine's to judge.

    Raises:
        ConfigError: with one line naming the field, its value and what it may be.
    """
    n, seed = question.n, question.seed
    if isinstance(n, bool) or not isinstance(n, int) or not FEWEST <= n <= MOST:
        raise ConfigError(f"n is {n!r}; wanted a whole number from {FEWEST:,} to {MOST:,}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise ConfigError(f"seed is {seed!r}; wanted a whole number from 0 to {2**63 - 1:,}")
    known = [bug.name for bug in BUGS]
    if question.bug and question.bug not in known:
        raise ConfigError(f"bug is {question.bug!r}; wanted none or one of: {', '.join(known)}")
    if question.law not in tuple(SampledToken):
        raise ConfigError(f"law is {question.law!r}; wanted one of: {', '.join(SampledToken)}")
