"""One extra layer predicts the target's next hidden state, and the target's output layer reads a token from it. Shared
by `eagle` and `mtp`.

A slot of its cache belongs to a token and the state it was drawn from; the first token, drawn from none, has an empty
one. After every round the slots of accepted guesses, which were drawn from imagined states, are made again from the
target's own.

Source of the tree: EAGLE-2, Li et al., arXiv:2406.16858.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from specviz.config.settings import MOST_GAMMA, Budget
from specviz.config.words import Reason, because
from specviz.draft import base, states
from specviz.draft.base import Committed, Drafter, OwnCache, Resources, Settings
from specviz.draft.growing import Reading
from specviz.draft.shapes import Plan, Rates
from specviz.sampling.arrays import Bools, Reals
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.info import Heads, Reads
from specviz.trace.round import Imagined
from specviz.verify import CHUNK, HeadedModel, Needs, Scores

if TYPE_CHECKING:
    from specviz.models.heads.compiled import Compiled
    from specviz.models.heads.working import EagleHead


class Imagining(Reading):
    """Keeps the head in step with the text."""

    _cache: Any

    def __init__(
        self,
        name: str,
        head: "EagleHead | Compiled",
        target: HeadedModel,
        rates: Sequence[Rates],
        settings: Settings,
        resources: Resources,
    ) -> None:
        chain = settings["shape"] == "chain"
        nodes = None if chain else int(settings["nodes"])
        points = resources.sampling.temperature == 0
        super().__init__(name, resources, nodes, int(settings["width"]), points=points)
        self._head, self._target, self._rates = head, target, rates
        self._layers = head.shape.layers
        self.needs = Needs(hidden=self._layers)
        spare = self.width * MOST_GAMMA if points and not chain else nodes or 0
        capacity = resources.capacity + spare
        self._cache = head.new_cache(capacity)
        self._out = np.empty((capacity, head.depth * head.shape.width), head.words.embedded([0]).dtype)
        self._known = self._nothing = np.empty((0, head.shape.width), self._out.dtype)
        """Fused states of the target, after the text's last tokens but the pending one, as many as are of use."""
        self.caches = (OwnCache(name, self._cache, head.slot_bytes, target.way),)
        self.heads = Heads(Reads.IMAGINED, self._layers, target.layers, head.shape.width, places=0, pending=True)

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text, self._drafted = list(prompt), ()
        self._cache.truncate(0)
        read = states.of_prompt(seen, self._layers)
        self._known = self._nothing if read is None else self._head.fused(read)
        self._follow(len(prompt) - 1)

    def commit(self, step: Committed) -> None:
        """Reads the accepted guesses that it had read once more, now from the states that the target had."""
        cache, length = self._cache, len(self._text)
        drafted = [self._drafted[node].slot for node in step.path if node < len(self._drafted)]
        again = drafted.index(None) if None in drafted else len(drafted)
        cache.truncate(min(cache.length, length))
        self._known = np.concatenate([self._known, self._head.fused(states.of_round(step, self._layers))])
        self._text += step.tokens
        self._follow(length + again if again else cache.length)

    def imagined(self, tree: DraftTree, scores: Scores) -> list[Imagined]:
        """What the output layer reads after the pending token and after guesses that were read.

        An output layer of the head's own reads nothing else; then it is what the head reads next.
        """
        nodes = sorted({*tree.parents})
        slots = [len(self._text) - 1 if node == ROOT else self._drafted[node].slot for node in nodes]
        rows, outputs = [node + 1 for node in nodes], self._out[[slot for slot in slots if slot is not None]]
        if self._head.ours and self._layers[-1] == self._target.layers:
            return states.compared(nodes, self._head.normed(outputs), scores.hidden[self._layers[-1]][rows])
        hidden = np.stack([scores.hidden[layer] for layer in self._layers], 1)
        return states.compared(nodes, outputs, self._head.fused(hidden[rows]))

    def _begin_again(self, text: Sequence[int]) -> None:
        base.begin(self, self._target, text, self._target.new_cache(len(text)))

    def _fitting(self, budget: Budget) -> Budget:
        if len(self._text) == 1:
            return budget.within(0, because("unread"))
        layers = self._head.depth
        return budget if layers == 1 else budget.within(layers, because("heads", heads=layers))

    def _shape(self, depth: int) -> Plan | None:
        return None if self.points else states.shape(self.nodes or 0, depth, self._rates, self.width)

    def _words(self, depth: int) -> Reason:
        return because("imagined.further" if depth else "imagined.next")

    def _read_text(self) -> Reals:
        length = len(self._text)
        self._cache.truncate(min(self._cache.length, length - 1))
        self._follow(length)
        return self._head.words.spoken(self._head.normed(self._out[length - 1 : length]))

    def _follow(self, end: int) -> None:
        """Reads the text up to there, each token with the state of the target that it was drawn from."""
        cache, length = self._cache, len(self._text)
        if not cache.length and end:
            cache.advance(1)
        while cache.length < end:
            part = range(cache.length, min(cache.length + CHUNK, end))
            first = len(self._known) - length + part.start
            self._step(self._text[part.start : part.stop], self._known[first : first + len(part)], part, None)
        self._known = self._known[-max(1, length - cache.length) :]

    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, parents: Sequence[int]
    ) -> Reals:
        out = self._step(tokens, self._out[[*parents]], positions, mask)
        return self._head.words.spoken(self._head.normed(out))

    def _step(self, tokens: Sequence[int], before: Reals, positions: Sequence[int], mask: Bools | None) -> Reals:
        """The states that follow, [n, width], from tokens and the states they were drawn from. No mask: see forward."""
        start = self._cache.length
        out = self._head(self._head.words.embedded(tokens), before, positions, mask, self._cache)
        self._out[start : start + len(tokens)] = out
        return out


def build(name: str, resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there is no such layer for this target."""
    from specviz.models.heads import working

    target, head = states.opened(resources), resources.head(name, str(params["head"]))
    made = (working.eagle if name == "eagle" else working.mtp)(head, target, resources.capacity + MOST_GAMMA)
    return Imagining(name, made, target, head.rates("drawn"), params, resources)
