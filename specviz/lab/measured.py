"""What the lab measures: configurations one after the other, and the machine itself, as plain data. Standard library
only."""

from dataclasses import dataclass

from specviz.config import RunConfig


@dataclass(frozen=True, slots=True)
class Measurement:
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


@dataclass(frozen=True, slots=True)
class Batch:
    """So many texts read at once by transformers' own forward pass: milliseconds lap by lap, all three in turns.

    Attributes:
        one: the target over one token of each text.
        many: over gamma + 1 tokens of each.
        draft: one guess for each: a pass of the draft; a table is asked text after text.
    """

    rows: int
    one: tuple[float, ...]
    many: tuple[float, ...]
    draft: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Roofline:
    """What bounds a target pass on this machine, as far as `done` of `of` measurements go.

    Attributes:
        machine: what the device is called.
        threads: that the target's passes and every measurement here go by.
        last_cache: bytes of the last-level cache, None if unknown.
        weight_bytes: read by a pass, however many tokens it carries.
        flops: floating-point operations for one token: a multiplication and an addition a weight, attention left out.
        memory: bytes a second read from memory.
        again: bytes a second where a block of weight_bytes is read again and again, from a cache if it fits.
        arithmetic: floating-point operations a second in a large matrix product of the model's number type.
        behind: tokens in the cache when passes are timed.
        widths, passes: milliseconds, lap by lap, of a target pass over so many tokens, the way runs make it, in turns.
        gamma: of the batches.
    """

    machine: str
    device: str
    dtype: str
    threads: int
    last_cache: int | None
    weight_bytes: int
    flops: int
    memory: float
    again: float
    arithmetic: float
    behind: int
    widths: tuple[int, ...]
    passes: tuple[tuple[float, ...], ...]
    gamma: int
    batches: tuple[Batch, ...]
    done: int
    of: int
