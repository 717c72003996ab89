"""Times methods on a pair, in turns with plain decoding and with what transformers offers; and tries whether each is
exact. Run it in its own process, on an idle machine."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from specviz import accept, session
from specviz import draft as drafters
from specviz.bench import rivals
from specviz.bench.clock import Contestant, Spread, TimedWork, in_turns, ratio
from specviz.bench.prompts import prompts_of
from specviz.bench.rivals import Rivals
from specviz.config.methods import CHAT, Method, methods, methods_named
from specviz.config.settings import Clock, ConfigError, RunConfig, check_together
from specviz.config.words import tell
from specviz.lab import baseline, exactness, machine
from specviz.lab.machine import Machine
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.models.reference import asked
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
        exact: prompts on which exactness is tried; 0 for not at all.
    """

    methods: tuple[Method, ...]
    device: str = "auto"
    prompts: int = 3
    tokens: int = 64
    laps: int = 3
    exact: int = EXACT_PROMPTS
    temperature: float = 0.8
    seed: int = 1
    pair: str = field(default="embedded", metadata={"sparse": True})

    def config(self, method: Method | None = None) -> RunConfig:
        """A run's settings, still without a prompt."""
        shared = RunConfig(
            "",
            max_new_tokens=self.tokens,
            temperature=self.temperature,
            seed=self.seed,
            device=self.device,
            pair=self.pair,
        )
        if not method:
            return shared
        return replace(shared, drafter=method.drafter, rule=method.rule, gamma=method.gamma, params=dict(method.params))


@dataclass(frozen=True, slots=True)
class Timed:
    """A contestant's figures.

    Attributes:
        speedups: over plain decoding, by kind of text. overall: on all of them.
        tokens_per_pass, alpha: of all laps; None of a rival, and where nothing was tested.
        exact: None where it was not tried, such as of a rival.
        kinds_per_pass: tokens a pass, by kind of text.
    """

    name: str
    speedups: Mapping[str, Spread]
    overall: Spread
    tokens_per_pass: float | None
    alpha: float | None
    exact: Exactness | None
    kinds_per_pass: Mapping[str, float] = field(default_factory=dict, metadata={"sparse": True})


@dataclass(frozen=True, slots=True)
class MethodsReport:
    """All results.

    Attributes:
        job: with the methods that the pair can run.
        draft: "" if the pair has none.
        plain: tokens a second of plain decoding, by kind of text.
        lacking: why a method or a rival was left out, by its name.
    """

    machine: Machine
    job: MethodsJob
    target: str
    draft: str
    target_forward: Forward
    draft_forward: Forward | None
    dtype: str
    plain: Mapping[str, Spread]
    rows: tuple[Timed, ...]
    lacking: Mapping[str, str] = field(default_factory=dict, metadata={"sparse": True})


def jobs(names: Sequence[str], device: str, *, quick: bool, pair: str = "embedded") -> MethodsJob:
    """names: of methods, DRAFTER or DRAFTER:RULE each; none means all, or CHAT where the pair is not the embedded one.

    Raises:
        ConfigError: there is no such method, or its rule does not go with its drafter.
    """
    entries = drafters.ENTRIES, accept.ENTRIES
    embedded = pair == "embedded"
    wanted = methods_named(names, *entries) if names else methods(*entries) if embedded else CHAT
    job = MethodsJob(wanted, device, pair=pair)
    if not embedded:
        job = replace(job, laps=2, exact=0)
    if quick:
        job = replace(job, prompts=1, tokens=32, laps=1, exact=min(job.exact, 4))
    for each in wanted:
        check_together(
            drafters.entry(each.drafter), accept.entry(each.rule), RunConfig("", temperature=job.temperature)
        )
    return job


def measure(
    job: MethodsJob, progress: Callable[[int], Callable[[], object]], clock: Clock = time.perf_counter
) -> MethodsReport:
    """Runs the job.

    Args:
        progress: called with the number of pieces of work. What it returns is called after each piece.

    Raises:
        ConfigError: the device is not there, the pair cannot be loaded, or runs none of the methods.
    """
    pair, texts = pairs.load(job.pair, job.device, "auto"), prompts_of(job.pair)
    job, lacking = _usable(job, pair, next(iter(texts.values()))[0])
    target, draft = rivals.models(pair)
    if draft is None:
        lacking["assisted"] = "transformers has no draft model of this pair"
    others = [name for name in RIVALS if name not in lacking]
    contestants, laps = len(job.methods) + len(others) + 1, job.laps * job.prompts + 1
    done = progress(len(texts) * contestants * laps + len(job.methods) * job.exact)
    rounds: dict[str, dict[str, list[Round]]] = {kind: defaultdict(list) for kind in texts}
    seconds: dict[str, dict[str, list[float]]] = {}
    for kind, some in texts.items():
        some = some[: job.prompts]
        prompts = [session.prompt_of(replace(job.config(), prompt=text), pair) for text in some]
        theirs = Rivals(target, draft, prompts, job.config(), clock, asked(job.config(), pair))
        works = _contestants(job, pair, theirs, some, rounds[kind], clock)
        seconds[kind] = in_turns(works, job.prompts, job.laps, done)
    exact = _exact(job, pair, done)
    return MethodsReport(
        machine=machine.describe(pair.device, pair.target.way.threads, clock),
        job=job,
        target=tell(pair.target.label),
        draft=tell(pair.draft.label) if pair.draft else "",
        target_forward=pair.target.way,
        draft_forward=pair.draft.way if pair.draft else None,
        dtype=pair.dtype,
        plain={kind: Spread.of([1 / each for each in taken["plain"]]) for kind, taken in seconds.items()},
        rows=(
            *(_timed(each.name, seconds, rounds, exact.get(each.name)) for each in job.methods),
            *(_timed(name, seconds, rounds, None) for name in others),
        ),
        lacking=lacking,
    )


def _usable(job: MethodsJob, pair: Pair, text: str) -> tuple[MethodsJob, dict[str, str]]:
    """The job without the methods that the pair cannot run, and why, by their names."""
    lacking = {}
    for each in job.methods:
        try:
            session.start(replace(job.config(each), prompt=text), pair, shown=False)
        except ConfigError as error:
            lacking[each.name] = str(error)
    if len(lacking) == len(job.methods):
        raise ConfigError(f"{pair.name} runs none of the methods: {next(iter(lacking.values()))}")
    return replace(job, methods=tuple(each for each in job.methods if each.name not in lacking)), lacking


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
    offered: dict[str, Contestant] = {"generate": theirs.plain, "lookup": partial(theirs.lookup, GAMMA)}
    if theirs.draft is not None:
        offered["assisted"] = partial(theirs.assisted, GAMMA)
    return {"plain": partial(_plain, texts, job.config(), pair, clock), **offered, **ours}


def _plain(texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, part: int, lap: int) -> TimedWork:
    """Decodes after a text, as far as a run would."""
    config = replace(_seeded(config, lap), prompt=texts[part])
    decoding = baseline.decode(config, pair, session.prompt_of(config, pair), config.max_new_tokens)
    times = [clock()]
    for token, _ in decoding:
        times.append(clock())
        if token in pair.ends:
            break
    return TimedWork(len(times) - 1, times[-1] - times[0])


def _speculative(
    texts: Sequence[str], config: RunConfig, pair: Pair, clock: Clock, rounds: list[Round], part: int, lap: int
) -> TimedWork:
    """Decodes after a text, and notes the rounds."""
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
    for each in job.methods if job.exact else ():
        for tried, item in enumerate(exactness.exactness(job.config(each), pair, texts, plain=plain)):
            if isinstance(item, Exactness):
                found[each.name] = item
            elif tried < job.exact:
                done()
    return found


def _timed(
    name: str,
    seconds: Mapping[str, Mapping[str, Sequence[float]]],
    rounds: Mapping[str, Mapping[str, Sequence[Round]]],
    exact: Exactness | None,
) -> Timed:
    made = {kind: found[name] for kind, found in rounds.items() if name in found}
    counted = summarize([step for steps in made.values() for step in steps])
    totals = ([*map(sum, zip(*(taken[who] for taken in seconds.values()), strict=True))] for who in ("plain", name))
    return Timed(
        name=name,
        speedups={kind: ratio(taken["plain"], taken[name]) for kind, taken in seconds.items()},
        overall=ratio(*totals),
        tokens_per_pass=counted.tokens_per_pass,
        alpha=counted.alpha,
        exact=exact,
        kinds_per_pass={kind: summarize(steps).tokens_per_pass or 0.0 for kind, steps in made.items()},
    )
