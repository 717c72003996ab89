"""Should I? What runs at one draft length, and a few times, say of all draft lengths."""

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

from specviz import session, theory
from specviz.config.costs import Costs
from specviz.config.words import tell
from specviz.lab import advice
from specviz.lab.advice import Span, Walk
from specviz.lab.measured import Advice, Times
from specviz.local import LocalBackend
from specviz.models.hub import offers
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests.tiny import TableModel, decode, parts

MOST = 6
LIMIT = 48
GREEDY, SAMPLED = Sampling(temperature=0), Sampling(temperature=1)


@cache
def decoded(gamma: int, seed: int, sampling: Sampling) -> list[Round]:
    """A run with a draft that is often, but not always, right."""
    target, draft = TableModel(5, 1), TableModel(5, 1, order=1, spread=1.2)
    draft.law = lambda text: target.law(text) + 0.8 * TableModel(5, 9).law(text)  # type: ignore[method-assign]
    made = parts(target, draft=draft, gamma=gamma, sampling=sampling, limit=2 + LIMIT, chance=parts(
        target, draft=draft).rule.chance(seed))  # fmt: skip
    return decode(made, [seed % 5, seed // 5 % 5])


def walked(seed: int, sampling: Sampling) -> Walk:
    (walk,) = advice.walks([[advice.span(step) for step in decoded(MOST, seed, sampling)]], LIMIT)
    return walk


def expected(chances: tuple[float, ...], gamma: int) -> float:
    """Rounds that write a text, by trying every outcome of every round."""

    @cache
    def left(place: int) -> float:
        if place >= len(chances):
            return 0.0
        total, reach = 1.0, 1.0
        made = min(gamma, len(chances) - place - 1)
        for at in range(place, place + made):
            total += reach * (1 - chances[at]) * left(at + 1)
            reach *= chances[at]
        return total + reach * left(place + made + 1)

    return left(0)


def times(plain: float, guess: float, check: float, laps: int = 3) -> Times:
    """Of a machine where a guess, and each token of a check, take so long."""
    rounds = tuple(plain + made * (guess + check) for made in range(MOST + 1))
    return Times((plain,) * laps, (rounds,) * laps, guess)


def made_up(alpha: float, prompts: int, tokens: int = 60) -> list[list[Walk]]:
    """Texts whose guesses are right with probabilities around α."""
    draws = np.random.default_rng(3)
    chances = np.clip(alpha + 0.2 * draws.standard_normal((prompts, tokens)), 0, 1)
    return [[Walk(tuple(each), (MOST,) * tokens, tokens)] for each in chances.tolist()]


@pytest.mark.parametrize("gamma", [1, 2, 5])
def test_the_rounds_of_a_text_are_those_that_trying_every_outcome_gives(gamma: int) -> None:
    chances = (0.9, 0.2, 1.0, 0.5, 0.0, 0.7, 0.8)
    counted = advice.rounds(Walk(chances, (MOST,) * len(chances), len(chances)), gamma)
    assert len(counted) == gamma + 1
    assert counted.sum() == pytest.approx(expected(chances, gamma), abs=1e-12)


@pytest.mark.parametrize("gamma", [1, 3, 6])
def test_with_one_alpha_it_is_the_closed_form(gamma: int) -> None:
    long = Walk((0.7,) * 4000, (MOST,) * 4000, 4000)
    tokens = 4000 / advice.rounds(long, gamma).sum()
    assert tokens == pytest.approx(theory.expected_tokens(0.7, gamma), rel=1e-3)
    assert advice.alpha_of(theory.expected_tokens(0.7, gamma), gamma) == pytest.approx(0.7, abs=1e-5)


def test_greedy_runs_at_one_length_tell_the_rounds_of_every_other_exactly() -> None:
    known = [
        seed
        for seed in range(20)
        if all(None not in advice.span(step).chances for step in decoded(MOST, seed, GREEDY)[:-1])
    ]
    assert len(known) >= 3, "runs in which no draft was accepted whole"
    for seed in known:
        for gamma in range(1, MOST + 1):
            counted = advice.rounds(walked(seed, GREEDY), gamma)
            rounds = decoded(gamma, seed, GREEDY)
            made = [sum(step.offered == guesses for step in rounds) for guesses in range(gamma + 1)]
            assert counted.tolist() == pytest.approx(made, abs=1e-9)


@pytest.mark.parametrize("gamma", [2, *(pytest.param(each, marks=pytest.mark.long) for each in (1, 4))])
def test_sampled_runs_at_one_length_tell_the_rounds_of_another(gamma: int) -> None:
    seeds = range(80)
    predicted = np.array([advice.rounds(walked(seed, SAMPLED), gamma).sum() for seed in seeds])
    found = np.array([len(decoded(gamma, seed, SAMPLED)) for seed in seeds])
    error = (predicted - found).std() / len(seeds) ** 0.5
    assert abs(predicted.mean() - found.mean()) < 4 * error
    assert error < 0.03 * found.mean(), "close enough to tell"


def test_a_drafter_that_finds_nothing_offers_nothing() -> None:
    spans = [Span(4, 0, (None,)), Span(4, 2, (1.0, 0.0)), Span(4, 4, (1.0, 1.0, 1.0, 1.0, None))]
    (walk,) = advice.walks([spans], 20)
    assert walk.room == (0, 2, 1, 4, 4, 4, 4, 4)
    assert walk.chances[-1] == 1.0, "as the guesses before it"
    assert advice.rounds(walk, 4).tolist()[0] == 1.0


def test_the_same_runs_give_the_same_advice_and_more_prompts_a_narrower_one() -> None:
    few, again, many = (
        advice.advise({"code": {"small-model": made_up(0.7, count)}}, {"code": {"small-model": times(10, 1, 0.5)}})
        for count in (4, 4, 64)
    )
    assert few == again
    (narrow,), (wide,) = many[0].choices, few[0].choices
    assert narrow.low < narrow.speedup < narrow.high
    assert narrow.high - narrow.low < wide.high - wide.low
    assert narrow.gammas[0] <= narrow.gamma <= narrow.gammas[1]
    assert narrow.speedup == max(narrow.by_gamma) == narrow.by_gamma[narrow.gamma - 1]
    assert narrow.speedup == pytest.approx(narrow.per_pass / narrow.cost)
    assert narrow.pays == "yes"


def told(advised: Advice) -> str:
    return " ".join(map(tell, advised.sentences))


def test_the_best_drafter_stands_first_and_kinds_of_text_stand_apart() -> None:
    good, bad = made_up(0.8, 12), made_up(0.2, 12)
    runs = {"code": {"suffix": bad, "small-model": good}, "verse": {"suffix": bad, "small-model": bad}}
    rates = {"suffix": times(10, 0.1, 2), "small-model": times(10, 1, 2)}
    code, verse = advice.advise(runs, dict.fromkeys(runs, rates))
    assert [each.drafter for each in code.choices] == ["small-model", "suffix"]
    assert told(code).startswith("Use small-model with γ")
    assert "times as fast" in told(code)
    assert "on code" in told(code)
    assert [each.drafter for each in verse.choices] == ["suffix", "small-model"]


def test_not_to_speculate_is_an_answer_with_its_reason_and_what_would_change_it() -> None:
    (said,) = advice.advise({"qa": {"small-model": made_up(0.3, 12)}}, {"qa": {"small-model": times(10, 4, 1)}})
    (choice,) = said.choices
    assert choice.pays == "no"
    assert choice.per_pass < choice.cost
    assert choice.enough is not None
    assert choice.alpha < choice.enough < 1
    assert choice.cheap is not None
    assert 0 < choice.cheap < choice.guess
    for alpha, guess, pays in ((choice.enough + 0.01, 4, True), (choice.enough - 0.01, 4, False)):
        lengths = [theory.expected_tokens(alpha, gamma) > 1 + gamma * (guess + 1) / 10 for gamma in range(1, MOST + 1)]
        assert any(lengths) is pays
    cheaper = times(10, choice.cheap - 0.01, 1)
    (then,) = advice.advise({"qa": {"small-model": made_up(0.3, 12)}}, {"qa": {"small-model": cheaper}})
    assert then.choices[0].speedup > 1
    assert told(said).startswith(f"Do not speculate on qa: at best, small-model with γ {choice.gamma}, ")
    assert f"if α rose from {choice.alpha:.2f} to {choice.enough:.2f}, or if a guess took less than" in told(said)


def test_experts_are_counted_once_however_many_tokens_go_to_them() -> None:
    layers: list[Any] = [np.array([[0, 1], [0, 2], [3, 1]]), np.array([[5, 5], [5, 6], [5, 6]])]
    found = advice.touched(layers, 8, 4)
    assert found is not None
    assert found.touched == pytest.approx([(2 + 2 + 2 + 1 + 2 + 2) / 6, (3 + 4 + 2 + 2) / 4, (4 + 2) / 2])
    said = advice.advise({"qa": {"small-model": made_up(0.9, 6)}}, {"qa": {"small-model": times(10, 9, 1)}})[0]
    words = told(dataclasses.replace(said, experts=found))
    assert f"A check of {said.choices[0].gamma + 1} tokens reads" in words
    assert advice.touched([], 0, 4) is None


@pytest.mark.parametrize("check", [0.5, 4.0, 90.0], ids=["cheap", "dear", "too dear"])
def test_the_built_in_pair_begins_with_the_length_that_is_fastest_here_or_plainly(
    monkeypatch: pytest.MonkeyPatch, check: float
) -> None:
    costs = Costs(draft=0.8, rest=0.2, widths=(1, 21), passes=(10.0, 10.0 * (1 + check)))
    monkeypatch.setattr(session, "costs", lambda config: costs)
    backend = LocalBackend()
    assert [*backend.ready("embedded")]
    assert not [*backend.ready("embedded")], "measured once"
    first, *others = backend.offers()
    alpha = offers.acceptance("embedded")
    speeds = [theory.speedup(alpha, gamma, costs.c, costs.v(gamma + 1), costs.overhead) for gamma in range(1, 13)]
    best = max(speeds)
    sampling = {"temperature": 0.8, "top_p": 1.0}
    gamma = 1 + speeds.index(best) if best >= 1 else 0
    assert first.first == {"drafter": "small-model", "gamma": gamma, **sampling}
    assert f"{best:.2f}× here" in tell(first.why)
    assert not any(each.why for each in others)
