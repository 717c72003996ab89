"""Drafts from up to four tokens, the longest known context first. It learns from the text as it grows."""

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
from specviz.models.counts.table import CountTable, Online
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Counts, Source, Table

NAME = "ngram"


class Ngram(ChainDrafter):
    """The counts of the training text, with those of the prompt and of every committed token added."""

    def __init__(self, table: CountTable, resources: Resources) -> None:
        self._table = table
        self._resources = resources
        self._counts = Online(table)
        self._text: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._counts = Online(self._table)
        self._text = []
        self._learn(prompt)

    def commit(self, step: Committed) -> None:
        self._learn(step.tokens)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        return draw_chain(budget, self._text, self._next_logits, self._resources, chance, halt)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        self.begin(text)
        warm = self._resources.sampling
        return [Row(row(self._next_logits(before)[0], warm, text, before)) for before in branches(tree)]

    def _learn(self, tokens: Sequence[int]) -> None:
        self._text += tokens
        self._counts.extend(tokens)

    def with_sources(self, proposal: Proposal) -> Proposal:
        return attach(
            proposal,
            (
                replace(guess.source, tables=self._shown([*self._text[-4:], *before][-4:], guess.token))
                for guess, before in zip(proposal.guesses, branches(proposal.tree), strict=True)
            ),
        )

    def _shown(self, context: Sequence[int], guess: int) -> tuple[Table, ...]:
        """The longest context first; each supplies what the longer ones leave to it."""
        left, tables = 1.0, list[Table]()
        for level in reversed(list(self._counts.mixed(context))):
            counts = np.zeros((2, self._table.vocab_size), np.int64)
            counts[0, level.corpus.tokens] = level.corpus.counts
            counts[1, level.own.tokens] = level.own.counts
            shown = followers(guess, level.tokens, *counts[:, level.tokens])
            share = float(f"{left * level.mass:.6g}")
            tables.append(Table(level.length, level.corpus.seen, level.own.seen, share, shown))
            left *= 1 - level.mass
        return tuple(tables)

    def _next_logits(self, drawn: Sequence[int]) -> tuple[Floats, Source]:
        mixed = self._counts.ngram([*self._text[-4:], *drawn][-4:])
        words = because("ngram", context=mixed.length, seen=f"{mixed.seen:,}", own=f"{mixed.own:,}")
        counts = Counts(mixed.length, mixed.seen, mixed.own)
        return np.log(mixed.probs), Source(NAME, counts=counts, words=words)


def build(resources: Resources, params: Settings) -> Drafter:
    """Takes no parameters. Raises ConfigError: the pair has no count table."""
    if resources.counts is None:
        raise ConfigError("lacks", what="counts")
    return Ngram(resources.counts(), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
