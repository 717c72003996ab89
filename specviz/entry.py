"""How a plug-in (a drafter, a pair, a rule) introduces itself, and what it can be tuned with. Standard library only."""

from dataclasses import dataclass
from enum import StrEnum


class Rolls(StrEnum):
    """What a rule decides by: a number for each test and draw, noise that all share, or nothing random."""

    DICE = "dice"
    NOISE = "shared noise"
    NONE = "none"


class LawKind(StrEnum):
    """What guesses are taken from: a row they are drawn from, or a point: they are chosen. A drafter may do both."""

    ROW = "row"
    POINT = "point"
    MIXED = "mixed"


class Shape(StrEnum):
    """How a round's guesses stand: one after the other, or several at a place."""

    CHAIN = "chain"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class Param:
    """One number a plug-in can be tuned with. 0 <= low <= default <= high; whole: no fractions."""

    name: str
    low: float
    high: float
    default: float
    help: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several names that a plug-in can be tuned with; the first is the default."""

    name: str
    options: tuple[str, ...]
    help: str = ""

    @property
    def default(self) -> str:
        return self.options[0]


@dataclass(frozen=True, slots=True)
class File:
    """A file that a plug-in can be given by its path, "" for none."""

    name: str
    help: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A short text that a plug-in can be given, "" for none; form: a regular expression for all of it."""

    name: str
    form: str
    help: str = ""
    default: str = ""


Tuning = Param | Choice | File | Text
"""What a plug-in can be tuned with."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How a plug-in (a drafter, a pair, a gamma rule) introduces itself to people.

    source names the paper or project the method comes from; signal, what the number is by which a gamma rule goes.
    """

    name: str
    summary: str
    source: str
    params: tuple[Tuning, ...] = ()
    signal: str = ""


@dataclass(frozen=True, slots=True)
class RuleEntry(Entry):
    """An acceptance rule's.

    Attributes:
        rolls: what it decides by.
        plain_text: the text is plain decoding's, token for token, at any temperature.
        lossless: the text's law is the target's own, exactly.
        weighs: it judges a round's guesses together; on point masses it is `rejection`.
    """

    rolls: Rolls = Rolls.DICE
    plain_text: bool = False
    lossless: bool = True
    weighs: bool = False


@dataclass(frozen=True, slots=True)
class DraftEntry(Entry):
    """A drafter's.

    Attributes:
        family: what it goes by, in a word; methods of one family stand together.
        law: what its guesses are taken from.
        shape: how they may stand.
        modelled: it runs the pair's small model.
        counted: it goes by the pair's count table, or by that of a text of one's own.
    """

    family: str = ""
    law: LawKind = LawKind.ROW
    shape: Shape = Shape.CHAIN
    modelled: bool = False
    counted: bool = False
