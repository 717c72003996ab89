"""What a person chooses for a run, and the limits of that choice.

Plain data, standard library only, so it opens without torch. `check` is the one place
that judges a choice; the library, the command line and the page all call it.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeVar

from specviz.config.costs import Costs
from specviz.config.entry import Choice, DraftEntry, Entry, File, LawKind, Param, Rolls, RuleEntry, Shape, Text, Tuning

__all__ = [
    "HOME",
    "SHARED",
    "Budget",
    "Choice",
    "Clock",
    "ConfigError",
    "DraftEntry",
    "Entry",
    "File",
    "LawKind",
    "Limits",
    "Param",
    "Rolls",
    "RuleEntry",
    "RunConfig",
    "Shape",
    "Text",
    "Tuning",
    "check",
    "check_together",
    "check_tokens",
    "entry_of",
    "milliseconds",
    "numbers",
    "resolve_params",
    "shortened",
]

AnyEntry = TypeVar("AnyEntry", bound=Entry)
Clock = Callable[[], float]
"""Seconds, monotonic. A parameter wherever time is measured."""


def milliseconds(seconds: float) -> float:
    """What a clock says took that long, to its nanosecond: digits behind it come from the subtraction."""
    return round(1e3 * seconds, 6)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a gamma rule allows one round: at most `nodes` drafted tokens, at most `depth` deep.

    signal is the number that led to it, None if none did. The rule's entry says what that number is.
    """

    nodes: int
    depth: int
    reason: str
    signal: float | None = None

    @classmethod
    def chain(cls, gamma: int, reason: str, signal: float | None = None) -> "Budget":
        """A chain of gamma tokens."""
        return cls(gamma, gamma, reason, signal)

    def within(self, room: int, reason: str) -> "Budget":
        """The budget cut to a depth of `room`, for that reason, if it is deeper. A chain loses as many nodes."""
        if self.depth <= room:
            return self
        return Budget(room if self.nodes == self.depth else self.nodes, room, reason, self.signal)

    def shaped(self, nodes: int | None) -> "Budget":
        """The budget for a drafter whose trees have up to so many nodes; None for a drafter of chains."""
        if nodes is None or not self.depth:
            return self
        return Budget(nodes, self.depth, self.reason, self.signal)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may ask for. HOME suits one person on their own machine, SHARED a server that strangers use.

    seconds: how long a run may take, prompt included. It then ends with Stop.DEADLINE. shared: whether several people
    use the server and wait for each other.
    """

    prompt_chars: int = 8_000
    prompt_tokens: int = 8_192
    max_new_tokens: int = 1_024
    gamma: int = 20
    top_k: int = 1_000_000
    seconds: float = 3_600.0
    shared: bool = False


HOME = Limits()
SHARED = Limits(prompt_chars=2_000, prompt_tokens=256, max_new_tokens=128, top_k=50, seconds=20.0, shared=True)


DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that determines a run. Only `costs` may be left to timing.

    temperature is 0 (greedy) or 0.05 to 2; top_k 0 and top_p 1 switch those filters off.
    device: auto (a GPU if there is one), cpu, or a torch device. dtype: auto (bfloat16 on
    a GPU, float32 on a CPU) or one of DTYPES. chat: put the prompt into the target's chat
    template, if it has one. counts: a text file whose n-grams the bigram and n-gram
    drafters use, "" for the pair's own table. params sets the drafter's parameters and
    gamma_params the gamma rule's, by name. A rule that moves gamma begins with `gamma`.
    costs: what the throughput rule uses. None measures them before the run and stores them
    in the trace's config. A run with the same costs repeats; other costs may lead the rule
    to other drafts and so to another text.
    """

    prompt: str
    pair: str = "embedded"
    drafter: str = "small-model"
    rule: str = "rejection"
    gamma: int = 4
    gamma_rule: str = "fixed"
    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 64
    seed: int = 0
    device: str = "auto"
    dtype: str = "auto"
    chat: bool = True
    counts: str = ""
    gamma_params: Mapping[str, float] = field(default_factory=dict)
    costs: Costs | None = None
    params: Mapping[str, float | str] = field(default_factory=dict)


_WANTED: Mapping[object, tuple[type, str]] = {
    str: (str, "text"),
    bool: (bool, "True or False"),
    Mapping[str, float]: (Mapping, "names with numbers"),
    Mapping[str, float | str]: (Mapping, "names with numbers or texts"),
}
MOST_SHOWN = 60
"""How many characters of a wrong value its error message repeats."""


class ConfigError(ValueError):
    """A choice that cannot be run. It says what was received and what was wanted."""


def ranges(limits: Limits = HOME) -> dict[str, tuple[int, int]]:
    """The least and the largest number that a run may ask for, by field. Between 0 and 0.05 there is no temperature."""
    return {
        "gamma": (0, limits.gamma),
        "temperature": (0, 2),
        "top_k": (0, limits.top_k),
        "top_p": (0, 1),
        "max_new_tokens": (1, limits.max_new_tokens),
        "seed": (0, 2**63 - 1),
    }


def check(config: RunConfig, limits: Limits = HOME) -> None:
    """Checks that a config is in range.

    Raises:
        ConfigError: one line with the field, its value and what it may be.
    """
    for item in fields(RunConfig):
        value = getattr(config, item.name)
        kind, wanted = _WANTED.get(item.type, (object, ""))
        if not isinstance(value, kind):
            raise ConfigError(f"{item.name} is {shortened(value)}; wanted {wanted}")
        if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ConfigError(f"{_the(item.name)} holds a lone surrogate, which is not text; remove it")
    if not config.prompt:
        raise ConfigError("the prompt is empty; write at least one character")
    if len(config.prompt) > limits.prompt_chars:
        raise ConfigError(
            f"the prompt has {len(config.prompt):,} characters; at most {limits.prompt_chars:,} are allowed"
        )
    if config.costs is not None and not (isinstance(config.costs, Costs) and config.costs.sound):
        raise ConfigError(f"costs is {shortened(config.costs)}; wanted those that a trace's config holds")
    allowed = ranges(limits)
    _whole("gamma", config.gamma, *allowed["gamma"])
    _whole("top_k", config.top_k, *allowed["top_k"])
    _whole("max_new_tokens", config.max_new_tokens, *allowed["max_new_tokens"])
    _whole("seed", config.seed, *allowed["seed"])
    if _number("temperature", config.temperature) != 0 and not 0.05 <= config.temperature <= 2:
        raise ConfigError(f"temperature is {config.temperature!r}; wanted 0 (greedy) or 0.05 to 2")
    if not 0 < _number("top_p", config.top_p) <= 1:
        raise ConfigError(f"top_p is {config.top_p!r}; wanted more than 0, at most 1 (1 switches it off)")
    if config.dtype not in DTYPES:
        raise ConfigError(f"dtype is {shortened(config.dtype)}; wanted one of {', '.join(DTYPES)}")


def check_tokens(prompt: int, context: int, limits: Limits = HOME) -> None:
    """Checks the number of the prompt's tokens, chat template included, before a model reads it.

    Args:
        context: the longest text the target can read. One token of it must be left to write.

    Raises:
        ConfigError: too many tokens, or none.
    """
    most = min(context - 1, limits.prompt_tokens)
    if not 0 < prompt <= most:
        raise ConfigError(f"the prompt has {prompt:,} tokens; wanted 1 to {most:,}")


def check_together(drafter: DraftEntry, rule: RuleEntry, temperature: float) -> None:
    """Refuses a drafter where it cannot guess.

    Raises:
        ConfigError: one line with what would do.
    """
    if drafter.settles and temperature and not rule.plain_text:
        raise ConfigError(
            f"temperature is {temperature:g}; wanted 0, or shared noise (the rule coupled): elsewhere the guesses of"
            f" {drafter.name} never come to rest"
        )


def entry_of(kind: str, name: str, entries: Sequence[AnyEntry]) -> AnyEntry:
    """The entry of that name. Raises ConfigError: there is none."""
    for entry in entries:
        if entry.name == name:
            return entry
    raise ConfigError(f"no {kind} {name!r}; there are: {', '.join(entry.name for entry in entries)}")


def resolve_params(entry: Entry, values: Mapping[str, float | str]) -> dict[str, float | str]:
    """All parameters of the plug-in: these values, and defaults for the rest.

    Raises:
        ConfigError: a name the plug-in does not have, a number out of range, or a name that is no option.
    """
    known = {param.name: param for param in entry.params}
    for name in values:
        if name not in known:
            has = ", ".join(known) or "none"
            raise ConfigError(f"{entry.name} has no parameter {shortened(name)}; it has: {has}")
    return {name: _resolved(param, values.get(name, param.default)) for name, param in known.items()}


def numbers(entry: Entry, values: Mapping[str, float]) -> dict[str, float]:
    """The same for a plug-in whose parameters are all numbers."""
    resolved = resolve_params(entry, values)
    return {name: value for name, value in resolved.items() if isinstance(value, float)}


def _resolved(param: Tuning, value: object) -> float | str:
    if isinstance(param, Param):
        number = _number(param.name, value)
        if not param.low <= number <= param.high:
            raise ConfigError(f"{param.name} is {shortened(value)}; wanted {param.low:g} to {param.high:g}")
        if param.whole and number != int(number):
            raise ConfigError(f"{param.name} is {shortened(value)}; wanted a whole number")
        return float(number)
    if isinstance(param, Choice):
        fits, wanted = value in param.options, f"one of {', '.join(param.options)}"
    elif isinstance(param, Text):
        fits, wanted = isinstance(value, str) and bool(re.fullmatch(param.form, value) or not value), param.help
    else:
        fits, wanted = isinstance(value, str), "the path of a file"
    if not isinstance(value, str) or not fits:
        raise ConfigError(f"{param.name} is {shortened(value)}; wanted {wanted}")
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ConfigError(f"{name} is {shortened(value)}; wanted a number")
    return value


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ConfigError(f"{name} is {shortened(value)}; wanted a whole number from {low:,} to {high:,}")


def _the(name: str) -> str:
    return "the prompt" if name == "prompt" else name


def shortened(value: object) -> str:
    """A value in a few characters, however long it is, for an error message."""
    try:
        text = repr(value)
    except ValueError:  # Python does not print a number with thousands of digits
        return "a number too long to write out"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
