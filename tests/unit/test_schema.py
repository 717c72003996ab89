"""The schema in assets/ is the one the dataclasses have, and says no to what is not a trace."""

import json
from pathlib import Path

import jsonschema
import pytest

from specviz.proof.problems.run import problems
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.guess import Counts
from specviz.trace.run import SCHEMA
from specviz.trace.schema import FILE, schema
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


OLDER = (Path(__file__).parents[1] / "golden" / "older" / "schema-6.json").read_text(encoding="utf-8")


def test_a_trace_of_schema_6_is_upgraded_and_sound() -> None:
    old, new = json.loads(OLDER), from_json(OLDER)
    assert problems(new) == []
    assert new.schema == SCHEMA
    for was, step in zip(old["rounds"], new.rounds, strict=True):
        assert [each["evidence"] for each in was["verdicts"]] == [each.source.words for each in step.verdicts]
        assert was["timing"]["draft"] == [call.ms for call in step.timing.draft]
        assert [each["p"] for each in was["verdicts"]] == [each.p for each in step.verdicts]
        assert [was["draft_cache"]["kept"]] == [span.kept for span in step.draft_caches]
        refused = [each["node"] for each in was["verdicts"] if each["verdict"] == "rejected"]
        assert step.extra
        assert refused == ([] if step.extra.node is None else [step.extra.node])
    assert from_json(to_json(new)) == new


def test_the_counts_of_a_trace_of_schema_6_are_read_off_its_words() -> None:
    old = json.loads(OLDER)
    old["rounds"][0]["verdicts"][0]["evidence"] = "4 tokens of context, seen 1,234 times, 5 in this text"
    assert from_json(json.dumps(old)).rounds[0].verdicts[0].source.counts == Counts(4, 1234, 5)


@pytest.mark.parametrize("gone", ["info", "rounds", "prompt"])
def test_half_a_trace_of_schema_6_is_refused(gone: str) -> None:
    old = json.loads(OLDER)
    del old[gone]
    with pytest.raises(TraceError):
        from_json(json.dumps(old))


@pytest.mark.parametrize("change", [{"race": 3}, {"rounds": [None]}, {"rounds": 3}, {"info": []}, {"schema": 6.0}])
def test_what_only_says_it_is_of_schema_6_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(TraceError):
        from_json(json.dumps({**json.loads(OLDER), **change}))
