"""Times drafters, gammas and gamma rules on one kind of text, in turns with plain decoding and with transformers."""

import itertools
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from transformers import PreTrainedModel

from specviz import session
from specviz.bench import bare, decoding, forecast
from specviz.bench.bare import Passes
from specviz.bench.clock import Contestant, Spread, TimedWork, in_turns, ratio
from specviz.bench.decoding import RoundsByLap, StepsByLap, config_of
from specviz.bench.results import PAIRED, RECORDED, Adaptive, BenchJob, GenreResult, LaneResult
from specviz.bench.rivals import Rivals
from specviz.config.settings import Clock, RunConfig
from specviz.models.pair import Pair
from specviz.trace.metrics import summarize

LOOKUP = 4

PassesByLap = dict[int, list[Passes]]
"""Passes with no rounds around them, by lap."""


def contestants(job: BenchJob) -> int:
    """How many take turns in a genre."""
    paired = len(_paired(job)) * len(job.gammas) + len(job.rules) + 1 if job.rules else 0
    return 3 + 2 * len(job.gammas) + len(list(_rows(job))) + paired


def _rows(job: BenchJob) -> Iterator[tuple[str, str, int, str]]:
    for (drafter, rule), gamma in itertools.product(job.lanes, job.gammas):
        yield drafter, rule, gamma, "timed"
        if gamma == RECORDED:
            yield drafter, rule, gamma, "recorded"


def _paired(job: BenchJob) -> list[str]:
    """The drafters gamma rules are timed with."""
    return list(dict.fromkeys(drafter for drafter, _ in job.rules))


def measure(
    name: str,
    texts: Sequence[str],
    job: BenchJob,
    pair: Pair,
    target: PreTrainedModel,
    draft: PreTrainedModel,
    clock: Clock,
    done: Callable[[], object],
) -> GenreResult:
    """Times one kind of text. done is called after every piece of work."""
    texts = texts[: job.prompts]
    rivals = Rivals(target, draft, [pair.tokenizer.encode(text) for text in texts], config_of(job), clock)
    timed = _Contestants(texts, pair, clock)
    works: dict[str, Contestant] = {
        **_baselines(job, timed, rivals),
        **_lanes(job, timed),
        **(_gamma_rules(job, timed) if job.rules else {}),
    }
    seconds = in_turns(works, len(texts), job.laps, done)
    speed = {label: Spread.of([1 / each for each in taken]) for label, taken in seconds.items()}
    return GenreResult(
        name=name,
        plain=speed["plain"],
        generate=speed["generate"],
        over_generate=ratio(seconds["generate"], seconds["plain"]),
        assisted={str(gamma): speed[f"assisted {gamma}"] for gamma in job.gammas},
        lookup=speed["lookup"],
        rows=tuple(_result(*row, timed, seconds) for row in _rows(job)),
        adaptive=tuple(
            _adaptive(drafter, rule, job, seconds, timed.rounds[f"{drafter} {rule}"]) for drafter, rule in job.rules
        ),
    )


class _Contestants:
    """Makes the contestants of one kind of text. They add their plain steps, rounds and bare passes here."""

    def __init__(self, texts: Sequence[str], pair: Pair, clock: Clock) -> None:
        self.texts, self.pair, self.clock = texts, pair, clock
        self.steps: StepsByLap = defaultdict(list)
        self.rounds: dict[str, RoundsByLap] = defaultdict(lambda: defaultdict(list))
        self.bare: dict[int, PassesByLap] = defaultdict(lambda: defaultdict(list))

    def plain(self, config: RunConfig, steps: StepsByLap) -> Contestant:
        return partial(decoding.plain, self.texts, config, self.pair, self.clock, steps)

    def passes(self, gamma: int, tokens: int) -> Contestant:
        return partial(_bare, self.texts, gamma, tokens, self.pair, self.clock, self.bare[gamma])

    def speculative(self, label: str, config: RunConfig, how: str) -> Contestant:
        work = partial(decoding.speculative, self.texts, config, self.pair, self.clock, self.rounds[label])
        return partial(work, shown=how == "recorded")


def _baselines(job: BenchJob, timed: _Contestants, rivals: Rivals) -> dict[str, Contestant]:
    """Plain decoding, what transformers offers, and passes with no rounds around them."""
    works: dict[str, Contestant] = {
        "plain": timed.plain(config_of(job), timed.steps),
        "generate": rivals.plain,
        "lookup": partial(rivals.lookup, LOOKUP),
    }
    for gamma in job.gammas:
        works[f"assisted {gamma}"] = partial(rivals.assisted, gamma)
        works[f"bare {gamma}"] = timed.passes(gamma, job.tokens)
    return works


def _lanes(job: BenchJob, timed: _Contestants) -> dict[str, Contestant]:
    """Each drafter under its acceptance rule at each gamma."""
    return {
        f"{drafter} {rule} {gamma} {how}": timed.speculative(
            f"{drafter} {rule} {gamma} {how}", config_of(job, drafter=drafter, rule=rule, gamma=gamma), how
        )
        for drafter, rule, gamma, how in _rows(job)
    }


def _gamma_rules(job: BenchJob, timed: _Contestants) -> dict[str, Contestant]:
    """Each gamma rule, and what it is compared with: plain decoding and every fixed gamma, all under PAIRED."""
    works = {"plain paired": timed.plain(config_of(job, rule=PAIRED), defaultdict(list))}
    for drafter, gamma in itertools.product(_paired(job), job.gammas):
        label = f"{drafter} {gamma} paired"
        works[label] = timed.speculative(label, config_of(job, rule=PAIRED, drafter=drafter, gamma=gamma), "timed")
    for drafter, rule in job.rules:
        config = config_of(job, rule=PAIRED, drafter=drafter, gamma_rule=rule)
        frozen = replace(config, costs=session.costs(replace(config, prompt=timed.texts[0]), timed.pair))
        works[f"{drafter} {rule}"] = timed.speculative(f"{drafter} {rule}", frozen, "timed")
    return works


def _result(
    drafter: str, rule: str, gamma: int, how: str, timed: _Contestants, seconds: Mapping[str, Sequence[float]]
) -> LaneResult:
    label = f"{drafter} {rule} {gamma} {how}"
    taken, drafts_by_model = seconds[label], drafter == "small-model"
    gained = [one / other for one, other in zip(seconds["plain"], taken, strict=True)]
    passes = timed.bare[gamma] if drafts_by_model and how == "timed" else None
    return LaneResult(
        drafter=drafter,
        rule=rule,
        gamma=gamma,
        recorded=how == "recorded",
        speed=Spread.of([1 / each for each in taken]),
        speedup=Spread.of(gained),
        over_assisted=ratio(seconds[f"assisted {gamma}"], taken) if drafts_by_model else None,
        **_costs(timed.rounds[label], gamma, timed.steps, passes, gained),
    )


def _adaptive(
    drafter: str, rule: str, job: BenchJob, seconds: Mapping[str, Sequence[float]], laps: RoundsByLap
) -> Adaptive:
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


def _bare(
    texts: Sequence[str],
    gamma: int,
    tokens: int,
    pair: Pair,
    clock: Clock,
    bare_laps: PassesByLap,
    part: int,
    lap: int,
) -> TimedWork:
    """Times passes behind as much text as a run has when half its tokens are written."""
    assert pair.draft is not None, "every pair that is timed has a draft"
    start = clock()
    behind = len(pair.tokenizer.encode(texts[part])) + tokens // 2
    bare_laps[lap].append(bare.measure(pair.target, pair.draft, gamma, behind, clock))
    return TimedWork(1, clock() - start)


def _costs(
    laps: RoundsByLap, gamma: int, steps: StepsByLap, bare_laps: PassesByLap | None, gained: Sequence[float]
) -> dict[str, Any]:
    """A LaneResult's figures that come from its rounds, and from bare passes where it has some.

    gained: the speed-up of each lap that counts, from lap 1 on.
    """
    counted = summarize(list(itertools.chain(*laps.values())))
    counting = range(1, len(gained) + 1)
    plain = {lap: statistics.fmean(steps[lap]) for lap in counting}
    found = [costs for lap in counting if (costs := forecast.in_rounds(laps[lap], gamma, plain[lap]))]
    alphas = [summarize(laps[lap]).alpha or 0.0 for lap in counting]
    predicted = partial(forecast.of, alphas, gamma, gained)
    return {
        "alpha": counted.alpha or 0.0,
        "tokens_per_pass": counted.tokens_per_pass or 0.0,
        "overhead": statistics.median(forecast.overhead(laps[lap], plain[lap]) for lap in counting),
        "in_rounds": predicted(found) if len(found) == len(counting) else None,
        "in_order": bare_laps
        and predicted([forecast.bare(bare_laps[lap], attrgetter("in_order")) for lap in counting]),
        "alone": bare_laps and predicted([forecast.bare(bare_laps[lap], attrgetter("alone")) for lap in counting]),
    }
