"""Bad input gets one clear line: what was received and what was wanted. Nothing else is ever raised."""

import dataclasses
import json
import math
from pathlib import Path

import pytest

from specviz import draft
from specviz.config.costs import Costs
from specviz.config.settings import ConfigError, Limits, RunConfig, check, resolve_params
from specviz.draft.base import Resources
from specviz.sampling.distribution import Sampling
from specviz.theory import expected_tokens, speedup
from tests.tiny import TableModel

GOOD = RunConfig("Once upon a time")


def test_what_can_be_run_passes() -> None:
    for change in (
        {},
        {"temperature": 0, "gamma": 0, "max_new_tokens": 1},
        {"temperature": 0.05, "gamma": 20, "top_k": 5, "top_p": 0.1},
        {"temperature": 2, "seed": 2**63 - 1, "prompt": "é🙂\u202e\x00", "grammar": "x" * 20_000},
        {"stop_strings": ("\n\n", " ", "x" * 200)},
    ):
        check(dataclasses.replace(GOOD, **change))  # type: ignore[arg-type]


REFUSED: dict[str, tuple[object, ...]] = {
    "prompt": ("", 3, "x" * 8_001, "\ud800"),
    "gamma": (-1, 21, 3.0, True, "4"),
    "temperature": (0.01, 2.1, -1, math.nan, math.inf, True, None),
    "top_k": (-1, 2.5),
    "top_p": (0, 1.01, math.nan),
    "max_new_tokens": (0, 10**30),
    "seed": (-1, 2**63),
    "drafter": (None,),
    "dtype": ("int8",),
    "grammar": ("x" * 20_001, {"type": "object"}),
    "stop_strings": ("END", ("END", ""), ("\ud800",), (5,), ("x" * 201,), ("a",) * 17),
    "params": ([1],),
    "earlier": (("hi",), ("", "hi"), ("hi", "\ud800"), ("hi",) * 66),
    "costs": (
        "measured",
        {"draft": 1.0},
        Costs(1.0, 0.1, (), ()),
        Costs(1.0, 0.1, (2, 3), (1.0, 1.0)),
        Costs(1.0, 0.1, (1, 1), (1.0, 1.0)),
        Costs(1.0, 0.1, (1, 2), (1.0,)),
        Costs(1.0, 0.1, (1, 2), (0.0, 1.0)),
        Costs(math.nan, 0.1, (1,), (1.0,)),
        Costs(1.0, -0.1, (1,), (1.0,)),
        Costs(1.0, 0.1, tuple(range(1, 100)), (1.0,) * 99),
    ),
}


@pytest.mark.parametrize("field", REFUSED)
def test_what_cannot_be_run_is_named(field: str) -> None:
    for value in REFUSED[field]:
        with pytest.raises(ConfigError, match=field) as caught:
            check(dataclasses.replace(GOOD, **{field: value}))  # type: ignore[arg-type]
        assert "\n" not in str(caught.value)


def test_a_server_can_lower_the_limits() -> None:
    with pytest.raises(ConfigError, match="gamma is 9; wanted a whole number from 0 to 8"):
        check(dataclasses.replace(GOOD, gamma=9), Limits(gamma=8))


def test_parameters_are_filled_in_and_held_to_their_range() -> None:
    bigram = next(entry for entry in draft.ENTRIES if entry.name == "bigram")
    assert resolve_params(bigram, {}) == {"k": 0.0}
    assert resolve_params(bigram, {"k": 1}) == {"k": 1.0}
    with pytest.raises(ConfigError, match="k is 11; wanted a number from 0 to 10"):
        resolve_params(bigram, {"k": 11})
    with pytest.raises(ConfigError, match="no parameter 'q'; it has: k"):
        resolve_params(bigram, {"q": 1})


def test_every_file_of_drafters_is_in_the_registry_and_ends_in_its_spec() -> None:
    from pathlib import Path

    shared = {"__init__", "base", "chain", "shapes", "small", "model_chain", "translated", "growing", "states"}
    shared |= {"one_state", "shown", "imagining", "handing", "matches"}
    files = {path.stem for path in Path(draft.__file__).parent.glob("*.py")} - shared
    assert files == {entry.name.replace("-", "_") for entry in draft.ENTRIES}
    assert all(draft.load(entry.name).entry is entry for entry in draft.ENTRIES)
    with pytest.raises(ConfigError, match="drafter is 'trigram'; wanted one of bigram, ngram, small-model, online"):
        draft.load("trigram")


def test_a_draft_of_another_vocabulary_is_refused_before_the_run() -> None:
    spec = draft.load("small-model")
    with pytest.raises(ConfigError, match="the draft's vocabulary has 7 tokens, the target's 6"):
        spec.build(Resources(Sampling(), 6, 32, TableModel(7, 1)), {})
    spec.build(Resources(Sampling(), 6, 32, TableModel(6, 1)), {})


def test_a_pair_without_a_draft_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="this pair has no draft model"):
        draft.load("small-model").build(Resources(Sampling(), 6, 32), {})


GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "theory.json").read_text(encoding="utf-8"))


def test_the_closed_forms_are_those_of_the_golden_table() -> None:
    for row in GOLDEN["expected_tokens"]:
        assert expected_tokens(row["alpha"], row["gamma"]) == pytest.approx(row["tokens"], rel=1e-12)
    for row in GOLDEN["speedup"]:
        times = speedup(row["alpha"], row["gamma"], row["c"], row["v"], row["overhead"])
        assert times == pytest.approx(row["speedup"], rel=1e-12)


def test_measured_costs_in_plain_steps_are_those_of_the_golden_table() -> None:
    for row in GOLDEN["costs"]:
        costs = Costs(row["draft"], row["rest"], tuple(row["widths"]), tuple(row["passes"]))
        assert (costs.c, costs.overhead) == pytest.approx((row["c"], row["overhead"]))
        assert [costs.v(width) for width, _ in row["v"]] == pytest.approx([cost for _, cost in row["v"]])


@pytest.mark.parametrize(("alpha", "gamma"), [(-0.1, 1), (1.1, 1), (0.5, -1), (float("nan"), 1)])
def test_no_such_rate_or_length(alpha: float, gamma: int) -> None:
    with pytest.raises(ValueError, match="wanted alpha"):
        expected_tokens(alpha, gamma)
