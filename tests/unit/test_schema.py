"""The schema in assets/ is the one the dataclasses have, and says no to what is not a trace."""

import json

import jsonschema
import pytest

from specviz.codec import to_json
from specviz.schema import FILE, schema
from tests.tiny import TableModel, traced

TRACE = json.loads(to_json(traced(TableModel(6, 1), draft=TableModel(6, 2))))


def test_the_schema_on_disk_is_the_one_of_the_classes() -> None:
    assert FILE.read_text(encoding="utf-8") == schema()


def test_a_trace_follows_it() -> None:
    jsonschema.validate(TRACE, json.loads(schema()))


@pytest.mark.parametrize("change", [{"stop": "bored"}, {"schema": 0}, {"rounds": 3}, {"surprise": 1}])
def test_anything_else_does_not(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**TRACE, **change}, json.loads(schema()))
