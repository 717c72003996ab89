"""Where and how a run was made: the head of a trace. Plain data, standard library only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from specviz.config.settings import LawKind, Rolls, RunConfig, Shape
from specviz.config.words import Reason, Sentence, sentence

USES = ("chain", "back", "branch", "together", "long")
"""What a model is tried for: a chain, a roll-back, a branch of a tree, two texts in turns, and a text longer than every
window, and past where positions change."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model was tried for when it was loaded, beside transformers' own pass over the whole text.

    Attributes:
        use: one of USES.
        error: the largest error of a logit, as a share of the largest logit; None if it could not be tried.
        reason: why the model is not used so; "" where it is.
    """

    use: str
    error: float | None
    reason: Reason = field(default="", metadata={"sparse": True})


@dataclass(frozen=True, slots=True)
class Forward:
    """How a model's forward pass is run.

    Attributes:
        name: compiled (our own, for the Llama family on a CPU), eager (transformers' own) or graphs (recorded on a GPU
            and replayed).
        reason: why no faster one is used; may be empty.
        error: the largest difference of a logit from the eager pass in a self-test, as a share of the largest logit;
            None if there was no test.
        threads: the CPU threads it uses.
        tried: what a model that others made was tried for.
        border: the length after which its positions change, where the text is read again; 0 if there is none.
    """

    name: str
    reason: Reason
    error: float | None
    threads: int
    tried: tuple[Trial, ...] = field(default=(), metadata={"sparse": True})
    border: int = field(default=0, metadata={"sparse": True})

    def refused(self, use: str) -> Reason:
        """Why the model is not used so; "" if it can be."""
        return next((trial.reason for trial in self.tried if trial.use == use), "")


@dataclass(frozen=True, slots=True)
class DraftCache:
    """A cache that a drafter keeps: its name, the bytes one token takes in it, and the pass of its model. own_tokens:
    its slots are tokens of that model's own tokenizer, not the target's. state_bytes: see RunInfo.
    """

    name: str
    slot_bytes: int
    forward: Forward
    own_tokens: bool = field(default=False, metadata={"sparse": True})
    state_bytes: int = field(default=0, metadata={"sparse": True})


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a run, for code that must not ask for a rule or a drafter by name.

    Attributes:
        rolls: what the rule decides with, also at temperature 0.
        plain_text: the text is plain decoding's, token for token.
        lossless: the text has exactly the target's distribution.
        law: what the guesses were taken from.
        shape: the shape of the drafts.
    """

    rolls: Rolls
    plain_text: bool
    lossless: bool
    law: LawKind
    shape: Shape


class Reads(StrEnum):
    """What the next guess of heads on a target is read from.

    State: the target's last state, place by place. Told: the same, and the guesses before. Imagined: a state that the
    head put out itself, and the guess before. Block: the states so far, with blanks for all places at once.
    """

    STATE = "state"
    TOLD = "told"
    IMAGINED = "imagined"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Heads:
    """Heads on the target that draft: they read its hidden states.

    Attributes:
        layers: whose states they read, ascending, of that many layers. 0 is the embedding.
        width: numbers of one state.
        places: the most guesses in a row; 0 if there is no such limit.
        pending: whether the first guess also depends on the pending token, which the last state has not seen.
    """

    reads: Reads
    layers: tuple[int, ...]
    of: int
    width: int
    places: int
    pending: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """Which tokens have a bar in the run's views.

    The largest of p, of q and of what q missed, and the place's own tokens; where penalties and bans changed p, also
    the token that they took most from. These, and what q missed most, always have one; the others while there is room.

    Attributes:
        tested, untested: how many each of the three may claim, where a guess was tested and where none was.
        bars: the most bars. own: of these, the place's own tokens, at most.
    """

    tested: int
    untested: int
    bars: int
    own: int


@dataclass(frozen=True, slots=True)
class Threshold:
    """What decides about a guess where no number does: its p must be above min(epsilon, delta exp(-H)), H being the
    entropy of p in nats.
    """

    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True)
class Ensemble:
    """What a lossy rule puts in p's place where a guess was made: v = weight p + (1 - weight) q."""

    weight: float


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What a lossy rule asks of a guess between two tags, where no number tests it: fewer than `top` tokens are
    likelier, and its p is at least the largest less delta.
    """

    top: int
    delta: float
    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class Generation:
    """What the target's generation_config.json asks for, by its keys: numbers, or JSON in a few letters.

    Attributes:
        held: what the run obeyed.
        own: where a person's choice applied instead.
        left: what was not obeyed: what specviz does not do, or all of it in a plain run.
    """

    held: Mapping[str, float | str]
    own: Mapping[str, float | str]
    left: Mapping[str, float | str]

    def asked(self, part: str) -> list[Sentence]:
        """What is asked for in a part, a phrase each."""
        return [sentence("common.generation.asked", key=key, value=each) for key, each in getattr(self, part).items()]


class Missing(StrEnum):
    """What an external loop did not record: the numbers of draws, the target's cache (its lengths are then what
    they have to be), times, the small entries of rows (they are then one token, the last), or p and q at all: an
    engine's counts, with p and q as at temperature 0.
    """

    DRAWS = "draws"
    CACHE = "cache"
    TIMES = "times"
    ROWS = "rows"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Where and how a run was made.

    Attributes:
        controller: the gamma rule.
        draft_caches: the drafter's caches, in the order of a round's spans; may be none.
        target_slot_bytes: the bytes one token takes in the target's cache.
        target_state_bytes: the bytes of the running state that the target keeps beside it, however long the text; 0 if
            it keeps none.
        heads: None unless heads on the target draft.
        threshold: None unless the rule decides by one. ensemble: None unless v replaces p.
        relaxation: None unless the rule relaxes between tags.
        template: which tokens of the prompt are its chat template's and no words of anybody: stretches [first, after
            the last), ascending, something between them. control: places of control tokens in it that somebody typed.
        loop: who ran it, where that was not specviz. missing: what it did not record.
        generation: None where the target's generation_config.json asks for nothing.
        stop_strings: the strings that end the text.
    """

    config: RunConfig
    rule: str
    traits: Traits
    controller: str
    target: Reason
    draft: Reason
    target_forward: Forward
    draft_caches: tuple[DraftCache, ...]
    vocab_size: int
    context: int
    eos: tuple[int, ...]
    target_slot_bytes: int
    device: str
    dtype: str
    versions: Mapping[str, str]
    recorded: str
    shown: Shown
    heads: Heads | None = field(default=None, metadata={"sparse": True})
    threshold: Threshold | None = field(default=None, metadata={"sparse": True})
    ensemble: Ensemble | None = field(default=None, metadata={"sparse": True})
    relaxation: Relaxation | None = field(default=None, metadata={"sparse": True})
    template: tuple[tuple[int, int], ...] = field(default=(), metadata={"sparse": True})
    control: tuple[int, ...] = field(default=(), metadata={"sparse": True})
    loop: str = field(default="", metadata={"sparse": True})
    missing: tuple[Missing, ...] = field(default=(), metadata={"sparse": True})
    generation: Generation | None = field(default=None, metadata={"sparse": True})
    stop_strings: tuple[str, ...] = field(default=(), metadata={"sparse": True})
    target_state_bytes: int = field(default=0, metadata={"sparse": True})
