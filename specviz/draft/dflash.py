"""DFlash: a few layers fill a whole block of blanks in one pass, each blank without knowing what the others become.

Its cache holds keys and values of the target's fused states, one slot for each token but the last.

Source: DFlash, Chen et al., arXiv:2602.06036.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz import draft
from specviz.config import Budget
from specviz.draft import base, states
from specviz.draft.base import Committed, Drafter, DrafterSpec, OwnCache, Resources, Settings
from specviz.draft.growing import Growing, Node
from specviz.draft.shapes import Plan, Rates
from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.published import PublishedHead
from specviz.models.heads.published import dflash as published_dflash
from specviz.models.heads.published.dflash import PublishedDFlash
from specviz.models.heads.shaped import filled
from specviz.trace.info import Heads, Reads
from specviz.tree import ROOT
from specviz.trim import KVCache
from specviz.verify import HeadedModel, Needs, Scores

NAME = KIND = "dflash"
WIDTH = 8
"""The most children of a guess."""


class DFlashDrafter(Growing):
    """Keeps keys and values of the text's states."""

    at_once = True

    def __init__(
        self,
        head: DFlash | PublishedDFlash,
        target: HeadedModel,
        rates: Sequence[Rates],
        settings: Settings,
        resources: Resources,
    ) -> None:
        nodes = None if settings["shape"] == "chain" else int(settings["nodes"])
        super().__init__(NAME, resources, nodes, WIDTH, points=resources.sampling.temperature == 0)
        like = target.embedded([0])
        self._head, self._target, self._rates = head.to(like.device, like.dtype), target, rates
        shape = head.shape
        self._layers = shape.layers
        self.needs = Needs(hidden=self._layers)
        self._cache = KVCache(
            shape.depth, shape.heads, resources.capacity + shape.block, shape.dim, like.dtype, like.device
        )
        slot = 2 * shape.depth * shape.heads * shape.dim * like.dtype.itemsize
        self._unread = like.new_empty(0, len(shape.layers), shape.width)
        """States of the target, behind the text's last tokens but the pending one, whose keys are not written yet."""
        self.caches = (OwnCache(NAME, self._cache, slot, target.way),)
        self.heads = Heads(Reads.BLOCK, self._layers, target.layers, shape.width, shape.block - 1, pending=True)

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text = list(prompt)
        self._cache.truncate(0)
        found = states.of_prompt(seen, self._layers)
        self._unread = found if found is not None else self._unread[:0]
        self._remember(len(self._unread))

    def commit(self, step: Committed) -> None:
        """The states of accepted guesses take the place of the block."""
        cache, length = self._cache, len(self._text)
        blanks = cache.length - length
        cache.truncate(min(cache.length, length - 1))
        self._unread = torch.cat([self._unread, states.of_round(step, self._layers)])
        self._text += step.tokens
        if blanks >= 0:
            self._remember(min(1 + blanks, len(step.path) + 1))

    def _begin_again(self, text: Sequence[int]) -> None:
        base.begin(self, self._target, text, self._target.new_cache(len(text)))

    def _fitting(self, budget: Budget) -> Budget:
        places = self._head.shape.block - 1
        return budget.within(places, f"a block has {places} blanks")

    def _shape(self, depth: int) -> Plan | None:
        return None if self.points else states.shape(self.nodes or 0, depth, self._rates, self.width)

    def _words(self, depth: int) -> str:
        return f"Blank {depth + 1} of {self._head.shape.block - 1}, filled in one pass with the others."

    @torch.inference_mode()
    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Tensor:
        """All levels are of one pass, but a block takes no more slots than blanks that were asked for."""
        if places == [ROOT]:
            self._cache.truncate(min(self._cache.length, len(self._text) - 1))
            self._remember(len(self._unread))
            self._logits = self._filled()
        depth = 0 if places == [ROOT] else nodes[places[0]].depth + 1
        self._cache.advance(1)
        return self._logits[depth].expand(len(places), -1)

    @torch.inference_mode()
    def _remember(self, count: int) -> None:
        """Writes keys and values of the first so many states that were not read, behind the others."""
        if not count:
            return
        cache, fused = self._cache, self._head.fused(self._unread[:count])
        self._unread = self._unread[count:]
        places = torch.arange(cache.length, cache.length + len(fused), device=fused.device)
        for number, (keys, values) in enumerate(self._head.remembered(fused, places)):
            cache.write(number, keys, values)
        cache.advance(len(fused))

    def _filled(self) -> Tensor:
        """logits[block - 1, V] of what follows the text, place by place."""
        cache, last = self._cache, len(self._text) - 1

        def attend(number: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            keys, values = cache.write(number, k, v)
            found: Tensor = ((q @ keys.mT) * q.shape[-1] ** -0.5).softmax(-1) @ values
            return found

        places = torch.arange(last, last + self._head.shape.block, device=cache.slots.device)
        return self._target.spoken(self._head(self._target.embedded(self._text[-1:])[0], places, attend))


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there is no such head for this target."""
    target, head = states.opened(resources), resources.head(KIND, str(params["head"]))
    made: DFlash | PublishedDFlash
    if isinstance(head, PublishedHead):
        made, target = published_dflash.made(head, target)
    else:
        made = filled(head, DFlashShape, DFlash, target)
    return DFlashDrafter(made, target, states.rates(head, "drawn"), params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
