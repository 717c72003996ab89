"""Dataclasses as JSON with their own field names, and back, with every field checked. Standard library only."""

import dataclasses
import functools
import json
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING
from enum import StrEnum
from typing import Any, TypeVar

from specviz.trace.run import SCHEMA, Trace

T = TypeVar("T")


class TraceError(ValueError):
    """A file that is not a trace. It says where it differs."""


def to_json(value: object) -> str:
    """Compact JSON with the field names of the dataclasses. Floats keep every bit."""
    return json.dumps(value, default=_fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_json(text: str) -> Trace:
    """Reads a trace back; to_json(from_json(text)) == text.

    Raises:
        TraceError: not JSON, another schema, or a field that is missing, unknown or of the wrong type.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"not JSON: {error}") from None
    _is(dict, data, "top level", "an object")
    if data.get("schema") != SCHEMA:
        schema = json.dumps(data.get("schema"))[:40]  # dumps escapes lone surrogates
        raise TraceError(f"schema is {schema}; this build reads schema {SCHEMA}")
    return read(Trace, data, "trace")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number a trace may hold")


def _fields(value: Any) -> dict[str, object]:
    """What stands for a value that JSON has no kind for: a mapping's items, or a dataclass's fields."""
    if isinstance(value, Mapping):
        return dict(value)
    kind: Any = type(value)
    unsaid = _defaults(kind)
    return {name: item for name in _names(kind) if (item := getattr(value, name)) != unsaid.get(name, MISSING)}


def read(kind: type[T], data: Any, where: str) -> T:
    """data as a dataclass, with every field checked against its annotation.

    Args:
        data: as json.loads gives it.
        where: what an error calls it.

    Raises:
        TraceError: a field that is missing, unknown or of the wrong type.
    """
    _is(dict, data, where, "an object")
    hints, optional = _hints(typing.cast(type, kind)), sparse(typing.cast(type, kind))
    for name in hints:
        if name not in data and name not in optional:
            raise TraceError(f"{where}: field {name!r} is missing")
    for name in data:
        if name not in hints:
            raise TraceError(f"{where}: unknown field {name!r}")
    return kind(**{name: _value(hint, data[name], f"{where}.{name}") for name, hint in hints.items() if name in data})


@functools.cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in dataclasses.fields(kind))


@functools.cache
def _defaults(kind: type) -> dict[str, Any]:
    kept = [item for item in dataclasses.fields(kind) if item.metadata.get("sparse")]
    factories = {item.name: item.default_factory for item in kept}
    made = {name: make() for name, make in factories.items() if make is not dataclasses.MISSING}
    return {item.name: made.get(item.name, item.default) for item in kept}


def sparse(kind: type) -> frozenset[str]:
    """The fields of a dataclass that a file leaves out where they have their default."""
    return frozenset(_defaults(kind))


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _value(hint: Any, data: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        if data is None and types.NoneType in arguments:
            return None
        kinds = [each for each in arguments if each not in (str, types.NoneType)]
        return _value(str if not kinds or (str in arguments and isinstance(data, str)) else kinds[0], data, where)
    if origin is tuple:
        _is(list, data, where, "a list")
        kinds = list(arguments[:1] * len(data) if arguments[-1] is ... else arguments)
        if len(data) != len(kinds):
            raise TraceError(f"{where}: wanted {len(kinds)} values, found {len(data)}")
        return tuple(
            _value(kind, item, f"{where}[{index}]") for index, (kind, item) in enumerate(zip(kinds, data, strict=True))
        )
    if origin is not None:
        _is(dict, data, where, "an object")
        return {name: _value(arguments[1], item, f"{where}.{name}") for name, item in data.items()}
    if dataclasses.is_dataclass(hint):
        return read(typing.cast(type, hint), data, where)
    if issubclass(hint, StrEnum):
        if data not in list(hint):
            raise TraceError(f"{where}: {str(data)[:40]!r} is not one of {', '.join(hint)}")
        return hint(data)
    _is((int, float) if hint is float else hint, data, where, hint.__name__)
    if hint is float and not abs(data) <= sys.float_info.max:
        raise TraceError(f"{where}: wanted a finite number")
    return data


def _is(kind: type | tuple[type, ...], data: Any, where: str, wanted: str) -> None:
    """Checks a value's type. True and false are not numbers here, although Python takes them for numbers."""
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        raise TraceError(f"{where}: wanted {wanted}, found {type(data).__name__}")
