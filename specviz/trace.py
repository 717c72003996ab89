"""A recorded run: everything the page, the plots, the command line and the tests read.

Plain data, standard library only. p is the target's probability, q the
drafter's, both after temperature, top-k and top-p. Times are milliseconds,
entropies nats, cache lengths slots. Numbers inside a View are rounded to six
significant digits; p, q and u of a verdict are exact, so that every decision
can be recomputed from the trace.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from specviz.config import Budget, RunConfig

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(**_: Any) -> Callable[[type], type]:
        """Frozen for the type checker alone: a frozen one takes three times as long to make, in every round."""
        return dataclasses.dataclass(slots=True, unsafe_hash=True)


SCHEMA = 7


class Verdict(StrEnum):
    """What became of a drafted token. Untested: an earlier token of its branch was refused, or ended the text."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNTESTED = "untested"


class Emission(StrEnum):
    """Where the target's own token came from: the residual of a rejection, or the row after the last draft."""

    RESAMPLED = "resampled"
    BONUS = "bonus"


class Stop(StrEnum):
    """Why a run ended. Deadline: it took longer than allowed. Failed: the engine broke. What was recorded is kept."""

    LENGTH = "length"
    EOS = "eos"
    CONTEXT = "context"
    STOPPED = "stopped"
    DEADLINE = "deadline"
    FAILED = "failed"

    @property
    def whole(self) -> bool:
        """Whether the run came to its own end, so that its config tells all of it."""
        return self in (Stop.LENGTH, Stop.EOS, Stop.CONTEXT)


@dataclass(frozen=True, slots=True)
class Bar:
    """One token's row in the figure; residual is max(0, p - q), not normalized."""

    token: int
    text: str
    p: float
    q: float
    residual: float


@dataclass(frozen=True, slots=True)
class Rest:
    """All tokens without a bar, each quantity summed token by token."""

    count: int
    p: float
    q: float
    overlap: float
    residual: float


@dataclass(frozen=True, slots=True)
class View:
    """p and q at one slot: its most telling tokens, the rest in one bucket.

    overlap is the sum of min(p, q) over the whole vocabulary: the chance that
    a token drawn from q is accepted here. The residual's mass is 1 - overlap.
    """

    bars: tuple[Bar, ...]
    rest: Rest
    overlap: float


@dataclass(frozen=True, slots=True)
class TokenVerdict:
    """One drafted token and what became of it.

    Attributes:
        node: its index in the round's draft; parent is another node or -1, the pending token.
        depth: 0 for a token right after the pending one.
        draft_u: the number in [0, 1) that drew it from q; None under a rule whose noise is no one number.
        low, high: its segment of q's ruler (see chance.ruler_head), under every rule: low <= draft_u < high.
        u: the number that decided it, None when untested or under such a rule.
        accept_prob: the chance it had under the run's rule (rejection: min(1, p / q)), None when untested.
        evidence: what the drafter went by, in words.
    """

    node: int
    parent: int
    depth: int
    token: int
    text: str
    verdict: Verdict
    p: float
    q: float
    draft_u: float | None
    low: float
    high: float
    accept_prob: float | None
    u: float | None
    p_entropy: float
    q_entropy: float
    evidence: str
    view: View


@dataclass(frozen=True, slots=True)
class Extra:
    """The one token a round gets from the target itself.

    Attributes:
        p: its probability under the target, before anything was subtracted.
        u: the number that drew it, None under a rule whose noise is no one number. low <= u < high: its
            segment of the ruler, which is the law it was drawn from laid end to end, most probable first
            (see chance.ruler_head).
        view: for a resampled token the rejected slot's rows, for a bonus the
            row after the last draft, where q is 0 throughout.
        zero_residual: p and q were equal to the last bit, so the token was drawn from p.
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


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds; overhead is the rest of the round, recording included.

    Attributes:
        draft: one entry per drafted token, equal ones where a GPU drew the draft as a whole.
        verify: the target's pass; accept: its logits made laws where a test or draw needs them, tests and draws. On a
            GPU, in half precision and under top-k or top-p all laws are made within verify.
    """

    draft: tuple[float, ...]
    verify: float
    accept: float
    trim: float
    overhead: float


@dataclass(frozen=True, slots=True)
class CacheSpan:
    """A cache's length at the top of the round, after the guesses were written, and after the trim."""

    before: int
    written: int
    kept: int


@dataclass(frozen=True, slots=True)
class Calls:
    """Forward passes in the round."""

    target: int
    draft: int


@dataclass(frozen=True, slots=True)
class Glance:
    """What a gamma rule may know of q at one slot.

    At temperature 0, where q is one-hot, of the law before temperature and filters.

    Attributes:
        entropy: nats.
        q: of the token drawn there, None where drafting stopped before one was.
    """

    entropy: float
    q: float | None


@dataclass(frozen=True, slots=True)
class Halt:
    """Why a gamma rule stopped drafting before its budget was used up; signal is the number it went by."""

    reason: str
    signal: float


@dataclass(frozen=True, slots=True)
class Round:
    """One beat of speculative decoding: draft, verify, accept, trim.

    Attributes:
        position: index in the text of the first token this round decides.
        path: the accepted nodes, root to leaf.
        extra: None only when the text ended inside the accepted path.
        draft_cache: None when the drafter keeps no model.
        glances: what the gamma rule saw of each slot, in order, where the verdicts do not tell: see `seen`.
        halt: None when as much was drafted as the budget allowed, or as the drafter could.
    """

    index: int
    position: int
    budget: Budget
    verdicts: tuple[TokenVerdict, ...]
    path: tuple[int, ...]
    extra: Extra | None
    timing: Timing
    target_cache: CacheSpan
    draft_cache: CacheSpan | None
    calls: Calls
    glances: tuple[Glance, ...]
    halt: Halt | None

    @property
    def seen(self) -> tuple[Glance, ...]:
        """What a gamma rule could see of every slot, in the order they were drafted."""
        return self.glances or tuple(Glance(verdict.q_entropy, verdict.q) for verdict in self.verdicts)

    @property
    def tokens(self) -> tuple[int, ...]:
        """What the round adds to the text: the accepted path, then the target's own token."""
        accepted = tuple(self.verdicts[node].token for node in self.path)
        return accepted if self.extra is None else (*accepted, self.extra.token)


@dataclass(frozen=True, slots=True)
class Forward:
    """How a model's forward pass is run.

    Attributes:
        name: eager (transformers' own), packed (the same over packed linear layers) lean (a bare one of ours) or graphs
            (recorded on a GPU and replayed).
        reason: why not a faster one, in words; may be empty text.
        error: the largest difference of a logit from the eager one that a self-test found; None where none was made.
        threads: how many of the CPU's it runs on.
        picked: how passes over few rows go, as timed when the model was read or as SPECVIZ_PASSES said (see
            models/picked.py); empty where there was nothing to choose, or nobody noted it.
    """

    name: str
    reason: str
    error: float | None
    threads: int
    picked: str = ""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Where and how a run was made.

    Attributes:
        controller: the gamma rule.
        draft_forward: None when the drafter keeps no model.
        target_slot_bytes: what one token takes in the target's cache.
        draft_slot_bytes: the same in the drafter's, None when it keeps no cache.
    """

    config: RunConfig
    rule: str
    lossless: bool
    controller: str
    target: str
    draft: str
    target_forward: Forward
    draft_forward: Forward | None
    vocab_size: int
    context: int
    eos: tuple[int, ...]
    target_slot_bytes: int
    draft_slot_bytes: int | None
    device: str
    dtype: str
    versions: Mapping[str, str]
    recorded: str


@dataclass(frozen=True, slots=True)
class Race:
    """A run and plain decoding by the same target, timed in turns after a warm-up; nothing shown or written down.

    Milliseconds. The prompt is read off the clock.

    Attributes:
        rounds: where the time of the run's median lap went, round by round.
        passes: how long each token took plain decoding, in its median lap.
        tokens, texts: what plain decoding wrote, as many tokens as the run; other ones unless greedy or coupled.
        laps, plain_laps: every lap of each, in the order they were run.
    """

    rounds: tuple[Timing, ...]
    passes: tuple[float, ...]
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    laps: tuple[float, ...]
    plain_laps: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run. prompt holds token ids, prompt_texts their text, text everything after the prompt.

    race is None until the run was timed against plain decoding.
    """

    info: RunInfo
    prompt: tuple[int, ...]
    prompt_texts: tuple[str, ...]
    prefill: float
    rounds: tuple[Round, ...]
    stop: Stop
    text: str
    race: Race | None = None
    schema: int = SCHEMA

    @property
    def tokens(self) -> tuple[int, ...]:
        """The generated tokens, prompt excluded."""
        return tuple(token for step in self.rounds for token in step.tokens)
