"""Typical acceptance, exactly: what it accepts, that its text is not the target's, and that its trace tells how."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from specviz.accept import typical
from specviz.draft.base import Guess, proposal
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Row
from specviz.trace.guess import Emission, Source
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import HOW, SHAPES, Grown

PROMPT = (0, 1)
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


@pytest.mark.parametrize("how", HOW)
def test_at_temperature_0_its_text_is_the_targets(how: str) -> None:
    target, models = TableModel(7, 1), [TableModel(7, seed) for seed in (1, 2, 3)]
    cold = Sampling(0.0)
    for shape in SHAPES.values():
        done = decode(
            parts(target, Grown(models, shape, how, cold), rule=typical.RULE, sampling=cold, limit=42), PROMPT
        )
        text = [*PROMPT]
        while len(text) < 42:
            text.append(int(target.law(text).argmax()))
        assert tokens_of(done) == text[2:]
        assert any(step.path for step in done)
