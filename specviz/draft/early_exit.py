"""The target's first layers draft, each guess read by a small trained exit. There is no second model and no second
cache: the layers write the target's own slots, and the check continues where they stopped.

A target whose passes are recorded whole runs all its layers again for the check. The text is lossless either way,
because q is what the exit's guesses were drawn from.

Source: LayerSkip, Elhoushi et al., arXiv:2404.16710; a trained exit on a frozen target: Kangaroo, arXiv:2404.18911.
"""

from collections.abc import Callable, Sequence

import numpy as np

from specviz import draft
from specviz.config.settings import Budget, ConfigError
from specviz.config.words import because
from specviz.draft.base import Drafter, DrafterSpec, Proposal, Resources, Settings, SharingChain, branches
from specviz.draft.chain import draw_chain
from specviz.gamma.base import Halting
from specviz.models.heads.files import EXITS
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trim import KVCache
from specviz.verify import CHUNK, Needs, SplitModel

NAME = "early-exit"


class EarlyExit(SharingChain):
    """Runs the target's first layers over the target's own cache, one token at a time."""

    def __init__(
        self, target: SplitModel, layers: int, way_out: Callable[[Reals], Reals], resources: Resources
    ) -> None:
        """way_out: from the hidden states after these layers to what the target's output layer reads."""
        self.needs = Needs(layers=layers)
        self._target, self._layers, self._exit = target, layers, way_out
        self._resources = resources
        self._source = Source(NAME, words=because("exit.full" if target.unsplit else "exit.on", layer=layers))
        self._read([0], target.new_cache(1).first(layers))  # what is made at the first pass is not a round's cost

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        first = self._cache.first(self._layers)
        unread = self._text[first.length :]
        states: list[Reals] = []

        def next_logits(drawn: Sequence[int]) -> tuple[Reals, Source]:
            done = first.length - self._cache.length
            states.append(self._read([*unread, *drawn][done:], first))
            return self._logits(states[-1]), self._source

        drawn = draw_chain(budget, self._text, next_logits, self._resources, chance, halt, 1)
        return drawn._replace(started=np.concatenate(states)) if drawn.guesses else drawn

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        self.share(self._target.new_cache(len(text) + len(tree)))
        first = self._cache.first(self._layers)
        for start in range(0, len(text) - 1, CHUNK):
            self._read(text[:-1][start : start + CHUNK], first)
        laws = []
        for before in branches(tree):
            first.truncate(len(text) - 1)
            logits = self._logits(self._read([text[-1], *before], first))
            laws.append(Row(row(logits, self._resources.sampling, text, before)))
        return laws

    def _read(self, tokens: Sequence[int], first: KVCache) -> Reals:
        """Hidden states after the last of the layers."""
        start = first.length
        return self._target.start(self._layers, tokens, range(start, start + len(tokens)), None, first)

    def _logits(self, hidden: Reals) -> Reals:
        logits: Reals = self._target.read_off(self._exit(hidden[-1:]))[0]
        return logits


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: there is no exit after that layer of this target."""
    from specviz.models.heads import working

    target = resources.target
    if not isinstance(target, SplitModel):
        raise ConfigError("no_layers")
    layers, head = int(params["layer"]), resources.head(EXITS, str(params["exits"]))
    return EarlyExit(target, layers, working.way_out(head, layers, target), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
