"""What the lab measures, configurations, studies and the machine, as plain data. Standard library only."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.config.settings import RunConfig
from specviz.config.words import Sentence, sentence


@dataclass(frozen=True, slots=True)
class Measurement:
    """One configuration, decoded once and timed. Nothing is shown or recorded, and reading the prompt is not timed.

    Attributes:
        config: with the costs its gamma rule used, if it uses any.
        tokens: what it wrote.
        gammas: tokens drafted, round by round.
        tested, accepted: guesses, summed over the rounds.
        rolled_back: slots of the target's cache that were written and not kept.
        draft, verify, rest: milliseconds, summed over the rounds. rest is everything else in them.
        plain: milliseconds that plain decoding with the same target took for as many tokens, right afterwards.
        memory: bytes that the drafter holds beside the target: weights, tables, and its caches for this text.
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
    memory: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Several texts read at once by transformers' own forward pass: milliseconds lap by lap, all three in turns.

    Attributes:
        rows: how many texts.
        one: the target over one token of each text.
        many: the target over gamma + 1 tokens of each.
        draft: one guess for each: one pass of the draft model. A table is asked text by text.
    """

    rows: int
    one: tuple[float, ...]
    many: tuple[float, ...]
    draft: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Roofline:
    """What bounds a target pass on this machine, after `done` of `of` measurements.

    Attributes:
        machine: the device's name.
        threads: the CPU threads of the target's passes and of every measurement here.
        last_cache: bytes of the last-level cache; None if unknown.
        weight_bytes: bytes of weights that a pass reads, however many tokens it carries.
        flops: floating-point operations for one token: a multiplication and an addition a weight, without attention.
        memory: bytes a second read from memory.
        again: bytes a second when weight_bytes are read again and again, from a cache if they fit.
        arithmetic: floating-point operations a second in a large matrix product: of float32 on a CPU, elsewhere of the
            model's number type.
        behind: tokens in the cache when passes are timed.
        widths, passes: milliseconds, lap by lap, of a target pass over that many tokens, run as in decoding, in turns.
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


@dataclass(frozen=True, slots=True)
class Times:
    """What a drafter's rounds take on a text, milliseconds lap by lap.

    Attributes:
        plain: a step of plain decoding.
        rounds: a round with 0, 1, 2, ... guesses.
        guess: one guess, the median over all rounds.
    """

    plain: tuple[float, ...]
    rounds: tuple[tuple[float, ...], ...]
    guess: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A drafter at the draft length that is predicted to be its best.

    Attributes:
        gammas: the best length in 90 % of the bootstrap's draws.
        speedup, low, high: times plain decoding, and 90 % of the draws.
        per_pass, cost: tokens a round, and what it costs in steps of plain decoding.
        alpha: whose rounds would bring as much. enough: the least that pays at some length; None: none does.
        guess: milliseconds of a guess. cheap: below which a guess would pay; None: not even at 0.
        by_gamma: the speed-up at γ 1, 2, ...
    """

    drafter: str
    gamma: int
    gammas: tuple[int, int]
    speedup: float
    low: float
    high: float
    per_pass: float
    cost: float
    alpha: float
    enough: float | None
    guess: float
    cheap: float | None
    by_gamma: tuple[float, ...]

    @property
    def pays(self) -> str:
        """`yes` if it is faster than plain decoding in 95 % of the draws, `no` if it is predicted not to be, else
        `unsure`."""
        return "yes" if self.low > 1 else "no" if self.speedup <= 1 else "unsure"


@dataclass(frozen=True, slots=True)
class Experts:
    """Experts that many tokens in a row touch, the mean over a text and the layers that have experts; of: how many
    a layer has."""

    layers: int
    of: int
    touched: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Which drafter on one kind of text, the best choice first. experts: of a target that has any."""

    kind: str
    prompts: int
    choices: tuple[Choice, ...]
    experts: Experts | None = None

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What to do, with its reason and what would change it; of experts, what a check reads."""
        best = self.choices[0]
        about = {"kind": self.kind, "drafter": best.drafter, "gamma": best.gamma}
        span = {"low": f"{best.low:.2f}", "high": f"{best.high:.2f}"}
        costs = {"tokens": f"{best.per_pass:.2f}", "cost": f"{best.cost:.2f}"}
        parts = [sentence(f"common.advice.{best.pays}", **about, **span, **costs)]
        if best.pays == "no":
            enough, cheap = best.enough, best.cheap
            changes = {"alpha": f"{best.alpha:.2f}", "guess": f"{best.guess:.2g}"}
            changes |= {} if enough is None else {"enough": f"{enough:.2f}"}
            changes |= {} if cheap is None else {"cheap": f"{cheap:.2g}"}
            parts.append(sentence("common.advice.change", **changes))
        if self.experts and len(self.experts.touched) > best.gamma:
            one, many = self.experts.touched[0], self.experts.touched[best.gamma]
            counts = {"one": f"{one:.1f}", "many": f"{many:.1f}", "times": f"{many / one:.1f}", "of": self.experts.of}
            parts.append(sentence("common.advice.experts", tokens=best.gamma + 1, **counts))
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class StudiedGroup:
    """Runs of a study that have the same choices.

    Attributes:
        choices: by name; the category of the prompts among them where it was grouped by that.
        failed: how many of the runs broke off or could not begin.
        per_pass: tokens for each pass of the target, the mean over prompts. error: half of its 95 % interval.
        alpha: accepted of tested, used: accepted of guessed, both over all runs.
        token_ms: milliseconds a token, over all runs, as they were while others ran beside them.

    A figure is None where nothing was counted.
    """

    choices: Mapping[str, str | float | None]
    runs: int
    failed: int
    per_pass: float | None
    error: float | None
    alpha: float | None
    used: float | None
    token_ms: float | None


@dataclass(frozen=True, slots=True)
class Studied:
    """What a study came to.

    Attributes:
        sets: the names and hashes of its prompt sets. versions: of the builds it ran on.
        by_method, by_category: in the plan's order.
        same: of the texts that must be plain decoding's (temperature 0, or shared noise) and that several methods
            wrote, how many are the same under all of them, and how many there are.
        errors: what failed runs said, each once.
    """

    sets: tuple[str, ...]
    machines: tuple[str, ...]
    versions: tuple[str, ...]
    runs: int
    by_method: tuple[StudiedGroup, ...]
    by_category: tuple[StudiedGroup, ...]
    same: tuple[int, int]
    errors: tuple[str, ...]

    @property
    def varied(self) -> tuple[str, ...]:
        """The names of the choices that tell its groups apart; the method always."""
        names = self.by_method[0].choices if self.by_method else ()
        differ = {name for name in names if len({each.choices[name] for each in self.by_method}) > 1}
        return tuple(name for name in names if name == "method" or name in differ)
