"""Where and how a run was made: the head of a trace. Plain data, standard library only."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.config import LawKind, Rolls, RunConfig, Shape


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
class DraftCache:
    """A cache that a drafter keeps: whose it is, what one token takes in it, and how its model's pass is run."""

    name: str
    slot_bytes: int
    forward: Forward


@dataclass(frozen=True, slots=True)
class Traits:
    """What a run is, for whoever must not ask for a rule or a drafter by name.

    Attributes:
        rolls: what the rule decides by, at temperature 0 too.
        plain_text: the text is plain decoding's, token for token.
        lossless: the text's law is the target's own, exactly.
        law: what the guesses were taken from.
        shape: how the guesses stand.
    """

    rolls: Rolls
    plain_text: bool
    lossless: bool
    law: LawKind
    shape: Shape


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Where and how a run was made.

    Attributes:
        controller: the gamma rule.
        draft_caches: those the drafter keeps, in the order of a round's spans; may be none.
        target_slot_bytes: what one token takes in the target's cache.
    """

    config: RunConfig
    rule: str
    traits: Traits
    controller: str
    target: str
    draft: str
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
