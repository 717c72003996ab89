"""The output law, by trying every outcome: no statistics, no tolerance but rounding."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from specviz import accept, gamma
from specviz.config.costs import Costs
from specviz.config.settings import Entry
from specviz.gamma.base import GammaRule, State
from specviz.loop import Parts
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests.enumerate_chance import Branching
from tests.tiny import TableModel, parts
from tests.trees import unlawful

PROMPT = (0, 1)
WARM = Sampling(0.7)


CASES = [
    ("rejection", 2, 3, Sampling(0.7)),
    ("rejection", 3, 3, Sampling(0.8, top_k=2)),
    ("rejection", 3, 2, Sampling(1.0)),
    ("rejection", 4, 2, Sampling(0.7, top_p=0.8)),
    ("rejection", 5, 1, Sampling(0.8)),
    ("rejection", 5, 0, Sampling(0.8)),
    ("block", 2, 3, Sampling(0.7)),
    ("block", 3, 2, Sampling(1.0)),
    ("block", 4, 2, Sampling(0.8, top_k=2)),
    ("block", 5, 1, Sampling(0.8)),
    ("block", 5, 0, Sampling(0.8)),
    ("traversal", 3, 2, Sampling(1.0)),
    ("traversal", 4, 2, Sampling(0.8, top_k=2)),
    ("coupled", 2, 0, Sampling(0.7)),
    ("coupled", 2, 1, Sampling(0.8)),
    ("coupled", 2, 3, Sampling(0.7)),
]


@pytest.mark.parametrize(("rule", "vocab_size", "gamma", "sampling"), CASES)
def test_law_of_two_tokens_is_exactly_the_targets(rule: str, vocab_size: int, gamma: int, sampling: Sampling) -> None:
    target, draft = TableModel(vocab_size, 1), TableModel(vocab_size, 2)

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, rule=accept.load(rule), gamma=gamma, sampling=sampling, chance=chance)

    assert unlawful(rule, made, PROMPT, 2) == []


def test_every_lossless_rule_is_tried() -> None:
    assert {rule for rule, *_ in CASES} == {entry.name for entry in accept.ENTRIES if entry.lossless}


@dataclass(frozen=True)
class Nosy(GammaRule):
    """A gamma rule that reads everything of the last round, what was never tested included."""

    name: str = "nosy"

    def first(self) -> State:
        return State(2, "first")

    def next(self, state: State, step: Round) -> State:
        seen = sum(verdict.token + (verdict.q_entropy > 0.5) for verdict in step.verdicts)
        return State(int(seen) % 3, "whatever was drafted")


def test_a_gamma_rule_that_reads_discarded_drafts_biases_nothing() -> None:
    target, draft = TableModel(3, 5), TableModel(3, 6)

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, controller=Nosy(), sampling=Sampling(0.8), chance=chance)

    assert unlawful(Branching, made, PROMPT, 2) == []


SHORT: dict[str, dict[str, float]] = {
    "fixed": {},
    "heuristic": {"most": 2},
    "confidence": {"most": 2, "threshold": 0.5},
    "dual-signal": {"most": 2},
    "ema": {"most": 2, "warmup": 0, "interval": 1},
    "entropy-stop": {"most": 2, "scale": 1, "bound": 0.25},
    "acceptance-product": {"most": 2, "threshold": 0.2},
    "throughput": {"most": 2, "prior": 0.5, "weight": 0.5},
}
LAWFUL = [(entry, rule) for entry in gamma.ENTRIES for rule in ("rejection", "block", "coupled")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("entry", "rule"), LAWFUL, ids=lambda each: getattr(each, "name", each))
def test_no_gamma_rule_biases_the_law(entry: Entry, rule: str) -> None:
    """Every outcome of drafts that end early, late, before a draw and after one."""
    target, draft = TableModel(2, 7), TableModel(2, 8)
    controller = gamma.load(entry.name, 1, SHORT[entry.name], Costs(0.1, 0.0, (1, 5), (1.0, 2.0)))
    lengths = set()

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, controller=controller, rule=accept.load(rule), sampling=WARM, chance=chance)

    def watch(done: Sequence[Round]) -> None:
        lengths.update(len(step.verdicts) for step in done)

    assert unlawful(rule, made, PROMPT, 3, watch) == []
    assert len(lengths) > 1 or entry.name == "fixed", "the rule was put to work"


@pytest.mark.parametrize("rule", ["rejection", "block"])
@pytest.mark.parametrize("end", range(3))
def test_law_survives_the_end_of_the_text_inside_a_draft(end: int, rule: str) -> None:
    target, draft = TableModel(3, 7), TableModel(3, 8)

    def made(chance: Chance) -> Parts:
        limit = len(PROMPT) + 3
        return parts(target, draft=draft, rule=accept.load(rule), chance=chance, ends=frozenset([end]), limit=limit)

    assert unlawful(rule, made, PROMPT, 3) == []
