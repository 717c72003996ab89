"""The next token from the last one alone, by how often the training text had that pair."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from specviz.chance import Chance
from specviz.config import Budget, ConfigError
from specviz.draft import ENTRIES
from specviz.draft.base import Committed, Drafter, DrafterSpec, Proposal, Resources, draw_chain
from specviz.gamma.base import Halting
from specviz.models.counts import CountTable
from specviz.trace import Counts, Source


class Bigram:
    """Draws from the smoothed row of the last token; knows nothing else of the text."""

    cache_length = None

    def __init__(self, table: CountTable, k: float | None, resources: Resources) -> None:
        self._table = table
        self._k = k
        self._resources = resources
        self._last = 0
        self._position = 0

    def begin(self, prompt: Sequence[int]) -> None:
        self._last, self._position = prompt[-1], len(prompt)

    def commit(self, step: Committed) -> None:
        self._last = step.tokens[-1]
        self._position += len(step.tokens)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        return draw_chain(budget, self._position, self._law, self._resources, chance, halt)

    def _law(self, drawn: Sequence[int]) -> tuple[Tensor, Source]:
        last = drawn[-1] if drawn else self._last
        row = self._table.bigram(last, self._k)
        seen = self._table.followers((last,)).seen
        return torch.from_numpy(np.log(row)), Source(
            "bigram", 0, None, Counts(1, seen, 0), f"1 token of context, seen {seen:,} times"
        )


def build(resources: Resources, params: Mapping[str, float]) -> Drafter:
    """k = 0 takes the fitted value. Raises ConfigError: the pair has no count table."""
    if resources.counts is None:
        raise ConfigError("this pair has no count table; choose another drafter")
    return Bigram(resources.counts(), params["k"] or None, resources)


SPEC = DrafterSpec(next(entry for entry in ENTRIES if entry.name == "bigram"), build)
