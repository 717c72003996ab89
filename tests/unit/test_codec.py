"""JSON and back: a trace comes back byte for byte, and nothing but a trace gets past from_json."""

import dataclasses
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.law.sampling import Sampling
from specviz.proof.problems.run import problems
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


FIRST = ("rounds", 0)
HOSTILE = {
    "missing field": (("stop",), ...),
    "missing field deep down": ((*FIRST, "verdicts", 0, "view", "rest", "count"), ...),
    "unknown field": (("more",), 1),
    "unknown field deep down": ((*FIRST, "timing", "more"), 1),
    "other schema": (("schema",), 1),
    "schema as text": (("schema",), "2"),
    "schema as bool": (("schema",), True),
    "schema as float": (("schema",), 2.0),
    "bool for int": ((*FIRST, "index"), False),
    "bool for float": (("prefill",), True),
    "int for bool": (("info", "traits", "lossless"), 1),
    "float for int": ((*FIRST, "position"), 2.0),
    "text for float": (("prefill",), "1.0"),
    "null for float": (("prefill",), None),
    "number for text": (("text",), 1),
    "list for object": (("info",), []),
    "object for list": (("rounds",), {}),
    "text for list": (("prompt",), "01"),
    "list for enum": (("stop",), ["eos"]),
    "unknown stop": (("stop",), "bored"),
    "unknown verdict": ((*FIRST, "verdicts", 0, "verdict"), "maybe"),
    "number where a mapping wants text": (("info", "versions"), {"torch": 2}),
    "list for a mapping": (("info", "versions"), ["torch"]),
    "text among token ids": (("prompt",), [0, "1"]),
    "lists in lists for text": (("text",), [[[[[]]]]]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_json_that_is_no_trace_is_refused(name: str) -> None:
    with pytest.raises(TraceError):
        from_json(doctored_json(*HOSTILE[name]))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400, "1" * 5000])
def test_numbers_that_are_no_numbers_are_refused(word: str) -> None:
    text = to_json(plain()).replace('"prefill":1.0', f'"prefill":{word}')
    assert word in text
    with pytest.raises(TraceError):
        from_json(text)


@pytest.mark.parametrize(
    "text", ["", " ", "null", "[]", "1", '"a"', "{}", "{", "[" * 100_000, '{"schema":1}', "\ud800"]
)
def test_text_that_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(TraceError):
        from_json(text)


@pytest.mark.parametrize("depth", [100, 400, 900, 970, 985, 995, 2_000, 20_000, 200_000])
def test_nesting_however_deep_is_refused(depth: int) -> None:
    nested = '"text":' + "[" * depth + "]" * depth
    with pytest.raises(TraceError):
        from_json(to_json(plain()).replace('"text":', nested + ',"no":', 1))
    with pytest.raises(TraceError):
        from_json('{"schema":' + "[" * depth + "]" * depth + "}")


def test_a_refusal_is_short() -> None:
    with pytest.raises(TraceError) as refusal:
        from_json(doctored_json(("prefill",), "x" * 100_000))
    assert len(str(refusal.value)) < 1_000


def test_a_refusal_says_where() -> None:
    with pytest.raises(TraceError, match=r"rounds\[0\]\.verdicts\[0\]\.token"):
        from_json(doctored_json((*FIRST, "verdicts", 0, "token"), None))


def test_a_trace_is_compact_and_keeps_every_letter() -> None:
    text = to_json(replace(plain(), text="é\u2028\n\0"))
    assert '"text":"é\u2028\\n\\u0000"' in text
    assert from_json(text).text == "é\u2028\n\0"
    assert dataclasses.fields(Trace)[-1].name == "schema"
