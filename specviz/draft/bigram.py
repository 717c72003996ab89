"""Drafts from the last token alone: how often each token followed it in the training text."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from specviz import draft
from specviz.config.settings import Budget, ConfigError
from specviz.config.words import because
from specviz.draft.base import (
    ChainDrafter,
    Committed,
    Drafter,
    DrafterSpec,
    Proposal,
    Resources,
    Settings,
    attach,
    branches,
)
from specviz.draft.chain import draw_chain
from specviz.draft.shown import followers
from specviz.gamma.base import Halting
from specviz.models.counts.table import CountTable
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Counts, Source, Table

NAME = "bigram"


class Bigram(ChainDrafter):
    """Draws from the smoothed row of the last token."""

    def __init__(self, table: CountTable, k: float | None, resources: Resources) -> None:
        self._table = table
        self._k = k
        self._resources = resources
        self._text: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text = list(prompt)

    def commit(self, step: Committed) -> None:
        self._text += step.tokens

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        return draw_chain(budget, self._text, self._next_logits, self._resources, chance, halt)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        self.begin(text)
        warm = self._resources.sampling
        return [Row(row(self._next_logits(before)[0], warm, text, before)) for before in branches(tree)]

    def with_sources(self, proposal: Proposal) -> Proposal:
        return attach(
            proposal,
            (
                replace(guess.source, tables=(self._shown(before[-1] if before else self._text[-1], guess.token),))
                for guess, before in zip(proposal.guesses, branches(proposal.tree), strict=True)
            ),
        )

    def _shown(self, last: int, guess: int) -> Table:
        after = self._table.followers((last,))
        if not after.seen:  # as `CountTable.bigram` does
            everywhere = self._table.followers(())
            return Table(0, everywhere.seen, 0, 1.0, followers(guess, everywhere.tokens, everywhere.counts))
        return Table(1, after.seen, 0, 1.0, followers(guess, after.tokens, after.counts))

    def _next_logits(self, drawn: Sequence[int]) -> tuple[Floats, Source]:
        last = drawn[-1] if drawn else self._text[-1]
        row = self._table.bigram(last, self._k)
        seen = self._table.followers((last,)).seen
        words = because("bigram", seen=f"{seen:,}")
        return np.log(row), Source(NAME, counts=Counts(1, seen, 0), words=words)


def build(resources: Resources, params: Settings) -> Drafter:
    """k = 0 takes the fitted value. Raises ConfigError: the pair has no count table."""
    if resources.counts is None:
        raise ConfigError("lacks", what="counts")
    return Bigram(resources.counts(), float(params["k"]) or None, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
