"""Measures configurations one after the other, each in turns with plain decoding."""

import time
from collections.abc import Iterator, Sequence

from specviz import draft, session
from specviz.config.settings import HOME, Clock, Limits, RunConfig, milliseconds
from specviz.lab import baseline
from specviz.lab.measured import Measurement
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.trace.metrics import summarize


def sweep(configs: Sequence[RunConfig], limits: Limits = HOME) -> Iterator[Measurement]:
    """A measurement of each, in order. The first is decoded twice, because its first time only warms up.

    Args:
        limits: of each run.

    Raises:
        ConfigError: a config cannot be run.
    """
    for config in configs[:1]:
        measure(config, limits)
    for config in configs:
        yield measure(config, limits)


def measure(config: RunConfig, limits: Limits = HOME, clock: Clock = time.perf_counter) -> Measurement:
    """Measures one of them.

    Raises:
        ConfigError: it cannot be run.
    """
    pair = pairs.load(config.pair, config.device, config.dtype)
    run = session.start(config, pair, limits=limits, shown=False)
    rounds = list(run)
    tokens = tuple(token for step in rounds for token in step.tokens)
    decoding = baseline.decode(config, pair, run.prompt, len(tokens))
    start = clock()
    for _ in decoding:
        pass
    took = milliseconds(clock() - start)
    counted = summarize(rounds)
    timings = [step.timing for step in rounds]
    return Measurement(
        config=run.info.config,
        tokens=tokens,
        gammas=counted.gammas,
        tested=counted.tested,
        accepted=counted.accepted,
        rolled_back=sum(step.target_cache.written - step.target_cache.kept for step in rounds),
        draft=sum(each.drafting for each in timings),
        verify=sum(each.verify for each in timings),
        rest=sum(each.accept + each.trim + each.overhead for each in timings),
        plain=took,
        memory=_memory(run, pair, len(run.prompt) + len(tokens)),
    )


def _memory(run: session.Run, pair: Pair, length: int) -> int:
    """Bytes that a run's drafter holds beside the target after a text of that length."""
    entry, target = draft.entry(run.info.config.drafter), pair.target
    held = [cache.slot_bytes * length for cache in run.info.draft_caches]
    if entry.modelled and pair.draft:
        held.append(pair.draft.weight_bytes)
    if entry.counted:
        held.append(pair.table().nbytes)
    if entry.asset:
        held.append(pair.size(entry.asset))
    if entry.rounded:
        held.append(target.weight_bytes // target.weight_size)
    return sum(held)
