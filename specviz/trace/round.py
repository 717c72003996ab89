"""One recorded round: its budget, its guesses, its times and its caches. Standard library only.

Times are milliseconds, entropies nats, cache lengths slots.

What every round makes is not frozen, though nobody changes it: frozen, it takes
17 microseconds to make instead of 6, of some 300 a round costs beside its passes.
"""

from dataclasses import dataclass

from specviz.config import Budget
from specviz.trace.guess import Extra, TokenVerdict


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
