"""Measures what bounds a target pass here: reading weights against arithmetic, longer passes, and batches of texts."""

import time
from collections.abc import Iterator
from dataclasses import replace

from specviz import draft as drafters
from specviz import session
from specviz.config.settings import Clock, RunConfig, check
from specviz.lab import machine, stopwatch
from specviz.lab.measured import Batch, Roofline
from specviz.models import pair as pairs
from specviz.models.border import use_threads
from specviz.models.pair import Pair
from specviz.models.passes import batched

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64)
BATCHES = (1, 2, 4, 8, 16, 32)
LAPS = 5
BEHIND = 128
GAMMA = 4
"""The batches' γ, if the run itself drafts nothing."""


def measure(config: RunConfig, pair: Pair | None = None, clock: Clock = time.perf_counter) -> Iterator[Roofline]:
    """Yields what is known so far, each time with one measurement more.

    Raises:
        ConfigError: the config cannot be run, or the batches do not fit into memory.
    """
    check(config)
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    target, gamma = pair.target, config.gamma or GAMMA
    behind = max(0, min(BEHIND, target.context - WIDTHS[-1]))
    threads = target.way.threads
    measured = Roofline(
        machine=machine.name(pair.device),
        device=pair.device,
        dtype=pair.dtype,
        threads=threads,
        last_cache=machine.last_cache(pair.device),
        weight_bytes=target.weight_bytes,
        flops=2 * target.weight_bytes // target.weight_size,
        memory=machine.bandwidth(pair.device, threads, clock),
        again=machine.bandwidth(pair.device, threads, clock, target.weight_bytes),
        arithmetic=machine.arithmetic(pair.device, pair.dtype, clock),
        behind=behind,
        widths=(),
        passes=(),
        gamma=gamma,
        batches=(),
        done=1,
        of=2 + len(BATCHES),
    )
    yield measured
    taken = stopwatch.passes(target, WIDTHS, behind, LAPS, clock)
    measured = replace(measured, widths=tuple(taken), passes=tuple(map(tuple, taken.values())), done=2)
    yield measured
    for batch in _batches(config, pair, gamma, behind, clock):
        measured = replace(measured, batches=(*measured.batches, batch), done=measured.done + 1)
        yield measured


def _shared(config: RunConfig, pair: Pair) -> float:
    """The share of the target's layers that the drafter runs itself, and the check then does not."""
    if drafters.entry(config.drafter).family != "target" or pair.target.unsplit:
        return 0.0
    return session.drafter(config, pair, session.sampling_of(config, pair, 1), 1).needs.layers / pair.target.layers


def _batches(config: RunConfig, pair: Pair, gamma: int, behind: int, clock: Clock) -> Iterator[Batch]:
    """Both sides of each ratio use transformers' own passes, because ours read only one text at a time."""
    target = batched.plain(pair.target, pair.device, pair.dtype)
    draft = (
        batched.plain(pair.draft, pair.device, pair.dtype)
        if pair.draft and drafters.entry(config.drafter).modelled
        else None
    )
    guess = 0.0 if draft else session.costs(config, pair).draft
    shared = _shared(config, pair)
    works = [(target, 1), (target, gamma + 1), *([(draft, 1)] if draft else [])]
    for rows in BATCHES:
        use_threads(pair.target.way.threads)
        one, many, *drafting = batched.passes(works, rows, behind, LAPS, clock)
        guessing = drafting[0] if draft else (rows * guess,) * LAPS
        if shared:  # of a pass, by each guess but the last, which the check runs through all layers
            guessing = tuple(shared * plain for plain in one)
            many = tuple((1 - shared) * each + shared * plain for each, plain in zip(many, one, strict=True))
        yield Batch(rows, one, many, guessing)
