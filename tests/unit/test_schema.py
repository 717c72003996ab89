"""The schema in assets/ is the one the dataclasses have, and says no to what is not a trace."""

import json
from typing import Any

import jsonschema
import pytest

from specviz.check.run import problems
from specviz.trace.codec import from_json, to_json
from specviz.trace.schema import FILE, SCRIPT, schema, script
from tests.tiny import TableModel, traced
from tests.unit.test_loops import loop

TRACE = json.loads(to_json(traced(TableModel(6, 1), draft=TableModel(6, 2))))


def test_the_schema_on_disk_is_the_one_of_the_classes() -> None:
    assert FILE.read_text(encoding="utf-8") == schema()
    assert SCRIPT.read_text(encoding="utf-8") == script()


def test_a_trace_follows_it() -> None:
    for trace in (TRACE, json.loads(to_json(loop(3, rounds=3)))):
        jsonschema.validate(trace, json.loads(schema()))


@pytest.mark.parametrize("change", [{"stop": "bored"}, {"schema": 0}, {"rounds": 3}, {"surprise": 1}])
def test_anything_else_does_not(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**TRACE, **change}, json.loads(schema()))


def test_scouts_are_left_out_where_there_are_none_and_read_where_there_are() -> None:
    assert all("scouts" not in step for step in TRACE["rounds"])
    with_scouts = json.loads(json.dumps(TRACE))
    with_scouts["rounds"][1]["scouts"] = [{"token": 3, "text": "3", "depth": 0}, {"token": 1, "text": "1", "depth": 1}]
    with_scouts["rounds"][1]["target_cache"]["written"] += 2
    jsonschema.validate(with_scouts, json.loads(schema()))
    text = to_json(from_json(json.dumps(with_scouts)))
    assert json.loads(text) == with_scouts
    assert problems(from_json(text)) == []
    with_scouts["rounds"][1]["target_cache"]["written"] -= 1
    assert "the target's cache grew to" in problems(from_json(json.dumps(with_scouts)))[0]


def test_it_bounds_every_number_text_and_list() -> None:
    needed = {"integer": "maximum", "number": "maximum", "string": "maxLength", "array": "maxItems"}

    def unbounded(part: Any, where: str) -> list[str]:
        if isinstance(part, list):
            return [line for at, each in enumerate(part) for line in unbounded(each, f"{where}[{at}]")]
        if not isinstance(part, dict):
            return []
        bound = needed.get(part["type"]) if isinstance(part.get("type"), str) else None
        open_ended = bound and not {bound, "enum", "pattern"} & part.keys()
        return [where] * bool(open_ended) + [line for name in part for line in unbounded(part[name], f"{where}.{name}")]

    assert unbounded(json.loads(schema()), "trace") == []
