"""Serves the page over a made-up engine, in a process of its own; prints its address.

Arguments: seconds per round, then `shared` for a server of strangers, `embed` as for app.py, `hasty` for one that waits
a second for a request, `few` for one that is there sooner, with one recorded run, `small` for one whose chat model is
not fetched yet.
"""

import dataclasses
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import made_up

from specviz.config.entry import DraftEntry
from specviz.config.pairs import Loading, Offer
from specviz.config.settings import HOME, SHARED, RunConfig
from specviz.lab.measured import Measurement
from specviz.proof.findings import Drawn, Finding, Question
from specviz.trace.codec import from_json
from specviz.trace.info import Trial
from specviz.trace.round import CacheSpan, Round
from specviz.trace.run import Race, Trace
from specviz.ui import page
from specviz.ui.answers import recorded
from specviz.ui.server import connections

PER_ROUND = float(sys.argv[1])
ASSETS = Path(__file__).parents[2] / "assets"
GOLDEN = Path(__file__).parents[1] / "golden"
TALE = "tale-small-model"
SHIPPED = (
    "code-hydra", "code-jacobi", "code-lookahead", "code-ngram", "code-suffix", "tale-bigram", "tale-dflash",
    "tale-eagle", "tale-early-exit", "tale-medusa", "tale-mtp", "tale-online", "tale-quantized", "tale-recycling",
    "tale-retrieval", "tale-small-model-block", "tale-small-tree", "tale-staged",
)  # fmt: skip
"""Those that tests open; `ui/test_page.py` reads them all."""
ROUNDS = 1000
CHAT = Offer("smollm2", "SmolLM2", "270 MB, Apache-2.0, any machine", "", ready=False, chat=True, there=False)
LENGTHLESS = DraftEntry("lookahead", "made up", family="no drafter", sized=False)


def repeated(trace: Trace, many: int) -> Trace:
    """The trace again and again, each time behind itself, until it has so many rounds."""

    def later(step: Round, index: int, shift: int) -> Round:
        moved = [
            CacheSpan(span.before + shift, span.written + shift, span.kept + shift)
            for span in (step.target_cache, *step.draft_caches)
        ]
        return dataclasses.replace(
            step, index=index, position=step.position + shift, target_cache=moved[0], draft_caches=tuple(moved[1:])
        )

    length = len(trace.rounds)
    rounds = [later(trace.rounds[at % length], at, at // length * len(trace.tokens)) for at in range(many)]
    made = sum(len(step.tokens) for step in rounds)
    assert trace.race
    timed = dataclasses.replace(
        trace.race,
        rounds=tuple(trace.race.rounds[at % length] for at in range(many)),
        **{name: (getattr(trace.race, name) * (many // length + 1))[:made] for name in ("passes", "tokens", "texts")},
        **{name: tuple(many / length * lap for lap in getattr(trace.race, name)) for name in ("laps", "plain_laps")},
    )
    return dataclasses.replace(trace, rounds=tuple(rounds), race=timed)


def read(path: Path) -> Trace:
    return from_json(path.read_text(encoding="utf-8"))


def shipped_and_golden() -> dict[str, Trace]:
    tale = read(ASSETS / "traces" / f"{TALE}.json")
    return {
        TALE: tale,  # the page of these tests opens on it
        **{name: read(ASSETS / "traces" / f"{name}.json") for name in SHIPPED},
        "drawn-small-tree": read(GOLDEN / "branches-drawn.json"),
        "offered-small-tree": read(GOLDEN / "branches-top.json"),
        "weighed-small-tree": read(GOLDEN / "branches-weighed.json"),
        "long-small-model": repeated(tale, ROUNDS),
    }


def tried(trace: Trace) -> Trace:
    """As if others had made its target: a use passed, one refused for a hostile reason, and a border."""
    trials = (Trial("chain", 3.1e-7), Trial("branch", 0.5, "<img src=x onerror=alert(1)>"))
    forward = dataclasses.replace(trace.info.target_forward, tried=trials, border=4096)
    return dataclasses.replace(trace, info=dataclasses.replace(trace.info, target_forward=forward))


TRACES = {
    "made-small-model": made_up.made_up_trace(seed=3, max_new_tokens=24),
    "other-bigram": made_up.made_up_trace(seed=5, drafter="bigram"),
    "hostile-small-model": tried(made_up.made_up_trace(made_up.HOSTILE, seed=2, max_new_tokens=40)),
    "greedy-ngram": made_up.made_up_trace(drafter="ngram", temperature=0),
    "plain-small-model": made_up.made_up_trace(gamma=0, max_new_tokens=3),
    **({TALE: read(ASSETS / "traces" / f"{TALE}.json")} if "few" in sys.argv else shipped_and_golden()),
}


class Unhurried(made_up.MadeUpRun):
    """A run whose rounds take their time, and from the fortieth on ten times that: a long one waits to be stopped."""

    def __iter__(self) -> Iterator[Round]:
        for step in self._endless() if self.info.config.prompt == "endless" else super().__iter__():
            time.sleep(PER_ROUND * (1 if step.index < 40 else 10))
            if self.info.config.prompt == "break":
                raise RuntimeError("the made-up engine broke")
            if self.info.config.prompt == "too much" and self.info.config.gamma > 10:
                raise MemoryError
            yield step

    def _endless(self) -> Iterator[Round]:
        step = next(super().__iter__())
        for index in itertools.count():
            yield dataclasses.replace(step, index=index)


class Backend(made_up.MadeUpBackend):
    """Starts unhurried runs, takes its time over pairs, races, sweeps, and never comes to the end of many samples."""

    limits = SHARED if "shared" in sys.argv else HOME

    def catalog(self) -> tuple[DraftEntry, ...]:
        return (*super().catalog(), LENGTHLESS)

    def offers(self) -> tuple[Offer, ...]:
        chat = CHAT._replace(ready=self.loaded == CHAT.name)
        return (*super().offers(), chat) if "small" in sys.argv else super().offers()

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        super().start(config)
        other = not config.temperature and config.gamma == 2  # greedy texts that differ, which no sound engine writes
        return Unhurried(config, seed=2 if other else 1).stream()

    def ready(self, name: str) -> Iterator[Loading]:
        for step in super().ready(name):
            yield step
            time.sleep(PER_ROUND)

    def prove(self, question: Question) -> Iterator[Drawn | Finding]:
        while question.n > 20_000:
            yield Drawn(question.n // 2, ())
            time.sleep(PER_ROUND)
        yield from super().prove(question)

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        for race in super().race(config, expected):
            time.sleep(1.5 * PER_ROUND)
            yield race

    def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Measurement]:
        for cell in super().sweep(configs):
            time.sleep(PER_ROUND / 4)
            yield cell


demo = page.build(Backend(), TRACES)
options = page.launch_options(TRACES, recorded.shipped_labs(ASSETS / "labs"), embed="embed" in sys.argv)
_, address, _ = demo.launch(prevent_thread_lock=True, quiet=True, **options)
connections.harden(demo, *([1.0] if "hasty" in sys.argv else []))
sys.stdout.write(f"{address}\n")
sys.stdout.flush()
demo.block_thread()
