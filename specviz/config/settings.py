"""What a person chooses for a run, and the limits of that choice.

Plain data, standard library only, so it opens without torch. `check` is the one place
that judges a choice; the library, the command line and the page all call it.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Annotated, TypeVar, get_type_hints

from specviz.config import words
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
    "Setting",
    "Shape",
    "Text",
]
"""What of `entry` is had from here too."""

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
        """The budget for a drafter whose trees have up to so many nodes; None for a drafter of chains."""
        if nodes is None or not self.depth:
            return self
        return Budget(nodes, self.depth, self.reason, self.signal)


SPARSE = {"sparse": True}
"""Of a field that a file leaves out where it has its default."""
MOST_TURNS = 64
"""The most earlier turns that a prompt may follow."""
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
    seconds: float = 3_600.0
    shared: bool = False


HOME = Limits()
SHARED = Limits(prompt=2_000, earlier=2_000, prompt_tokens=256, max_new_tokens=128, top_k=50, seconds=20.0, shared=True)


def most(setting: Setting, limits: Limits) -> float | None:
    """The largest number, or the most characters, that these limits allow; None where there is no such limit."""
    limit: float | None = getattr(limits, setting.name, setting.high)
    return limit


def range_of(setting: Setting, limits: Limits = HOME) -> Range:
    """The numbers that these limits allow."""
    high = most(setting, limits)
    assert high is not None, f"{setting.name} is a number, so it has a largest one"
    return Range(setting.low, high, setting.kind is Kind.WHOLE, setting.zero, setting.above)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that determines a run. Only `costs` may be left to timing.

    temperature is 0 (greedy) or 0.05 to 2; top_k 0 and top_p 1 switch those filters off.
    device: auto (a GPU if there is one), cpu, or a torch device. dtype: auto (bfloat16 on
    a GPU, float32 on a CPU), float32, bfloat16 or float16. chat: put the prompt into the
    target's chat template, if it has one. earlier: what was said in the conversation before the prompt, person and
    model in turns, which the target reads too; an answer may be empty. counts: a text file whose n-grams the bigram and
    n-gram drafters use, "" for the pair's own table. params sets the drafter's parameters
    and gamma_params the gamma rule's, by name. A rule that moves gamma begins with `gamma`.
    costs: what the throughput rule uses. None measures them before the run and stores them
    in the trace's config. A run with the same costs repeats; other costs may lead the rule
    to other drafts and so to another text.

    Beside its type a field has its Setting, all that the rest of specviz needs to know about it.
    """

    prompt: Annotated[str, Setting(Kind.TEXT, 1, group=Group.BAR, key="p")]
    drafter: Annotated[str, Setting(Kind.ENTRY, group=Group.BAR, key="d", help="what guesses")] = "small-model"
    gamma: Annotated[
        int, Setting(Kind.WHOLE, group=Group.BAR, key="g", help="tokens drafted a round, or in the first one")
    ] = 4
    temperature: Annotated[
        float, Setting(Kind.NUMBER, 0.05, 2, group=Group.BAR, key="T", zero=True, step=0.05, help="0: greedy")
    ] = 0.8
    top_k: Annotated[int, Setting(Kind.WHOLE, key="k", help="0: off")] = 0
    top_p: Annotated[float, Setting(Kind.NUMBER, 0, 1, key="tp", above=True, step=0.05, help="1: off")] = 1.0
    max_new_tokens: Annotated[int, Setting(Kind.WHOLE, 1, key="n")] = 64
    seed: Annotated[int, Setting(Kind.WHOLE, 0, 2**63 - 1, key="s")] = 0
    rule: Annotated[str, Setting(Kind.ENTRY, key="r", help="what accepts guesses")] = "rejection"
    params: Annotated[
        Mapping[str, float | str], Setting(Kind.PARAMS, key="dp", of="drafter", help="of the drafter")
    ] = field(default_factory=dict)
    pair: Annotated[str, Setting(Kind.TEXT, group=Group.MODELS, key="m")] = "embedded"
    chat: Annotated[bool, Setting(Kind.FLAG, group=Group.MODELS, key="c", help="leave a chat model's template off")] = (
        True
    )
    gamma_rule: Annotated[str, Setting(Kind.ENTRY, group=Group.LENGTH, key="gr", help="what chooses gamma")] = "fixed"
    gamma_params: Annotated[
        Mapping[str, float],
        Setting(Kind.PARAMS, group=Group.LENGTH, key="gp", of="gamma_rule", help="of the gamma rule"),
    ] = field(default_factory=dict)
    costs: Annotated[
        Costs | None,
        Setting(Kind.COSTS, group=Group.LENGTH, help="use what this trace measured; measure nothing anew"),
    ] = None
    device: Annotated[str, Setting(Kind.TEXT, group=Group.MACHINE, help="auto, cpu, cuda, ...")] = "auto"
    dtype: Annotated[
        str,
        Setting(
            Kind.OPTION,
            group=Group.MACHINE,
            options=("auto", "float32", "bfloat16", "float16"),
            help="auto: bfloat16 on a GPU, float32 elsewhere",
        ),
    ] = "auto"
    counts: Annotated[
        str, Setting(Kind.TEXT, group=Group.MACHINE, help="a text file that bigram and ngram count instead")
    ] = ""
    earlier: Annotated[
        tuple[str, ...],
        Setting(Kind.TURNS, group=Group.MODELS, key="e", help="a turn before the prompt: yours, its answer, ..."),
    ] = field(default=(), metadata=SPARSE)
    min_p: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0, 1, group=Group.TEXT, key="mp", step=0.05, help="the least share of the likeliest; 0: off"
        ),
    ] = field(default=0.0, metadata=SPARSE)
    typical_p: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0, 1, group=Group.TEXT, key="yp", above=True, step=0.05,
            help="the share of tokens about as likely as expected; 1: off",
        ),
    ] = field(default=1.0, metadata=SPARSE)  # fmt: skip
    repetition_penalty: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0.1, 10, group=Group.TEXT, key="rp", step=0.05, help="divides scores of the text's tokens"
        ),
    ] = field(default=1.0, metadata=SPARSE)
    frequency_penalty: Annotated[
        float,
        Setting(Kind.NUMBER, -2, 2, group=Group.TEXT, key="fp", step=0.1, help="taken each time a token was written"),
    ] = field(default=0.0, metadata=SPARSE)
    presence_penalty: Annotated[
        float,
        Setting(Kind.NUMBER, -2, 2, group=Group.TEXT, key="pp", step=0.1, help="taken once a token was written"),
    ] = field(default=0.0, metadata=SPARSE)
    no_repeat_ngram_size: Annotated[
        int, Setting(Kind.WHOLE, 0, 20, group=Group.TEXT, key="nr", help="tokens in a row never occur twice; 0: off")
    ] = field(default=0, metadata=SPARSE)
    min_new_tokens: Annotated[
        int, Setting(Kind.WHOLE, 0, 1_024, group=Group.TEXT, key="mn", help="written before the text may end")
    ] = field(default=0, metadata=SPARSE)


def settings_of(kind: type) -> tuple[Setting, ...]:
    """The settings of a dataclass such as RunConfig, by their fields."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        replace(
            hints[item.name].__metadata__[0],
            name=item.name,
            default=None if item.default is MISSING else item.default,
        )
        for item in fields(kind)
    )


SETTINGS = settings_of(RunConfig)
"""One entry for each thing that a person may choose for a run."""


def table(limits: Limits = HOME, settings: Sequence[Setting] = SETTINGS) -> list[dict[str, object]]:
    """The settings for the page's scripts, with the largest value that these limits allow."""
    return [{**asdict(setting), "high": most(setting, limits)} for setting in settings]


MOST_SHOWN = 60
"""How many characters of a wrong value its error message repeats."""


class ConfigError(ValueError):
    """A choice that cannot be run. Its text says in English what was received and what was wanted.

    Args:
        code: of a message among the refusals of assets/player/words, with its values. Or an English text, about what
            nobody meets who only visits a page: options of the command line, files of one's own.

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
    elif setting.kind is Kind.TURNS:
        _check_turns(setting, value, most(setting, limits))
    else:
        _check_text(setting, value, most(setting, limits))


def _check_turns(setting: Setting, value: object, most: float | None) -> None:
    turns = value if isinstance(value, tuple | list) and all(isinstance(turn, str) for turn in value) else None
    if turns is None or len(turns) % 2 or len(turns) > MOST_TURNS:
        raise wrong(setting.name, value, "turns", most=MOST_TURNS)
    for place, turn in enumerate(turns):
        _check_text(replace(setting, low=1 - place % 2), turn, None)
    if most is not None and (length := sum(map(len, turns))) > most:
        raise ConfigError("long", name=setting.name, length=f"{length:,}", most=f"{most:,}")


def _check_text(setting: Setting, value: object, most: float | None) -> None:
    name = setting.name
    if not isinstance(value, str):
        raise wrong(name, value, "text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
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


def check_together(drafter: DraftEntry, rule: RuleEntry, temperature: float) -> None:
    """Refuses a drafter where it cannot guess.

    Raises:
        ConfigError: one line with what would do.
    """
    if drafter.settles and temperature and not rule.plain_text:
        raise wrong("temperature", temperature, "settled", drafter=drafter.name, instead=0)


def entry_of(setting: str, name: str, entries: Sequence[AnyEntry]) -> AnyEntry:
    """The entry of that name, which stands in that setting. Raises ConfigError: there is none."""
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
