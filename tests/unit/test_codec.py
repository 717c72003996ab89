"""JSON and back: a trace comes back byte for byte, and nothing but a trace gets past from_json."""

import dataclasses
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.check.run import problems
from specviz.sampling.distribution import Sampling
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.run import Trace
from tests.doctored import plain, run


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
