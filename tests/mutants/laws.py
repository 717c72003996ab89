"""Bugs in the laws that the rule is handed: q is not what was drawn from, p not what is sampled from."""

import dataclasses
import functools
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz import decide, sampling
from specviz.accept import rejection
from specviz.chance import At, Chance, Pick
from specviz.config import Budget
from specviz.draft import base as drafting
from specviz.draft import small_model
from specviz.draft.base import Proposal
from specviz.draft.small_model import SmallModel
from specviz.gamma.base import Halting
from specviz.sampling import Sampling
from tests.battery import (
    a_rejection_that_leaves_nothing_draws_from_p,
    every_row_recomputes,
    greedy_is_the_targets_argmax,
    law_of_a_round,
)
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


def records_another_q(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    """Draws from q, but says it drew from q with other settings."""
    rows: list[Tensor] = []
    true, propose = drafting.to_probs, SmallModel.propose

    def both(logits: Tensor, settings: Sampling) -> Tensor:
        rows.append(true(logits, dataclasses.replace(settings, **changed)))
        return true(logits, settings)

    def proposing(self: SmallModel, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        rows.clear()
        made = propose(self, budget, chance, halt)
        return dataclasses.replace(made, q=torch.stack(rows)) if rows else made

    patch.setattr(drafting, "to_probs", both)
    patch.setattr(SmallModel, "propose", proposing)


def judges_another_p(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    true = decide.to_probs
    patch.setattr(decide, "to_probs", lambda logits, settings: true(logits, dataclasses.replace(settings, **changed)))


for _number, _name, _changed in ((8, "temperature", {"temperature": 1.0}), (29, "top-k", {"top_k": 0})):
    MUTANTS.put(_number, f"q before {_name}", every_row_recomputes, "q is not")(
        functools.partial(records_another_q, **_changed)
    )
    MUTANTS.put(_number + 1, f"p before {_name}", every_row_recomputes, "p is not")(
        functools.partial(judges_another_p, **_changed)
    )


@dataclasses.dataclass
class Greedy:
    """A chance whose picks are all argmax."""

    chance: Chance

    def pick(self, probs: Tensor, at: At) -> Pick:
        return self.chance.pick(torch.zeros_like(probs).index_fill_(0, probs.argmax(), 1.0), at)


@MUTANTS.put(10, "draft greedy, q the softmax", law_of_a_round)
def _(patch: pytest.MonkeyPatch) -> None:
    draw = small_model.draw_chain

    def greedy(budget: Budget, position: int, law_of: Any, resources: Any, chance: Chance, *rest: Any) -> Proposal:
        return draw(budget, position, law_of, resources, Greedy(chance), *rest)

    patch.setattr(small_model, "draw_chain", greedy)


@MUTANTS.put(32, "temperature 0 divides", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    def divides(logits: Tensor, settings: Sampling) -> Tensor:
        return (logits / settings.temperature).softmax(-1)

    patch.setattr(decide, "to_probs", divides)
    patch.setattr(drafting, "to_probs", divides)


@MUTANTS.put(33, "a residual of 0 / 0", a_rejection_that_leaves_nothing_draws_from_p)
def _(patch: pytest.MonkeyPatch) -> None:
    def divides(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
        excess = (p - q).clamp(min=0)
        return excess / excess.sum(-1, keepdim=True), torch.zeros(len(p), dtype=torch.bool)

    patch.setattr(rejection, "residual", divides)


@MUTANTS.put(None, "temperature 0 samples at temperature 1", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (decide, drafting):
        patch.setattr(module, "to_probs", lambda logits, settings: sampling.to_probs(logits, Sampling(1.0)))
