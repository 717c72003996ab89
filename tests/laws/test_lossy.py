"""The static ensemble and acceptance relaxed between tags, exactly: the law that each has, and what a trace says."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from transformers.generation.utils import _speculative_sampling  # the rule as people run it

from specviz.accept import entry, load
from specviz.accept.base import AcceptRule
from specviz.accept.rejection import Rejection
from specviz.accept.relaxed import Relaxed
from specviz.accept.static_ensemble import StaticEnsemble
from specviz.config.settings import Budget, ConfigError, RunConfig, check_together
from specviz.draft import entry as drafter_entry
from specviz.loop import Parts
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling, residual
from specviz.sampling.rows import Law, Row
from specviz.sampling.thinking import Thinking, tags_of
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Relaxation
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import HOW, SHAPES, Grown, written

PROMPT = (0, 1)
WARM = Sampling(0.8)
Text = tuple[int, ...]


def mixed(weight: float, p: Sequence[float], q: Sequence[float]) -> list[float]:
    """The paper's v, in so many words."""
    return [weight * one + (1 - weight) * other for one, other in zip(p, q, strict=True)]


def two(place: Callable[[Text, int, float], Iterable[tuple[int, int, float]]], gamma: int) -> dict[Text, float]:
    """The law of two tokens. place: the tokens that may come, how many guesses of the round are left, and shares."""
    found: dict[Text, float] = {}
    for one, behind, share in place((), gamma, 1.0):
        for other, _, each in place((one,), behind, share):
            found[one, other] = found.get((one, other), 0.0) + each
    return {text: share for text, share in found.items() if share > 1e-12}


def texts(weight: float, target: TableModel, draft: TableModel, gamma: int, sampling: Sampling) -> dict[Text, float]:
    """The law of two tokens, written down without the engine: v where a guess was judged, p behind the last guess."""

    def place(text: Text, left: int, share: float) -> Iterator[tuple[int, int, float]]:
        p, q = (reference.law(model, [*PROMPT, *text], sampling) for model in (target, draft))
        if not left:
            yield from ((token, gamma, share * each) for token, each in enumerate(p))
            return
        for token, (v, drawn) in enumerate(zip(mixed(weight, p, q), q, strict=True)):
            accepted = min(v, drawn)
            yield token, left - 1, share * accepted
            yield token, gamma, share * (v - accepted)

    return two(place, gamma)


def found(
    rule: AcceptRule, target: TableModel, draft: TableModel, gamma: int, sampling: Sampling, prompt: Text = PROMPT
) -> dict[Text, float]:
    """The same of the engine, every outcome tried."""

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, rule=rule, gamma=gamma, sampling=sampling, chance=chance)

    return written(Branching, made, prompt, 2)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("size", "gamma", "sampling"),
    [(3, 2, WARM), (3, 1, Sampling(0.8, top_k=2)), (3, 0, WARM), (4, 1, WARM), (5, 1, Sampling(0.7, top_k=3)),
     (5, 2, Sampling(0.0))],
)  # fmt: skip
def test_the_law_is_v_where_a_guess_was_judged_and_p_elsewhere(
    size: int, gamma: int, sampling: Sampling, weight: float
) -> None:
    target, draft = TableModel(size, 1), TableModel(size, 2)
    lawful = found(StaticEnsemble(weight), target, draft, gamma, sampling)
    assert list(differences(lawful, texts(weight, target, draft, gamma, sampling))) == []
    lossy = list(differences(lawful, reference.texts(target, PROMPT, sampling, 2)))
    assert bool(lossy) == (weight < 1 and gamma > 0)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shape", ["2", "2,1"])
def test_siblings_leave_the_law_at_v_of_the_first_guess(shape: str, how: str) -> None:
    target, models = TableModel(3, 1), [TableModel(3, seed) for seed in (2, 3)]
    drafter = Grown(models, SHAPES[shape], how, WARM)
    drafter.begin(PROMPT)
    q = drafter.propose(Budget.chain(3, ""), Seeded(0)).q[0].dense(3)

    def first(chance: Chance) -> Text:
        grown = Grown(models, SHAPES[shape], how, WARM)
        made = parts(target, grown, rule=StaticEnsemble(0.3), sampling=WARM, chance=chance)
        return (tokens_of(decode(dataclasses.replace(made, piece=None), PROMPT, bool))[0],)

    wanted = mixed(0.3, reference.law(target, PROMPT, WARM), q.tolist())
    assert list(differences(law(Branching, first), {(token,): v for token, v in enumerate(wanted)})) == []


def test_transformers_tests_and_resamples_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own function, with its numbers set just beside our probability, and what it draws from looked at."""
    dice, seen = np.random.default_rng(4), set[int]()
    for _ in range(60):
        weight, size, gamma = float(dice.uniform(0.05, 0.95)), 5, 3
        p, q = dice.dirichlet(np.ones(size), gamma + 1), dice.dirichlet(np.ones(size), gamma)
        guesses = [int(dice.choice(size, p=row)) for row in q]
        rule = StaticEnsemble(weight)
        laws = rule.laws(DraftTree.chain(guesses), [Row(row) for row in q], [*p])
        keep = [rule.accept_prob(laws[node], Row(q[node]), token) for node, token in enumerate(guesses)]
        for matches in range(gamma + 1):
            if matches < gamma and keep[matches] > 1 - 1e-9:
                continue
            u = [0.999999 * each for each in keep[:matches]] + [1.000001 * each for each in keep[matches:]]
            drawn = _asked(monkeypatch, guesses, p, q, weight, u)
            left = p[gamma] if matches == gamma else rule.residual(laws[matches], Row(q[matches]))[0]
            assert np.allclose(drawn, left, atol=1e-12)
            seen.add(matches)
    assert seen == {0, 1, 2, 3}


def _asked(
    monkeypatch: pytest.MonkeyPatch, guesses: Sequence[int], p: Floats, q: Floats, weight: float, u: Sequence[float]
) -> Floats:
    """What transformers draws its own token from when its numbers are u."""
    seen: list[Floats] = []

    def multinomial(probs: torch.Tensor, num_samples: int) -> torch.Tensor:
        seen.append(probs[0].numpy())
        return torch.tensor([[int(probs.argmax())]])

    with monkeypatch.context() as patched:
        patched.setattr(torch, "rand_like", lambda of: torch.tensor(u, dtype=of.dtype))
        patched.setattr(torch, "multinomial", multinomial)
        logits = [torch.tensor(np.log(rows))[None] for rows in (q, p)]
        _speculative_sampling(torch.tensor([[0, *guesses]]), logits[0], len(guesses), logits[1], weight)
    return seen[0]


class _Bent(StaticEnsemble):
    """A bug in one of the rule's two steps."""

    def __init__(self, left: Callable[[Floats, Floats, Floats], Floats], *, tested_by_p: bool = False) -> None:
        super().__init__(0.3)
        self._left, self._by_p = left, tested_by_p

    def judge(self, proposal: Any, p: Any, position: int, ends: Any, chance: Chance) -> Any:
        laws = self.laws(proposal.tree, proposal.q, p)
        node = {id(law): place for place, law in enumerate(proposal.q)}
        outer = self

        class Steps(Rejection):
            def test(self, v: Floats, q: Law, guess: Any, at: Any, draws: Any) -> Any:
                return super().test(p[node[id(q)]] if outer._by_p else v, q, guess, at, draws)

            def residual(self, v: Floats, q: Law) -> tuple[Floats, Bools]:
                return outer._left(p[node[id(q)]], q.dense(len(v)), v), np.array(False)

        return Steps().judge(proposal, laws, position, ends, chance)


BUGS: dict[str, AcceptRule] = {
    "none": _Bent(lambda p, q, v: residual(v, q)[0]),
    "resampled from p": _Bent(lambda p, q, v: p),
    "resampled from v": _Bent(lambda p, q, v: v),
    "resampled from q - p": _Bent(lambda p, q, v: residual(q, p)[0]),
    "tested with p": _Bent(lambda p, q, v: residual(v, q)[0], tested_by_p=True),
    "w and 1 - w exchanged": StaticEnsemble(0.7),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_changes_the_law(bug: str) -> None:
    target, draft = TableModel(3, 1), TableModel(3, 2)
    wrong = list(differences(found(BUGS[bug], target, draft, 1, WARM), texts(0.3, target, draft, 1, WARM)))
    assert bool(wrong) == (bug != "none")


def test_what_it_cannot_do_is_refused() -> None:
    for bad in (-0.1, 1.1):
        with pytest.raises(ConfigError, match="a number from 0 to 1"):
            load("static-ensemble", {"w": bad})
    with pytest.raises(ConfigError, match="jacobi"):
        check_together(drafter_entry("jacobi"), entry("static-ensemble"), RunConfig("a", temperature=0.0))


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


def relaxed_texts(prompt: Text, gamma: int, target: TableModel, draft: TableModel) -> dict[Text, float]:
    """The law of two tokens, written down without the engine."""

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

    return two(place, gamma)


@pytest.mark.parametrize("prompt", [INSIDE, OUTSIDE])
@pytest.mark.parametrize(("size", "gamma"), [(3, 2), (4, 1), (3, 0)])
def test_the_law_is_the_rules_inside_the_tags_and_the_targets_outside(size: int, gamma: int, prompt: Text) -> None:
    target, draft = TableModel(size, 1), TableModel(size, 2)
    lawful = found(rule(), target, draft, gamma, WARM, prompt)
    assert list(differences(lawful, relaxed_texts(prompt, gamma, target, draft))) == []
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
def test_a_bug_planted_between_the_tags_changes_the_law(kind: type[Relaxed]) -> None:
    target, draft = TableModel(3, 5), TableModel(3, 2)
    bent = found(rule(kind), target, draft, 2, WARM, INSIDE)
    assert list(differences(bent, relaxed_texts(INSIDE, 2, target, draft)))


@pytest.mark.parametrize("lossy", [rule(), load("typical")], ids=["relaxed", "typical"])
@pytest.mark.parametrize("how", HOW)
def test_at_temperature_0_its_text_is_the_targets(how: str, lossy: AcceptRule) -> None:
    target, cold = TableModel(7, 1), Sampling(0.0)
    for shape in SHAPES.values():
        grown = Grown([TableModel(7, seed) for seed in (1, 2, 3)], shape, how, cold)
        done = decode(parts(target, grown, rule=lossy, sampling=cold, limit=42), INSIDE)
        assert [*INSIDE, *tokens_of(done)] == reference.plain(target, INSIDE, cold, 42)
        assert any(step.path for step in done)


def test_tags_are_the_models_own_and_one_alone_is_refused() -> None:
    assert tags_of(({"a": 1}, "no template")) == ("<think>", "</think>")
    assert tags_of(({"[THINK]": 1, "[/THINK]": 2}, "")) == ("[THINK]", "[/THINK]")
    assert tags_of(({}, "...<seed:think>...</seed:think>")) == ("<seed:think>", "</seed:think>")
    with pytest.raises(ConfigError, match="both"):
        load("relaxed", {"opens": "<a>"})
    quoted = Thinking('"', '"', lambda tokens: "".join(map(chr, tokens)))
    assert [quoted.at(list(map(ord, text))) for text in ("", 'a "b', 'a "b"', 'a "b" "')] == [False, True, False, True]
