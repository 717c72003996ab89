"""What every rule records: sound traces behind chains and trees, and numbers of its own that are all checked."""

import dataclasses
import re

import pytest

from specviz import accept
from specviz.accept.base import AcceptRule
from specviz.accept.static_ensemble import StaticEnsemble
from specviz.check.run import problems
from specviz.config.settings import Shape
from specviz.sampling.distribution import Sampling
from specviz.trace.guess import Verdict
from specviz.trace.run import Trace
from tests.doctored import unnoticed
from tests.laws.test_lossy import INSIDE, rule
from tests.tiny import TableModel, traced
from tests.trees import HOW, SHAPES, Grown

WARM = Sampling(0.8)
RULES: dict[str, AcceptRule] = {
    **{entry.name: accept.load(entry.name) for entry in accept.ENTRIES},
    "static-ensemble": StaticEnsemble(0.6),
    "relaxed": rule(),
}
OWN = re.compile(
    r"info\.(threshold|ensemble|relaxation).*|.*\.(weight|mass|accept_prob|entropy|rank|distance|target|noise)"
)
"""Fields that some rules fill."""


def run(name: str, shape: str, how: str, seed: int, sampling: Sampling = WARM) -> Trace:
    drafter = Grown([TableModel(6, 2)], SHAPES.get(shape, (-1, 0, 1)), how, sampling)
    made = {"drafter": drafter, "rule": RULES[name], "chance": RULES[name].chance(seed), "sampling": sampling}
    ends = frozenset([seed]) if seed else frozenset[int]()
    return traced(TableModel(6, 1, spread=2.0), INSIDE, 40, **made, shape=Shape.TREE, ends=ends)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("shape", ["chain", *SHAPES])
def test_its_traces_are_sound(name: str, shape: str) -> None:
    seen = set()
    for seed, how in enumerate(HOW * 2):
        for sampling in (WARM, Sampling(0.0), Sampling(0.8, top_k=3)):
            trace = run(name, shape, how, seed, sampling)
            assert problems(trace) == []
            seen |= {each.verdict for step in trace.rounds for each in step.verdicts}
    assert {Verdict.ACCEPTED, Verdict.REJECTED} <= seen


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", RULES)
def test_every_number_of_its_own_is_checked(name: str) -> None:
    trace = run(name, "2,1", "without replacement", 0)
    short = dataclasses.replace(trace, rounds=trace.rounds[:6])
    assert unnoticed(short, lambda field: bool(OWN.fullmatch(field))) == set()
