"""What the page needs from the engine, and nothing more. specviz.local supplies it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from specviz.config import Entry, Limits, RunConfig
from specviz.costs import Costs
from specviz.lab.measured import Measurement, Roofline
from specviz.pairs import Loading, Offer
from specviz.proof.findings import Equality, Finding, Question
from specviz.proof.slot import SlotDistributions
from specviz.trace.info import RunInfo
from specviz.trace.round import Round
from specviz.trace.run import Race, Trace


class LiveRun(Protocol):
    """One run being made: what is known before its first round, then its rounds."""

    @property
    def info(self) -> RunInfo:
        """How the run is made."""
        ...

    @property
    def prompt(self) -> tuple[int, ...]:
        """Token ids of the prompt."""
        ...

    @property
    def prompt_texts(self) -> tuple[str, ...]:
        """Their text, one by one."""
        ...

    @property
    def prefill(self) -> float:
        """Milliseconds it took to read the prompt."""
        ...

    def __iter__(self) -> Iterator[Round]: ...

    def trace(self) -> Trace:
        """What has been recorded so far; stop is STOPPED while rounds are missing."""
        ...


class Backend(Protocol):
    """The engine as the page sees it."""

    @property
    def limits(self) -> Limits:
        """What one run may ask for; read anew for every run."""
        ...

    def catalog(self) -> tuple[Entry, ...]:
        """The drafters, in the order the page offers them. Loads no model."""
        ...

    def rules(self) -> tuple[Entry, ...]:
        """The acceptance rules, likewise."""
        ...

    def offers(self) -> tuple[Offer, ...]:
        """The pairs there are as this machine can run them, its memory measured anew; the one to begin with first."""
        ...

    def ready(self, name: str) -> Iterator[Loading]:
        """Brings a pair into memory, telling how far it is; closing the iterator calls it off.

        The pairs that are ready stay so meanwhile; then whatever other than the embedded one was there is freed.

        Raises:
            ConfigError: it cannot be had, or does not fit; nothing has changed.
        """
        ...

    def start(self, config: RunConfig) -> LiveRun:
        """Readies a run; loads the models on first use.

        Raises:
            ConfigError: the config cannot be run.
        """
        ...

    def laws(self, config: RunConfig, index: int, slot: int, expected: Sequence[Round]) -> SlotDistributions:
        """p and q of one slot over the whole vocabulary, and raw: found by decoding the run again as far as `index`.

        Args:
            slot: a guess of that round, or their number for the row after the last guess.
            expected: the rounds as they were recorded, up to this one at least.

        Raises:
            ConfigError: the config cannot be run, or the run goes differently here.
        """
        ...

    def prove(self, question: Question) -> Iterator[int | Finding]:
        """Samples drawn so far, again and again; at last what they say.

        Raises:
            ConfigError: the question cannot be asked.
        """
        ...

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        """A finished run decoded again on the clock, in turns with plain decoding; None again and again until then.

        Args:
            expected: all its rounds as they were recorded.

        Raises:
            ConfigError: the config cannot be run, or the run goes differently here.
        """
        ...

    def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Measurement]:
        """Configurations measured one after the other, off the page.

        Raises:
            ConfigError: one of them cannot be run.
        """
        ...

    def costs(self, config: RunConfig) -> Costs:
        """What a round's parts cost here, with the config's pair, drafter and prompt.

        Raises:
            ConfigError: the config cannot be run.
        """
        ...

    def machine(self, config: RunConfig) -> Iterator[Roofline]:
        """What bounds a pass of the config's target here, again and again with one measurement more.

        Raises:
            ConfigError: the config cannot be run, or some of it cannot be measured.
        """
        ...

    def equal(self, config: RunConfig) -> Equality:
        """A run held against plain decoding with the same target, token by token.

        Raises:
            ConfigError: the config cannot be run, or its text need not be plain decoding's.
        """
        ...
