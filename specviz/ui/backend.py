"""What the page needs from the engine, and nothing more. specviz.local supplies it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from specviz.config.costs import Costs
from specviz.config.pairs import Loading, Offer
from specviz.config.settings import DraftEntry, Limits, RuleEntry, RunConfig
from specviz.lab.measured import Advice, Measurement, Roofline
from specviz.proof.findings import Checked, Difference, Drawn, Equality, Exactness, Finding, Given, Question
from specviz.trace.round import Round
from specviz.trace.run import Race, Trace


class Backend(Protocol):
    """The engine as the page sees it."""

    @property
    def limits(self) -> Limits:
        """What one run may ask for; read again for every run."""
        ...

    def catalog(self) -> tuple[DraftEntry, ...]:
        """The drafters, in the order the page offers them. Loads no model."""
        ...

    def rules(self) -> tuple[RuleEntry, ...]:
        """The acceptance rules, likewise."""
        ...

    def offers(self) -> tuple[Offer, ...]:
        """The pairs, and which of them this machine can run with its present free memory. The first is the one to begin
        with."""
        ...

    def ready(self, name: str) -> Iterator[Loading]:
        """Brings a pair into memory and reports progress. Closing the iterator cancels it.

        Pairs in memory stay usable meanwhile. At the end the pair before is freed, unless it is the embedded one.

        Raises:
            ConfigError: it cannot be had, or does not fit; nothing has changed.
        """
        ...

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        """A run: what is known before its first round, as a trace without rounds; each round; at last its trace.

        Loads the models on first use.

        Raises:
            ConfigError: the config cannot be run.
        """
        ...

    def prove(self, question: Question) -> Iterator[Drawn | Finding]:
        """Yields how many samples were drawn so far, and at the end the finding.

        Raises:
            ConfigError: the question cannot be asked.
        """
        ...

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        """Times a finished run in turns with plain decoding. Yields None until it is done, then the race.

        Args:
            expected: all its rounds as they were recorded.

        Raises:
            ConfigError: the config cannot be run, or the run goes differently here.
        """
        ...

    def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Measurement]:
        """Measures configurations one after the other, unrecorded.

        Raises:
            ConfigError: one of them cannot be run.
        """
        ...

    def advised(self, configs: Sequence[RunConfig]) -> Iterator[int | Advice]:
        """Decodes the configs, shown, and times rounds of their drafters. Yields how many of both are done, and at
        the end which drafter and γ pays on their prompts.

        Raises:
            ConfigError: one of them cannot be run, or is no chain of guesses judged by rejection.
        """
        ...

    def costs(self, config: RunConfig, behind: int = 0) -> Costs:
        """What a round's parts cost here, with the config's pair, drafter and prompt, repeated for so many tokens.

        Raises:
            ConfigError: the config cannot be run.
        """
        ...

    def machine(self, config: RunConfig) -> Iterator[Roofline]:
        """Measures what bounds a pass of the config's target here. Each report has one measurement more.

        Raises:
            ConfigError: the config cannot be run, or some of it cannot be measured.
        """
        ...

    def equal(self, config: RunConfig) -> Equality:
        """Compares a run with plain decoding of the same target, token by token.

        Raises:
            ConfigError: the config cannot be run, or its text need not be plain decoding's.
        """
        ...

    def differ(self, config: RunConfig, given: Sequence[Given]) -> Difference:
        """Why two texts differ, by the config's target. Raises ConfigError: it cannot read them."""
        ...

    def model(self, config: RunConfig) -> Iterator[tuple[int, int] | Checked]:
        """Checks the config's target beside transformers. Yields how many texts are compared, of how many, and each
        line of what was found.

        Raises:
            ConfigError: it cannot be checked here.
        """
        ...

    def exact(self, config: RunConfig) -> Iterator[int | Exactness]:
        """Yields how many of EXACT_PROMPTS texts the config's method was compared on, and at the end what was found.

        Raises:
            ConfigError: the config cannot be run.
        """
        ...
