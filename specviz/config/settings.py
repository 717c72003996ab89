"""The limits of what a person may choose for a run.

Plain data, standard library only, so it opens without torch. `check` is the one place
that judges a choice; the library, the command line and the page all call it.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

from specviz.config import words
from specviz.config.choices import SETTINGS, RunConfig, settings_of
from specviz.config.costs import Costs
from specviz.config.entry import (
    Choice,
    DraftEntry,
    Entry,
    File,
    Group,
    Kind,
    LawKind,
    Param,
    Range,
    Rolls,
    RuleEntry,
    Setting,
    Shape,
    Text,
    Tuning,
)
from specviz.config.words import Reason, Sentence

__all__ = [
    "SETTINGS",
    "Choice",
    "DraftEntry",
    "Entry",
    "File",
    "Group",
    "Kind",
    "LawKind",
    "Param",
    "Rolls",
    "RuleEntry",
    "RunConfig",
    "Setting",
    "Shape",
    "Text",
    "settings_of",
]
"""Names of `entry` and `choices` that this module exports too."""

AnyEntry = TypeVar("AnyEntry", bound=Entry)
Clock = Callable[[], float]
"""Seconds, monotonic. A parameter wherever time is measured."""


def milliseconds(seconds: float) -> float:
    """What a clock says took that long, to its nanosecond: digits after it come from the subtraction."""
    return round(1e3 * seconds, 6)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a gamma rule allows one round: at most `nodes` drafted tokens, at most `depth` deep.

    signal is the number that led to it, None if none did. The rule's entry says what that number is.
    """

    nodes: int
    depth: int
    reason: Reason
    signal: float | None = None

    @classmethod
    def chain(cls, gamma: int, reason: Reason, signal: float | None = None) -> "Budget":
        """A chain of gamma tokens."""
        return cls(gamma, gamma, reason, signal)

    def within(self, room: int, reason: Reason) -> "Budget":
        """The budget cut to a depth of `room`, for that reason, if it is deeper. A chain loses as many nodes."""
        if self.depth <= room:
            return self
        return Budget(room if self.nodes == self.depth else self.nodes, room, reason, self.signal)

    def shaped(self, nodes: int | None) -> "Budget":
        """The budget for a drafter whose trees have up to that many nodes; None for a drafter of chains."""
        if nodes is None or not self.depth:
            return self
        return Budget(nodes, self.depth, self.reason, self.signal)


MOST_GAMMA = 20
"""The most tokens in a row that may be guessed in a round."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may ask for. HOME suits one person on their own machine, SHARED a server that strangers use.

    prompt: characters. earlier: those of all earlier turns. seconds: how long a run may take, prompt included. It then
    ends with Stop.DEADLINE. shared: whether several people use the server and wait for each other.
    """

    prompt: int = 8_000
    earlier: int = 32_000
    prompt_tokens: int = 8_192
    max_new_tokens: int = 1_024
    gamma: int = MOST_GAMMA
    top_k: int = 1_000_000
    grammar: int = 20_000
    seconds: float = 3_600.0
    shared: bool = False


HOME = Limits()
SHARED = Limits(
    prompt=2_000,
    earlier=2_000,
    prompt_tokens=256,
    max_new_tokens=128,
    top_k=50,
    grammar=2_000,
    seconds=20.0,
    shared=True,
)


def most(setting: Setting, limits: Limits) -> float | None:
    """The largest number, or the most characters, that these limits allow; None where there is no such limit."""
    limit: float | None = getattr(limits, setting.name, setting.high)
    return limit


def range_of(setting: Setting, limits: Limits = HOME) -> Range:
    """The numbers that these limits allow."""
    high = most(setting, limits)
    assert high is not None, f"{setting.name} is a number, so it has a largest one"
    return Range(setting.low, high, setting.kind is Kind.WHOLE, setting.zero, setting.above)


def table(limits: Limits = HOME, settings: Sequence[Setting] = SETTINGS) -> list[dict[str, object]]:
    """The settings for the page's scripts, with the largest value that these limits allow."""
    return [{**asdict(setting), "high": most(setting, limits)} for setting in settings]


MOST_SHOWN = 60
"""How many characters of a wrong value its error message repeats."""


class ConfigError(ValueError):
    """A choice that cannot be run. Its text says in English what was received and what was wanted.

    Args:
        code: of a message among the refusals of assets/player/words, with its values. Or an English text, about what
            a visitor of the page does not meet: options of the command line, files of one's own.

    Attributes:
        sentence: the message for the page, which puts it into its own language.
    """

    def __init__(self, code: str, /, **values: object) -> None:
        coded = code in words.table()["refusals"]
        self.sentence: Sentence = words.sentence(f"refusals.{code}", **values) if coded else code
        super().__init__(words.tell(self.sentence))


def wrong(name: str, value: object, wanted: str | Sentence, **values: object) -> ConfigError:
    """The refusal of a value. wanted: what it may be: one of refusals.wanted with its values, or a sentence."""
    if isinstance(wanted, str) and wanted in words.table()["refusals"]["wanted"]:
        wanted = words.sentence(f"refusals.wanted.{wanted}", **values)
    return ConfigError("wrong", name=name, value=shortened(value), wanted=wanted)


def check(config: RunConfig, limits: Limits = HOME, settings: Sequence[Setting] = SETTINGS) -> None:
    """Checks that a config is in range.

    Raises:
        ConfigError: one line with the field, its value and what it may be.
    """
    for setting in settings:
        _check(setting, getattr(config, setting.name), limits)


def _check(setting: Setting, value: object, limits: Limits) -> None:
    if setting.is_number:
        allowed = range_of(setting, limits)
        (check_whole if allowed.whole else check_number)(setting.name, value, allowed)
    elif setting.kind is Kind.FLAG:
        if not isinstance(value, bool):
            raise wrong(setting.name, value, "flag")
    elif setting.kind is Kind.PARAMS:
        if not isinstance(value, Mapping):
            raise wrong(setting.name, value, "names")
    elif setting.kind is Kind.COSTS:
        if value is not None and not (isinstance(value, Costs) and value.is_sound):
            raise wrong(setting.name, value, "costs")
    elif setting.kind in (Kind.TEXTS, Kind.TURNS):
        _check_texts(setting, value, most(setting, limits))
    else:
        _check_text(setting, value, most(setting, limits))


def _check_texts(setting: Setting, value: object, most: float | None) -> None:
    """Checks several texts: each is within the limits; turns come in pairs and share one limit."""
    turns = setting.kind is Kind.TURNS
    listed = value if isinstance(value, tuple | list) and all(isinstance(each, str) for each in value) else None
    if listed is None or len(listed) > setting.many or (turns and len(listed) % 2):
        raise wrong(setting.name, value, setting.kind.value, most=setting.many)
    for place, text in enumerate(listed):
        _check_text(replace(setting, low=1 - place % 2) if turns else setting, text, None if turns else most)
    if turns and most is not None and (length := sum(map(len, listed))) > most:
        raise ConfigError("long", name=setting.name, length=f"{length:,}", most=f"{most:,}")


def _check_text(setting: Setting, value: object, most: float | None) -> None:
    name = setting.name
    if not isinstance(value, str):
        raise wrong(name, value, "text")
    halves = [letter for letter in value if "\ud800" <= letter <= "\udfff"]
    if halves and all("\udc80" <= letter <= "\udcff" for letter in halves):  # how Python keeps bytes, PEP 383
        raise ConfigError("undecoded", name=name)
    if halves:
        raise ConfigError("surrogate", name=name)
    if len(value) < setting.low:
        raise ConfigError("empty", name=name)
    if most is not None and len(value) > most:
        raise ConfigError("long", name=name, length=f"{len(value):,}", most=f"{most:,}")
    if setting.kind is Kind.OPTION and value not in setting.options:
        raise wrong(name, value, "one", names=", ".join(setting.options))


def check_tokens(prompt: int, context: int, limits: Limits = HOME, turns: int = 1) -> None:
    """Checks the number of the prompt's tokens, chat template and earlier turns included, before a model reads it.

    Args:
        context: the longest text the target can read. One token of it must be left to write.
        turns: how many it is made of.

    Raises:
        ConfigError: too many tokens, or none.
    """
    most = min(context - 1, limits.prompt_tokens)
    if not 0 < prompt <= most:
        if turns > 1:
            raise ConfigError("conversation", tokens=f"{prompt:,}", turns=turns, most=f"{most:,}")
        raise ConfigError("tokens", name="prompt", tokens=f"{prompt:,}", most=f"{most:,}")


def check_together(drafter: DraftEntry, rule: RuleEntry, config: RunConfig) -> None:
    """Refuses a drafter where it cannot guess.

    Raises:
        ConfigError: one line with what would do.
    """
    if drafter.settles and not (rule.plain_text or rule.cold):
        raise wrong("rule", config.rule, "cold", drafter=drafter.name, instead="rejection")
    if drafter.settles and config.temperature and not rule.plain_text:
        raise wrong("temperature", config.temperature, "settled", drafter=drafter.name, instead=0)
    if drafter.constrained and not config.grammar:
        raise ConfigError("no_grammar")


def entry_of(setting: str, name: str, entries: Sequence[AnyEntry]) -> AnyEntry:
    """The entry of that name, which that setting holds. Raises ConfigError: there is none."""
    for entry in entries:
        if entry.name == name:
            return entry
    raise wrong(setting, name, "one", names=", ".join(entry.name for entry in entries))


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
    return {name: _resolved(entry, param, values.get(name, param.default)) for name, param in known.items()}


def numbers(entry: Entry, values: Mapping[str, float]) -> dict[str, float]:
    """The same for a plug-in whose parameters are all numbers."""
    resolved = resolve_params(entry, values)
    return {name: value for name, value in resolved.items() if isinstance(value, float)}


def _resolved(entry: Entry, param: Tuning, value: object) -> float | str:
    if isinstance(param, Param):
        return float(check_number(param.name, value, param.range))
    if isinstance(param, Choice) and value not in param.options:
        raise wrong(param.name, value, "one", names=", ".join(param.options))
    if isinstance(value, str) and (not isinstance(param, Text) or not value or re.fullmatch(param.form, value)):
        return value
    form = words.sentence(f"controls.plugins.{entry.name}.params.{param.name}")
    raise wrong(param.name, value, form if isinstance(param, Text) else "file")


def check_number(name: str, value: object, allowed: Range) -> float:
    """The value as a number. Raises ConfigError: it is none of these."""
    finite = isinstance(value, int | float) and abs(value) <= sys.float_info.max
    if isinstance(value, bool) or not isinstance(value, int | float) or not finite or value not in allowed:
        raise wrong(name, value, allowed.wanted)
    return value


def check_whole(name: str, value: object, allowed: Range) -> None:
    """The same of a number that must be an int, which 2.0 is not."""
    if isinstance(check_number(name, value, allowed), float):
        raise wrong(name, value, allowed.wanted)


def shortened(value: object) -> str:
    """A value in a few characters, however long it is, for an error message."""
    try:
        text = repr(value)
    except ValueError:  # Python does not print a number with thousands of digits
        return "a number too long to write out"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
