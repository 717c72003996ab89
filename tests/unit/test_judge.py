"""A round decided where a GPU left the target's laws is the round decided in main memory. No GPU is involved."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz import judge
from specviz.accept.base import AcceptRule
from specviz.accept.coupled import Coupled
from specviz.accept.rejection import Rejection
from specviz.chance import At, Purpose, Seeded
from specviz.config import Budget, resolve_params
from specviz.draft import entry, growing
from specviz.draft.base import Drafter, Resources
from specviz.draft.ensemble import Ensemble
from specviz.draft.small_model import SmallModel
from specviz.draft.small_tree import SmallTree
from specviz.sampling import Sampling
from specviz.trace.guess import Extra, TokenVerdict
from specviz.trace.round import Round
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import HOW, Grown

VOCAB = 40
SAMPLINGS = [Sampling(0.0), Sampling(0.8), Sampling(1.3, top_k=7), Sampling(1.0, top_p=0.6)]


def run(sampling: Sampling, rule: AcceptRule, gamma: int, *, shown: bool = True, twins: bool = False) -> list[Round]:
    """Five texts, one after the other, that end with token 3, 7 or 11. twins: the draft is the target's own law."""
    done = []
    for seed in range(5):
        target = TableModel(VOCAB, 1)
        made = parts(
            target,
            draft=TableModel(VOCAB, 1 if twins else 2),
            sampling=sampling,
            rule=rule,
            chance=rule.chance(seed),
            gamma=gamma,
            ends=frozenset({3, 7, 11}),
        )
        done += decode(made if shown else dataclasses.replace(made, piece=None), (0, 1, seed))
    return done


def exact(step: Round) -> list[Any]:
    """What no rounding may touch."""
    return [step.position, step.tokens, step.path, step.calls, step.target_cache, step.draft_caches] + [
        (verdict.token, verdict.verdict, verdict.u, verdict.draft_u, [bar.token for bar in verdict.view.bars])
        for verdict in step.verdicts
    ]


def rounded(told: TokenVerdict | Extra | None) -> list[float]:
    """Every number of a verdict or of the target's own token."""
    rows = [] if told is None else [told, told.view, told.view.rest, *told.view.bars]
    values = [getattr(row, name) for row in rows for name in row.__slots__]
    return [float(value) for value in values if isinstance(value, int | float)]


def near(found: list[float], wanted: list[float]) -> bool:
    """To the rounding of a GPU's arithmetic."""
    return all(abs(one - other) <= 2e-6 for one, other in zip(found, wanted, strict=True))


@pytest.mark.parametrize("gamma", [0, 1, 4])
@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("shown", [True, False])
def test_there_is_as_here(sampling: Sampling, gamma: int, shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same tokens, numbers, verdicts and figures, the same random numbers used and none other."""
    here = run(sampling, Rejection(), gamma, shown=shown)
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    there = run(sampling, Rejection(), gamma, shown=shown)
    assert [exact(step) for step in there] == [exact(step) for step in here]
    for one, other in zip(there, here, strict=True):
        for found, wanted in zip((*one.verdicts, one.extra), (*other.verdicts, other.extra), strict=True):
            numbers = rounded(found), rounded(wanted)
            if not shown and isinstance(found, Extra):  # nobody asks where the segment is
                assert isinstance(wanted, Extra)
                numbers = [found.p], [wanted.p]
            assert near(*numbers)
    if gamma == 4 and sampling == Sampling(0.8):
        found = {verdict.verdict.value for step in here for verdict in step.verdicts}
        assert found == {"accepted", "rejected", "untested"}
        assert any(step.extra is None for step in here), "some text ended within a draft"


def test_a_rejection_that_leaves_nothing_is_told_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refuses(Rejection):
        """Never mind p and q."""

        def test(self, p: Any, q: Any, guess: Any, at: Any, draws: Any) -> Any:
            _, u = super().test(p, q, guess, at, draws)
            return u < 0, u

    here = run(Sampling(0.8), Refuses(), 2, twins=True)
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    there = run(Sampling(0.8), Refuses(), 2, twins=True)
    assert tokens_of(there) == tokens_of(here)
    refused = [step.extra for step in there if any(verdict.u is not None for verdict in step.verdicts)]
    assert refused
    assert all(extra and extra.zero_residual for extra in refused)


def test_only_numbers_cross_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    crossed: list[Sequence[int]] = []
    cpu = Tensor.cpu

    def counted(self: Tensor) -> Tensor:
        crossed.append(self.shape)
        return cpu(self)

    made = parts(TableModel(900, 1), draft=TableModel(900, 2), gamma=4, sampling=Sampling(0.8))
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    monkeypatch.setattr(Tensor, "cpu", counted)
    done = decode(made, (0, 1))
    of_target = [shape for shape in crossed if shape != (900,)]  # the draft's own, drawn step by step here
    assert len(of_target) == len(done)
    assert all(len(shape) == 1 and shape[0] < 400 for shape in of_target)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_plain_decoding_draws_there_as_here(sampling: Sampling, monkeypatch: pytest.MonkeyPatch) -> None:
    law = TableModel(VOCAB, 1).law

    def drawn() -> list[int]:
        chance, text = Rejection().chance(3), [0]
        for _ in range(60):
            text.append(judge.pick(law(text), sampling, chance, At(len(text), Purpose.BONUS)))
        return text

    here = drawn()
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    assert drawn() == here
    with pytest.raises(ValueError, match="NaN or infinite"):
        judge.pick(law([0]) * torch.nan, sampling, Rejection().chance(3), At(1, Purpose.BONUS))


def test_a_rule_that_looks_at_whole_laws_gets_them_in_main_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    here = run(Sampling(0.8), Coupled(), 3)
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    assert tokens_of(run(Sampling(0.8), Coupled(), 3)) == tokens_of(here)


def test_unsound_logits_are_an_error_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unsound(TableModel):
        def law(self, text: Sequence[int]) -> Tensor:
            return super().law(text) * torch.nan

    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    with pytest.raises(ValueError, match="NaN or infinite"):
        decode(parts(Unsound(VOCAB, 1), draft=TableModel(VOCAB, 2)), (0, 1))


# -- Trees --------------------------------------------------------------------------------------------------------

SHAPES_DRAWN = {
    "2,1": (-1, -1, 0, 1),
    "3,2": (-1, -1, -1, 0, 0, 1, 1, 2, 2),
    "uneven": (-1, -1, 0, 2, 2, 0, 5),
}


def grown(shape: str, how: str, sampling: Sampling) -> Drafter:
    return Grown([TableModel(VOCAB, seed) for seed in (2, 3, 4)], SHAPES_DRAWN[shape], how, sampling)


def small_tree(sampling: Sampling, size: int = VOCAB, **params: float | str) -> SmallTree:
    draft = TableModel(size, 2)
    return SmallTree(draft, resolve_params(entry("small-tree"), params), Resources(sampling, size, 64, draft))


def ensemble(sampling: Sampling) -> Ensemble:
    first = TableModel(VOCAB, 2)
    own = SmallModel(first, Resources(sampling, VOCAB, 64, first))
    return Ensemble([own, Grown([TableModel(VOCAB, 3)], (-1, 0, 1, 2), "i.i.d.", sampling)])


def texts(sampling: Sampling, make: Callable[[], Drafter], *, shown: bool = True) -> list[Round]:
    """Three of them, which end with token 3, 7 or 11."""
    done = []
    for seed in range(3):
        made = parts(TableModel(VOCAB, 1), make(), sampling=sampling, chance=Seeded(seed), gamma=4,
                     ends=frozenset({3, 7, 11}))  # fmt: skip
        done += decode(made if shown else dataclasses.replace(made, piece=None), (0, 1, seed))
    return done


def alike(there: list[Round], here: list[Round], *, shown: bool = True) -> None:
    assert [exact(step) for step in there] == [exact(step) for step in here]
    for one, other in zip(there, here, strict=True):
        assert [each.law for each in one.verdicts] == [each.law for each in other.verdicts]
        for found, wanted in zip((*one.verdicts, one.extra), (*other.verdicts, other.extra), strict=True):
            if shown or not isinstance(found, Extra):
                assert near(rounded(found), rounded(wanted))


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shape", SHAPES_DRAWN)
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_a_tree_is_judged_there_as_here(
    sampling: Sampling, shape: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shown in (True, False) if shape == "uneven" else (True,):
        here = texts(sampling, lambda: grown(shape, how, sampling), shown=shown)
        with monkeypatch.context() as patch:
            patch.setattr(judge, "on_gpu", lambda logits: True)
            alike(texts(sampling, lambda: grown(shape, how, sampling), shown=shown), here, shown=shown)
    if sampling == Sampling(0.8):
        assert how == "points" or any(step.extra and step.extra.node is None for step in here), "a bonus"
        assert any(each.source.rank and each.u is not None for step in here for each in step.verdicts), "siblings"


@pytest.mark.parametrize("draw", ["drawn", "top"])
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_a_tree_is_drawn_there_as_here(sampling: Sampling, draw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens, numbers, laws and path; top-k leaves fewer tokens than the shape has children."""
    for params in ({"nodes": 9}, {"shape": "8,1"}, {"shape": "(3)(2,1)(0,1)"}):
        make = lambda chosen=params: small_tree(sampling, draw=draw, **chosen)  # noqa: E731
        here = texts(sampling, make)
        with monkeypatch.context() as patch:
            patch.setattr(judge, "on_gpu", lambda logits: True)
            patch.setattr(growing, "on_gpu", lambda logits: True)
            alike(texts(sampling, make), here)
            proposed = small_tree(sampling, draw=draw)
            proposed.begin([0, 1])
            guesses = proposed.propose(Budget.chain(4, "").shaped(proposed.nodes), Seeded(1))
            assert (guesses.gpu_q is not None) == all(guess.q is None for guess in guesses.guesses)
            assert (guesses.gpu_q is not None) == (draw == "drawn" and sampling.temperature > 0)


def test_an_ensemble_is_judged_there_as_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows stay together where one of its drafters left them."""
    here = texts(Sampling(0.8), lambda: ensemble(Sampling(0.8)))
    monkeypatch.setattr(judge, "on_gpu", lambda logits: True)
    alike(texts(Sampling(0.8), lambda: ensemble(Sampling(0.8))), here)
    tree = small_tree(Sampling(0.8), nodes=4)
    monkeypatch.setattr(growing, "on_gpu", lambda logits: True)
    both = Ensemble([tree, Grown([TableModel(VOCAB, 3)], (-1, 0), "i.i.d.", Sampling(0.8))])
    both.begin([0, 1])
    made = both.propose(Budget.chain(1, ""), Seeded(0))
    assert made.gpu_q is not None
    assert made.gpu_q.shape == (len(made.guesses), VOCAB)
    assert all(law.of(guess.token) > 0 for law, guess in zip(made.in_memory().q, made.guesses, strict=True))


@pytest.mark.parametrize("draw", ["drawn", "top"])
def test_of_a_tree_too_only_numbers_cross(draw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a round from the target and at most twice a level from the draft, however large the vocabulary."""
    numbers = {}
    for size in (300, 3000):
        crossed: list[int] = []
        cpu = Tensor.cpu

        def counted(self: Tensor, crossed: list[int] = crossed, cpu: Any = cpu) -> Tensor:
            crossed.append(self.numel())
            return cpu(self)

        with monkeypatch.context() as patch:
            patch.setattr(judge, "on_gpu", lambda logits: True)
            patch.setattr(growing, "on_gpu", lambda logits: True)
            patch.setattr(Tensor, "cpu", counted)
            tree = small_tree(Sampling(0.8), size, draw=draw, nodes=12)
            done = decode(parts(TableModel(size, 1), tree, gamma=4, sampling=Sampling(0.8)), (0, 1))
        levels = sum(step.calls.draft for step in done)
        assert len(done) <= len(crossed) <= len(done) + 2 * levels
        numbers[size] = max(crossed)
    assert max(numbers.values()) < 12 * 230
