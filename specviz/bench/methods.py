"""Times every method on the built-in pair, in turns with plain decoding and with what transformers offers; and tries
whether each is exact. Run it in a process of its own, on an idle machine."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from specviz import accept, session
from specviz import draft as drafters
from specviz.bench import rivals
from specviz.bench.clock import Contestant, Spread, TimedWork, in_turns, ratio
from specviz.bench.prompts import PROMPTS
from specviz.bench.rivals import Rivals
from specviz.config.methods import Method, methods, methods_named
from specviz.config.settings import Clock, RunConfig, check_together
from specviz.config.words import tell
from specviz.lab import baseline, exactness, machine
from specviz.lab.machine import Machine
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.proof.findings import EXACT_PROMPTS, Exactness
from specviz.trace.info import Forward
from specviz.trace.metrics import summarize
from specviz.trace.round import Round

GAMMA = 4
"""Of transformers' assisted generation and prompt lookup."""
RIVALS = {"generate": "generate", "assisted": "assisted generation", "lookup": "prompt lookup"}
"""What transformers offers."""


@dataclass(frozen=True, slots=True)
class MethodsJob:
    """What to time.

    Attributes:
        prompts: of each kind of text.
        laps: those that count.
        exact: prompts on which exactness is tried.
    """

    methods: tuple[Method, ...]
    device: str = "auto"
    prompts: int = 3
    tokens: int = 64
    laps: int = 3
    exact: int = EXACT_PROMPTS
    temperature: float = 0.8
    seed: int = 1

    def config(self, method: Method | None = None) -> RunConfig:
        """A run's settings, still without a prompt."""
        shared = RunConfig(
            "", max_new_tokens=self.tokens, temperature=self.temperature, seed=self.seed, device=self.device
        )
        return replace(shared, drafter=method.drafter, rule=method.rule, gamma=method.gamma) if method else shared


@dataclass(frozen=True, slots=True)
class Timed:
    """A contestant's figures.

    Attributes:
        speedups: over plain decoding, by kind of text. overall: on all of them.
        tokens_per_pass, alpha: of all laps; None of a rival, and where nothing was tested.
        exact: None of a rival, which is not tried.
    """

    name: str
    speedups: Mapping[str, Spread]
    overall: Spread
    tokens_per_pass: float | None
    alpha: float | None
    exact: Exactness | None


@dataclass(frozen=True, slots=True)
class MethodsReport:
    """All results. plain: tokens a second of plain decoding, by kind of text."""

    machine: Machine
    job: MethodsJob
    target: str
    draft: str
    target_forward: Forward
    draft_forward: Forward
    dtype: str
    plain: Mapping[str, Spread]
    rows: tuple[Timed, ...]


def jobs(names: Sequence[str], device: str, *, quick: bool) -> MethodsJob:
    """names: of methods, DRAFTER or DRAFTER:RULE each; none means all.

    Raises:
        ConfigError: there is no such method, or its rule does not go with its drafter.
    """
    entries = drafters.ENTRIES, accept.ENTRIES
    wanted = methods_named(names, *entries) if names else methods(*entries)
    job = MethodsJob(wanted, device, prompts=1, tokens=32, laps=1, exact=4) if quick else MethodsJob(wanted, device)
    for each in wanted:
        check_together(drafters.entry(each.drafter), accept.entry(each.rule), job.temperature)
    return job


def measure(
    job: MethodsJob, progress: Callable[[int], Callable[[], object]], clock: Clock = time.perf_counter
) -> MethodsReport:
    """Runs the job.

    Args:
        progress: called with the number of pieces of work. What it returns is called after each piece.

    Raises:
        ConfigError: the device is not there, or the pair cannot be loaded.
    """
    pair = pairs.load("embedded", job.device, "auto")
    assert pair.draft is not None, "the embedded pair has a draft"
    contestants, laps = len(job.methods) + len(RIVALS) + 1, job.laps * job.prompts + 1
    done = progress(len(PROMPTS) * contestants * laps + len(job.methods) * job.exact)
    target, draft = rivals.models(pairs.EMBEDDED, pair)
    rounds: dict[str, list[Round]] = defaultdict(list)
    seconds: dict[str, dict[str, list[float]]] = {}
    for kind, texts in PROMPTS.items():
        prompts = [pair.tokenizer.encode(text) for text in texts]
        theirs = Rivals(target, draft, prompts, job.config(), clock)
        works = _contestants(job, pair, theirs, texts[: job.prompts], rounds, clock)
        seconds[kind] = in_turns(works, job.prompts, job.laps, done)
    exact = _exact(job, pair, done)
    return MethodsReport(
        machine=machine.describe(pair.device, pair.target.way.threads, clock),
        job=job,
        target=tell(pair.target.label),
        draft=tell(pair.draft.label),
        target_forward=pair.target.way,
        draft_forward=pair.draft.way,
        dtype=pair.dtype,
        plain={kind: Spread.of([1 / each for each in taken["plain"]]) for kind, taken in seconds.items()},
        rows=(
            *(_timed(each.name, seconds, rounds[each.name], exact[each.name]) for each in job.methods),
            *(_timed(name, seconds, [], None) for name in RIVALS),
        ),
    )


def _contestants(
    job: MethodsJob,
    pair: Pair,
    theirs: Rivals,
    texts: Sequence[str],
    rounds: Mapping[str, list[Round]],
    clock: Clock,
) -> dict[str, Contestant]:
    ours: dict[str, Contestant] = {
        each.name: partial(_speculative, texts, job.config(each), pair, clock, rounds[each.name])
        for each in job.methods
    }
    return {
        "plain": partial(_plain, texts, job.config(), pair, clock),
        "generate": theirs.plain,
        "assisted": partial(theirs.assisted, GAMMA),
        "lookup": partial(theirs.lookup, GAMMA),
        **ours,
    }


def _plain(texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, part: int, lap: int) -> TimedWork:
    """Decodes as many tokens as the config says, whatever they are."""
    config = _seeded(config, lap)
    decoding = baseline.decode(config, pair, pair.tokenizer.encode(texts[part]), config.max_new_tokens)
    times = [clock(), *(clock() for _ in decoding)]
    return TimedWork(config.max_new_tokens, times[-1] - times[0])


def _speculative(
    texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, rounds: list[Round], part: int, lap: int
) -> TimedWork:
    """Decodes behind a text, and notes the rounds."""
    run = session.start(replace(_seeded(config, lap), prompt=texts[part]), pair, shown=False)
    start = clock()
    made = list(run)
    seconds = clock() - start
    rounds += made
    return TimedWork(sum(len(step.tokens) for step in made), seconds)


def _seeded(config: RunConfig, lap: int) -> RunConfig:
    """The config with the lap's own seed, so that alpha comes from more than one text."""
    return replace(config, seed=config.seed + lap)


def _exact(job: MethodsJob, pair: Pair, done: Callable[[], object]) -> dict[str, Exactness]:
    found, plain, texts = {}, {}, exactness.texts(job.exact)  # type: ignore[var-annotated]
    for each in job.methods:
        for tried, item in enumerate(exactness.exactness(job.config(each), pair, texts, plain=plain)):
            if isinstance(item, Exactness):
                found[each.name] = item
            elif tried < job.exact:
                done()
    return found


def _timed(
    name: str, seconds: Mapping[str, Mapping[str, Sequence[float]]], rounds: Sequence[Round], exact: Exactness | None
) -> Timed:
    counted = summarize(rounds)
    totals = ([*map(sum, zip(*(taken[who] for taken in seconds.values()), strict=True))] for who in ("plain", name))
    return Timed(
        name=name,
        speedups={kind: ratio(taken["plain"], taken[name]) for kind, taken in seconds.items()},
        overall=ratio(*totals),
        tokens_per_pass=counted.tokens_per_pass,
        alpha=counted.alpha,
        exact=exact,
    )
