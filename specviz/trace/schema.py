"""The trace's JSON schema, derived from the dataclasses, so that the two cannot differ."""

import json
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from specviz.config.settings import SETTINGS, Kind, RunConfig, Setting, range_of
from specviz.config.words import Reason
from specviz.shipped import ASSETS
from specviz.trace.codec import sparse
from specviz.trace.info import USES, Trial
from specviz.trace.run import SCHEMA, Trace

FILE = ASSETS / "trace.schema.json"
"""The schema's file; `python -m specviz.trace.schema` writes it, and SCRIPT, by which the page checks files."""
SCRIPT = ASSETS / "player" / "trace" / "schema.min.js"

_SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number"}


def _each(names: str, *bounds: Any) -> dict[str, Any]:
    return dict.fromkeys(names.split(), *bounds)


# What a field may hold, by its name, where several classes have it by Class.name. A trace of specviz is far within it;
# the page opens no file beyond it, and cuts longer texts.
_SHARES = "p q u draft_u low high accept_prob weight mass overlap residual covered distance share before after"
_TIMES = "prefill Costs.draft rest passes ms verify accept trim overhead reread laps plain_laps error largest"
_NUMBERS = {
    **_each(f"{_SHARES} View.target epsilon Relaxation.delta", (0, 1)),
    **_each(_TIMES, (0, 1e9)),
    **_each("entropy p_entropy q_entropy Threshold.delta", (0, 100)),
    "likeness": (-1, 1),
    "noise": (-1000, 1000),
}
_WHOLE = {
    **_each("parent Imagined.node", (-1, 128)),
    **_each("node depth path places Drafting.nodes Source.rank", (0, 128)),
    **_each("tested untested bars Shown.own", (1, 20)),
    **_each("index position before written kept reread layers of span Change.places Budget.depth", (0, 1e6)),
    **_each("token tokens prompt eos TokenVerdict.rank", (0, 1e7)),
    **_each("vocab_size width widths top threads copied", (1, 1e7)),
    **_each("context border", (0, 1e9)),
    **_each("slot_bytes target_slot_bytes", (1, 1e12)),
    "rounded": (-127, 127),
    "max_new_tokens": (1, 8192),
}
_MOST = {
    **_each("prompt prompt_texts control tokens texts passes", 8192),
    "rounds": 2000,
    **_each("eos changed", 256),
    **_each("bars raw noise View.before target laps plain_laps", 20),
    "earlier": 64,
}
_LETTERS = {"Trace.text": 1_000_000, **_each("prompt earlier", 8000), "grammar": 20_000, "stop_strings": 200}
_TEXTS = ("text", "texts", "prompt", "prompt_texts", "earlier", "grammar", "stop_strings", "stop_string", "bad_words")
"""Those that may hold any letter; of others the page spells out what nobody sees."""
_CODE = r"^reasons(\.\w{1,20}){1,3}$"


def schema() -> str:
    """JSON Schema, draft 2020-12, as text."""
    definitions: dict[str, Any] = {}
    _of(Trace, definitions)
    trace = definitions.pop("Trace")
    trace["properties"]["schema"] = {"const": SCHEMA}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"specviz trace, schema {SCHEMA}"}
    return json.dumps({**head, **trace, "$defs": definitions}, indent=1) + "\n"


def script() -> str:
    """The same as a module of the player, which names no host."""
    kept = {key: value for key, value in json.loads(schema()).items() if key != "$schema"}
    return f"export const schema = {json.dumps(kept, separators=(',', ':'))};\n"


def _of(hint: Any, definitions: dict[str, Any], *field: str) -> dict[str, Any]:
    """field: the names of the class and of its field whose value this is, or a part of it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint == Reason:
        sentence = {
            "type": "object",
            "properties": {"code": {"type": "string", "pattern": _CODE}},
            "required": ["code"],
        }
        values = _of(arguments[1], definitions, *field)
        return {
            "anyOf": [
                _of(str, definitions, *field),
                sentence | {"additionalProperties": values["additionalProperties"]},
            ]
        }
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_of(each, definitions, *field) for each in arguments]}
    if hint is types.NoneType:
        return {"type": "null"}
    if origin is tuple and arguments[-1] is not ...:
        few = {"minItems": len(arguments), "maxItems": len(arguments)}
        return {"type": "array", "prefixItems": [_of(each, definitions, *field) for each in arguments], **few}
    if origin is tuple:
        items = _of(arguments[0], definitions, *field)
        return {"type": "array", "items": items, "maxItems": _named(_MOST, field, 128)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions, *field), "maxProperties": 64}
    if issubclass(hint, StrEnum):
        return {"enum": [member.value for member in hint]}
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint], **_bounds(hint, field)}
    name: str = hint.__name__
    if name not in definitions:
        definitions[name] = {}
        fields = typing.get_type_hints(hint)
        definitions[name] = {
            "type": "object",
            "properties": {
                each: _of(kind, definitions, name, each) | _choice(hint, each) for each, kind in fields.items()
            },
            "required": [each for each in fields if each not in sparse(hint)],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _named(bounds: Mapping[str, Any], field: tuple[str, ...], other: Any) -> Any:
    return bounds.get(".".join(field), bounds.get(field[-1], other)) if field else other


def _bounds(hint: type, field: tuple[str, ...]) -> dict[str, Any]:
    """What a number or a text may be beside its type."""
    if hint is str:
        look = {} if field[-1] in _TEXTS else {"format": "line"}
        return {"maxLength": _named(_LETTERS, field, 256), **look}
    if hint is bool:
        return {}
    setting = _setting(*field)
    if setting and setting.is_number and setting.name != "max_new_tokens":
        allowed = range_of(setting)
        least = {"exclusiveMinimum" if allowed.above else "minimum": 0 if allowed.zero else allowed.low}
        return {**least, "maximum": allowed.high}
    low, high = _named(_WHOLE, field, (0, 1e12)) if hint is int else _named(_NUMBERS, field, (-1e9, 1e9))
    return {"minimum": hint(low), "maximum": hint(high)}


def _setting(kind: str, field: str) -> Setting | None:
    return next((each for each in SETTINGS if each.name == field), None) if kind == RunConfig.__name__ else None


def _choice(kind: type, field: str) -> dict[str, Any]:
    """The names that a text may be, and the texts of a setting that is a list of some."""
    if kind is Trial and field == "use":
        return {"enum": [*USES]}
    setting = _setting(kind.__name__, field)
    if setting and setting.kind is Kind.TEXTS:
        each = {"type": "string", "minLength": setting.low, "maxLength": setting.high}
        return {"items": each, "maxItems": setting.many}
    return {"enum": [*setting.options]} if setting and setting.options else {}


if __name__ == "__main__":
    FILE.write_text(schema(), encoding="utf-8")
    SCRIPT.write_text(script(), encoding="utf-8")
