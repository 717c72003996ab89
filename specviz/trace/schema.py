"""The trace's JSON schema, derived from the dataclasses, so that the two cannot differ."""

import json
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from specviz.config.settings import SETTINGS, Kind, RunConfig, range_of
from specviz.shipped import ASSETS
from specviz.trace.codec import sparse
from specviz.trace.run import SCHEMA, Trace

FILE = ASSETS / "trace.schema.json"
"""The schema's file; `python -m specviz.trace.schema` writes it."""

_SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number"}


def schema() -> str:
    """JSON Schema, draft 2020-12, as text."""
    definitions: dict[str, Any] = {}
    _of(Trace, definitions)
    trace = definitions.pop("Trace")
    trace["properties"]["schema"] = {"const": SCHEMA}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"specviz trace, schema {SCHEMA}"}
    return json.dumps({**head, **trace, "$defs": definitions}, indent=1) + "\n"


def _of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_of(each, definitions) for each in arguments]}
    if hint is types.NoneType:
        return {"type": "null"}
    if origin is tuple and arguments[-1] is not ...:
        few = {"minItems": len(arguments), "maxItems": len(arguments)}
        return {"type": "array", "prefixItems": [_of(each, definitions) for each in arguments], **few}
    if origin is tuple:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    if issubclass(hint, StrEnum):
        return {"enum": [member.value for member in hint]}
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    name: str = hint.__name__
    if name not in definitions:
        definitions[name] = {}
        fields = typing.get_type_hints(hint)
        definitions[name] = {
            "type": "object",
            "properties": {field: _of(each, definitions) | _bounds(hint, field) for field, each in fields.items()},
            "required": [field for field in fields if field not in sparse(hint)],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _bounds(kind: type, field: str) -> dict[str, Any]:
    """What a run's setting may be beside its type."""
    setting = next((each for each in SETTINGS if each.name == field), None) if kind is RunConfig else None
    if setting and setting.is_number:
        allowed = range_of(setting)
        least = {"exclusiveMinimum" if allowed.above else "minimum": 0 if allowed.zero else allowed.low}
        return {**least, "maximum": allowed.high}
    if setting and setting.kind is Kind.TEXTS:
        each = {"type": "string", "minLength": setting.low, "maxLength": setting.high}
        return {"items": each, "maxItems": setting.many}
    return {"enum": [*setting.options]} if setting and setting.options else {}


if __name__ == "__main__":
    FILE.write_text(schema(), encoding="utf-8")
