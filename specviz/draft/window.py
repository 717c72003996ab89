"""The target itself drafts, token by token, and reads less of its KV cache: the first slots and the last ones.

The guesses' keys are written after the text's and forgotten before the check, which writes them anew from all slots:
the target's cache never holds what was read through the window. While the text is no longer than what is seen, a guess
is the target's own next token, and q is p.

The compiled pass does not read the slots that a guess does not see. Other passes read all and leave some out: there a
guess costs what a plain step costs. Source: see its entry.
"""

from collections.abc import Sequence

import numpy as np

from specviz import draft
from specviz.config.settings import Budget, ConfigError
from specviz.config.words import because
from specviz.draft.base import Drafter, DrafterSpec, Proposal, Resources, Settings, SharingChain, branches
from specviz.draft.chain import draw_chain
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.verify import LanguageModel, read

NAME = "window"


class Window(SharingChain):
    """Reads the first `sinks` and the last `window` slots of the target's own cache."""

    def __init__(self, sinks: int, window: int, target: LanguageModel, resources: Resources) -> None:
        self._sinks, self._window, self._target, self._resources = sinks, window, target, resources

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._cache.length

        def next_logits(drawn: Sequence[int]) -> tuple[Reals, Source]:
            return self._read([*self._text, *drawn]), self._source()

        drawn = draw_chain(budget, self._text, next_logits, self._resources, chance, halt, 1)
        self._cache.truncate(start)
        return drawn

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        self.share(self._target.new_cache(len(text) + len(tree)))
        read(self._target, text[:-1], self._cache)
        laws = []
        for before in branches(tree):
            self._cache.truncate(len(text) - 1)
            laws.append(Row(row(self._read([*text, *before]), self._resources.sampling, text, before)))
        return laws

    def _read(self, text: Sequence[int]) -> Reals:
        """The logits after the text. Reads what its cache does not hold of it."""
        for end in range(self._cache.length + 1, len(text) + 1):
            mask = None
            if end > self._sinks + self._window:
                mask = np.ones((1, end), bool)
                mask[0, self._sinks : -self._window] = False
            logits: Reals = self._target.forward(text[end - 1 : end], [end - 1], mask, self._cache)[0]
        return logits

    def _source(self) -> Source:
        seen = {"first": self._sinks, "last": self._window, "slots": self._cache.length}
        whole = self._cache.length <= self._sinks + self._window
        return Source(NAME, words=because("window.all" if whole else "window.some", **seen))


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: the target cannot leave slots out."""
    target = resources.target
    assert target, "a run has one"
    if why := target.way.refused("branch"):
        raise ConfigError("no_window", reason=why)
    return Window(int(params["sinks"]), int(params["window"]), target, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
