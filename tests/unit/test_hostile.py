"""500 made-up settings and as many doctored traces: a valid one, or one clear line; never anything else."""

import dataclasses
import json
import math
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specviz import accept, draft
from specviz.check.run import problems
from specviz.config.settings import HOME, SHARED, ConfigError, Limits, RunConfig, check, check_tokens, resolve_params
from specviz.trace.codec import TraceError, from_json, to_json
from tests.tiny import TableModel, traced

MANY = settings(max_examples=500, deadline=None)
HUGE = 10**5_000
EDGES = [0.0, 0.05, 0.8, 1.0, 2.0, math.nan, math.inf, -math.inf, 10**400, HUGE, -HUGE, 2**63, 1_024]
NUMBERS = st.integers(-3, 30) | st.sampled_from(EDGES) | st.floats()
NONE = ["", "\ud800", "a\udfff", "x" * 9_000, "\x00", "\u202e", [], [HUGE], {}, {"k": HUGE}, b"x", "4"]
ODD = st.none() | st.booleans() | NUMBERS | st.sampled_from(NONE)
TEXT = st.one_of(st.sampled_from(["Once upon a time", "\ud800", "", "é🙂" * 1_500]), st.text(max_size=8))
GOOD: dict[str, st.SearchStrategy[Any]] = {
    "prompt": TEXT,
    **dict.fromkeys(("gamma", "temperature", "top_k", "top_p", "max_new_tokens", "seed"), NUMBERS),
    "drafter": st.sampled_from([entry.name for entry in draft.ENTRIES]),
    "rule": st.sampled_from([entry.name for entry in accept.ENTRIES]),
    "stop_strings": st.lists(TEXT, max_size=20).map(tuple),
    "params": st.dictionaries(st.sampled_from(["k", "q", "\ud800", "x" * 999]), ODD, max_size=2),
}
"""For each field what has its type, in range or not."""
FIELDS = [item.name for item in dataclasses.fields(RunConfig)]


def said(error: Exception) -> str:
    line = str(error)
    assert "\n" not in line
    assert len(line) < 400
    line.encode()
    return line


@MANY
@given(st.sampled_from([*GOOD]), st.data(), st.sampled_from(FIELDS), ODD, st.sampled_from([HOME, SHARED]))
def test_settings_are_within_the_limits_or_refused_in_a_line(
    typed: str, data: st.DataObject, odd: str, value: object, limits: Limits
) -> None:
    config = RunConfig(**{"prompt": "Once", odd: value, typed: data.draw(GOOD[typed])})  # type: ignore[arg-type]
    try:
        check(config, limits)
        for entry in draft.ENTRIES:
            if entry.name == config.drafter:
                resolve_params(entry, config.params)
    except ConfigError as error:
        said(error)
        return
    config.prompt.encode()
    assert 1 <= len(config.prompt) <= limits.prompt
    for value, low, high in [
        (config.gamma, 0, limits.gamma),
        (config.top_k, 0, limits.top_k),
        (config.max_new_tokens, 1, limits.max_new_tokens),
        (config.seed, 0, 2**63 - 1),
    ]:
        assert type(value) is int
        assert low <= value <= high
    for number in (config.temperature, config.top_p):
        assert type(number) in (int, float)
        assert 0 <= number <= 2
    assert type(config.chat) is bool
    json.dumps(config.pair + config.device + config.dtype + config.counts).encode()


@given(st.integers(-5, 10_000), st.integers(1, 10_000))
def test_a_prompt_fits_the_context_and_the_limit_or_is_refused_in_a_line(prompt: int, context: int) -> None:
    fits = 0 < prompt < context and prompt <= SHARED.prompt_tokens
    if fits:
        check_tokens(prompt, context, SHARED)
    else:
        with pytest.raises(ConfigError, match=f"the prompt has {prompt:,} tokens; wanted 1 to"):
            check_tokens(prompt, context, SHARED)


@cache
def plain() -> str:
    """A trace of one round as JSON."""
    return to_json(traced(TableModel(5, 1), draft=TableModel(5, 2), max_new_tokens=2))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, below in inside for each in places(below, (*path, key)))]


@cache
def ways() -> list[tuple[Any, ...]]:
    return places(json.loads(plain()))[1:]


STRANGE = [[], {}, "", "\ud800", "<img src=x onerror=alert(1)>", "x" * 9_999, 10**400, [[]], {"__proto__": {}}]
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(STRANGE)


@MANY
@given(st.data(), VALUES, st.sampled_from(["replaced", "removed", "added"]))
def test_a_doctored_trace_is_looked_through_and_reads_back_byte_for_byte_or_is_refused_in_a_line(
    data: st.DataObject, value: object, what: str
) -> None:
    doctored = json.loads(plain())
    *way, last = data.draw(st.sampled_from(ways()))
    inner: Any = doctored
    for key in way:
        inner = inner[key]
    if what == "removed":
        del inner[last]
    elif what == "added" and isinstance(inner, dict):
        inner["__proto__"] = value
    else:
        inner[last] = value
    text = json.dumps(doctored, ensure_ascii=False, separators=(",", ":"))
    try:
        trace = from_json(text)
    except TraceError as error:
        said(error)
        return
    problems(trace)
    again = to_json(trace)
    assert to_json(from_json(again)) == again
    assert json.loads(again) == doctored


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 2_000), st.integers(0, 60), st.binary(max_size=6))
def test_a_trace_cut_or_scribbled_over_is_refused_in_a_line(at: int, gone: int, junk: bytes) -> None:
    text = plain()
    at %= len(text)
    scribbled = text[:at] + junk.decode("latin-1") + text[at + gone :]
    try:
        trace = from_json(scribbled)
    except TraceError as error:
        said(error)
    else:
        assert json.loads(to_json(trace)) == json.loads(scribbled)


def test_a_refusal_tells_no_number_python_would_not_write_out() -> None:
    with pytest.raises(ValueError, match=str(sys.get_int_max_str_digits())):
        repr(HUGE)
    with pytest.raises(
        ConfigError, match="gamma is a number too long to write out; wanted a whole number from 0 to 20"
    ):
        check(RunConfig("Once", gamma=HUGE))
