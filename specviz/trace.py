"""A recorded run: everything the page, the plots, the command line and the tests read.

Plain data, standard library only. p is the target's probability, q the
drafter's, both after temperature, top-k and top-p. Times are milliseconds,
entropies nats, cache lengths slots. Numbers inside a View are rounded to six
significant digits; p, q, u, weight and mass of a verdict are exact, so that
every decision can be recomputed from the trace.

What every round makes is not frozen, though nobody changes it: frozen, it takes
17 microseconds to make instead of 6, of some 300 a round costs beside its passes.
"""

from dataclasses import dataclass
from enum import StrEnum

from specviz.config import Budget
from specviz.guesses import Bar, Counts, Emission, Extra, Rest, Source, TokenVerdict, Verdict, View
from specviz.info import RunInfo

__all__ = [
    "SCHEMA",
    "Bar",
    "CacheSpan",
    "Calls",
    "Counts",
    "Drafting",
    "Emission",
    "Extra",
    "Glance",
    "Halt",
    "Race",
    "Rest",
    "Round",
    "Source",
    "Stop",
    "Timing",
    "TokenVerdict",
    "Trace",
    "Verdict",
    "View",
]

SCHEMA = 7


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


@dataclass(slots=True, unsafe_hash=True)
class Drafting:
    """One draft call, a model's pass or a lookup: the guesses it made, perhaps none, and the milliseconds it took."""

    nodes: int
    ms: float


@dataclass(slots=True, unsafe_hash=True)
class Timing:
    """Milliseconds; overhead is the rest of the round, recording included.

    Attributes:
        draft: one entry for each draft call; a GPU that draws a whole draft makes one.
        verify: the target's pass; accept: its logits made laws where a test or draw needs them, tests and draws. On a
            GPU, in half precision and under top-k or top-p all laws are made within verify.
    """

    draft: tuple[Drafting, ...]
    verify: float
    accept: float
    trim: float
    overhead: float

    @property
    def drafting(self) -> float:
        """All draft calls together."""
        return sum(call.ms for call in self.draft)

    @property
    def whole(self) -> float:
        """The whole round."""
        return self.drafting + self.verify + self.accept + self.trim + self.overhead


@dataclass(slots=True, unsafe_hash=True)
class CacheSpan:
    """A cache's length at the top of the round, after the guesses were written, and after the trim."""

    before: int
    written: int
    kept: int


@dataclass(slots=True, unsafe_hash=True)
class Calls:
    """Forward passes in the round."""

    target: int
    draft: int


@dataclass(slots=True, unsafe_hash=True)
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


@dataclass(slots=True, unsafe_hash=True)
class Round:
    """One beat of speculative decoding: draft, verify, accept, trim.

    Attributes:
        position: index in the text of the first token this round decides.
        path: the accepted nodes, root to leaf.
        extra: None only when the text ended inside the accepted path.
        draft_caches: a span for each of info.draft_caches.
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
    draft_caches: tuple[CacheSpan, ...]
    calls: Calls
    glances: tuple[Glance, ...]
    halt: Halt | None

    @property
    def seen(self) -> tuple[Glance, ...]:
        """What a gamma rule could see of every slot, in the order they were drafted: of each depth's first guess."""
        if self.glances:
            return self.glances
        firsts = {each.depth: each for each in reversed(self.verdicts)}
        return tuple(Glance(firsts[depth].q_entropy, firsts[depth].q) for depth in sorted(firsts))

    @property
    def offered(self) -> int:
        """How deep the draft went: the most guesses that could have been accepted."""
        return max((verdict.depth + 1 for verdict in self.verdicts), default=0)

    @property
    def slots(self) -> int:
        """Places whose guesses decided the round: those of the path, and the one where all were refused, if any."""
        return len(self.path) + (self.extra is not None and self.extra.node is not None)

    @property
    def tokens(self) -> tuple[int, ...]:
        """What the round adds to the text: the accepted path, then the target's own token."""
        accepted = tuple(self.verdicts[node].token for node in self.path)
        return accepted if self.extra is None else (*accepted, self.extra.token)


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
