"""What the bench times, and what it measured, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.bench.clock import Spread
from specviz.bench.forecast import Forecast

PAIRED = "coupled"
"""The acceptance rule under which gamma rules are compared."""
RECORDED = 4
"""The gamma at which recording every round is timed, beside the same run without."""


@dataclass(frozen=True, slots=True)
class BenchJob:
    """What to time.

    Attributes:
        gammas: the draft lengths each lane is timed at; runs that are recorded are timed at RECORDED alone.
        lanes: a drafter and an acceptance rule each.
        laps: those that count, without the one that warms up.
        rules: gamma rules, each with the drafter it is timed with.
    """

    pair: str
    device: str
    gammas: tuple[int, ...]
    lanes: tuple[tuple[str, str], ...]
    prompts: int
    tokens: int
    laps: int
    rules: tuple[tuple[str, ...], ...] = ()
    temperature: float = 0.8
    seed: int = 1


@dataclass(frozen=True, slots=True)
class LaneResult:
    """One drafter under one acceptance rule at one gamma.

    Attributes:
        recorded: every round was recorded in full, as for the page.
        speed: tokens a second.
        speedup: over specviz's plain decoding.
        over_assisted: over transformers' assisted generation with the same draft and gamma; None without a draft.
        overhead: what a round spends beside drafting and verifying, in plain steps.
        in_rounds: by the run's own times, in which c includes sampling. What `reached` lacks is overhead, and that not
            all guesses are accepted equally often. None of what drafts no chains of gamma guesses, such as copies.
        in_order, alone: by passes timed without rounds around them, `bare.Bare`; None without a draft, and for what is
            recorded.
    """

    drafter: str
    rule: str
    gamma: int
    recorded: bool
    speed: Spread
    speedup: Spread
    over_assisted: Spread | None
    alpha: float
    tokens_per_pass: float
    overhead: float
    in_rounds: Forecast | None
    in_order: Forecast | None
    alone: Forecast | None


@dataclass(frozen=True, slots=True)
class Adaptive:
    """One drafter under a gamma rule that moves gamma, not recorded; its costs were measured off the clock.

    Everything it is compared with decodes under PAIRED too, so all write the same text and only gamma differs.

    Attributes:
        speedup: over specviz's plain decoding.
        over_best: over the drafter's best fixed gamma, lap by lap.
        best: that gamma.
        mean_gamma: how deep a round's draft went.
    """

    drafter: str
    rule: str
    speedup: Spread
    over_best: Spread
    best: int
    mean_gamma: float
    alpha: float
    tokens_per_pass: float


@dataclass(frozen=True, slots=True)
class GenreResult:
    """Tokens a second of plain decoding, and the rows of one kind of text."""

    name: str
    plain: Spread
    generate: Spread
    over_generate: Spread
    assisted: Mapping[str, Spread]
    lookup: Spread
    rows: tuple[LaneResult, ...]
    adaptive: tuple[Adaptive, ...]
