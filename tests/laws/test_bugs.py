"""Every planted bug dies: each mutant patches the running code, and one named check must notice.

The checks are those of tests/battery/. They find nothing in the engine as it is; an engine
that falls over under a mutant has been noticed too.
"""

from collections.abc import Iterator

import pytest

from specviz import accept
from specviz.accept.base import AcceptRule
from specviz.config.settings import RunConfig
from specviz.proof import bugs, sampled
from specviz.proof.findings import BUGS, Finding, Question, SampledToken
from specviz.sampling.distribution import Sampling
from tests.battery.common import Check, tiny_pair
from tests.core import Sample, Tables
from tests.mutants import caches, drafters, heads, laws, numbers, rule, runs, shapes
from tests.mutants.registry import LAWS, Mutant
from tests.statistic import FALSE_ALARM

MUTANTS: dict[str, Mutant] = {
    name: each
    for module in (rule, laws, numbers, caches, runs, shapes, drafters, heads)
    for name, each in module.MUTANTS.items()
}
TABLES = Tables("plain", 6, Sampling(0.8), 2)


@pytest.mark.parametrize("check", LAWS, ids=lambda check: check.__name__)
def test_the_engine_as_it_is_passes(check: Check) -> None:
    assert list(check()) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_dies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, check, sees, _ = MUTANTS[name]
    plant(monkeypatch)
    found = []
    for line in noticed(check):
        if sees in line:
            return
        found.append(line)
    pytest.fail(f"{check.__name__} noticed {found or 'nothing'}")


def noticed(check: Check) -> Iterator[str]:
    try:
        yield from check()
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("name", rule.MUTANTS)
def test_mutant_of_the_rule_dies_in_the_core_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the engine's own function that L1 samples."""
    MUTANTS[name].plant(monkeypatch)
    assert breaks(accept.load("rejection"))


@pytest.mark.parametrize(
    ("name", "law"), [("resample from p", SampledToken.FIRST), ("bonus from the row before", SampledToken.BONUS)]
)
def test_mutant_of_the_rule_dies_in_the_pages_proof_too(
    name: str, law: SampledToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(RunConfig("abé", temperature=0.7), token=law, n=20_000)
    assert not last(sampled.prove(question, tiny_pair())).different
    MUTANTS[name].plant(monkeypatch)
    assert last(sampled.prove(question, tiny_pair())).different


def last(steps: Iterator[int | Finding]) -> Finding:
    *_, finding = steps
    assert isinstance(finding, Finding)
    return finding


SEEN_IN_THE_CORE = [
    bug.name
    for bug in BUGS
    if type(bugs.RULES[bug.name]) is not type(accept.load("rejection")) and bug.token is not SampledToken.END
]
"""Those of the rule; in the core no text ends."""


@pytest.mark.parametrize("name", SEEN_IN_THE_CORE)
def test_mutant_of_the_page_dies_in_the_core_too(name: str) -> None:
    assert breaks(bugs.RULES[name])


def breaks(bent: AcceptRule) -> bool:
    """Whether 50,000 tokens of the core show it."""
    sample = Sample(bent, TABLES, gamma=3, count=50_000, seed=1)
    return bool(sample.broken) or min(sample.laws().values()) < FALSE_ALARM


def test_the_core_as_it_is_passes() -> None:
    assert not breaks(accept.load("rejection"))


def test_every_bug_that_people_ship_is_planted() -> None:
    """But 38, which is refused before a run begins."""
    assert {each.number for each in MUTANTS.values()} == {None, *range(1, 43)} - {38}
