"""What can be asked about losslessness, and the answers. Plain data, standard library only.

No answer says "proved": a sample shows a difference, or shows no evidence of one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from specviz.config.entry import Range
from specviz.config.settings import RunConfig, check_whole, wrong
from specviz.config.words import Sentence

FEWEST, MOST = 200, 200_000
"""How many samples one question may ask for."""
ENDED = -1
"""Stands for the end of the text among sampled tokens."""
LEVEL = 0.001
"""Two distributions are called different if the p-value is below this."""


class SampledToken(StrEnum):
    """Which token of a round is sampled. Its distribution must be the target's.

    End: what follows a first token that completes a stop string. That is the end of the text and no token.
    """

    FIRST = "first"
    SECOND = "second"
    BONUS = "bonus"
    END = "end"


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug put into the rule: which token's distribution shows it, and from how many samples on. Its title, and why it
    biases the text, are words of the page.

    Attributes:
        penalties: it is one of penalties, so a run that has none is asked about with PENALTIES.
        harmless: the text keeps its distribution all the same.
    """

    name: str
    token: SampledToken = SampledToken.FIRST
    n: int = 2_000
    penalties: bool = False
    harmless: bool = False


BUGS = (
    Bug("accept-always"),
    Bug("resample-from-p"),
    Bug("keep-testing"),
    Bug("q-before-temperature", n=20_000),
    Bug("bonus-from-wrong-row", SampledToken.BONUS),
    Bug("one-number"),
    Bug("penalty-on-committed", SampledToken.SECOND, penalties=True),
    Bug("penalty-on-p-alone", penalties=True, harmless=True),
    Bug("stop-at-round-end", SampledToken.END),
)
PENALTIES: Mapping[str, Any] = {"repetition_penalty": 1.3, "no_repeat_ngram_size": 2}
"""Settings of a question about a bug of penalties."""


@dataclass(frozen=True, slots=True)
class Question:
    """Does the rule give the target's distribution, when it gets one context's rows?

    Attributes:
        config: the pair, drafter, rule and settings, and the prompt.
        text: token ids after the prompt, so that a question can be about any position of a run.
        token: the token whose distribution is sampled.
        n: how many samples.
        bug: the name of a bug, empty for the engine's own rule.
    """

    config: RunConfig
    text: tuple[int, ...] = ()
    token: SampledToken = SampledToken.FIRST
    n: int = 2_000
    seed: int = 0
    bug: str = ""


@dataclass(frozen=True, slots=True)
class TokenShare:
    """One token of a sampled distribution, or all the others together.

    Attributes:
        token: None for the others, ENDED where the text has ended.
        p: the target's probability.
        share: how often it was drawn, as a share of n.
        low, high: if the probabilities are p, all rows lie between theirs in 95 % of such samples.
    """

    token: int | None
    text: str
    p: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the samples so far say: how many there are, and the shares of the tokens that the finding will show."""

    done: int
    cells: tuple[TokenShare, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What n samples say.

    Attributes:
        cells: the most probable tokens, then the others as one.
        previous: the token that the sampled token follows, as text; empty for the first token.
        rounds: rounds played to get the n samples.
        accepted: the share of first guesses accepted in those rounds.
        overlap: sum of min(p, q) there: the expected share under rejection, and the most under any rule.
        tvd: total variation distance between the shares and p, over the whole vocabulary.
        tvd_median, tvd_high: median and 95 % point of that distance for n samples of p itself.
        chi2, bins: the statistic and its bins (degrees of freedom: bins - 1).
        p_value: 0 if something impossible was drawn.
        impossible: samples of tokens that have probability 0 under the target.
        distance: what the rule itself puts between its distribution and p, where that is known: TVD(v, p) of a static
            ensemble. None under other rules.
    """

    question: Question
    cells: tuple[TokenShare, ...]
    previous: str
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
    distance: float | None = field(default=None, metadata={"sparse": True})

    @property
    def different(self) -> bool:
        """True if the sample tells the two distributions apart."""
        return self.p_value < LEVEL


class Verdict(StrEnum):
    """What a check of a model came to.

    SAME: as transformers', to the type's rounding. TIE: two tokens that rounding alone tells apart. REFUSED: specviz
    does not use the model so, and says why. OTHER: it differs.
    """

    SAME = "same"
    TIE = "tie"
    REFUSED = "refused"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked of a model, what came of it, and in numbers or words."""

    what: Sentence
    verdict: Verdict
    detail: Sentence


@dataclass(frozen=True, slots=True)
class Equality:
    """A whole run compared with plain decoding, same target and same random numbers, token by token.

    Attributes:
        speculative, plain: the tokens' texts, position by position.
        differs: index of the first difference; None if there is none.
        logits: the two tokens' logits there, (speculative's token, plain's token), first from the many-token pass, then
            from the one-token pass. Empty if nothing differs.
        error: largest difference between one-token and many-token logits measured on this text.
        rounding: the most that the number type's own rounding explains, for logits of this size.
    """

    speculative: tuple[str, ...]
    plain: tuple[str, ...]
    differs: int | None
    logits: tuple[tuple[float, float], ...]
    error: float
    rounding: float

    @property
    def gap(self) -> float:
        """The difference of the two tokens' logits in plain decoding; 0 if nothing differs."""
        return abs(self.logits[1][0] - self.logits[1][1]) if self.logits else 0.0

    @property
    def tie(self) -> bool:
        """True if rounding explains the difference: the gap is below four times the measured error, and no larger than
        the number type allows. The error alone would excuse a pass that is wrong."""
        return self.differs is not None and self.gap < 4 * self.error and self.gap <= self.rounding


@dataclass(frozen=True, slots=True)
class Given:
    """A text that a person brings, as characters or as tokens, and what else its file has."""

    name: str
    text: str | tuple[int, ...]
    prompt: tuple[int, ...] | None = field(default=None, metadata={"sparse": True})
    temperature: float = field(default=0.0, metadata={"sparse": True})


@dataclass(frozen=True, slots=True)
class Difference:
    """Why two texts differ: same, ended, read, prompts, sampled, tie, other or unknown; lines: in words. at: the first
    token that differs. gaps: between the two best logits along the first text; up to limit is a tie."""

    why: str
    lines: tuple[Sentence, ...]
    at: int | None = None
    gaps: tuple[float, ...] = ()
    limit: float = 0.0


EXACT_PROMPTS = 20
"""Texts on which a method is compared with plain decoding."""


@dataclass(frozen=True, slots=True)
class Exactness:
    """True if a method's text is the target's own, as far as it was tried.

    Attributes:
        prompts: decoded at temperature 0.
        equal: those of them with plain decoding's text, token for token.
        ties: others, where the two texts part at logits that rounding alone tells apart.
        samples: tokens that the rule gave after some of these texts, at the temperature asked for.
        chi2, freedom: Pearson's statistic of all of them, and its degrees of freedom.
        p_value: of that; 0 if something impossible was drawn, None if the drafter guessed nothing there.
    """

    prompts: int
    equal: int
    ties: int
    samples: int
    chi2: float
    freedom: int
    p_value: float | None

    @property
    def holds(self) -> bool:
        """True if nothing speaks against it."""
        return self.equal + self.ties == self.prompts and (self.p_value is None or self.p_value >= LEVEL)


def bug_of(question: Question) -> Bug | None:
    """The bug that is planted; None for none, or where there is none of that name."""
    return next((bug for bug in BUGS if bug.name == question.bug), None)


def check(question: Question) -> None:
    """Checks that a question is in range. The engine checks its config.

    Raises:
        ConfigError: one line with the field, its value and what it may be.
    """
    check_whole("n", question.n, Range(FEWEST, MOST, whole=True))
    check_whole("seed", question.seed, Range(0, 2**63 - 1, whole=True))
    if question.bug and bug_of(question) is None:
        raise wrong("bug", question.bug, "one", names=", ".join(["'' (none)", *(bug.name for bug in BUGS)]))
    if question.token not in tuple(SampledToken):
        raise wrong("token", question.token, "one", names=", ".join(SampledToken))
