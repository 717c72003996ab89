"""Two contestants: plain decoding, and a run of the engine, whose rounds are noted by lap."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from specviz import session
from specviz.bench.clock import TimedWork
from specviz.config.settings import Clock, RunConfig
from specviz.lab import baseline
from specviz.models.pair import Pair
from specviz.trace.round import Round

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


def plain(texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, part: int, lap: int) -> TimedWork:
    """Decodes as many tokens as the config says, whatever they are."""
    config = _with_lap_seed(config, lap)
    decoding = baseline.decode(config, pair, pair.tokenizer.encode(texts[part]), config.max_new_tokens)
    times = [clock(), *(clock() for _ in decoding)]
    return TimedWork(config.max_new_tokens, times[-1] - times[0])


def speculative(
    texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, rounds: RoundsByLap, part: int, lap: int
) -> TimedWork:
    """Decodes behind a text."""
    run = session.start(replace(_with_lap_seed(config, lap), prompt=texts[part]), pair, shown=False)
    start = clock()
    made = list(run)
    seconds = clock() - start
    rounds[lap] += made
    return TimedWork(sum(len(step.tokens) for step in made), seconds)


def _with_lap_seed(config: RunConfig, lap: int) -> RunConfig:
    """The config with the lap's own seed, so that alpha comes from more than one text."""
    return replace(config, seed=config.seed + lap)
