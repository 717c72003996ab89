"""What became of a round's guesses, and of the target's own token: rows of a trace. Standard library only.

For units, for what is exact, and for what is not frozen see `trace.run` and `trace.round`.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from specviz.config.entry import LawKind
from specviz.config.words import Reason


class Verdict(StrEnum):
    """What became of a drafted token.

    Untested: an earlier token of its branch was rejected, or ended the text.
    """

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNTESTED = "untested"


class Emission(StrEnum):
    """Where the target's own token came from: the residual of a rejection, or the row after the last guess."""

    RESAMPLED = "resampled"
    BONUS = "bonus"


@dataclass(slots=True, unsafe_hash=True)
class Bar:
    """One token's row in the figure. residual is max(0, p - q), not normalized."""

    token: int
    text: str
    p: float
    q: float
    residual: float


@dataclass(slots=True, unsafe_hash=True)
class Rest:
    """All tokens without a bar, each quantity summed token by token."""

    count: int
    p: float
    q: float
    overlap: float
    residual: float


@dataclass(slots=True, unsafe_hash=True)
class Raw:
    """A token's probabilities before the temperature. q is None where the drafter does not give it."""

    token: int
    text: str
    p: float
    q: float | None


class Processor(StrEnum):
    """What changed a token's score by the text before it."""

    BIAS = "bias"
    REPETITION = "repetition"
    FREQUENCY = "frequency"
    PRESENCE = "presence"
    BANNED = "banned"
    NO_REPEAT = "no_repeat"
    LENGTH = "length"
    SUPPRESSED = "suppressed"
    MASK = "mask"


@dataclass(slots=True, unsafe_hash=True)
class Change:
    """A token whose score a processor changed.

    Attributes:
        places: the last tokens before it that this was for, as positions in prompt and text; the first guess of the
            draft stands where the text ends. None where it was for no single token.
    """

    token: int
    by: Processor
    places: tuple[int, ...]


@dataclass(slots=True, unsafe_hash=True)
class View:
    """p and q at one slot: bars for the tokens that matter most, and one bucket for the rest.

    overlap is the sum of min(p, q) over the whole vocabulary: the probability that a token drawn from q is accepted
    here. The residual's mass is 1 - overlap.

    Attributes:
        noise: g of each bar, where noise decides: the target writes the token with the largest log p + g.
        raw: at temperature 0, the largest probabilities before it.
        allowed: how many tokens the grammar allows here; 0 where it allows all, or there is none.
        covered: the share of the target's row on tokens that a draft with another tokenizer can guess; no more is
            accepted.
        before: of each bar, what the target's row was before processors changed it; empty where they changed nothing.
        changed: which bars' scores they changed.
        target: of each bar, the target's own p, where a lossy rule tests v in its place. p is v then; a place's first
            guess has it.
        distance: the total variation distance between the two.
    """

    bars: tuple[Bar, ...]
    rest: Rest
    overlap: float
    noise: tuple[float, ...] = field(default=(), metadata={"sparse": True})
    raw: tuple[Raw, ...] = field(default=(), metadata={"sparse": True})
    allowed: int = field(default=0, metadata={"sparse": True})
    covered: float = field(default=1.0, metadata={"sparse": True})
    before: tuple[float, ...] = field(default=(), metadata={"sparse": True})
    changed: tuple[Change, ...] = field(default=(), metadata={"sparse": True})
    target: tuple[float, ...] = field(default=(), metadata={"sparse": True})
    distance: float = field(default=0.0, metadata={"sparse": True})


@dataclass(slots=True, unsafe_hash=True)
class Counts:
    """The counts behind a guess: the length of its context in tokens, how often that occurred in the corpus, and in
    this text.
    """

    context: int
    seen: int
    own: int


@dataclass(slots=True, unsafe_hash=True)
class Follower:
    """A token that a table has after a context: how often it followed in the corpus, and in this text. Both are 0
    where the table holds no counts, only an order.
    """

    token: int
    text: str
    seen: int
    own: int


@dataclass(slots=True, unsafe_hash=True)
class Table:
    """What a drafter's table has after one context, the last `context` tokens before a guess.

    Attributes:
        seen, own: how often that context occurred in the corpus, and in this text.
        share: how much of q it supplied.
        followers: the tokens that it has most often there.
    """

    context: int
    seen: int
    own: int
    share: float
    followers: tuple[Follower, ...]


@dataclass(slots=True, unsafe_hash=True)
class Passage:
    """A piece of another text, up to a guess that was copied from it.

    Attributes:
        tokens, texts: of the piece, the guess last.
        matched: how many of them are also the last tokens of this text; they come right before the copied ones.
        copied: how many of the last ones were copied, the guess included.
    """

    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    matched: int
    copied: int


@dataclass(slots=True, unsafe_hash=True)
class Rounding:
    """Some weights of the output layer's row that scores a guess, those nearest to 0, and what 8 bits make of them.

    Attributes:
        width: weights of the whole row.
        largest: its largest weight, without the sign.
        full: the weights.
        rounded: whole numbers; times `largest` / 127 they are the rounded weights.
    """

    width: int
    largest: float
    full: tuple[float, ...]
    rounded: tuple[int, ...]


@dataclass(slots=True, unsafe_hash=True)
class Inner:
    """A cheaper drafter's guess for a guess's place, which the draft model judged: accepted if it is the same token."""

    who: str
    token: int
    text: str


@dataclass(slots=True, unsafe_hash=True)
class Source:
    """Where a guess came from.

    Attributes:
        who: the drafter, or one of its heads.
        rank: 0 for that drafter's first choice at the place, 1 for its second, and so on.
        span: start and stop of what it was copied from, as positions in prompt and text; None if it was not copied.
        counts: None if nothing was counted.
        words: one sentence for people; may be empty.
        inner: None unless somebody had guessed for the drafter.
        tables: what its tables have there, the longest context first. Guesses of one place share a table: the
            first of them has it.
        passage: what it was copied from, if that is another text.
        rounding: how a copy of the target was rounded that gave it.

    The last three are empty where a drafter has no such thing, and in older files.
    """

    who: str
    rank: int = 0
    span: tuple[int, int] | None = None
    counts: Counts | None = None
    words: Reason = ""
    inner: Inner | None = field(default=None, metadata={"sparse": True})
    tables: tuple[Table, ...] = field(default=(), metadata={"sparse": True})
    passage: Passage | None = field(default=None, metadata={"sparse": True})
    rounding: Rounding | None = field(default=None, metadata={"sparse": True})


@dataclass(slots=True, unsafe_hash=True)
class TokenVerdict:
    """One drafted token and what became of it.

    Attributes:
        node: its index in the round's draft: parents before children, siblings in the order they were drawn. parent is
            another node, or -1 for the pending token.
        depth: 0 for a token right after the pending one.
        law: a row that it was drawn from; or a point: it was chosen, so q is 1, draft_u None, low 0 and high 1.
        p, q: what it was tested with. p is what rejected siblings left, q is given its earlier siblings. For an
            untested guess p is the target's own row.
        draft_u: the number in [0, 1) that drew it from q; None under a rule whose noise is no single number.
        low, high: its segment of q's ruler (see ruler.py) under every rule: low <= draft_u < high.
        u: the number that decided its test; None if it was not tested, or under such a rule.
        accept_prob: the probability of acceptance under the run's rule (rejection: min(1, p / q)); None if not tested.
            Under a threshold 1 or 0: it passes or not. A guess that passes is rejected where another path is accepted.
        weight: under a rule that weighs guesses together: min(1, weight before * p / q); None under others. The weight
            before is the parent's, 1 at the pending token, less what was rejected there: every elder sibling turns it
            into R / (R + 1 - weight before), where R is the sum of that sibling's residual.
        mass: under such a rule, R of the last guess that was tested below it: sum max(0, weight before * p - q). None
            if none was tested or rejected there.
        p_entropy, q_entropy: of the target's row and of q, in six digits.
        view: what it was tested with. Its residual is max(0, p - q), under such a rule max(0, weight before * p - q).
        entropy: under a threshold, the exact entropy of p that set it; 0 under others.
        rank: where a rule relaxes between tags, the guess's place among the target's tokens, 1 the likeliest: it
            passes or not, by that and by p, and u is None. 0 elsewhere.

    In a tree whose guesses are weighed together, a guess that is accepted because one below it is has no test of its
    own: u is None, and accept_prob is its weight.
    """

    node: int
    parent: int
    depth: int
    token: int
    text: str
    verdict: Verdict
    law: LawKind
    p: float
    q: float
    draft_u: float | None
    low: float
    high: float
    accept_prob: float | None
    u: float | None
    weight: float | None
    mass: float | None
    p_entropy: float
    q_entropy: float
    source: Source
    view: View
    entropy: float = field(default=0.0, metadata={"sparse": True})
    rank: int = field(default=0, metadata={"sparse": True})


@dataclass(slots=True, unsafe_hash=True)
class Unchecked:
    """A guess that one pass made with the others, and that the γ rule cut before the check.

    parent: another guess, counted on after the round's verdicts, or -1. depth and q: as of a verdict.
    """

    parent: int
    depth: int
    token: int
    text: str
    q: float


@dataclass(slots=True, unsafe_hash=True)
class Scout:
    """A token that the target read without judging it. depth: as of a guess; several may share one."""

    token: int
    text: str
    depth: int


@dataclass(slots=True, unsafe_hash=True)
class Extra:
    """The one token a round gets from the target itself.

    Attributes:
        p: its probability under the target, before anything was subtracted.
        u: the number that drew it; None under a rule whose noise is no single number. low <= u < high is the token's
            segment of the ruler, on which the distribution it was drawn from is laid end to end, most probable first
            (see ruler.py).
        view: for a resampled token that of `node`, for a bonus the row after the path, where q is 0 throughout.
        zero_residual: p and q were equal, so the token was drawn from p.
        node: the guess whose rejection left the distribution it was drawn from; None for a bonus.
    """

    token: int
    text: str
    emission: Emission
    p: float
    u: float | None
    low: float
    high: float
    view: View
    zero_residual: bool
    node: int | None
