"""Times one γ after the other, and what a round is made of. Run it in a process of its own, on an idle machine."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from transformers import PreTrainedModel

from specviz.bench import genre, loop, rivals, shapes
from specviz.bench.clock import Spread
from specviz.bench.decoding import config_of
from specviz.bench.loop import Loop
from specviz.bench.prompts import PROMPTS
from specviz.bench.results import BenchJob, GenreResult
from specviz.bench.shapes import PROMPT, SHAPES, NumberTokenizer
from specviz.config.settings import Clock, ConfigError
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.lab import machine, stopwatch
from specviz.lab.machine import Machine
from specviz.models import loading
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.trace.info import Forward
from specviz.verify import LanguageModel

WIDEST = 17
PASS_LAPS = 60
BEHIND = 128
"""Tokens in the cache when single passes are timed."""
DRAFTERS = ("bigram", "ngram", "small-model", "small-tree")
"""Those whose γ is varied; `methods` times them all."""


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All results of a bench.

    Attributes:
        loops: what a round costs besides its passes, for the embedded pair.
        passes: milliseconds of a target pass over 1 to WIDEST tokens. draft_pass: of a draft pass over one token.
        limit: the least milliseconds in which the target's weights can be read from memory; None if they fit in the
            last-level cache, or if its size is unknown.
    """

    machine: Machine
    job: BenchJob
    target: str
    draft: str
    target_forward: Forward
    draft_forward: Forward
    dtype: str
    genres: tuple[GenreResult, ...]
    loops: tuple[Loop, ...]
    passes: tuple[Spread, ...]
    draft_pass: Spread
    limit: float | None


def jobs(pair: str, device: str, *, quick: bool) -> BenchJob:
    """The usual job for a pair.

    Raises:
        ConfigError: no such pair.
    """
    if pair == "embedded":
        lanes = (*((drafter, "rejection") for drafter in DRAFTERS), ("small-model", "block"))
        if quick:
            return BenchJob(pair, device, (4,), lanes, prompts=1, tokens=32, laps=3)
        rules = tuple(("small-model", entry.name) for entry in GAMMA_RULES if entry.name != "fixed")
        return BenchJob(pair, device, (2, 4, 6, 8, 10), lanes, prompts=3, tokens=128, laps=3, rules=rules)
    if pair not in SHAPES:
        raise ConfigError(f"no pair {pair!r} to time; there are: {', '.join(['embedded', *SHAPES])}")
    return BenchJob(
        pair, device, (4,) if quick else (2, 4, 6), (("small-model", "rejection"),), 1, 16 if quick else 32, 3
    )


def measure(
    job: BenchJob, progress: Callable[[int], Callable[[], object]], clock: Clock = time.perf_counter
) -> BenchReport:
    """Runs the job.

    Args:
        progress: called with the number of pieces of work. What it returns is called after each piece.

    Raises:
        ConfigError: the device is not there, or the pair cannot be loaded.
    """
    pair, target, draft = _load(job)
    assert pair.draft is not None, "every pair that is timed has a draft"
    texts = PROMPTS if job.pair == "embedded" else {"noise": (" ".join(map(str, PROMPT)),)}
    works = sum(len(prompts[: job.prompts]) * job.laps + 1 for prompts in texts.values())
    done = progress(works * genre.contestants(job))
    genres = tuple(
        genre.measure(name, prompts, job, pair, target, draft, clock, done) for name, prompts in texts.items()
    )
    text = next(iter(texts.values()))[0]
    base = config_of(job, prompt=text, gamma=4)
    loops = tuple(
        loop.measure(replace(base, drafter=drafter), pair, clock)
        for drafter in dict.fromkeys(drafter for drafter, _ in job.lanes)
        if job.pair == "embedded"
    )
    passes, draft_pass = _passes(pair.target, pair.draft, clock)
    found = machine.describe(pair.device, pair.target.way.threads, clock)
    fits = found.last_cache is None or pair.target.weight_bytes < found.last_cache
    return BenchReport(
        machine=found,
        job=job,
        target=pair.target.label,
        draft=pair.draft.label,
        target_forward=pair.target.way,
        draft_forward=pair.draft.way,
        dtype=pair.dtype,
        genres=genres,
        loops=loops,
        passes=passes,
        draft_pass=draft_pass,
        limit=None if fits else 1e3 * pair.target.weight_bytes / found.bandwidth,
    )


def _load(job: BenchJob) -> tuple[Pair, PreTrainedModel, PreTrainedModel]:
    """The pair, and its two models as transformers has them."""
    if job.pair == "embedded":
        pair = pairs.load(job.pair, job.device, "auto")
        return pair, *rivals.models(pairs.EMBEDDED, pair)
    shape, device, names = SHAPES[job.pair], pairs.place(job.device), ("target", "draft")
    dtype, tokenizer = str(shape.dtype).removeprefix("torch."), cast(Any, NumberTokenizer())
    theirs = shapes.build(shape, device)
    with TemporaryDirectory() as folder:
        for name, model in zip(names, theirs, strict=True):
            model.save_pretrained(Path(folder) / name)
        target, draft = (loading.load(job.pair, Path(folder) / name, None, device, dtype) for name in names)
    return Pair(job.pair, target, draft, tokenizer, frozenset(), None, device, dtype), *theirs


def _passes(target: LanguageModel, draft: LanguageModel, clock: Clock) -> tuple[tuple[Spread, ...], Spread]:
    """Milliseconds of single passes behind BEHIND tokens: the target's over 1 to WIDEST, the draft's over one."""
    wide = stopwatch.passes(target, range(1, WIDEST + 1), BEHIND, PASS_LAPS, clock)
    small = stopwatch.passes(draft, [1], BEHIND, PASS_LAPS, clock)
    return tuple(map(Spread.of, wide.values())), Spread.of(small[1])
