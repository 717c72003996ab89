"""JSON and back: a trace comes back byte for byte, nothing else gets past from_json, and the schema says so."""

import dataclasses
import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.check.run import problems
from specviz.sampling.distribution import Sampling
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.run import Trace
from specviz.trace.schema import FILE, SCRIPT, schema, script
from tests.doctored import plain, run
from tests.tiny import TableModel, traced
from tests.unit.test_loops import loop


@given(st.integers(0, 2**63 - 1), st.integers(0, 6), st.sampled_from([0.0, 0.05, 0.7, 2.0]), st.integers(0, 7))
def test_any_run_is_sound_and_survives_json_byte_for_byte(seed: int, gamma: int, warmth: float, end: int) -> None:
    trace = run(seed, 9, gamma=gamma, sampling=Sampling(warmth), ends=frozenset([end]))
    assert problems(trace) == []
    text = to_json(trace)
    assert from_json(text) == trace
    assert to_json(from_json(text)) == text


def doctored_json(path: tuple[str | int, ...], value: object) -> str:
    """A sound trace's JSON with the value at `path` replaced, or removed if it is ..."""
    data: Any = json.loads(to_json(plain()))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(data)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400, "1" * 5000])
def test_numbers_that_are_no_numbers_are_refused(word: str) -> None:
    text = to_json(plain()).replace('"prefill":1.0', f'"prefill":{word}')
    assert word in text
    with pytest.raises(TraceError):
        from_json(text)


@pytest.mark.parametrize("depth", [100, 400, 900, 970, 985, 995, 2_000, 20_000, 200_000])
def test_nesting_however_deep_is_refused(depth: int) -> None:
    nested = '"text":' + "[" * depth + "]" * depth
    with pytest.raises(TraceError):
        from_json(to_json(plain()).replace('"text":', nested + ',"no":', 1))
    with pytest.raises(TraceError):
        from_json('{"schema":' + "[" * depth + "]" * depth + "}")


def test_a_refusal_says_where() -> None:
    with pytest.raises(TraceError, match=r"rounds\[0\]\.verdicts\[0\]\.token"):
        from_json(doctored_json(("rounds", 0, "verdicts", 0, "token"), None))


def test_a_trace_is_compact_and_keeps_every_letter() -> None:
    text = to_json(replace(plain(), text="é\u2028\n\0"))
    assert '"text":"é\u2028\\n\\u0000"' in text
    assert from_json(text).text == "é\u2028\n\0"
    assert dataclasses.fields(Trace)[-1].name == "schema"


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
