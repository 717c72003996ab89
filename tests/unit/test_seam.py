"""What the loop gives a drafter: what it asked for, all of it, and nothing to who asks for nothing."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from specviz import verify as verifying
from specviz.accept.base import AcceptRule
from specviz.accept.rejection import Rejection
from specviz.config.settings import Budget, Choice, ConfigError, Entry, File, LawKind, Param, resolve_params
from specviz.draft.base import Committed, Guess, OwnCache, Proposal, Resources, proposal
from specviz.draft.small_model import SmallModel
from specviz.gamma.base import Halting
from specviz.law.arrays import Bools, Floats
from specviz.law.chance import At, Chance, Flip, Pick, Purpose, falls_below
from specviz.law.rows import Law, Point, Row
from specviz.law.ruler import invert, segment
from specviz.law.tree import ROOT, DraftTree, Scouts
from specviz.trace.codec import from_json
from specviz.trace.guess import Source, Verdict
from specviz.trace.metrics import summarize
from specviz.trace.round import Drafting, Round
from specviz.trace.run import SCHEMA
from specviz.trim import KVCache
from specviz.verify import NOTHING, Needs, Scores, read, verify
from tests.tiny import EAGER, TableModel, decode, parts
from tests.trees import Grown
from tests.unit.test_verify import TEXT, model

GOLDEN = Path(__file__).parents[1] / "golden"
SAMPLING = parts(TableModel(2, 0), draft=TableModel(2, 0)).sampling


class Open(TableModel):
    """Shows as its state after layer k: the token itself, plus 100 k."""

    opened_passes = 0

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Bools | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        self.opened_passes += 1
        states = {layer: np.array([[float(token + 100 * layer)] for token in tokens]) for layer in hidden}
        return Scores(self.forward(tokens, positions, mask, cache), states)


class Curious(Grown):
    """A tree drafter that needs rows and two layers, and notes what it is told."""

    needs = Needs(rows=True, hidden=(0, 2))

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        super().begin(prompt)
        self.seen, self.heard = seen, []

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        self.proposed = super().propose(budget, chance, halt)
        return self.proposed

    def commit(self, step: Committed) -> None:
        self.heard.append((list(self.text), self.proposed.tree, step))
        super().commit(step)


def test_who_needs_states_and_rows_gets_those_of_the_prompt_and_of_every_guess_refused_ones_too() -> None:
    target = Open(5, 1)
    drafter = Curious([TableModel(5, 2)], (-1, -1, 0, 2), "without replacement", SAMPLING)
    done = decode(parts(target, drafter, limit=30), (3, 1, 4))
    assert drafter.seen
    assert {layer: rows[:, 0].tolist() for layer, rows in drafter.seen.hidden.items()} == {0: [3, 1], 2: [203, 201]}
    assert np.array_equal(drafter.seen.logits, [target.law([3]), target.law([3, 1])])
    assert target.opened_passes == 1 + len(done)
    for text, tree, step in drafter.heard:
        assert step.scores
        said = [text[-1], *tree.tokens]
        assert step.scores.hidden[2][:, 0].tolist() == [200 + token for token in said]
        assert len(step.scores.logits) == len(said)
        assert tuple(tree.tokens[node] for node in step.path) == step.tokens[: len(step.path)]


def test_who_needs_nothing_gets_nothing_and_costs_nothing() -> None:
    target, heard = Open(5, 1), []

    class Deaf(Grown):
        def commit(self, step: Committed) -> None:
            heard.append(step.scores)
            super().commit(step)

    decode(parts(target, Deaf([TableModel(5, 2)], (-1, 0), "i.i.d.", SAMPLING), limit=20), (3, 1))
    assert heard
    assert set(heard) == {None}
    assert target.opened_passes == 0
    assert SmallModel.needs is NOTHING


def test_of_a_long_prompt_the_last_rows_are_kept_and_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "CHUNK", 4)
    target, text = Open(5, 1), [0, 1, 2, 3, 4, 3, 2, 1, 0, 4]
    seen = read(target, text, target.new_cache(10), Needs(rows=True, hidden=(0,)))
    assert seen
    assert seen.hidden[0][:, 0].tolist() == text
    assert np.array_equal(seen.logits, [target.law(text[:end]) for end in range(7, 11)])
    assert read(target, [], target.new_cache(10), Needs(rows=True)) is None
    assert read(target, text, target.new_cache(10)) is None


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_transformers_own_states_come_with_the_same_logits(family: str) -> None:
    reader = model(family)
    plain, opened = reader.new_cache(40), reader.new_cache(40)
    read(reader, TEXT[:-1], plain)
    seen = read(reader, TEXT[:-1], opened, Needs(hidden=(0, 1)))
    assert seen
    tree = DraftTree((9, 2, 6), (-1, -1, 0))
    one, other = verify(reader, plain, TEXT[-1:], tree), verify(reader, opened, TEXT[-1:], tree, Needs(hidden=(0, 1)))
    assert np.array_equal(one.logits, other.logits)
    with torch.inference_mode():
        wanted = reader.model(torch.tensor([[*TEXT, 2]]), output_hidden_states=True).hidden_states
    for layer in (0, 1):
        found = np.concatenate([seen.hidden[layer], other.hidden[layer][[0, 2]]])
        assert np.allclose(found, wanted[layer][0].numpy(), atol=1e-12)


def test_scouts_are_read_behind_the_guesses_by_a_mask_of_their_own_and_no_guess_sees_them() -> None:
    target = TableModel(6, 1)
    scouts = Scouts((5, 2), (0, 1), (frozenset({0}), frozenset({0, 4})))  # the second sees the first: column 1 + 3 + 0
    tree, plain = DraftTree((3, 4, 1), (-1, 0, -1), scouts), DraftTree((3, 4, 1), (-1, 0, -1))
    rows = []
    for each in (tree, plain):
        cache = target.new_cache(12)
        target.forward([0, 1], range(2), None, cache)
        rows.append(verify(target, cache, [2], each).logits)
        assert cache.length == 3 + len(each) + 2 * (each is tree)
    assert np.array_equal(rows[0][:4], rows[1])
    assert np.array_equal(rows[0][4], target.law([0, 1, 2, 5]))
    assert np.array_equal(rows[0][5], target.law([0, 1, 2, 5, 2]))


def test_a_drafter_may_keep_several_caches() -> None:
    class Two(SmallModel):
        def __init__(self, draft: TableModel, resources: Resources) -> None:
            super().__init__(draft, resources)
            self.caches = (*self.caches, OwnCache("other", draft.new_cache(8), 16, EAGER))

    draft = TableModel(5, 2)
    drafter = Two(draft, Resources(SAMPLING, 5, 30, draft))
    for step in decode(parts(TableModel(5, 1), drafter, limit=30), (0, 1)):
        assert len(step.draft_caches) == 2
        assert step.draft_caches[1].kept == 0


def test_parameters_are_numbers_choices_and_files() -> None:
    entry = Entry("e", "", (Param("n", 0, 4, 2, whole=True), Choice("c", ("one", "two")), File("f")))
    assert resolve_params(entry, {}) == {"n": 2.0, "c": "one", "f": ""}
    assert resolve_params(entry, {"n": 3, "c": "two", "f": "/a"}) == {"n": 3.0, "c": "two", "f": "/a"}
    for wrong, says in (
        ({"c": "three"}, "c is 'three'; wanted one of one, two"),
        ({"c": 1}, "c is 1; wanted one of one, two"),
        ({"f": 1.0}, "f is 1.0; wanted the path of a file"),
        ({"n": "2"}, "n is '2'; wanted a whole number"),
    ):
        with pytest.raises(ConfigError, match=says):
            resolve_params(entry, wrong)  # type: ignore[arg-type]


def test_a_budget_is_as_deep_as_the_rule_says_and_as_broad_as_the_drafter_is() -> None:
    budget = Budget.chain(5, "five").within(3, "little room")
    assert (budget.nodes, budget.depth) == (3, 3)
    assert (budget.shaped(12).nodes, budget.shaped(12).depth) == (12, 3)
    assert Budget.chain(0, "").shaped(12).nodes == 0
    assert Budget(12, 5, "").within(3, "").nodes == 12, "the text's room limits the depth only"


def test_three_verbs_of_a_row_and_of_a_point() -> None:
    p = np.array([0.5, 0.2, 0.3])
    row, spot = Row(np.array([0.2, 0.0, 0.8])), Point(2)
    assert (row.of(2), spot.of(2), spot.of(1)) == (0.8, 1.0, 0.0)
    assert row.residual(p)[0].tolist() == pytest.approx([0.6, 0.4, 0.0])
    assert spot.residual(p)[0].tolist() == pytest.approx([5 / 7, 2 / 7, 0.0])
    assert (row.dense(3).tolist(), spot.dense(3).tolist()) == ([0.2, 0.0, 0.8], [0.0, 0.0, 1.0])
    assert p.tolist() == [0.5, 0.2, 0.3]


@pytest.mark.parametrize(
    "laws", [[Row(np.array([0.2, 0.0, 0.8])), Row(np.array([0.5, 0.2, 0.3]))], [Point(2), Point(1)]]
)
def test_laws_of_many_rounds_say_what_each_says_alone(laws: list[Law]) -> None:
    """A rejection that leaves nothing among them."""
    p, tokens = np.tile([0.5, 0.2, 0.3], (2, 1)), np.array([2, 1])
    many = Row(np.stack([law.dense(3) for law in laws])) if isinstance(laws[0], Row) else Point(tokens)
    assert many.of(tokens).tolist() == [law.of(token) for law, token in zip(laws, tokens.tolist(), strict=True)]
    left, empty = many.residual(p)
    for place, law in enumerate(laws):
        alone, nothing = law.residual(p[place])
        assert np.array_equal(alone, left[place])
        assert nothing == empty[place]
        assert np.array_equal(many[np.array([place])].dense(3), law[None].dense(3))


# -- The golden rounds, judged by the engine from their own laws and numbers --------------------------------------


class Scripted:
    """Uses the numbers that a recorded round used, by where they were."""

    def __init__(self, step: Round) -> None:
        self.step = step

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        u = next(
            each.u
            for each in self.step.verdicts
            if each.u is not None and (self.step.position + each.depth, self._rank(each)) == (at.position, at.sibling)
        )
        return Flip(falls_below(u, weight, scale), u)

    def _rank(self, verdict: Any) -> int:
        return sum(other.parent == verdict.parent for other in self.step.verdicts[: verdict.node])

    def pick(self, probs: Floats, at: At) -> Pick:
        assert self.step.extra
        assert self.step.extra.u is not None
        assert at.purpose is (Purpose.BONUS if self.step.extra.node is None else Purpose.RESAMPLE)
        return Pick(invert(probs, self.step.extra.u), self.step.extra.u)


def law_of(view: Any, which: str) -> Floats:
    row = np.zeros(8)
    for bar in view.bars:
        row[bar.token] = getattr(bar, which)
    return row


def test_a_rounds_gamma_is_how_deep_its_tree_went_not_how_many_nodes_it_had() -> None:
    counted = summarize(from_json((GOLDEN / "tree.json").read_text(encoding="utf-8")).rounds)
    assert (counted.gammas, counted.mean_gamma, counted.drafted) == ((3, 2), 2.5, 9)


@pytest.mark.parametrize("name", ["tree.json", "points.json"])
def test_the_engine_makes_of_a_golden_rounds_laws_and_numbers_what_it_says(name: str) -> None:
    trace = from_json((GOLDEN / name).read_text(encoding="utf-8"))
    assert json.loads((GOLDEN / name).read_text(encoding="utf-8"))["schema"] == SCHEMA
    for step in trace.rounds:
        p = [np.full(8, 1 / 8)] * (len(step.verdicts) + 1)
        guesses = []
        for each in step.verdicts:
            if all(other.parent != each.parent for other in step.verdicts[: each.node]):
                p[each.parent + 1] = law_of(each.view, "p")
            law: Law = Point(each.token) if each.law is LawKind.POINT else Row(law_of(each.view, "q"))
            guesses.append(Guess(each.token, each.parent, law, each.draft_u, Source("")))
            if isinstance(law, Row):
                assert segment(law.probs, each.token) == pytest.approx((each.low, each.high))
        assert step.extra
        if step.extra.node is None:
            p[(step.path or (ROOT,))[-1] + 1] = law_of(step.extra.view, "p")
        made = proposal(guesses, [Drafting(len(guesses), 1.0)])
        judged = AcceptRule.judge(Rejection(), made, p, step.position, frozenset(), Scripted(step))
        assert judged.path == step.path
        assert judged.draw
        assert (judged.draw.token, judged.draw.node) == (step.extra.token, step.extra.node)
        for test, each in zip(judged.tests, step.verdicts, strict=True):
            assert (test is None) == (each.verdict is Verdict.UNTESTED)
            if test:
                assert (test.u, test.accept_prob) == (each.u, pytest.approx(each.accept_prob))
                assert judged.p[each.node][each.token] == pytest.approx(each.p)
