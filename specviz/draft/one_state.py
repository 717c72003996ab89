"""Heads that all guess from one hidden state of the target, one place each. Shared by `medusa` and `hydra`.

A tree has a fixed shape, which depends on how often the first, the second ... guess of each head was accepted when it
was trained. Drawn, guesses at one place are drawn without replacement; at temperature 0 they are the likeliest.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from specviz.config.settings import Budget
from specviz.config.words import Reason, because
from specviz.draft import base, states
from specviz.draft.base import Committed, Drafter, Resources, Settings
from specviz.draft.growing import Growing, Node, branch
from specviz.draft.shapes import Plan, Rates
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import ROOT
from specviz.trace.info import Heads, Reads
from specviz.verify import HeadedModel, Needs, Scores

if TYPE_CHECKING:
    from specviz.models.heads.compiled import CompiledHeads
    from specviz.models.heads.working import MedusaHeads

WIDTH = 8
"""The most children of a guess."""


class OneState(Growing):
    """Keeps the last state of the target. Unless they read the guesses before, all heads guess in one pass."""

    def __init__(
        self,
        name: str,
        head: "MedusaHeads | CompiledHeads",
        target: HeadedModel,
        rates: Sequence[Rates],
        settings: Settings,
        resources: Resources,
    ) -> None:
        nodes = None if settings["shape"] == "chain" else int(settings["nodes"])
        super().__init__(name, resources, nodes, WIDTH, points=resources.sampling.temperature == 0)
        self._head, self._target, self._rates = head, target, rates
        self._layers = head.shape.layers
        self.needs, self.at_once = Needs(hidden=self._layers), not head.shape.told
        self._state: Reals | None = None
        self.heads = Heads(
            reads=Reads.TOLD if head.shape.told else Reads.STATE,
            layers=self._layers,
            of=target.layers,
            width=head.shape.width,
            places=head.shape.heads,
            pending=head.pending,
        )

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text = list(prompt)
        read = states.of_prompt(seen, self._layers)
        self._state = None if read is None else read[-1]

    def commit(self, step: Committed) -> None:
        self._text += step.tokens
        self._state = states.of_round(step, self._layers)[-1]

    def _begin_again(self, text: Sequence[int]) -> None:
        base.begin(self, self._target, text, self._target.new_cache(len(text)))

    def _fitting(self, budget: Budget) -> Budget:
        if self._state is None:
            return budget.within(0, because("unread"))
        return budget.within(self._head.shape.heads, because("heads", heads=self._head.shape.heads))

    def _shape(self, depth: int) -> Plan | None:
        return states.shape(self.nodes or 0, depth, self._rates, self.width)

    def _words(self, depth: int) -> Reason:
        knows = self._head.shape.told and depth
        return because("told" if knows else "head", head=depth + 1, heads=self._head.shape.heads)

    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Reals:
        assert self._state is not None, "a draft has something to go by"
        depth = 0 if places == [ROOT] else nodes[places[0]].depth + 1
        if self._head.shape.told:
            known = [[self._text[-1], *branch(nodes, place)] for place in places]
            embedded = self._head.words.embedded([token for each in known for token in each])
            given = embedded.reshape(len(places), depth + 1, -1)
            return self._head.words.spoken(self._head(depth, np.stack([self._state] * len(places)), given))
        if not depth:
            given = self._head.words.embedded(self._text[-1:])
            every = [self._head(number, self._state, given) for number in range(self._head.shape.heads)]
            self._logits = self._head.words.spoken(np.stack(every))
        return np.stack([self._logits[depth]] * len(places))


def build(name: str, resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there are no such heads for this target."""
    from specviz.models.heads import working

    target, head = states.opened(resources), resources.head(name, str(params["head"]))
    made = working.medusa(head, target)
    how = "drawn" if resources.sampling.temperature else "top"
    return OneState(name, made, target, head.rates(how), params, resources)
