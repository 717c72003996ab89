"""The engine in this process as the page's backend.

Importing this module does not import the engine: the first question to it does.
On ZeroGPU, what `on_gpu` runs happens in a process forked for it, so its arguments and results are plain data.
"""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from specviz import accept, draft
from specviz.config.pairs import Loading
from specviz.config.settings import HOME, ConfigError, DraftEntry, Limits, RuleEntry, RunConfig
from specviz.config.words import sentence
from specviz.trace.round import Round
from specviz.trace.run import Trace

if TYPE_CHECKING:
    from specviz.config.costs import Costs
    from specviz.config.pairs import Offer
    from specviz.lab.measured import Advice, Measurement, Roofline
    from specviz.proof.findings import Checked, Difference, Drawn, Equality, Exactness, Finding, Given, Question
    from specviz.trace.run import Race

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])
P = ParamSpec("P")


def _unchanged(function: Function) -> Function:
    return function


try:
    import spaces
except ImportError:  # only Hugging Face Spaces have it
    gpu: Callable[[Function], Function] = _unchanged
else:
    gpu = spaces.GPU

BUILT_IN = RunConfig(prompt="").pair
"""The one whose draft length is taken from costs: those of a hybrid's rejections are not among them."""
first_use = threading.Event()
"""Set once the engine is needed for the first time."""
_importing = threading.Lock()


def import_engine() -> None:
    """Imports the engine. Two threads that import it at once would find it half-made."""
    first_use.set()
    with _importing:
        import specviz.session  # noqa: F401


@gpu
def on_gpu(task: Callable[P, Iterator[Item]], *arguments: P.args, **named: P.kwargs) -> Generator[Item]:
    """All that a function of this module yields, while ZeroGPU lends its GPU, where there is one to lend."""
    import_engine()
    yield from task(*arguments, **named)


def decode(config: RunConfig, limits: Limits) -> Iterator[Trace | Round]:
    """A run, as ui.backend.Backend.start. Raises ConfigError: it cannot be run."""
    from specviz.session import start

    return start(config, limits=limits).stream()


def _prove(question: "Question") -> "Iterator[Drawn | Finding]":
    from specviz.proof.sampled import prove

    return prove(question)


def _equal(config: RunConfig, limits: Limits) -> "Iterator[Equality]":
    from specviz.lab.baseline import equal

    yield equal(config, limits=limits)


def _exact(config: RunConfig, limits: Limits) -> "Iterator[int | Exactness]":
    from specviz.lab.exactness import exactness

    return exactness(config, limits=limits)


def _differ(config: RunConfig, given: "Sequence[Given]", limits: Limits) -> "Iterator[Difference]":
    from specviz.lab.differ import differ

    yield differ(config, given, limits)


def _model(config: RunConfig, limits: Limits) -> "Iterator[tuple[int, int] | Checked]":
    from specviz.lab.model_check import checks

    return checks(config, limits)


def _sweep(configs: "Sequence[RunConfig]", limits: Limits) -> "Iterator[Measurement]":
    from specviz.lab.sweep import sweep

    return sweep(configs, limits)


def _advised(configs: "Sequence[RunConfig]", limits: Limits) -> "Iterator[int | Advice]":
    from specviz.lab.timed import advised

    return advised(configs, limits)


def _costs(config: RunConfig, behind: int) -> "Iterator[Costs]":
    from specviz.session import costs

    yield costs(config, behind=behind)


def _usual() -> "Iterator[Mapping[str, Any]]":
    from specviz.models.hub import offers
    from specviz.session import usual

    config = RunConfig(prompt="Once upon a time")
    state = usual(config, offers.acceptance(BUILT_IN))
    sampling = {"temperature": config.temperature, "top_p": config.top_p}
    yield {"first": {"drafter": config.drafter, "gamma": state.gamma, **sampling}, "why": state.reason}


def _machine(config: RunConfig) -> "Iterator[Roofline]":
    from specviz.lab.roofline import measure

    return measure(config)


def _race(config: RunConfig, expected: "Sequence[Round]") -> "Iterator[Race | None]":
    from specviz.lab.race import race

    return race(config, expected)


class LocalBackend:
    """What ui.backend.Backend asks for, answered by the engine here or in a process that was lent a GPU.

    Args:
        limits: what one run may ask for.
        own: the pair of the person who started the page, as pairs.split reads it; "" for none.
    """

    def __init__(self, limits: Limits = HOME, own: str = "") -> None:
        self.limits = limits
        self.own = own
        self._usual: Mapping[str, Any] = {}
        """What the built-in pair begins with, once it was chosen."""

    def catalog(self) -> tuple[DraftEntry, ...]:
        return draft.ENTRIES

    def rules(self) -> tuple[RuleEntry, ...]:
        return accept.ENTRIES

    def offers(self) -> "tuple[Offer, ...]":
        import_engine()
        from specviz.models.hub import offers

        usual = self._usual
        return tuple(each._replace(**usual) if each.name == BUILT_IN else each for each in offers.offers(self.own))

    def ready(self, name: str) -> "Iterator[Loading]":
        import_engine()
        from specviz.models.hub import offers

        yield from offers.ready(name)
        if name == BUILT_IN and not self._usual:
            yield Loading(sentence("controls.pairs.timing"))
            self._usual = next(on_gpu(_usual))

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        return on_gpu(decode, config, self.limits)

    def prove(self, question: "Question") -> "Iterator[Drawn | Finding]":
        return on_gpu(_prove, question)

    def equal(self, config: RunConfig) -> "Equality":
        return next(on_gpu(_equal, config, self.limits))

    def differ(self, config: RunConfig, given: "Sequence[Given]") -> "Difference":
        return next(on_gpu(_differ, config, given, self.limits))

    def model(self, config: RunConfig) -> "Iterator[tuple[int, int] | Checked]":
        import_engine()
        from specviz.models.hub import fits

        if fits.LENT:
            raise ConfigError("check_lent")
        return on_gpu(_model, config, self.limits)

    def exact(self, config: RunConfig) -> "Iterator[int | Exactness]":
        return on_gpu(_exact, config, self.limits)

    def sweep(self, configs: "Sequence[RunConfig]") -> "Iterator[Measurement]":
        return on_gpu(_sweep, configs, self.limits)

    def advised(self, configs: "Sequence[RunConfig]") -> "Iterator[int | Advice]":
        return on_gpu(_advised, configs, self.limits)

    def costs(self, config: RunConfig, behind: int = 0) -> "Costs":
        return next(on_gpu(_costs, config, behind))

    def machine(self, config: RunConfig) -> "Iterator[Roofline]":
        return on_gpu(_machine, config)

    def race(self, config: RunConfig, expected: "Sequence[Round]") -> "Iterator[Race | None]":
        return on_gpu(_race, config, expected)

    def warm_up(self) -> None:
        """Loads the embedded pair, so that the first run need not. Raises ConfigError: it is damaged."""
        import_engine()
        from specviz.models import pair

        defaults = RunConfig(prompt="")
        pair.load(defaults.pair, defaults.device, defaults.dtype).table()
