"""What the loop gives a drafter: what it asked for, all of it, and nothing to who asks for nothing."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from specviz.config.settings import Budget, Choice, ConfigError, Entry, File, Param, resolve_params
from specviz.draft.base import Committed, Proposal
from specviz.draft.small_model import SmallModel
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Bools
from specviz.sampling.chance import Chance
from specviz.sampling.tree import DraftTree, Scouts
from specviz.trim import KVCache
from specviz.verify import NOTHING, Needs, Scores, verify
from tests.tiny import TableModel, decode, parts
from tests.trees import Grown

GOLDEN = Path(__file__).parents[1] / "golden"
SAMPLING = parts(TableModel(2, 0), draft=TableModel(2, 0)).sampling


class Open(TableModel):
    """Shows as its state after layer k: the token itself, plus 100 k."""

    opened_passes = 0

    def opened(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache, hidden: Sequence[int]
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


# -- The golden rounds, judged by the engine from their own laws and numbers --------------------------------------
