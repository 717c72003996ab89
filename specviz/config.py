"""What a person chooses, how a plug-in introduces itself, and the limits of both.

Plain data, standard library only: opens without torch. `check` is the one place
where a choice is judged; the library, the command line and the page all call it.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

from specviz.costs import Costs
from specviz.entry import (
    Choice,
    DraftEntry,
    Entry,
    File,
    LawKind,
    Param,
    Rolls,
    RuleEntry,
    Shape,
    Text,
    Tuning,
)

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
    "check_tokens",
    "numbers",
    "resolve_params",
    "told",
]

Clock = Callable[[], float]
"""Seconds, monotonic; a parameter wherever time is taken."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a gamma rule allows one round: at most `nodes` drafted tokens, at most `depth` deep.

    signal is the number that moved it, None if none did; what it is, the rule's entry says.
    """

    nodes: int
    depth: int
    reason: str
    signal: float | None = None

    @classmethod
    def chain(cls, gamma: int, reason: str, signal: float | None = None) -> "Budget":
        """gamma tokens in a row."""
        return cls(gamma, gamma, reason, signal)

    def within(self, room: int, reason: str) -> "Budget":
        """This budget, or one at most `room` deep for another reason; a chain has no more tokens than it is deep."""
        if self.depth <= room:
            return self
        return Budget(room if self.nodes == self.depth else self.nodes, room, reason, self.signal)

    def shaped(self, nodes: int | None) -> "Budget":
        """The same for a drafter whose shape has so many guesses at most, None for a chain; nothing where not deep."""
        if nodes is None or not self.depth:
            return self
        return Budget(nodes, self.depth, self.reason, self.signal)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may ask for. HOME suits one person on their own machine; SHARED, one that strangers reach.

    seconds: how long a run may take, prompt included; it then ends as Stop.DEADLINE. shared: whether strangers are
    served, who have to wait for each other.
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
    """Everything that determines a run, but for what the machine's timing decides: `costs`, and see `Forward.picked`.

    temperature is 0 (greedy) or 0.05 to 2; top_k 0 and top_p 1 switch those
    filters off. device: auto (a GPU if there is one), cpu, or a torch device.
    dtype: auto (bfloat16 on a GPU, float32 on a CPU) or one of DTYPES. chat: the
    prompt goes through the target's chat template, where it has one. counts: a text
    file whose n-grams the bigram and n-gram drafters go by, "" for the pair's own
    table. params tunes the drafter and gamma_params the gamma rule, by Param name; a
    rule that moves gamma begins with `gamma`. costs: what a gamma rule may go by,
    None to measure them before the run, after which the trace's config holds them:
    with them a run repeats, without them the rule may draft otherwise and the text differ.
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
TOLD = 60
"""Letters of a refused value that its refusal repeats."""


class ConfigError(ValueError):
    """A choice that cannot be run: says what was received and what was wanted."""


def check(config: RunConfig, limits: Limits = HOME) -> None:
    """Refuses a config that is out of range, whoever made it.

    Raises:
        ConfigError: with one line naming the field, its value and what it may be.
    """
    for item in fields(RunConfig):
        value = getattr(config, item.name)
        kind, wanted = _WANTED.get(item.type, (object, ""))
        if not isinstance(value, kind):
            raise ConfigError(f"{item.name} is {told(value)}; wanted {wanted}")
        if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ConfigError(f"{_the(item.name)} holds a lone surrogate, which is not text; remove it")
    if not config.prompt:
        raise ConfigError("the prompt is empty; write at least one character")
    if len(config.prompt) > limits.prompt_chars:
        raise ConfigError(
            f"the prompt has {len(config.prompt):,} characters; at most {limits.prompt_chars:,} are allowed"
        )
    if config.costs is not None and not (isinstance(config.costs, Costs) and config.costs.sound):
        raise ConfigError(f"costs is {told(config.costs)}; wanted those that a trace's config holds")
    _whole("gamma", config.gamma, 0, limits.gamma)
    _whole("top_k", config.top_k, 0, limits.top_k)
    _whole("max_new_tokens", config.max_new_tokens, 1, limits.max_new_tokens)
    _whole("seed", config.seed, 0, 2**63 - 1)
    if _number("temperature", config.temperature) != 0 and not 0.05 <= config.temperature <= 2:
        raise ConfigError(f"temperature is {config.temperature!r}; wanted 0 (greedy) or 0.05 to 2")
    if not 0 < _number("top_p", config.top_p) <= 1:
        raise ConfigError(f"top_p is {config.top_p!r}; wanted more than 0, at most 1 (1 switches it off)")
    if config.dtype not in DTYPES:
        raise ConfigError(f"dtype is {told(config.dtype)}; wanted one of {', '.join(DTYPES)}")


def check_tokens(prompt: int, context: int, limits: Limits = HOME) -> None:
    """Refuses a prompt of that many tokens, chat template included, before a model reads it.

    Args:
        context: how many the target can look back on; one must be left to write.

    Raises:
        ConfigError: too many, or none.
    """
    most = min(context - 1, limits.prompt_tokens)
    if not 0 < prompt <= most:
        raise ConfigError(f"the prompt has {prompt:,} tokens; wanted 1 to {most:,}")


def resolve_params(entry: Entry, given: Mapping[str, float | str]) -> dict[str, float | str]:
    """The plug-in's parameters with the given ones filled in.

    Raises:
        ConfigError: a name the plug-in does not have, a number out of its range, or a name that is no option.
    """
    known = {param.name: param for param in entry.params}
    for name in given:
        if name not in known:
            has = ", ".join(known) or "none"
            raise ConfigError(f"{entry.name} has no parameter {told(name)}; it has: {has}")
    return {name: _resolved(param, given.get(name, param.default)) for name, param in known.items()}


def numbers(entry: Entry, given: Mapping[str, float]) -> dict[str, float]:
    """The same for a plug-in that has numbers only."""
    resolved = resolve_params(entry, given)
    return {name: value for name, value in resolved.items() if isinstance(value, float)}


def _resolved(param: Tuning, value: object) -> float | str:
    if isinstance(param, Param):
        number = _number(param.name, value)
        if not param.low <= number <= param.high:
            raise ConfigError(f"{param.name} is {told(value)}; wanted {param.low:g} to {param.high:g}")
        if param.whole and number != int(number):
            raise ConfigError(f"{param.name} is {told(value)}; wanted a whole number")
        return float(number)
    if isinstance(param, Choice):
        fits, wanted = value in param.options, f"one of {', '.join(param.options)}"
    elif isinstance(param, Text):
        fits, wanted = isinstance(value, str) and bool(re.fullmatch(param.form, value) or not value), param.help
    else:
        fits, wanted = isinstance(value, str), "the path of a file"
    if not isinstance(value, str) or not fits:
        raise ConfigError(f"{param.name} is {told(value)}; wanted {wanted}")
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ConfigError(f"{name} is {told(value)}; wanted a number")
    return value


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ConfigError(f"{name} is {told(value)}; wanted a whole number from {low:,} to {high:,}")


def _the(name: str) -> str:
    return "the prompt" if name == "prompt" else name


def told(value: object) -> str:
    """A refused value in a few letters, however large it is."""
    try:
        text = repr(value)
    except ValueError:  # Python writes out no number of thousands of digits
        return "a number too long to write out"
    return text if len(text) <= TOLD else f"{text[:TOLD]}…"
