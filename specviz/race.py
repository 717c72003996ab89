"""A recorded run decoded again on the clock, in turns with plain decoding: nothing shown, nothing written down."""

import time
from collections.abc import Sequence
from itertools import pairwise

from specviz import plain, session
from specviz.config import Clock, ConfigError, RunConfig
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.trace import Race, Round

LAPS = 3


def race(
    config: RunConfig,
    expected: Sequence[Round],
    pair: Pair | None = None,
    laps: int = LAPS,
    clock: Clock = time.perf_counter,
) -> Race:
    """Times a run against plain decoding of as many tokens by the same target, prompt, settings and seed.

    Both are warmed up by a lap that does not count, then take turns. The prompt is read off the clock.

    Args:
        expected: all rounds of the run as they were recorded.

    Raises:
        ConfigError: the config cannot be run, or the run goes differently here.
    """
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    runs, plains = [], []
    for lap in range(laps + 1):
        run = session.start(config, pair, shown=False)
        start = clock()
        rounds = list(run)
        took = 1e3 * (clock() - start)
        tokens = [token for step in rounds for token in step.tokens]
        if tokens != [token for step in expected for token in step.tokens]:
            raise ConfigError("this machine decodes the run differently, so it cannot be timed as it was recorded")
        decoding = plain.decode(config, pair, run.prompt, len(tokens))
        stamps, written = [clock()], []
        for token, _ in decoding:
            stamps.append(clock())
            written.append(token)
        if lap:
            runs.append((took, rounds))
            plains.append((1e3 * (stamps[-1] - stamps[0]), stamps))
    speculative = sorted(runs, key=lambda each: each[0])[laps // 2][1]
    stamps = sorted(plains)[laps // 2][1]
    return Race(
        rounds=tuple(step.timing for step in speculative),
        passes=tuple(1e3 * (end - begin) for begin, end in pairwise(stamps)),
        tokens=tuple(written),
        texts=tuple(map(run.piece, written)),
        laps=tuple(took for took, _ in runs),
        plain_laps=tuple(took for took, _ in plains),
    )
