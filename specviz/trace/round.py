"""One recorded round: its budget, its guesses, its times and its caches. Standard library only.

Times are milliseconds, entropies nats, cache lengths slots.

Classes that every round makes are not frozen, but nothing changes them. Making a frozen
one takes 17 microseconds instead of 6, of the 300 or so a round costs besides its passes.
"""

from dataclasses import dataclass, field

from specviz.config.settings import Budget
from specviz.config.words import Reason
from specviz.trace.guess import Extra, Scout, TokenVerdict, Unchecked


@dataclass(slots=True, unsafe_hash=True)
class Drafting:
    """One draft call, a model's pass or a lookup: how many guesses it made, perhaps none, and its milliseconds."""

    nodes: int
    ms: float


@dataclass(slots=True, unsafe_hash=True)
class Timing:
    """Milliseconds. overhead is the rest of the round, recording included.

    Attributes:
        draft: one entry for each draft call.
        verify: the target's pass.
        accept: the probabilities that are needed, tests and draws.
        trim: cutting the caches back, and what the drafter does with the round's outcome, such as learning from it.
        reread: of it, putting the target's running state back and reading the kept tokens again; 0 without a state.
    """

    draft: tuple[Drafting, ...]
    verify: float
    accept: float
    trim: float
    overhead: float
    reread: float = field(default=0.0, metadata={"sparse": True})

    @property
    def drafting(self) -> float:
        """The time of all draft calls."""
        return sum(call.ms for call in self.draft)

    @property
    def whole(self) -> float:
        """The time of the whole round."""
        return self.drafting + self.verify + self.accept + self.trim + self.overhead


@dataclass(slots=True, unsafe_hash=True)
class CacheSpan:
    """A cache's length when the round begins, after the guesses were written, and after the trim. reread: tokens that
    the roll-back read once more, because a running state cannot be cut.
    """

    before: int
    written: int
    kept: int
    reread: int = field(default=0, metadata={"sparse": True})


@dataclass(slots=True, unsafe_hash=True)
class Calls:
    """Forward passes in the round."""

    target: int
    draft: int


@dataclass(slots=True, unsafe_hash=True)
class Glance:
    """What a gamma rule may know about q at one slot.

    At temperature 0, where q is one-hot, it is about q before temperature and filters.

    Attributes:
        entropy: nats.
        q: of the token drawn there; None if drafting stopped before the draw.
    """

    entropy: float
    q: float | None


@dataclass(frozen=True, slots=True)
class Halt:
    """Why a gamma rule stopped drafting before its budget was used up. signal is the number behind it."""

    reason: Reason
    signal: float


@dataclass(slots=True, unsafe_hash=True)
class Moved:
    """What an update did to q of the token that the target gave at the last place it learned from. All three are at
    temperature 1, of the text before that place.
    """

    token: int
    text: str
    p: float
    before: float
    after: float


@dataclass(slots=True, unsafe_hash=True)
class Learning:
    """What a drafter had learned in its run before a round: how often its weights changed, and whether they were used
    as they are. If not, it guessed as at the start, because what it learned would have been accepted less often.
    moved: what the last update did; None before the first one, and in older files.
    """

    updates: int
    used: bool
    moved: Moved | None = field(default=None, metadata={"sparse": True})


@dataclass(slots=True, unsafe_hash=True)
class Imagined:
    """A state that a head imagined, beside the one that the target had there once it had read the same tokens.

    Attributes:
        node: the guess that the state has read last; -1 for the pending token.
        likeness: the cosine of the two, to six decimals.
        own, true: a few numbers of each, evenly spaced, in two digits.
    """

    node: int
    likeness: float
    own: tuple[float, ...]
    true: tuple[float, ...]


@dataclass(slots=True, unsafe_hash=True)
class Round:
    """One round of speculative decoding: draft, verify, accept, trim.

    Attributes:
        position: index in the text of the first token this round decides.
        path: the accepted nodes, root to leaf.
        extra: None only if the text ended inside the accepted path.
        draft_caches: a span for each of info.draft_caches.
        glances: what the gamma rule saw at each slot, in order, where the verdicts do not say it; see `seen`.
        halt: None if the draft was as long as the budget, or the drafter, allowed.
        scouts: what the pass read beside the guesses, for later rounds. Their slots are dropped after it.
        learning: None unless the drafter learns.
        imagined: the states that guesses were read from, where a head imagined them.
        stop_string: the string that the round's last token completes, and that so ends the text; "" if none.
        unchecked: the guesses that `halt` cut, where one pass had made them all: no row of the check, no slot.
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
    scouts: tuple[Scout, ...] = field(default=(), metadata={"sparse": True})
    learning: Learning | None = field(default=None, metadata={"sparse": True})
    imagined: tuple[Imagined, ...] = field(default=(), metadata={"sparse": True})
    stop_string: str = field(default="", metadata={"sparse": True})
    unchecked: tuple[Unchecked, ...] = field(default=(), metadata={"sparse": True})

    @property
    def seen(self) -> tuple[Glance, ...]:
        """What a gamma rule could see at every slot, in the order they were drafted: the first guess of each depth."""
        if self.glances:
            return self.glances
        firsts = {each.depth: each for each in reversed(self.verdicts)}
        return tuple(Glance(firsts[depth].q_entropy, firsts[depth].q) for depth in sorted(firsts))

    @property
    def offered(self) -> int:
        """How deep the draft is: the most guesses that could have been accepted."""
        return max((verdict.depth + 1 for verdict in self.verdicts), default=0)

    @property
    def slots(self) -> int:
        """Places whose guesses decided the round: those of the path, and the one where all were rejected, if any."""
        return len(self.path) + (self.extra is not None and self.extra.node is not None)

    @property
    def tokens(self) -> tuple[int, ...]:
        """What the round adds to the text: the accepted path, then the target's own token."""
        accepted = tuple(self.verdicts[node].token for node in self.path)
        return accepted if self.extra is None else (*accepted, self.extra.token)
