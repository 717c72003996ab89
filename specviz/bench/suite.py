"""One bench: what is timed, and what comes out, as plain data. A process of its own, and an idle machine, are up to
whoever runs it."""

import copy
import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from transformers import AutoModelForCausalLM, PreTrainedModel

from specviz import draft as drafters
from specviz import machine, plain, session, theory
from specviz.bench import loop, shapes
from specviz.bench.clock import Contestant, Spread, in_turns, ratio
from specviz.bench.loop import Loop
from specviz.bench.prompts import PROMPTS
from specviz.bench.rivals import Rivals
from specviz.bench.shapes import PROMPT, SHAPES, Numbers
from specviz.config import Clock, ConfigError, RunConfig
from specviz.machine import Machine
from specviz.metrics import summarize
from specviz.models import forwards
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.trace import Forward, Round

WIDEST = 17
PASS_LAPS = 15
BEHIND = 128
"""Tokens in the cache when single passes are timed."""
LOOKUP = 4


@dataclass(frozen=True, slots=True)
class Job:
    """What to time. laps counts only laps that count."""

    pair: str
    device: str
    gammas: tuple[int, ...]
    drafters: tuple[str, ...]
    prompts: int
    tokens: int
    laps: int
    temperature: float = 0.8
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One drafter at one gamma.

    Attributes:
        recorded: every round was written down in full, as for the page.
        speed: tokens a second.
        speedup: over specviz's plain decoding.
        over_assisted: over transformers' assisted generation with the same draft and gamma; None without a draft.
        c, v, overhead: a draft step, a verify pass over gamma + 1 and the rest of a round, in plain steps.
        predicted: theory.speedup of alpha, c and v, no overhead.
    """

    drafter: str
    gamma: int
    recorded: bool
    speed: Spread
    speedup: Spread
    over_assisted: Spread | None
    alpha: float
    tokens_per_pass: float
    c: float
    v: float
    overhead: float
    predicted: float


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


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a bench found.

    Attributes:
        loops: of the embedded pair, what a round costs beside its passes.
        passes: milliseconds of a target pass over 1 to WIDEST tokens; draft_pass: of the draft's over one.
        limit: the least milliseconds in which the target's weights can be read from memory; None where they fit the
            last-level cache, or its size is unknown.
    """

    machine: Machine
    job: Job
    target: str
    draft: str
    target_forward: Forward
    draft_forward: Forward
    dtype: str
    genres: tuple[Genre, ...]
    loops: tuple[Loop, ...]
    passes: tuple[Spread, ...]
    draft_pass: Spread
    limit: float | None


def jobs(pair: str, device: str, *, quick: bool) -> Job:
    """The usual job for a pair.

    Raises:
        ConfigError: no such pair.
    """
    if pair == "embedded":
        names = tuple(entry.name for entry in drafters.ENTRIES)
        if quick:
            return Job(pair, device, (4,), names, prompts=1, tokens=32, laps=3)
        return Job(pair, device, (1, 2, 3, 4, 6), names, prompts=4, tokens=64, laps=3)
    if pair not in SHAPES:
        raise ConfigError(f"no pair {pair!r} to time; there are: {', '.join(['embedded', *SHAPES])}")
    return Job(pair, device, (4,) if quick else (2, 4, 6), ("small-model",), 1, 16 if quick else 32, 3)


def measure(job: Job, progress: Callable[[int], Callable[[], object]], clock: Clock = time.perf_counter) -> Report:
    """Runs the job. progress hears how many pieces of work there will be; what it returns is called after each.

    Raises:
        ConfigError: the device is not there, or the pair cannot be loaded.
    """
    pair, target, draft = _load(job)
    assert pair.draft is not None, "every pair that is timed has a draft"
    texts = PROMPTS if job.pair == "embedded" else {"noise": (" ".join(map(str, PROMPT)),)}
    done = progress(len(texts) * (job.laps + 1) * len(_names(job)))
    genres = tuple(_genre(name, prompts, job, pair, target, draft, clock, done) for name, prompts in texts.items())
    text = next(iter(texts.values()))[0]
    base = _config(job, prompt=text, gamma=4)
    loops = tuple(
        loop.measure(replace(base, drafter=drafter), pair, clock) for drafter in job.drafters if job.pair == "embedded"
    )
    passes, draft_pass = _passes(pair.target, pair.draft, clock)
    found = machine.describe(pair.device, clock)
    fits = found.last_cache is None or pair.target.weight_bytes < found.last_cache
    return Report(
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


def _load(job: Job) -> tuple[Pair, PreTrainedModel, PreTrainedModel]:
    """The pair, and its two models as transformers has them."""
    if job.pair == "embedded":
        pair = pairs.load(job.pair, job.device, "auto")
        folders = (pairs.EMBEDDED / name for name in ("target", "draft"))
        target, draft = (AutoModelForCausalLM.from_pretrained(folder, dtype=pair.dtype) for folder in folders)
        return pair, target.to(pair.device).eval(), draft.to(pair.device).eval()
    device = pairs.place(job.device)
    target, draft = shapes.build(SHAPES[job.pair], device)
    fast = [forwards.fastest(_twin(model)) for model in (target, draft)]
    if device == "cpu":
        forwards.settle_threads(fast[0], fast[1])
    tokenizer: Any = Numbers()
    dtype = str(target.dtype).removeprefix("torch.")
    return Pair(job.pair, fast[0], fast[1], tokenizer, frozenset(), None, device, dtype), target, draft


def _twin(model: PreTrainedModel) -> PreTrainedModel:
    """Another model over the same weights: its layers may be exchanged for packed ones."""
    shared = {id(weight): weight for weight in (*model.parameters(), *model.buffers())}
    return copy.deepcopy(model, memo=dict(shared))


def _names(job: Job) -> list[str]:
    return [
        "plain",
        "generate",
        "lookup",
        *(f"assisted {gamma}" for gamma in job.gammas),
        *(f"{drafter} {gamma} {how}" for drafter, gamma, how in _rows(job)),
    ]


def _rows(job: Job) -> Iterator[tuple[str, int, str]]:
    return itertools.product(job.drafters, job.gammas, ("timed", "recorded"))


def _genre(
    name: str,
    texts: Sequence[str],
    job: Job,
    pair: Pair,
    target: PreTrainedModel,
    draft: PreTrainedModel,
    clock: Clock,
    done: Callable[[], object],
) -> Genre:
    texts = texts[: job.prompts]
    base = _config(job)
    rivals = Rivals(target, draft, [pair.tokenizer.encode(text) for text in texts], base)
    steps: list[float] = []
    kept: dict[str, list[Round]] = {}
    contestants: dict[str, Contestant] = {
        "plain": partial(_plain, texts, base, pair, clock, steps),
        "generate": rivals.plain,
        "lookup": partial(rivals.lookup, LOOKUP),
    }
    for gamma in job.gammas:
        contestants[f"assisted {gamma}"] = partial(rivals.assisted, gamma)
    for drafter, gamma, how in _rows(job):
        config = replace(base, drafter=drafter, gamma=gamma)
        label = f"{drafter} {gamma} {how}"
        contestants[label] = partial(_speculative, texts, config, pair, how, kept, label)
    seconds = in_turns(contestants, job.laps, clock, done)
    speed = {label: Spread.of([1 / each for each in taken]) for label, taken in seconds.items()}
    step = statistics.median(steps)
    rows = []
    for drafter, gamma, how in _rows(job):
        label = f"{drafter} {gamma} {how}"
        rivalled = drafter == "small-model"
        rows.append(
            Row(
                drafter=drafter,
                gamma=gamma,
                recorded=how == "recorded",
                speed=speed[label],
                speedup=ratio(seconds["plain"], seconds[label]),
                over_assisted=ratio(seconds[f"assisted {gamma}"], seconds[label]) if rivalled else None,
                **_costs(kept[label], gamma, step),
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
    )


def _config(job: Job, **more: Any) -> RunConfig:
    settings = {"max_new_tokens": job.tokens, "temperature": job.temperature, "seed": job.seed, "device": job.device}
    return RunConfig(**{"prompt": "", **settings, **more})


def _plain(texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, steps: list[float]) -> int:
    for text in texts:
        decoding = plain.decode(config, pair, pair.tokenizer.encode(text), config.max_new_tokens)
        before = clock()
        for _ in decoding:
            now = clock()
            steps.append(1e3 * (now - before))
            before = now
    return config.max_new_tokens * len(texts)


def _speculative(
    texts: Sequence[str], config: RunConfig, pair: Pair, how: str, kept: dict[str, list[Round]], label: str
) -> int:
    rounds = [
        step for text in texts for step in session.start(replace(config, prompt=text), pair, shown=how == "recorded")
    ]
    kept[label] = rounds
    return sum(len(step.tokens) for step in rounds)


def _costs(rounds: Sequence[Round], gamma: int, step: float) -> dict[str, float]:
    """A Row's figures that come from its rounds; step: milliseconds of a plain one."""
    counted = summarize(rounds)
    full = [each.timing for each in rounds if len(each.verdicts) == gamma]
    c = statistics.median(ms for timing in full for ms in timing.draft) / step
    v = statistics.median(timing.verify for timing in full) / step
    alpha = counted.alpha or 0.0
    return {
        "alpha": alpha,
        "tokens_per_pass": counted.tokens_per_pass or 0.0,
        "c": c,
        "v": v,
        "overhead": statistics.median(timing.accept + timing.trim + timing.overhead for timing in full) / step,
        "predicted": theory.speedup(alpha, gamma, c, v),
    }


def _passes(target: HFModel, draft: HFModel, clock: Clock) -> tuple[tuple[Spread, ...], Spread]:
    """Milliseconds of single passes behind BEHIND tokens: the target's over 1 to WIDEST, the draft's over one."""
    work = [(target, width) for width in range(1, WIDEST + 1)] + [(draft, 1)]
    caches = {}
    for model in (target, draft):
        caches[id(model)] = cache = model.new_cache(BEHIND + WIDEST)
        model.forward([1] * BEHIND, range(BEHIND), None, cache)
    times: list[list[float]] = [[] for _ in work]
    for lap in range(PASS_LAPS + 1):
        for taken, (model, width) in zip(times, work, strict=True):
            cache = caches[id(model)]
            cache.truncate(BEHIND)
            start = clock()
            model.forward([1] * width, range(BEHIND, BEHIND + width), None, cache)
            if lap:
                taken.append(1e3 * (clock() - start))
    *passes, small = map(Spread.of, times)
    return tuple(passes), small
