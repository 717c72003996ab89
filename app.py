"""Starts the page. The one file that knows both the engine and the ui; Hugging Face Spaces runs it as it is.

The page opens before torch is imported; once one stands, a thread readies the models.
"""

import argparse
import datetime as dt
import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")

from specviz import accept, draft, pairs
from specviz.config import HOME, SHARED, ConfigError, Entry, Limits, RunConfig
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.ui import page
from specviz.ui.answers import recorded
from specviz.ui.server import connections

if TYPE_CHECKING:
    from specviz.costs import Costs
    from specviz.lab.measured import Measurement, Roofline
    from specviz.pairs import Loading, Offer
    from specviz.proof.findings import Equality, Finding, Question
    from specviz.proof.slot import SlotDistributions
    from specviz.trace.run import Race

Task = TypeVar("Task", bound=Callable[..., Any])


def _here(task: Task) -> Task:
    return task


try:
    import spaces
except ImportError:  # Spaces have it; elsewhere it would change nothing
    gpu: Callable[[Task], Task] = _here
else:
    gpu = spaces.GPU

ASSETS = Path(__file__).resolve().parent / "assets"
TRACES = ASSETS / "traces"
PAIR = ASSETS / "pair"
"""What the page begins with."""
LABS = ASSETS / "labs"
"""What the labs open on."""
LENT = bool(os.environ.get("SPACES_ZERO_GPU"))
"""Whether this is ZeroGPU, which lends its GPU to one call of `work` at a time, in a process forked for it."""
ALONE = 10.0
"""Seconds after which the models are readied though nobody has opened the page."""

_importing = threading.Lock()
_wanted = threading.Event()


def engine(module: str) -> Any:
    """A module of the engine. The first one imports torch, which two threads at once would find half-made."""
    _wanted.set()
    with _importing:
        return importlib.import_module(f"specviz.{module}")


@gpu
def work(module: str, function: str, *arguments: Any) -> Generator[Any]:
    """What a function of the engine returns, or all it yields: plain data, as it may come from another process."""
    found = getattr(engine(module), function)(*arguments)
    if isinstance(found, Iterator):
        yield from found
    else:
        yield found


class LiveRun:
    """A run made by `work`."""

    def __init__(self, config: RunConfig, limits: Limits) -> None:
        self._items = work("session", "stream", config, limits)
        self._trace: Trace = next(self._items)
        self.info, self.prefill = self._trace.info, self._trace.prefill
        self.prompt, self.prompt_texts = self._trace.prompt, self._trace.prompt_texts

    def __iter__(self) -> "Iterator[Round]":
        try:
            for item in self._items:
                if isinstance(item, Round):
                    yield item
                else:
                    self._trace = item
        finally:
            self._items.close()

    def trace(self) -> "Trace":
        """The whole run; before its last round, what was known before its first."""
        return self._trace


class LocalBackend:
    """The engine, in this process or in one that was lent a GPU.

    own: the pair of the person who started it, as pairs.split reads it, "" for none. limits: what one run may ask for.
    """

    own = ""
    limits = SHARED if os.environ.get("SPACE_ID") else HOME

    def catalog(self) -> tuple[Entry, ...]:
        """The drafters of the registry."""
        return draft.ENTRIES

    def rules(self) -> tuple[Entry, ...]:
        """The acceptance rules of the registry."""
        return accept.ENTRIES

    def offers(self) -> "tuple[Offer, ...]":
        """The pairs there are, as this machine can run them."""
        return cast("tuple[Offer, ...]", engine("models.hub.offers").offers(self.own))

    def ready(self, name: str) -> "Iterator[Loading]":
        """Brings a pair into memory, telling how far it is; raises ConfigError when it cannot be had."""
        return cast("Iterator[Loading]", engine("models.hub.offers").ready(name))

    def start(self, config: RunConfig) -> LiveRun:
        """Readies a run; raises ConfigError when the config cannot be run."""
        return LiveRun(config, self.limits)

    def laws(self, config: RunConfig, index: int, slot: int, expected: "Sequence[Round]") -> "SlotDistributions":
        """p and q of one slot of a recorded run; raises ConfigError when the run goes differently here."""
        return cast("SlotDistributions", next(work("proof.vocabulary", "distributions", config, index, slot, expected)))

    def prove(self, question: "Question") -> "Iterator[int | Finding]":
        """Samples drawn so far, then what they say; raises ConfigError when the question cannot be asked."""
        return cast("Iterator[int | Finding]", work("proof.sampled", "prove", question))

    def equal(self, config: RunConfig) -> "Equality":
        """A run held against plain decoding; raises ConfigError when its text need not be plain decoding's."""
        return cast("Equality", next(work("baseline", "equal", config, None, self.limits)))

    def sweep(self, configs: "Sequence[RunConfig]") -> "Iterator[Measurement]":
        """Configurations measured one after the other; raises ConfigError when one cannot be run."""
        return cast("Iterator[Measurement]", work("lab.sweep", "sweep", configs, self.limits))

    def costs(self, config: RunConfig) -> "Costs":
        """What a round's parts cost here; raises ConfigError when the config cannot be run."""
        return cast("Costs", next(work("session", "costs", config)))

    def machine(self, config: RunConfig) -> "Iterator[Roofline]":
        """What bounds a pass here, as far as it is measured; raises ConfigError when it cannot be."""
        return cast("Iterator[Roofline]", work("lab.roofline", "measure", config))

    def race(self, config: RunConfig, expected: "Sequence[Round]") -> "Iterator[Race | None]":
        """A recorded run timed against plain decoding; raises ConfigError when it goes differently here."""
        return cast("Iterator[Race | None]", work("lab.race", "race", config, expected))

    def warm_up(self) -> None:
        """Loads the default pair, so that the first run need not."""
        defaults = RunConfig(prompt="")
        engine("models.pair").load(defaults.pair, defaults.device, defaults.dtype).table()


backend = LocalBackend()
traces, unread = page.shipped_traces(TRACES)
demo = page.build(backend, traces, unread)


def _warm_up_later() -> None:
    """Once a page stands: while the first is fetched, it would be kept waiting."""
    _wanted.wait(ALONE)
    try:
        backend.warm_up()
    except ConfigError as error:  # recorded runs play all the same, and a run that needs what is broken says so
        logging.getLogger("specviz").warning(error)


def _record_labs() -> None:
    """What the labs open on, measured here and now."""
    for path in recorded.record(backend, traces, LABS, dt.datetime.now(dt.UTC)):
        sys.stdout.write(f"{path}\n")


def _port(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 65_536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is none; wanted 1 to 65535")


def main() -> None:
    """Serves the page until interrupted. Without --port, the first free one from 7860 on."""
    parser = argparse.ArgumentParser(description="Watch speculative decoding, round by round, in the browser.")
    parser.add_argument("--host", help="address to listen on; this machine only unless given")
    parser.add_argument("--port", type=_port, help="port to listen on")
    parser.add_argument(
        "--shared",
        action=argparse.BooleanOptionalAction,
        help="for strangers, or a class: shorter runs, and what was run before is not run again; unless --no-shared,"
        " so on a Space and where --host is not this machine alone",
    )
    parser.add_argument("--embed", action="store_true", help="let pages of other sites ask for runs, and show the page")
    parser.add_argument("--target", help="a folder or Hugging Face repository to offer beside the known pairs")
    parser.add_argument("--draft", help="its draft, likewise")
    parser.add_argument("--record-labs", action="store_true", help="measure anew what the labs open on, and end")
    options = parser.parse_args()
    if options.record_labs:
        _record_labs()
        return
    if (options.target is None) != (options.draft is None):
        parser.error("--target and --draft go together")
    if not all((PAIR / part).is_dir() for part in ("target", "draft")):
        parser.exit(2, f"{parser.prog}: {PAIR} is missing or not whole; fetch the project anew, with all of assets\n")
    host = options.host or os.environ.get("GRADIO_SERVER_NAME")
    beyond = host not in (None, "localhost", "127.0.0.1", "::1")
    if options.shared is not None or beyond:
        backend.limits = HOME if options.shared is False else SHARED
    for line in unread:
        logging.getLogger("specviz").warning(line)
    if options.target:
        backend.own = pairs.own(options.draft, options.target)
    if LENT:
        backend.warm_up()  # before any GPU is lent: what then lies on "cuda" moves there with every run
    launching = page.launch_options(traces, recorded.shipped_labs(LABS), embed=options.embed)
    try:
        demo.launch(server_name=options.host, server_port=options.port, prevent_thread_lock=True, **launching)
    except OSError:  # what Gradio raises where it cannot listen
        taken = "no port it tried is free" if options.port is None else f"port {options.port} is in use"
        unless = f", if {options.host} is an address of this machine" if options.host else ""
        parser.exit(2, f"{parser.prog}: {taken}; choose another with --port{unless}\n")
    connections.harden(demo)
    if not LENT:
        threading.Thread(target=_warm_up_later, daemon=True).start()
    demo.block_thread()


if __name__ == "__main__":
    main()
