"""How a setting, and a plug-in (a drafter, a rule, a pair) with its parameters, introduce themselves. Standard library
only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from specviz.config.words import Sentence, say, sentence, table


class Rolls(StrEnum):
    """What a rule decides with: a random number for each test and draw, noise that all share, or a threshold for each
    test and a random number for each draw.
    """

    DICE = "dice"
    NOISE = "shared noise"
    THRESHOLD = "threshold"


class LawKind(StrEnum):
    """What guesses are taken from. A row: they are drawn from it. A point: they are chosen. Mixed: both occur."""

    ROW = "row"
    POINT = "point"
    MIXED = "mixed"


class Shape(StrEnum):
    """The shape of a round's guesses: a chain or a tree."""

    CHAIN = "chain"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from low to high. whole: without a fraction. zero: and 0. above: but not low itself."""

    low: float
    high: float
    whole: bool = False
    zero: bool = False
    above: bool = False

    def __contains__(self, number: float) -> bool:
        least = number > self.low if self.above else number >= self.low
        return (self.zero and number == 0) or (least and number <= self.high and not (self.whole and number % 1))

    @property
    def wanted(self) -> Sentence:
        """The numbers in words."""
        kind = "whole" if self.whole else "zero" if self.zero else "above" if self.above else "range"
        low, high = (f"{each:,}" if isinstance(each, int) else f"{each:g}" for each in (self.low, self.high))
        return sentence(f"refusals.wanted.{kind}", low=low, high=high)


class Kind(StrEnum):
    """What a setting may hold. Entry: the name of a plug-in. Params: a plug-in's parameters, by name. Texts: several
    short ones. Turns: what was said in a conversation, person and model in turns.
    """

    TEXT = "text"
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    OPTION = "option"
    ENTRY = "entry"
    PARAMS = "params"
    COSTS = "costs"
    TEXTS = "texts"
    TURNS = "turns"


class Group(StrEnum):
    """Where a setting's control is on the page: in the bar, or in one of the drawer's groups. Text: what of the
    sampling depends on the text, folded. Machine: on none.
    """

    BAR = "bar"
    MODELS = "models"
    LENGTH = "length"
    DECODING = "decoding"
    TEXT = "text"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of RunConfig as people set it: on the command line, on the page, in a link, in a study.

    Attributes:
        low, high: of a number, or of the characters of a text, of each of several texts, or of all turns. high is None
            where Limits has a field of that name.
        many: texts or turns at most.
        zero: 0 is one of the numbers too. above: low itself is none of them.
        step: what one press of its control's arrows adds.
        options: what an option may be. of: the setting whose plug-in has these parameters.
        key: its key in a link; "" where links leave it out.
        help: what the command line says about it.
        name, default: of the field. `settings_of` fills them in; None: it has no default.
    """

    kind: Kind
    low: float = 0
    high: float | None = None
    many: int = 0
    group: Group = Group.DECODING
    key: str = ""
    help: str = ""
    zero: bool = False
    above: bool = False
    step: float = 1
    options: tuple[str, ...] = ()
    of: str = ""
    name: str = ""
    default: Any = None

    @property
    def is_number(self) -> bool:
        return self.kind in (Kind.WHOLE, Kind.NUMBER)

    @property
    def is_varied(self) -> bool:
        """True if the runs of a study, or of a sweep on the page, may differ in it."""
        return self.group not in (Group.MODELS, Group.MACHINE) and self.kind not in (Kind.COSTS, Kind.TEXTS)


@dataclass(frozen=True, slots=True)
class Param:
    """A number that tunes a plug-in. 0 <= low <= default <= high. whole: it has no fraction."""

    name: str
    low: float
    high: float
    default: float
    whole: bool = False

    @property
    def range(self) -> Range:
        return Range(self.low, self.high, self.whole)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that tunes a plug-in. usual: the default; "" means the first one."""

    name: str
    options: tuple[str, ...]
    usual: str = ""

    @property
    def default(self) -> str:
        return self.usual or self.options[0]


@dataclass(frozen=True, slots=True)
class File:
    """The path of a file for a plug-in, "" for none."""

    name: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A short text for a plug-in, "" for none. form: a regular expression that all of it must match."""

    name: str
    form: str
    default: str = ""


Tuning = Param | Choice | File | Text
"""A parameter of a plug-in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How a plug-in (a drafter, a pair, a gamma rule) introduces itself to people.

    source names the paper or project the method comes from. What it does, and what its parameters are for, is said by
    the words under controls.plugins.
    """

    name: str
    source: str
    params: tuple[Tuning, ...] = ()

    @property
    def summary(self) -> str:
        """What it does, in English."""
        return say(f"controls.plugins.{self.name}.summary")

    def help(self, param: str) -> str | None:
        """What a parameter of it is for, in English; None if there is nothing to say."""
        text: str | None = table()["controls"]["plugins"].get(self.name, {}).get("params", {}).get(param)
        return text


@dataclass(frozen=True, slots=True)
class RuleEntry(Entry):
    """The entry of an acceptance rule.

    Attributes:
        rolls: what it decides with.
        plain_text: its text is plain decoding's, token for token, at any temperature.
        lossless: its text has exactly the target's distribution.
        weighs: it judges a round's guesses together. On point masses it is `rejection`.
        cold: at temperature 0 its text is plain decoding's.
    """

    rolls: Rolls = Rolls.DICE
    plain_text: bool = False
    lossless: bool = True
    weighs: bool = False
    cold: bool = True


@dataclass(frozen=True, slots=True)
class DraftEntry(Entry):
    """The entry of a drafter.

    Attributes:
        family: what it drafts from, in a word. The page shows one family's drafters together.
        law: what its guesses are taken from.
        shape: the shape its drafts may have.
        modelled: it runs the pair's small model.
        counted: it uses a count table, the pair's or that of a text file.
        asset: the file of the pair's folder that it cannot do without; "" if it needs none.
        rounded: it keeps a copy of the target, one byte for each weight.
        sized: its drafts have a length, which gamma and the gamma rules choose.
        settles: it guesses only where the text is plain decoding's own: at temperature 0, or under such a rule.
        constrained: it guesses only where a grammar is set.
    """

    family: str = ""
    law: LawKind = LawKind.ROW
    shape: Shape = Shape.CHAIN
    modelled: bool = False
    counted: bool = False
    asset: str = ""
    rounded: bool = False
    sized: bool = True
    settles: bool = False
    constrained: bool = False
