"""Bugs of drafters that read the target's hidden states. The text stays exact, their guesses get worse."""

from collections.abc import Sequence

import numpy as np
import pytest
from torch import Tensor, nn

from specviz.config.settings import Budget
from specviz.draft import one_state, states
from specviz.draft.base import Committed, Proposal, proposal
from specviz.draft.dflash import DFlashDrafter
from specviz.draft.growing import Growing
from specviz.draft.imagining import Imagining
from specviz.gamma.base import Halting
from specviz.models.border import TorchCache
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.mtp import Mtp
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.trace.round import Imagined
from specviz.verify import Scores
from tests.battery.heads import a_cut_keeps_the_targets_law
from tests.battery.heads import heads_go_on_from_the_states_that_the_target_had as true_states
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


@MUTANTS.put(None, "eagle keeps the states it imagined", true_states, "eagle chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    commit = Imagining.commit

    def bent(self: Imagining, step: Committed) -> None:
        slots = self._cache.slots.clone()
        commit(self, step)
        self._cache.slots[:] = slots

    patch.setattr(Imagining, "commit", bent)


@MUTANTS.put(None, "eagle reads the token that its state has seen", true_states, "eagle chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    follow = Imagining._follow

    def bent(self: Imagining, end: int) -> None:
        text = self._text
        self._text = [text[0], *text[:-1]]
        follow(self, end)
        self._text = text

    patch.setattr(Imagining, "_follow", bent)


@MUTANTS.put(None, "eagle's positions begin anew with each draft", true_states, "eagle chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    forward = EaglePass.__call__

    def bent(
        self: EaglePass,
        embedded: Tensor,
        state: Tensor,
        positions: Sequence[int],
        mask: Tensor | None,
        cache: TorchCache,
    ) -> Tensor:
        begun = [at - positions[0] for at in positions] if mask is None else positions
        return forward(self, embedded, state, begun, mask, cache)

    patch.setattr(EaglePass, "__call__", bent)


@MUTANTS.put(None, "mtp keeps the states it imagined", true_states, "mtp chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    commit = Imagining.commit

    def bent(self: Imagining, step: Committed) -> None:
        slots = self._cache.slots.clone()
        commit(self, step)
        if self._name == "mtp":
            self._cache.slots[:] = slots

    patch.setattr(Imagining, "commit", bent)


@MUTANTS.put(None, "mtp joins state and token in the other order", true_states, "mtp chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    both = MtpPass._both
    patch.setattr(MtpPass, "_both", lambda self, embedded, state: both(self, state, embedded))


@MUTANTS.put(None, "mtp's own output is not normed", true_states, "mtp chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    begin = MtpPass.__init__

    def bent(self: MtpPass, head: Mtp, places: int) -> None:
        begin(self, head, places)
        self._norm = nn.Identity()

    patch.setattr(MtpPass, "__init__", bent)


@MUTANTS.put(None, "a head reads the states of guesses that fell", true_states, "tree")
def _(patch: pytest.MonkeyPatch) -> None:
    of_round = states.of_round

    def bent(step: Committed, layers: Sequence[int]) -> Reals:
        return of_round(step._replace(path=tuple(range(len(step.path)))), layers)

    patch.setattr(states, "of_round", bent)


@MUTANTS.put(None, "medusa goes on from the last state but one", true_states, "medusa chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    of_round = states.of_round

    def bent(step: Committed, layers: Sequence[int]) -> Reals:
        found = of_round(step, layers)
        return np.concatenate([found[:1], found[:-1]])

    patch.setattr(states, "of_round", bent)


@MUTANTS.put(None, "hydra is told its guesses backwards", true_states, "hydra chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    branch = one_state.branch
    patch.setattr(one_state, "branch", lambda nodes, place: branch(nodes, place)[::-1])


@MUTANTS.put(None, "dflash forgets its prompt", true_states, "dflash chain, round")
def _(patch: pytest.MonkeyPatch) -> None:
    begin = DFlashDrafter.begin

    def bent(self: DFlashDrafter, prompt: Sequence[int], seen: Scores | None = None) -> None:
        begin(self, prompt, seen)
        self._cache.slots.zero_()

    patch.setattr(DFlashDrafter, "begin", bent)


@MUTANTS.put(None, "a cut looks at the q of the guess that it cuts", a_cut_keeps_the_targets_law, "law of a cut draft")
def _(patch: pytest.MonkeyPatch) -> None:
    """The guess of low q, after which a draft ends, is not checked either."""
    propose = Growing.propose

    def bent(self: Growing, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        made = propose(self, budget, chance, halt)
        if not made.halt or made.glances[-1].q is None:
            return made
        self._made.halt = None
        return proposal(made.guesses[:-1], made.drafting[:-1], made.calls, made.glances, made.halt)

    patch.setattr(Growing, "propose", bent)


@MUTANTS.put(None, "layers of the target in another order", true_states, "round")
def _(patch: pytest.MonkeyPatch) -> None:
    of_prompt = states.of_prompt
    patch.setattr(states, "of_prompt", lambda seen, layers: of_prompt(seen, layers[::-1]))


@MUTANTS.put(None, "an imagined state is set beside the true one before it", true_states, "another state was imagined")
def _(patch: pytest.MonkeyPatch) -> None:
    compared = states.compared

    def bent(nodes: Sequence[int], own: Reals, true: Reals) -> list[Imagined]:
        return compared(nodes, own, np.roll(true, 1, 0))

    patch.setattr(states, "compared", bent)
