"""EAGLE: one extra layer foretells the target's next hidden state, and the target's output layer reads a token off it.

Its cache has one slot less than the text has tokens: a slot belongs to a state, and the token that was drawn from it.
After every round all slots behind the accepted text are made anew from the states that the target had.

Source: EAGLE-3, Li et al., arXiv:2503.01840; the tree: EAGLE-2, arXiv:2406.16858.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz import draft
from specviz.config import Budget
from specviz.draft import base, states
from specviz.draft.base import Committed, Drafter, DrafterSpec, OwnCache, Resources, Settings
from specviz.draft.growing import DEEPEST
from specviz.draft.reading import Reading
from specviz.draft.shapes import Plan, Rates
from specviz.models.heads.eagle import KIND, Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass
from specviz.models.heads.published import PublishedHead
from specviz.models.heads.published import eagle as published_eagle
from specviz.models.heads.published.eagle import PublishedEagle
from specviz.models.heads.shaped import filled
from specviz.trim import KVCache
from specviz.verify import CHUNK, HeadedModel, Needs, Scores

NAME = "eagle"


class EagleDrafter(Reading):
    """Keeps the head in step with the text."""

    behind = 1

    def __init__(
        self,
        head: EaglePass | PublishedEagle,
        target: HeadedModel,
        rates: Sequence[Rates],
        settings: Settings,
        resources: Resources,
    ) -> None:
        chain = settings["shape"] == "chain"
        nodes = None if chain else int(settings["nodes"])
        points = resources.sampling.temperature == 0
        super().__init__(NAME, resources, nodes, int(settings["width"]), points=points)
        like = target.embedded([0])
        self._head, self._target, self._rates = head, target, rates
        self._layers = head.shape.layers
        self.needs = Needs(hidden=self._layers)
        spare = self.width * DEEPEST if points and not chain else nodes or 0
        capacity = resources.capacity + spare
        self._cache = KVCache(1, head.shape.heads, capacity, head.shape.dim, like.dtype, like.device)
        self._out = like.new_empty(capacity, head.shape.width)
        self._known = like.new_empty(0, head.shape.width)
        """Fused states of the target, of the text's last places; at least those that the head did not read yet."""
        slot = 2 * head.shape.heads * head.shape.dim * like.dtype.itemsize
        self.caches = (OwnCache(NAME, self._cache, slot, target.way),)

    @torch.inference_mode()
    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text = list(prompt)
        self._cache.truncate(0)
        found = states.of_prompt(seen, self._layers)
        self._known = self._out[:0] if found is None else self._head.fused(found)
        known = len(self._known) - 1
        for start in range(0, known, CHUNK):
            part = range(start, min(start + CHUNK, known))
            self._step(self._text[part.start + 1 : part.stop + 1], self._known[part.start : part.stop], part, None)

    @torch.inference_mode()
    def commit(self, step: Committed) -> None:
        self._cache.truncate(min(self._cache.length, len(self._text) - 1))
        self._known = torch.cat([self._known, self._head.fused(states.of_round(step, self._layers))])
        self._text += step.tokens

    def _begin_again(self, text: Sequence[int]) -> None:
        base.begin(self, self._target, text, self._target.new_cache(len(text)))

    def _fitting(self, budget: Budget) -> Budget:
        return budget.within(DEEPEST * (len(self._text) > 1), "the target has read nothing yet")

    def _shape(self, depth: int) -> Plan | None:
        return None if self.points else states.shape(self.nodes or 0, depth, self._rates, self.width)

    def _words(self, depth: int) -> str:
        return "Read off a state imagined behind an imagined one." if depth else "Read off the state imagined next."

    @torch.inference_mode()
    def _read_text(self) -> Tensor:
        cache, places = self._cache, len(self._text) - 1
        cache.truncate(min(cache.length, places - 1))
        unread = range(cache.length, places)
        self._known = self._known[-len(unread) :]
        out = self._step(self._text[unread.start + 1 :], self._known, unread, None)
        self._known = self._known[-1:]
        return self._target.spoken(self._head.normed(out[-1:]))

    @torch.inference_mode()
    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, parents: Sequence[int]
    ) -> Tensor:
        out = self._step(tokens, self._out[[*parents]], positions, mask)
        return self._target.spoken(self._head.normed(out))

    def _step(self, tokens: Sequence[int], before: Tensor, positions: Sequence[int], mask: Tensor | None) -> Tensor:
        """The states that follow, [n, width], from tokens and the states they were drawn from. No mask: see forward."""
        start, n = self._cache.length, len(tokens)
        if mask is None and n > 1:
            mask = torch.ones(n, start + n, dtype=torch.bool).tril(start)
        out = self._head(self._target.embedded(tokens), before, positions, mask, self._cache)
        self._out[start : start + n] = out
        return out


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there is no such head for this target."""
    target, head = states.opened(resources), resources.head(KIND, str(params["head"]))
    like = target.embedded([0])
    made: EaglePass | PublishedEagle
    if isinstance(head, PublishedHead):
        found, target = published_eagle.made(head, target)
        made = found.to(like.device, like.dtype)
    else:
        own = filled(head, EagleShape, Eagle, target).to(like.device, like.dtype)
        made = EaglePass(own, resources.capacity + DEEPEST)
    return EagleDrafter(made, target, states.rates(head, "drawn"), params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
