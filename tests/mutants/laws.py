"""Bugs in the laws that the rule is handed: q is not what was drawn from, p not what is sampled from."""

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest

from specviz import loop
from specviz.config.settings import Budget
from specviz.draft import chain as drafting
from specviz.draft import model_chain
from specviz.draft.base import Proposal
from specviz.draft.small_model import SmallModel
from specviz.gamma.base import Halting
from specviz.sampling import distribution
from specviz.sampling import rows as law
from specviz.sampling.arrays import Bools, Floats, Reals
from specviz.sampling.chance import At, Chance, Pick
from specviz.sampling.distribution import Sampling
from tests.battery.laws import law_of_a_round
from tests.battery.numbers import a_rejection_that_leaves_nothing_draws_from_p
from tests.battery.rounds import every_row_recomputes, greedy_is_the_targets_argmax
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


def records_another_q(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    """Draws from q, but says it drew from q with other settings."""
    said: list[Floats] = []
    true, propose = drafting.row, SmallModel.propose

    def both(logits: Reals, settings: Sampling, *text: Any) -> Floats:
        said.append(true(logits, dataclasses.replace(settings, **changed), *text))
        return true(logits, settings, *text)

    def proposing(self: SmallModel, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        said.clear()
        made = propose(self, budget, chance, halt)
        laws = [law.Row(row) for row in said]
        guesses = (guess._replace(q=q) for guess, q in zip(made.guesses, laws, strict=True))
        return made._replace(guesses=tuple(guesses))

    patch.setattr(drafting, "row", both)
    patch.setattr(SmallModel, "propose", proposing)


def judges_another_p(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    true = loop.rows
    patch.setattr(loop, "rows", lambda logits, settings, *text: true(logits, dataclasses.replace(settings, **changed)))


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

    def pick(self, probs: Floats, at: At) -> Pick:
        return self.chance.pick(np.eye(len(probs))[probs.argmax()], at)


@MUTANTS.put(10, "draft greedy, q the softmax", law_of_a_round)
def _(patch: pytest.MonkeyPatch) -> None:
    draw = model_chain.draw_chain

    def greedy(budget: Budget, position: int, law_of: Any, resources: Any, chance: Chance, *rest: Any) -> Proposal:
        return draw(budget, position, law_of, resources, Greedy(chance), *rest)

    patch.setattr(model_chain, "draw_chain", greedy)


@MUTANTS.put(32, "temperature 0 divides", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    def divides(logits: Reals, settings: Sampling, *text: Any) -> Floats:
        scores = logits / np.float64(settings.temperature)
        return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)

    patch.setattr(loop, "rows", divides)
    patch.setattr(drafting, "row", divides)


@MUTANTS.put(33, "a residual of 0 / 0", a_rejection_that_leaves_nothing_draws_from_p)
def _(patch: pytest.MonkeyPatch) -> None:
    def divides(p: Floats, q: Floats) -> tuple[Floats, Bools]:
        excess = np.maximum(p - q, 0)
        return excess / excess.sum(), np.array(False)

    patch.setattr(law, "residual", divides)


@MUTANTS.put(None, "temperature 0 samples at temperature 1", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(loop, "rows", lambda logits, settings, *text: distribution.rows(logits, Sampling(1.0)))
    patch.setattr(drafting, "row", lambda logits, settings, *text: distribution.row(logits, Sampling(1.0)))
