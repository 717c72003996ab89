"""Two contestants: plain decoding, and a run of the engine. Both note what the figures are made of, by lap."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from specviz import session
from specviz.bench.clock import TimedWork
from specviz.config.settings import Clock, RunConfig
from specviz.lab import baseline
from specviz.models.pair import Pair
from specviz.trace.round import Round

StepsByLap = dict[int, list[float]]
"""Milliseconds of plain steps, by lap; lap 0 warms up."""
RoundsByLap = dict[int, list[Round]]
"""Rounds, by lap."""


class Settings(Protocol):
    """What all runs of a bench share."""

    @property
    def device(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def temperature(self) -> float: ...
    @property
    def seed(self) -> int: ...


def config_of(job: Settings, **more: Any) -> RunConfig:
    """A run's settings, without a prompt unless given."""
    settings = {"max_new_tokens": job.tokens, "temperature": job.temperature, "seed": job.seed, "device": job.device}
    return RunConfig(**{"prompt": "", **settings, **more})


def plain(
    texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, steps: StepsByLap, part: int, lap: int
) -> TimedWork:
    """Decodes as many tokens as the config says, whatever they are."""
    config = _with_lap_seed(config, lap)
    decoding = baseline.decode(config, pair, pair.tokenizer.encode(texts[part]), config.max_new_tokens)
    times = [clock(), *(clock() for _ in decoding)]
    steps[lap] += [1e3 * (end - start) for start, end in itertools.pairwise(times)]
    return TimedWork(config.max_new_tokens, times[-1] - times[0])


def speculative(
    texts: Sequence[str],
    config: RunConfig,
    pair: Pair,
    clock: Clock,
    rounds: RoundsByLap,
    part: int,
    lap: int,
    *,
    shown: bool = False,
) -> TimedWork:
    """Decodes behind a text. shown: every round is recorded in full, as for the page."""
    run = session.start(replace(_with_lap_seed(config, lap), prompt=texts[part]), pair, shown=shown)
    start = clock()
    made = list(run)
    seconds = clock() - start
    rounds[lap] += made
    return TimedWork(sum(len(step.tokens) for step in made), seconds)


def _with_lap_seed(config: RunConfig, lap: int) -> RunConfig:
    """The config with the lap's own seed, so that alpha comes from more than one text."""
    return replace(config, seed=config.seed + lap)
