"""Decodes a recorded run again, timed, in turns with plain decoding. Nothing is shown or recorded."""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TypeVar

from specviz import session
from specviz.config.settings import Clock, ConfigError, RunConfig, milliseconds
from specviz.lab import baseline
from specviz.models import pair as pairs
from specviz.trace.round import Round
from specviz.trace.run import Race

LAPS = 3
PAUSE = 0.5
"""The race reports after at most that many seconds, if a step is that short."""
T = TypeVar("T")


def race(config: RunConfig, expected: Sequence[Round], clock: Clock = time.perf_counter) -> Iterator[Race | None]:
    """Times a run against plain decoding of as many tokens, with the same target, prompt, settings and seed.

    Both run one warm-up lap that does not count, then take turns. Reading the prompt is not timed. Yields None at least
    every PAUSE seconds, while the clock is stopped, so that the race can be closed there; at last yields the race.

    Args:
        expected: all rounds of the recorded run.

    Raises:
        ConfigError: the config cannot be run, or the run comes out differently here.
    """
    pair = pairs.load(config.pair, config.device, config.dtype)
    runs, plains = [], []
    for lap in range(LAPS + 1):
        run = session.start(config, pair, shown=False)
        rounds, took = yield from _timed(run, clock)
        tokens = [token for step in rounds for token in step.tokens]
        if tokens != [token for step in expected for token in step.tokens]:
            raise ConfigError("race_differs")
        decoded, passes = yield from _timed(baseline.decode(config, pair, run.prompt, len(tokens)), clock)
        if lap:
            runs.append((sum(took), rounds))
            plains.append((sum(passes), passes))
    speculative = sorted(runs, key=lambda each: each[0])[LAPS // 2][1]
    written = tuple(token for token, _ in decoded)
    yield Race(
        rounds=tuple(step.timing for step in speculative),
        passes=tuple(sorted(plains)[LAPS // 2][1]),
        tokens=written,
        texts=tuple(map(run.piece, written)),
        laps=tuple(took for took, _ in runs),
        plain_laps=tuple(took for took, _ in plains),
    )


def _timed(steps: Iterable[T], clock: Clock) -> Generator[None, None, tuple[list[T], list[float]]]:
    """Every step, and the milliseconds it took."""
    done, took = [], []
    start = reported = clock()
    for step in steps:
        now = clock()
        done.append(step)
        took.append(milliseconds(now - start))
        if now - reported >= PAUSE:
            yield
            now = reported = clock()
        start = now
    yield
    return done, took
