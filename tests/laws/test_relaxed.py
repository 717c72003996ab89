"""Acceptance relaxed between tags, exactly: the law inside and outside, a tag inside a draft, and what a trace says."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from specviz.accept import load
from specviz.accept.relaxed import Relaxed
from specviz.config.settings import ConfigError
from specviz.loop import Parts
from specviz.sampling.arrays import Bools, Ids
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.thinking import Thinking, tags_of
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Relaxation
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import HOW, SHAPES, Grown, written

WARM = Sampling(0.8)
Text = tuple[int, ...]
INSIDE, OUTSIDE = (0, 1), (0, 0)
"""Token 1 opens, token 2 closes."""
TOP, DELTA = 2, 0.4


def rule(kind: type[Relaxed] = Relaxed) -> Relaxed:
    return kind(Relaxation(TOP, DELTA, "1", "2"), Thinking("1", "2", lambda tokens: "".join(map(str, tokens))))


def thinks(text: Sequence[int]) -> bool:
    """Token by token."""
    inside = False
    for token in text:
        inside = token == 1 or (inside and token != 2)
    return inside


def passes(p: Sequence[float], token: int) -> bool:
    """The rule in so many words: among the best, and near the best."""
    return sorted(p, reverse=True).index(p[token]) < TOP and p[token] >= max(p) - DELTA


def texts(prompt: Text, gamma: int, target: TableModel, draft: TableModel) -> dict[Text, float]:
    """The law of two tokens, written down without the engine."""
    found: dict[Text, float] = {}

    def place(text: Text, left: int, share: float) -> Iterator[tuple[int, int, float]]:
        p, q = (reference.law(model, [*prompt, *text], WARM) for model in (target, draft))
        if not left:
            yield from ((token, gamma, share * each) for token, each in enumerate(p))
        elif thinks([*prompt, *text]):
            failed = sum(each for token, each in enumerate(q) if not passes(p, token))
            for token in range(len(p)):
                yield token, left - 1, share * q[token] * passes(p, token)
                yield token, gamma, share * failed * p[token]
        else:
            for token in range(len(p)):
                yield token, left - 1, share * min(p[token], q[token])
                yield token, gamma, share * (p[token] - min(p[token], q[token]))

    for one, behind, share in place((), gamma, 1.0):
        for two, _, each in place((one,), behind, share):
            found[one, two] = found.get((one, two), 0.0) + each
    return {text: share for text, share in found.items() if share > 1e-12}


def found(judge: Relaxed, prompt: Text, gamma: int, target: TableModel, draft: TableModel) -> dict[Text, float]:
    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, rule=judge, gamma=gamma, sampling=WARM, chance=chance)

    return written(Branching, made, prompt, 2)


@pytest.mark.parametrize("prompt", [INSIDE, OUTSIDE])
@pytest.mark.parametrize(("size", "gamma"), [(3, 2), (4, 1), (3, 0)])
def test_the_law_is_the_rules_inside_the_tags_and_the_targets_outside(size: int, gamma: int, prompt: Text) -> None:
    target, draft = TableModel(size, 1), TableModel(size, 2)
    lawful = found(rule(), prompt, gamma, target, draft)
    assert list(differences(lawful, texts(prompt, gamma, target, draft))) == []
    first, wanted = ({token: sum(share for text, share in of.items() if text[0] == token) for token in range(size)}
                     for of in (lawful, reference.texts(target, prompt, WARM, 2)))  # fmt: skip
    assert bool(list(differences(first, wanted))) == (prompt == INSIDE and gamma > 0)


class Leaks(Relaxed):
    """Looks for tags when the round is over: a closing tag inside a draft ends nothing yet."""

    def after(self, text: Sequence[int]) -> Relaxed:
        return Leaks(self._asked, self._thinking, text)

    def _thinks(self, tree: DraftTree, tokens: Ids) -> Bools:
        found = super()._thinks(tree, tokens)
        found[:] = found[:, :1]
        return found


class Residual(Relaxed):
    """Resamples between the tags as outside."""

    def after(self, text: Sequence[int]) -> Relaxed:
        return Residual(self._asked, self._thinking, text)

    def residual(self, p: Any, q: Any) -> Any:
        return q.law.residual(p)


@pytest.mark.parametrize("kind", [Leaks, Residual])
def test_a_planted_bug_changes_the_law(kind: type[Relaxed]) -> None:
    target, draft = TableModel(3, 5), TableModel(3, 2)
    assert list(differences(found(rule(kind), INSIDE, 2, target, draft), texts(INSIDE, 2, target, draft)))


def test_at_temperature_0_its_text_is_the_targets() -> None:
    target, cold = TableModel(7, 1), Sampling(0.0)
    for how in HOW:
        grown = Grown([TableModel(7, seed) for seed in (1, 2, 3)], SHAPES["2,2"], how, cold)
        done = tokens_of(decode(parts(target, grown, rule=rule(), sampling=cold, limit=42), INSIDE))
        text = [*INSIDE]
        while len(text) < 42:
            text.append(int(target.law(text).argmax()))
        assert done == text[2:]


def test_tags_are_the_models_own_and_one_alone_is_refused() -> None:
    assert tags_of(({"a": 1}, "no template")) == ("<think>", "</think>")
    assert tags_of(({"[THINK]": 1, "[/THINK]": 2}, "")) == ("[THINK]", "[/THINK]")
    assert tags_of(({}, "...<seed:think>...</seed:think>")) == ("<seed:think>", "</seed:think>")
    with pytest.raises(ConfigError, match="both"):
        load("relaxed", {"opens": "<a>"})
    quoted = Thinking('"', '"', lambda tokens: "".join(map(chr, tokens)))
    assert [quoted.at(list(map(ord, text))) for text in ("", 'a "b', 'a "b"', 'a "b" "')] == [False, True, False, True]
