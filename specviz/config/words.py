"""Formats messages in the grammar that assets/player/words/format.js describes; markup is dropped.

A code is a path in assets/player/words/en.json; whatever refuses something, or says why, gives one, and values.
Standard library only.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from specviz.shipped import ASSETS

Sentence = str | Mapping[str, object]
"""A text as it is, or a message's code with its values, which may be sentences themselves."""
Reason = str | Mapping[str, str | float]
"""The same as a trace records it: a plug-in's own text, or one of ours, whose values are texts and numbers."""
_PIECE = re.compile(r"\\([{}<])|([{}#])|</?[a-z]+>|[^\\{}#<]+|.", re.DOTALL)
_HEAD = re.compile(r"\s*(\w+)\s*(?:,\s*(\w+)\s*)?([,}])")
_CASE = re.compile(r"\s*(?:(\})|(=?[^\s{}]+)\s*\{)")


@cache
def table(language: str = "en") -> dict[str, Any]:
    """All words of a language, as its file has them."""
    words: dict[str, Any] = json.loads((ASSETS / "player" / "words" / f"{language}.json").read_text(encoding="utf-8"))
    return words


def sentence(code: str, /, **values: object) -> Sentence:
    """The message of that code with these values, to be put into words later."""
    return {"code": code, **values}


def because(reason: str, **values: str | int) -> Reason:
    """A message of the section `reasons`. Numbers come as they are to be read."""
    return {"code": f"reasons.{reason}", **values}


def say(code: str, language: str = "en", **values: object) -> str:
    """The sentence of a code. What a language lacks is English. Raises KeyError: there is no such message."""
    for each in (language, "en"):
        message = _find(table(each), code)
        if message is not None:
            return _said(message, values, each)
    raise KeyError(code)


def tell(sentence: object, language: str = "en") -> str:
    """A value as text: one with a `code` is a message itself, any other is its own text, and so is an unknown code."""
    if isinstance(sentence, Mapping) and "code" in sentence:
        try:
            return say(**{**sentence, "language": language})
        except KeyError:  # another version of specviz recorded it
            return str(sentence["code"])
    return "" if sentence is None else str(sentence)


def _find(words: object, code: str) -> str | None:
    for key in code.split("."):
        words = words.get(key) if isinstance(words, Mapping) else None
    return words if isinstance(words, str) else None


def _said(message: str, values: Mapping[str, object], language: str) -> str:
    text, end = _read(message, 0, "", values, language)
    if end != len(message):
        raise ValueError(f"{message!r} closes at {end} what nothing opened")
    return text


def _read(message: str, at: int, number: str, values: Mapping[str, object], language: str) -> tuple[str, int]:
    """The text up to a closing brace or the end, and where that is. number: what # stands for."""
    parts: list[str] = []
    while at < len(message) and message[at] != "}":
        piece = _PIECE.match(message, at)
        assert piece is not None
        at = piece.end()
        if piece[2] == "{":
            text, at = _argument(message, at, number, values, language)
            parts.append(text)
        elif piece[2] == "#" and number:
            parts.append(number)
        elif not re.fullmatch("</?[a-z]+>", piece[0]):
            parts.append(piece[1] or piece[0])
    return "".join(parts), at


def _argument(message: str, at: int, number: str, values: Mapping[str, object], language: str) -> tuple[str, int]:
    head = _HEAD.match(message, at)
    if head is None:
        raise ValueError(f"{message!r}: wanted a name at {at}")
    at, kind, value = head.end(), head[2], values.get(head[1])
    if kind == "list":
        assert isinstance(value, list | tuple)
        names = value if isinstance(value, list | tuple) else []
        if head[3] == "}":
            return _listed([tell(name, language) for name in names], language), at
        at += len(message[at:]) - len(message[at:].lstrip())
        end = _read(message, at, number, values, language)[1] + 1
        items = [_read(message, at, number, {**values, "item": name}, language)[0] for name in names]
        return _listed(items, language), end
    if head[3] == "}":
        if kind is None:
            return tell(value, language), at
        formatted = _said(table(language)["grammar"][kind[0].lower() + kind[1:]], {**values, "value": value}, language)
        return (formatted[:1].upper() + formatted[1:] if kind[0].isupper() else formatted), at
    shown = tell(value, language)
    cases = dict(_cases(message, at, shown if kind == "plural" else number, values, language))
    names = _numbered(shown, language) if kind == "plural" else _selected(value)
    text = next((cases[name] for name in [*names, "other"] if name in cases), "")
    return text, int(cases["}"])


def _cases(
    message: str, at: int, number: str, values: Mapping[str, object], language: str
) -> Iterator[tuple[str, str]]:
    """Each case with its text, and where the last one ends, under "}"."""
    while case := _CASE.match(message, at):
        if case[1]:
            yield "}", str(case.end())
            return
        text, at = _read(message, case.end(), number, values, language)
        yield case[2], text
        at += 1
    raise ValueError(f"{message!r}: wanted a case at {at}")


def _numbered(shown: str, language: str) -> list[str]:
    """The cases that a number fits, the nearest first."""
    number = shown.replace(",", "")
    return [f"={number}", "one" if number == "1" and language != "zh" else "other"]


def _selected(value: object) -> list[str]:
    """The cases that a value fits, the nearest first."""
    name = str(value).lower() if isinstance(value, bool) else str(value)
    return ["none" if value is None else name, *([] if value else ["no"])]


def _listed(items: list[str], language: str) -> str:
    grammar = table(language)["grammar"]
    return grammar["and"].join([grammar["comma"].join(items[:-1]), items[-1]]) if items[1:] else "".join(items)
