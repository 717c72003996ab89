"""The output law, by trying every outcome: no statistics, no tolerance but rounding."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from specviz import accept, gamma
from specviz.accept.rejection import Rejection
from specviz.config.costs import Costs
from specviz.config.settings import Budget, Entry
from specviz.draft.base import ChainDrafter, Committed, Guess, Proposal, Resources, proposal
from specviz.draft.chain import draw_chain
from specviz.gamma.base import GammaRule, Halting, State
from specviz.law.arrays import Floats
from specviz.law.chance import At, Chance, Purpose
from specviz.law.rows import Row
from specviz.law.sampling import Sampling, residual
from specviz.trace.guess import Source
from specviz.trace.round import Round
from tests.battery.common import differences
from tests.enumerate_chance import Branching, Grid, Shared, law
from tests.reference import texts
from tests.tiny import TableModel, decode, parts, tokens_of

PROMPT = (0, 1)
WARM = Sampling(0.7)
Name = Callable[[At, int], Hashable]


def same(found: dict[tuple[int, ...], float], wanted: dict[tuple[int, ...], float]) -> None:
    assert list(differences(found, wanted)) == []


EVERY_OUTCOME = {"rejection": Branching, "block": Branching, "traversal": Branching, "coupled": Shared}
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

    def two(chance: Chance) -> tuple[int, ...]:
        made = parts(target, draft=draft, rule=accept.load(rule), gamma=gamma, sampling=sampling, chance=chance)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 2))[:2])

    same(law(EVERY_OUTCOME[rule], two), texts(target, PROMPT, sampling, 2))


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

    def two(chance: Branching) -> tuple[int, ...]:
        made = parts(target, draft=draft, controller=Nosy(), sampling=Sampling(0.8), chance=chance)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 2))[:2])

    same(law(Branching, two), texts(target, PROMPT, Sampling(0.8), 2))


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
LAWFUL = [(entry, rule) for entry in gamma.ENTRIES for rule in EVERY_OUTCOME if rule != "traversal"]
"""On a chain that one is block."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("entry", "rule"), LAWFUL, ids=lambda each: getattr(each, "name", each))
def test_no_gamma_rule_biases_the_law(entry: Entry, rule: str) -> None:
    """Every outcome of drafts that end early, late, before a draw and after one."""
    target, draft = TableModel(2, 7), TableModel(2, 8)
    controller = gamma.load(entry.name, 1, SHORT[entry.name], Costs(0.1, 0.0, (1, 5), (1.0, 2.0)))
    lengths = set()

    def three(chance: Chance) -> tuple[int, ...]:
        made = parts(target, draft=draft, controller=controller, rule=accept.load(rule), sampling=WARM, chance=chance)
        done = decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 3)
        lengths.update(len(step.verdicts) for step in done)
        return tuple(tokens_of(done)[:3])

    same(law(EVERY_OUTCOME[rule], three), texts(target, PROMPT, WARM, 3))
    assert len(lengths) > 1 or entry.name == "fixed", "the rule was put to work"


@pytest.mark.parametrize("rule", ["rejection", "block"])
@pytest.mark.parametrize("end", range(3))
def test_law_survives_the_end_of_the_text_inside_a_draft(end: int, rule: str) -> None:
    target, draft = TableModel(3, 7), TableModel(3, 8)

    def until_end(chance: Branching) -> tuple[int, ...]:
        made = parts(
            target, draft=draft, gamma=3, rule=accept.load(rule), chance=chance, ends=frozenset([end]),
            limit=len(PROMPT) + 3,
        )  # fmt: skip
        return tuple(tokens_of(decode(made, PROMPT)))

    wanted: dict[tuple[int, ...], float] = {}
    for text, weight in texts(target, PROMPT, Sampling(), 3).items():
        cut = text[: text.index(end) + 1] if end in text else text
        wanted[cut] = wanted.get(cut, 0.0) + weight
    same(law(Branching, until_end), wanted)


# -- Why no random number may be used twice: three exact counterexamples. Each is run twice, with the
# engine's own names for its draws (exact) and with names that forget a part (biased, by a known amount).


def _full(at: At, attempt: int) -> tuple[int, ...]:
    return (*at, attempt)


def _position_and_purpose(at: At, attempt: int) -> tuple[int, ...]:
    return (at.position, at.purpose)


class ByPosition(ChainDrafter):
    """q at the first position is (1, 0), at the second (1/2, 1/2); the third's entropy tells what the second drew."""

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self.length = len(prompt)

    def commit(self, step: Committed) -> None:
        self.length += len(step.tokens)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        def q(drawn: Sequence[int]) -> tuple[Floats, Source]:
            place = self.length + len(drawn) - len(PROMPT)
            sure = place == 0 or (place == 2 and drawn[-1] == 0)
            return np.array([0.0, -np.inf] if sure else [0.0, 0.0]), Source("test")

        return draw_chain(budget, range(self.length), q, Resources(Sampling(), 2, 64), chance, halt)


@dataclass(frozen=True)
class StopsWhenUnsure(GammaRule):
    """gamma 3 first, then 0 if the third slot's entropy was high, else 1."""

    name: str = "stops when unsure"

    def first(self) -> State:
        return State(3, "first")

    def next(self, state: State, step: Round) -> State:
        return State(0 if step.verdicts[2].q_entropy > 0 else 1, "by the last entropy")


class Even(TableModel):
    def law(self, text: Sequence[int]) -> Floats:
        return np.zeros(2)


@pytest.mark.parametrize(("name", "share"), [(_full, 0.5), (_position_and_purpose, 0.75)])
def test_counterexample_a_gamma_rule_that_reads_untested_slots(name: Name, share: float) -> None:
    """After a rejection at slot 0 the next token is 0 half the time, unless numbers come back."""

    def second(chance: Grid) -> int | None:
        made = parts(Even(2, 0), ByPosition(), controller=StopsWhenUnsure(), chance=chance)
        done = decode(made, PROMPT, lambda rounds: len(tokens_of(rounds)) >= 2)
        return None if done[0].path else tokens_of(done)[1]

    found = law(lambda script: Grid(script, 2, name), second)
    rejected = found.get(0, 0.0) + found.get(1, 0.0)
    assert found[0] / rejected == pytest.approx(share)


@pytest.mark.parametrize(("name", "wanted"), [(_full, [0.25, 0.75]), (_position_and_purpose, [0.5, 0.5])])
def test_counterexample_a_cascade_whose_loops_share_numbers(name: Name, wanted: list[float]) -> None:
    g, q, p = (np.array(row) for row in ([1.0, 0.0], [0.5, 0.5], [0.25, 0.75]))

    def judged(chance: Grid, stage: int, proposed: Floats, wanted_law: Floats, token: int) -> int:
        flip = chance.flip(float(wanted_law[token]), float(proposed[token]), At(0, Purpose.ACCEPT, stage))
        if flip.won:
            return token
        return chance.pick(residual(wanted_law, proposed)[0], At(0, Purpose.RESAMPLE, stage)).token

    def cascade(chance: Grid) -> int:
        token = chance.pick(g, At(0, Purpose.DRAFT, 1)).token
        return judged(chance, 0, q, p, judged(chance, 1, g, q, token))

    found = law(lambda script: Grid(script, 4, name), cascade)
    assert [found[0], found[1]] == pytest.approx(wanted)


def _without_sibling(at: At, attempt: int) -> tuple[int, ...]:
    return (at.position, at.purpose) if at.purpose is Purpose.DRAFT else (*at, attempt)


@pytest.mark.parametrize(
    ("name", "wanted"), [(_full, [1 / 6, 1 / 2, 1 / 3]), (_without_sibling, [1 / 6, 4 / 9, 7 / 18])]
)
def test_counterexample_siblings_that_share_their_draft_number(name: Name, wanted: list[float]) -> None:
    p, q = (np.array(row) for row in ([1 / 6, 1 / 2, 1 / 3], [1 / 2, 1 / 3, 1 / 6]))

    def one(chance: Grid) -> int:
        tokens = [chance.pick(q, At(0, Purpose.DRAFT, sibling=sibling)).token for sibling in range(2)]
        made = proposal([Guess(token, -1, Row(q), 0.0, Source("test")) for token in tokens], ())
        judgement = Rejection().judge(made, [p, p, p], 0, frozenset(), chance)
        if judgement.path:
            return tokens[judgement.path[0]]
        assert judgement.draw is not None
        return judgement.draw.token

    found = law(lambda script: Grid(script, 6, name), one)
    assert [found[token] for token in range(3)] == pytest.approx(wanted)
