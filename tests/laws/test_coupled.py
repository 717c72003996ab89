"""The coupled rule: its text is plain decoding's own, token for token, and its guesses stand as often as it says."""

import numpy as np
import pytest

from specviz.accept.batch import BatchNoise
from specviz.accept.coupled import Coupled
from specviz.check.run import problems
from specviz.draft.base import Guess, proposal
from specviz.proof.statistic import chi_square
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Noise, Purpose
from specviz.sampling.distribution import Sampling, row
from specviz.sampling.rows import Row
from specviz.trace.guess import Source, Verdict
from tests.reference import plain
from tests.tiny import TableModel, decode, parts, tokens_of, traced

PROMPT = (0, 1)
KINDS = (Sampling(0.8), Sampling(0.7, top_k=4), Sampling(1.3, top_p=0.8))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sampling", KINDS, ids=str)
@pytest.mark.parametrize("gamma", [0, 1, 4])
def test_the_text_is_seeded_plain_decoding_token_for_token(sampling: Sampling, gamma: int) -> None:
    target, draft = TableModel(7, 1, spread=0.9), TableModel(7, 2, spread=0.9)
    for seed in range(4):
        made = parts(target, draft=draft, gamma=gamma, sampling=sampling, chance=Noise(seed), limit=102, rule=Coupled())
        assert [*PROMPT, *tokens_of(decode(made, PROMPT))] == plain(target, PROMPT, sampling, 102, seed)


def random_law(size: int, generator: np.random.Generator) -> Floats:
    return row(1.2 * generator.standard_normal(size), Sampling())


def test_a_guess_stands_as_often_as_it_says_and_no_more_often_than_under_rejection() -> None:
    generator = np.random.default_rng(5)
    rounds = 40_000
    for _ in range(3):
        p, q = random_law(6, generator), random_law(6, generator)
        at = At(0, Purpose.DRAFT)
        noise = BatchNoise(generator, rounds)
        guess, own = (noise.pick(np.broadcast_to(law, (rounds, 6)), at)[0] for law in (q, p))
        keeps = np.array([Coupled().accept_prob(p, Row(q), token) for token in range(6)])
        both = np.concatenate([q * keeps, q * (1 - keeps)])
        seen = np.concatenate([np.bincount(guess[stands], minlength=6) for stands in (own == guess, own != guess)])
        assert chi_square(both, seen).p_value > 1e-7
        assert chi_square(p, np.bincount(own, minlength=6)).p_value > 1e-7
        assert (q * keeps).sum() <= np.minimum(p, q).sum() + 1e-12


def test_of_two_siblings_the_one_the_target_says_stands() -> None:
    p, q = np.array([0.2, 0.5, 0.3]), np.full(3, 1 / 3)
    for seed in range(20):
        own = Noise(seed).pick(p, At(2, Purpose.ACCEPT)).token
        others = [token for token in range(3) if token != own]
        for tokens, path in (((others[0], own), (1,)), ((own, others[0]), (0,)), (tuple(others), ())):
            made = proposal([Guess(token, -1, Row(q), None, Source("test")) for token in tokens], ())
            judgement = Coupled().judge(made, [p, p, p], 2, frozenset(), Noise(seed))
            assert judgement.path == path
            assert judgement.draw
            if not path:
                assert (judgement.draw.token, judgement.draw.u) == (own, None)


def test_the_recorded_noise_is_what_decided_and_a_trace_that_says_otherwise_contradicts_itself() -> None:
    """At every tested place the target's pick has the largest log p + g of the bars, and the guess the largest of q."""
    target, draft = TableModel(40, 1, spread=0.9), TableModel(40, 2, spread=0.9)
    trace = traced(target, draft=draft, sampling=Sampling(0.8), rule=Coupled(), chance=Noise(3))
    assert problems(trace) == []
    for step in trace.rounds:
        for verdict in step.verdicts:
            view = verdict.view
            assert len(view.noise) == len(view.bars)
            drawn = Noise(3).vector(step.position + verdict.depth, 40)
            assert np.allclose(view.noise, drawn[[bar.token for bar in view.bars]], atol=1e-6)
            scores = {bar.token: np.log(bar.q) + g for bar, g in zip(view.bars, view.noise, strict=True) if bar.q}
            assert max(scores, key=lambda token: scores[token]) == verdict.token
    first = next(verdict for step in trace.rounds for verdict in step.verdicts if verdict.verdict is Verdict.REJECTED)
    first.view.noise = tuple(
        9.0 if bar.token == first.token else g for bar, g in zip(first.view.bars, first.view.noise, strict=True)
    )
    assert any("log p + g is largest at token" in problem for problem in problems(trace))


def test_at_temperature_0_the_probabilities_before_it_are_recorded_and_elsewhere_nothing_is() -> None:
    target, draft = TableModel(40, 1, spread=0.9), TableModel(40, 2, spread=0.9)
    trace = traced(target, draft=draft, sampling=Sampling(0.0))
    assert problems(trace) == []
    for verdict in (verdict for step in trace.rounds for verdict in step.verdicts):
        raw = {each.token: each for each in verdict.view.raw}
        top = max(raw, key=lambda token: raw[token].p)
        assert next(bar.p for bar in verdict.view.bars if bar.token == top) == 1
        assert max(raw, key=lambda token: raw[token].q or 0) == verdict.token
        assert 0 < sum(each.p for each in raw.values()) < 1
    warm = traced(target, draft=draft, sampling=Sampling(0.8))
    assert not any(verdict.view.raw or verdict.view.noise for step in warm.rounds for verdict in step.verdicts)
