"""Drafters, gammas and gamma rules on one kind of text, in turns with plain decoding and with transformers."""

import itertools
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from transformers import PreTrainedModel

from specviz import baseline, session
from specviz.bench import bare, forecast
from specviz.bench.bare import Passes
from specviz.bench.clock import Contestant, Made, Spread, in_turns, ratio
from specviz.bench.forecast import Forecast
from specviz.bench.rivals import Rivals
from specviz.config import Clock, RunConfig
from specviz.models.pair import Pair
from specviz.trace.metrics import summarize
from specviz.trace.round import Round

LOOKUP = 4
PAIRED = "coupled"
"""The acceptance rule under which gamma rules are compared."""
RECORDED = 4
"""The gamma at which recording every round is timed, beside the same run without."""

Steps = dict[int, list[float]]
"""Milliseconds of plain steps, by lap; lap 0 warms up."""
Kept = dict[int, list[Round]]
"""Rounds, by lap."""
Bared = dict[int, list[Passes]]
"""Passes with no rounds around them, by lap."""


@dataclass(frozen=True, slots=True)
class Job:
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
class Row:
    """One drafter under one acceptance rule at one gamma.

    Attributes:
        recorded: every round was written down in full, as for the page.
        speed: tokens a second.
        speedup: over specviz's plain decoding.
        over_assisted: over transformers' assisted generation with the same draft and gamma; None without a draft.
        overhead: what a round spends beside drafting and verifying, in plain steps.
        in_rounds: by the run's own times, which have drawing in c: what `reached` lacks is overhead, and that
            guesses do not stand alike.
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
    in_rounds: Forecast
    in_order: Forecast | None
    alone: Forecast | None


@dataclass(frozen=True, slots=True)
class Adaptive:
    """One drafter under a gamma rule that moves gamma, not recorded; its costs were measured off the clock.

    Everything it is held against decodes under PAIRED too, so all of them write the same text and only gamma differs.

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
class Genre:
    """Tokens a second of plain decoding, and the rows of one kind of text."""

    name: str
    plain: Spread
    generate: Spread
    over_generate: Spread
    assisted: Mapping[str, Spread]
    lookup: Spread
    rows: tuple[Row, ...]
    adaptive: tuple[Adaptive, ...]


def contestants(job: Job) -> int:
    """How many take turns in a genre."""
    paired = len(_paired(job)) * len(job.gammas) + len(job.rules) + 1 if job.rules else 0
    return 3 + 2 * len(job.gammas) + len(list(_rows(job))) + paired


def _rows(job: Job) -> Iterator[tuple[str, str, int, str]]:
    for (drafter, rule), gamma in itertools.product(job.lanes, job.gammas):
        yield drafter, rule, gamma, "timed"
        if gamma == RECORDED:
            yield drafter, rule, gamma, "recorded"


def _paired(job: Job) -> list[str]:
    """The drafters gamma rules are timed with."""
    return list(dict.fromkeys(drafter for drafter, _ in job.rules))


def measure(
    name: str,
    texts: Sequence[str],
    job: Job,
    pair: Pair,
    target: PreTrainedModel,
    draft: PreTrainedModel,
    clock: Clock,
    done: Callable[[], object],
) -> Genre:
    """Times one kind of text. done is called after every piece of work."""
    texts = texts[: job.prompts]
    base = config_of(job)
    rivals = Rivals(target, draft, [pair.tokenizer.encode(text) for text in texts], base, clock)
    steps: Steps = defaultdict(list)
    kept: dict[str, Kept] = defaultdict(lambda: defaultdict(list))
    bared: dict[int, Bared] = defaultdict(lambda: defaultdict(list))
    works: dict[str, Contestant] = {
        "plain": partial(_plain, texts, base, pair, clock, steps),
        "generate": rivals.plain,
        "lookup": partial(rivals.lookup, LOOKUP),
    }
    for gamma in job.gammas:
        works[f"assisted {gamma}"] = partial(rivals.assisted, gamma)
        works[f"bare {gamma}"] = partial(_bare, texts, gamma, job.tokens, pair, clock, bared[gamma])
    for drafter, rule, gamma, how in _rows(job):
        config = replace(base, drafter=drafter, rule=rule, gamma=gamma)
        label = f"{drafter} {rule} {gamma} {how}"
        works[label] = partial(_speculative, texts, config, pair, clock, how, kept[label])
    paired = replace(base, rule=PAIRED)
    if job.rules:
        works["plain paired"] = partial(_plain, texts, paired, pair, clock, defaultdict(list))
    for drafter, gamma in itertools.product(_paired(job), job.gammas):
        label = f"{drafter} {gamma} paired"
        config = replace(paired, drafter=drafter, gamma=gamma)
        works[label] = partial(_speculative, texts, config, pair, clock, "timed", kept[label])
    for drafter, rule in job.rules:
        config = replace(paired, drafter=drafter, gamma_rule=rule)
        frozen = replace(config, costs=session.costs(replace(config, prompt=texts[0]), pair))
        label = f"{drafter} {rule}"
        works[label] = partial(_speculative, texts, frozen, pair, clock, "timed", kept[label])
    seconds = in_turns(works, len(texts), job.laps, done)
    speed = {label: Spread.of([1 / each for each in taken]) for label, taken in seconds.items()}
    rows = []
    for drafter, rule, gamma, how in _rows(job):
        label = f"{drafter} {rule} {gamma} {how}"
        rivalled = drafter == "small-model"
        gained = [one / other for one, other in zip(seconds["plain"], seconds[label], strict=True)]
        rows.append(
            Row(
                drafter=drafter,
                rule=rule,
                gamma=gamma,
                recorded=how == "recorded",
                speed=speed[label],
                speedup=Spread.of(gained),
                over_assisted=ratio(seconds[f"assisted {gamma}"], seconds[label]) if rivalled else None,
                **_costs(kept[label], gamma, steps, bared[gamma] if rivalled and how == "timed" else None, gained),
            )
        )
    return Genre(
        name=name,
        plain=speed["plain"],
        generate=speed["generate"],
        over_generate=ratio(seconds["generate"], seconds["plain"]),
        assisted={str(gamma): speed[f"assisted {gamma}"] for gamma in job.gammas},
        lookup=speed["lookup"],
        rows=tuple(rows),
        adaptive=tuple(
            _adaptive(drafter, rule, job, seconds, kept[f"{drafter} {rule}"]) for drafter, rule in job.rules
        ),
    )


def _adaptive(drafter: str, rule: str, job: Job, seconds: Mapping[str, Sequence[float]], laps: Kept) -> Adaptive:
    best = min(job.gammas, key=lambda gamma: statistics.median(seconds[f"{drafter} {gamma} paired"]))
    counted = summarize(list(itertools.chain(*laps.values())))
    taken = seconds[f"{drafter} {rule}"]
    return Adaptive(
        drafter=drafter,
        rule=rule,
        speedup=ratio(seconds["plain paired"], taken),
        over_best=ratio(seconds[f"{drafter} {best} paired"], taken),
        best=best,
        mean_gamma=counted.mean_gamma or 0.0,
        alpha=counted.alpha or 0.0,
        tokens_per_pass=counted.tokens_per_pass or 0.0,
    )


def config_of(job: Job, **more: Any) -> RunConfig:
    """A run's settings, without a prompt unless given."""
    settings = {"max_new_tokens": job.tokens, "temperature": job.temperature, "seed": job.seed, "device": job.device}
    return RunConfig(**{"prompt": "", **settings, **more})


def _plain(
    texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, steps: Steps, part: int, lap: int
) -> Made:
    config = _again(config, lap)
    decoding = baseline.decode(config, pair, pair.tokenizer.encode(texts[part]), config.max_new_tokens)
    times = [clock(), *(clock() for _ in decoding)]
    steps[lap] += [1e3 * (end - start) for start, end in itertools.pairwise(times)]
    return Made(config.max_new_tokens, times[-1] - times[0])


def _speculative(
    texts: Sequence[str],
    config: RunConfig,
    pair: Pair,
    clock: Clock,
    how: str,
    kept: Kept,
    part: int,
    lap: int,
) -> Made:
    run = session.start(replace(_again(config, lap), prompt=texts[part]), pair, shown=how == "recorded")
    start = clock()
    rounds = list(run)
    seconds = clock() - start
    kept[lap] += rounds
    return Made(sum(len(step.tokens) for step in rounds), seconds)


def _again(config: RunConfig, lap: int) -> RunConfig:
    """Another lap writes another text, so that more than one decides how often guesses stand."""
    return replace(config, seed=config.seed + lap)


def _bare(
    texts: Sequence[str], gamma: int, tokens: int, pair: Pair, clock: Clock, bared: Bared, part: int, lap: int
) -> Made:
    """Passes behind as much text as a run is behind midway."""
    assert pair.draft is not None, "every pair that is timed has a draft"
    start = clock()
    behind = len(pair.tokenizer.encode(texts[part])) + tokens // 2
    bared[lap].append(bare.measure(pair.target, pair.draft, gamma, behind, clock))
    return Made(1, clock() - start)


def _costs(laps: Kept, gamma: int, steps: Steps, bared: Bared | None, gained: Sequence[float]) -> dict[str, Any]:
    """A Row's figures that come from its rounds, and from bare passes where it has some. gained: the speed-up of each
    lap that counts, from lap 1 on."""
    counted = summarize(list(itertools.chain(*laps.values())))
    counting = range(1, len(gained) + 1)
    found = [forecast.in_rounds(laps[lap], gamma, statistics.fmean(steps[lap])) for lap in counting]
    alphas = [summarize(laps[lap]).alpha or 0.0 for lap in counting]
    told = partial(forecast.of, alphas, gamma, gained)
    return {
        "alpha": counted.alpha or 0.0,
        "tokens_per_pass": counted.tokens_per_pass or 0.0,
        "overhead": statistics.median(overhead for _, _, overhead in found),
        "in_rounds": told([(c, v) for c, v, _ in found]),
        "in_order": bared and told([forecast.bare(bared[lap], attrgetter("in_order")) for lap in counting]),
        "alone": bared and told([forecast.bare(bared[lap], attrgetter("alone")) for lap in counting]),
    }
