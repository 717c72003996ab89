"""Block, traversal and typical acceptance, exactly: the law of all they say, what they gain, what they accept."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from specviz.accept import block, rejection, traversal, typical
from specviz.accept.base import AcceptRule
from specviz.draft.base import Guess, proposal
from specviz.loop import Parts
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Chance, Purpose, Seeded
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Emission, Source
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import Grown, Once, left_of, unlawful

PROMPT = (0, 1)
AT = At(0, Purpose.DRAFT)


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("sampling", [Sampling(0.7, top_k=2), Sampling(0.9, top_p=0.85)], ids=str)
def test_law_of_all_tokens_of_a_round_with_zeros_in_p_and_q(gamma: int, sampling: Sampling) -> None:
    target, draft = TableModel(4, 1), TableModel(4, 2)

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, rule=block.RULE, controller=Once(gamma), sampling=sampling, chance=chance)

    assert unlawful(Branching, made, PROMPT, gamma + 1) == []


@pytest.mark.parametrize(("rule", "wanted"), [(rejection.RULE, Fraction(10, 9)), (block.RULE, Fraction(11, 9))])
def test_expected_length_on_the_papers_toy(rule: AcceptRule, wanted: Fraction) -> None:
    p, q = np.array([1 / 3, 2 / 3]), np.array([2 / 3, 1 / 3])

    def kept(chance: Chance) -> int:
        tokens = [chance.pick(q, AT).token for _ in range(2)]
        guesses = [Guess(token, node - 1, Row(q), 0.0, Source("toy")) for node, token in enumerate(tokens)]
        return len(rule.judge(proposal(guesses, ()), [p, p, p], 0, frozenset(), chance).path)

    lengths = law(Branching, kept)
    mean = sum(Fraction(weight).limit_denominator(10**6) * length for length, weight in lengths.items())
    assert mean == wanted


TWICE = (0, 0)
COOL = Sampling(0.7)
DRAWN = ("i.i.d.", "without replacement")
DEEP: dict[str, tuple[tuple[int, ...], int, int]] = {
    "2": ((-1, -1), 4, 2),
    "3": ((-1, -1, -1), 4, 2),
    "2,1": ((-1, -1, 0, 1), 3, 2),
    "2,2": ((-1, -1, 0, 0, 1, 1), 2, 3),
    "1,2": ((-1, 0, 0), 3, 3),
    "uneven": ((-1, -1, 0, 2, 2), 2, 4),
    "long spine": ((-1, -1, 0, 2), 3, 3),
}
"""Parents of the nodes; tokens of the vocabulary; tokens whose law is asked."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", DRAWN)
@pytest.mark.parametrize("shape", DEEP)
def test_law_of_all_tokens_behind_a_tree(shape: str, how: str) -> None:
    nodes, size, length = DEEP[shape]
    target, models = TableModel(size, 1, spread=0.8), [TableModel(size, 2, spread=0.8)]

    def made(chance: Chance) -> Parts:
        drafter = Grown(models, nodes, how, COOL)
        return parts(target, drafter, controller=Once(4), rule=traversal.RULE, sampling=COOL, chance=chance)

    assert unlawful(Branching, made, TWICE, length) == []


@pytest.mark.parametrize("end", range(3))
def test_law_where_a_guess_ends_the_text(end: int) -> None:
    target, models = TableModel(3, 7), [TableModel(3, 8)]

    def made(chance: Chance) -> Parts:
        drafter = Grown(models, DEEP["2,1"][0], "without replacement", Sampling())
        limit, ends = len(TWICE) + 3, frozenset([end])
        return parts(target, drafter, rule=traversal.RULE, controller=Once(2), chance=chance, ends=ends, limit=limit)

    assert unlawful(Branching, made, TWICE, 3) == []


TREES = [DEEP[name][0] for name in ("2,1", "1,2", "long spine")] * 2


@pytest.mark.parametrize(
    ("rule", "how", "shapes"),
    [(block.RULE, "i.i.d.", [(-1, 0, 1)] * 10), *((traversal.RULE, how, TREES) for how in DRAWN)],
)
def test_never_below_rejection_and_above_it_on_the_whole(
    rule: AcceptRule, how: str, shapes: list[tuple[int, ...]]
) -> None:
    """Of guesses over the same laws, by the chances of what may be kept."""
    dice = np.random.default_rng(4)
    gained = 0.0
    for nodes in shapes:
        p, q = (dice.dirichlet(np.full(3, 0.7), len(nodes) + 1) for _ in range(2))
        one, together = (expected(each, nodes, how, p, q) for each in (rejection.RULE, rule))
        assert together >= one - 1e-12
        gained += together - one
    assert gained > 0.02


def expected(rule: AcceptRule, parents: tuple[int, ...], how: str, p: Floats, q: Floats) -> float:
    """Mean number of guesses kept; a place's laws are its node's rows."""

    def kept(chance: Branching) -> int:
        guesses: list[Guess] = []
        for parent in parents:
            gone = [guess.token for guess in guesses if guess.parent == parent]
            row = left_of(q[parent + 1], gone) if how == "without replacement" else q[parent + 1]
            token = chance.pick(row, At(0, Purpose.DRAFT)).token
            guesses.append(Guess(token, parent, Row(row), 0.0, Source("")))
        return len(rule.judge(proposal(guesses, ()), [*p], 0, frozenset(), chance).path)

    return sum(length * weight for length, weight in law(Branching, kept).items())


def test_on_a_chain_the_walk_decides_as_block_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though it looks from the other end, and no further than it must: same path, token, weights, and what was used."""
    rescued = 0
    for seed in range(200):
        dice = np.random.default_rng(seed)
        size = 2 + seed % 4
        p, q = dice.dirichlet(np.full(5, 0.7), size + 1), dice.dirichlet(np.full(5, 0.7), size)
        tokens = [int(dice.choice(5, p=row)) for row in q]
        guesses = [Guess(token, node - 1, Row(q[node]), 0.0, Source("")) for node, token in enumerate(tokens)]
        asked = proposal(guesses, ()), [*p], 7, {node for node, token in enumerate(tokens) if token == seed % 9}
        whole = block.RULE.judge(*asked, Seeded(seed))
        assert traversal.RULE.judge(*asked, Seeded(seed))[:3] == whole[:3]
        with monkeypatch.context() as patch:
            patch.setattr(DraftTree, "is_chain", property(lambda self: False))
            walked = traversal.RULE.judge(*asked, Seeded(seed))
        assert (walked.path, walked.draw) == (whole.path, whole.draw)
        for one, other in zip(walked.tests, whole.tests, strict=True):
            assert one is None or other is None or one.weight == other.weight
            if one and other and one.u is not None:
                assert (one.won, one.u, one.accept_prob, one.mass) == (
                    other.won,
                    other.u,
                    other.accept_prob,
                    other.mass,
                )
        rescued += any(test and test.won and (test.u or 0) >= test.accept_prob for test in whole.tests)
    assert rescued > 10


WARM = Sampling(0.8)


def passes(row: Floats, token: int) -> bool:
    """The paper's criterion, in so many words."""
    entropy = -math.fsum(p * math.log(p) for p in row.tolist() if p)
    return bool(row[token] > min(0.09, 0.3 * math.exp(-entropy)))


def longest(tokens: Sequence[int], parents: Sequence[int], p: Floats, ends: frozenset[int]) -> tuple[int, ...]:
    """Every path from the root tried on its own."""
    found: list[tuple[int, float, int, tuple[int, ...]]] = [(0, 1.0, 0, ())]
    for node in range(len(tokens)):
        path: tuple[int, ...] = ()
        at = node
        while at >= 0:
            path, at = (at, *path), parents[at]
        if all(passes(p[parents[each] + 1], tokens[each]) for each in path) and not any(
            tokens[each] in ends for each in path[:-1]
        ):
            product = math.prod(p[parents[each] + 1][tokens[each]] for each in path)
            found.append((len(path), product, -node, path))
    return max(found)[-1]


def test_it_accepts_the_longest_path_that_passes() -> None:
    """Random trees over five tokens, near the threshold, against every path tried on its own."""
    dice = np.random.default_rng(5)
    seen = set()
    for seed in range(400):
        size = seed % 7
        parents = [int(dice.integers(-1, node)) for node in range(size)]
        tokens = dice.integers(0, 9, size).tolist()
        p, ends = dice.dirichlet(np.full(9, 0.8), size + 1), frozenset([seed % 20])
        q = Row(np.full(9, 1 / 9))
        guesses = [Guess(token, parent, q, 0.0, Source("")) for token, parent in zip(tokens, parents, strict=True)]
        ending = {node for node, token in enumerate(tokens) if token in ends}
        found = typical.RULE.judge(proposal(guesses, ()), [*p], 3, ending, Seeded(seed))
        assert found.path == longest(tokens, parents, p, ends)
        last = [node for node, parent in enumerate(parents) if parent == (found.path or (-1,))[-1]]
        if found.draw:
            assert found.draw.node == (last[-1] if last else None)
        else:
            assert tokens[found.path[-1]] in ends
        seen.add((len(found.path), found.draw and found.draw.emission))
    assert {(length, how) for length in (1, 2) for how in (Emission.BONUS, Emission.RESAMPLED, None)} <= seen


@pytest.mark.parametrize("size", [3, 5])
def test_the_law_of_its_first_token_is_its_own(size: int) -> None:
    """A guess that passes stands, so the first token's law is q where it passes, and p for the rest of q."""
    target, draft = TableModel(size, 1), TableModel(size, 2)
    p, q = (np.array(reference.law(model, PROMPT, WARM)) for model in (target, draft))
    stands = np.array([passes(p, token) for token in range(size)])

    def first(chance: Chance) -> tuple[int, ...]:
        made = parts(target, draft=draft, rule=typical.RULE, gamma=1, sampling=WARM, chance=chance)
        return (tokens_of(decode(made, PROMPT, lambda done: bool(done)))[0],)

    wanted = np.where(stands, q, 0) + q[~stands].sum() * p
    found = law(Branching, first)
    assert list(differences(found, {(token,): wanted[token] for token in range(size)})) == []
    assert list(differences(found, reference.texts(target, PROMPT, WARM, 1))), "lossy"
