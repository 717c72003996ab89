"""DFlash: a few layers fill a whole block of blanks in one pass, each blank without knowing what the others become.

Its cache holds keys and values of the target's fused states, one slot for each token but the last.

Source: DFlash, Chen et al., arXiv:2602.06036.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from specviz import draft
from specviz.config.settings import Budget
from specviz.config.words import Reason, because
from specviz.draft import base, states
from specviz.draft.base import Committed, Drafter, DrafterSpec, OwnCache, Resources, Settings
from specviz.draft.growing import Growing, Node
from specviz.draft.shapes import Plan, Rates
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import ROOT
from specviz.trace.info import Heads, Reads
from specviz.verify import HeadedModel, Needs, Scores

if TYPE_CHECKING:
    from specviz.models.heads.compiled import CompiledBlock
    from specviz.models.heads.working import DFlashHead

NAME = "dflash"
WIDTH = 8
"""The most children of a guess."""


class DFlashDrafter(Growing):
    """Keeps keys and values of the text's states."""

    at_once = True

    def __init__(
        self,
        head: "DFlashHead | CompiledBlock",
        target: HeadedModel,
        rates: Sequence[Rates],
        settings: Settings,
        resources: Resources,
    ) -> None:
        nodes = None if settings["shape"] == "chain" else int(settings["nodes"])
        super().__init__(NAME, resources, nodes, WIDTH, points=resources.sampling.temperature == 0)
        self._head, self._target, self._rates = head, target, rates
        shape = head.shape
        self._layers = shape.layers
        self.needs = Needs(hidden=self._layers)
        self._cache: Any = head.new_cache(resources.capacity + shape.block)
        self._unread = np.empty((0, len(shape.layers), shape.width), head.words.embedded([0]).dtype)
        """States of the target, after the text's last tokens but the pending one, whose keys are not written yet."""
        self.caches = (OwnCache(NAME, self._cache, head.slot_bytes, target.way),)
        self.heads = Heads(Reads.BLOCK, self._layers, target.layers, shape.width, shape.block - 1, pending=True)

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text = list(prompt)
        self._cache.truncate(0)
        read = states.of_prompt(seen, self._layers)
        self._unread = read if read is not None else self._unread[:0]
        self._remember(len(self._unread))

    def commit(self, step: Committed) -> None:
        """The states of accepted guesses take the place of the block."""
        cache, length = self._cache, len(self._text)
        blanks = cache.length - length
        cache.truncate(min(cache.length, length - 1))
        self._unread = np.concatenate([self._unread, states.of_round(step, self._layers)])
        self._text += step.tokens
        if blanks >= 0:
            self._remember(min(1 + blanks, len(step.path) + 1))

    def _begin_again(self, text: Sequence[int]) -> None:
        base.begin(self, self._target, text, self._target.new_cache(len(text)))

    def _fitting(self, budget: Budget) -> Budget:
        places = self._head.shape.block - 1
        return budget.within(places, because("blanks", blanks=places))

    def _shape(self, depth: int) -> Plan | None:
        return None if self.points else states.shape(self.nodes or 0, depth, self._rates, self.width)

    def _words(self, depth: int) -> Reason:
        return because("blank", blank=depth + 1, blanks=self._head.shape.block - 1)

    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Reals:
        """All levels are of one pass, but a block takes no more slots than blanks that were asked for."""
        if places == [ROOT]:
            self._cache.truncate(min(self._cache.length, len(self._text) - 1))
            self._remember(len(self._unread))
            self._logits = self._head.filled(self._text[-1], self._cache)
        depth = 0 if places == [ROOT] else nodes[places[0]].depth + 1
        self._cache.advance(1)
        return np.stack([self._logits[depth]] * len(places))

    def _remember(self, count: int) -> None:
        """Reads the first so many states that were not read, after the others."""
        if count:
            self._head.remember(self._unread[:count], self._cache)
            self._unread = self._unread[count:]


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there is no such head for this target."""
    from specviz.models.heads import working

    target, head = states.opened(resources), resources.head(NAME, str(params["head"]))
    made = working.dflash(head, target)
    return DFlashDrafter(made, target, head.rates("drawn"), params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
