"""Remembers for each token which tokens the target last found most probable after it, and guesses a tree of them.

A pass of the target gives a distribution after every token it reads: after accepted and rejected guesses, and after
each token of the prompt. The most probable tokens of each are remembered until the target reads the same token again,
whatever the text before it.

Source: Token Recycling, Luo et al., arXiv:2408.08696.
"""

import heapq
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from specviz import draft
from specviz.config.settings import Budget, Clock, ConfigError, milliseconds
from specviz.config.words import because
from specviz.draft.base import (
    Committed,
    Drafter,
    DrafterSpec,
    Guess,
    OwnCache,
    Proposal,
    Resources,
    Settings,
    attach,
    begin,
    branches,
    matching_points,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.ruler import largest
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Counts, Follower, Source, Table
from specviz.trace.round import Drafting
from specviz.verify import LanguageModel, Needs, Scores

NAME = "recycling"
KEPT = 8
"""Tokens remembered after each token."""
RATES = (0.37, 0.09, 0.045, 0.027, 0.017, 0.015, 0.011, 0.01)
"""How often the first, the second ... of them is accepted where a round reaches it. The rates rank a tree's guesses.
Measured with the embedded pair: the mean of temperature 0.8 and 0.
"""


class _Row(NamedTuple):
    """The most probable tokens after a token, by the target.

    Attributes:
        learned: the number of the pass that gave them; 0 is the pass over the prompt.
        rejected: whether the token itself was a guess that was not accepted.
        times: how often a pass gave them for this token.
    """

    tokens: Sequence[int]
    learned: int
    rejected: bool
    times: int


class _Place(NamedTuple):
    """A possible guess: a token of a row, the node that it would follow, and its level, 1 right after the text."""

    row: _Row
    rank: int
    parent: int
    level: int


class Recycling:
    """Guesses the `nodes` likeliest nodes of a tree in which the remembered tokens follow each guess.

    The likelihood of a node is the product of the rates of its own rank and of those above it. Nothing follows a token
    that the target has not read yet, so its share of the guesses goes to other branches.
    """

    needs = Needs(rows=True)
    caches: Sequence[OwnCache] = ()

    def __init__(self, nodes: int, target: LanguageModel, clock: Clock) -> None:
        self.nodes = nodes
        self._target, self._clock = target, clock
        self._rows: dict[int, _Row] = {}
        self._passes = 0
        self._pending = 0
        self._guessed: tuple[int, ...] = ()

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._rows, self._passes, self._guessed = {}, 0, ()
        self._pending = prompt[-1]
        if seen:
            read = len(seen.logits)
            self._learn(prompt[-1 - read : -1], seen.logits, [False] * read)

    def commit(self, step: Committed) -> None:
        self._passes += 1
        if step.scores:
            rejected = [node not in step.path for node in range(ROOT, len(self._guessed))]
            rejected[0] = False
            self._learn((self._pending, *self._guessed), step.scores.logits, rejected)
        self._pending, self._guessed = step.tokens[-1], ()

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._clock()
        guesses = self._grown(budget.nodes, budget.depth)
        depth = max(_tree(guesses).depths(), default=-1) + 1
        glances, halted = point_glances(depth, halt)
        if halted and len(glances) < depth:
            guesses = self._grown(budget.nodes, len(glances))
        self._guessed = tuple(guess.token for guess in guesses)
        return proposal(guesses, [Drafting(len(guesses), milliseconds(self._clock() - start))], 0, glances, halted)

    def with_sources(self, proposal: Proposal) -> Proposal:
        """With the table of each place, in the first guess that was taken from it."""
        befores = ((self._pending, *before)[-1] for before in branches(proposal.tree))
        tables = {guess.parent: self._shown(at) for guess, at in zip(proposal.guesses, befores, strict=True)}
        sources = (
            replace(guess.source, tables=(table,)) if (table := tables.pop(guess.parent, None)) else guess.source
            for guess in proposal.guesses
        )
        return attach(proposal, sources)

    def _shown(self, token: int) -> Table:
        row = self._rows[token]
        return Table(1, 0, row.times, 1.0, tuple(Follower(each, "", 0, 0) for each in row.tokens))

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """The distributions in a run that begins with this text. A guess that only later rounds can make has None."""
        begin(self, self._target, text, self._target.new_cache(len(text)))
        grown = _tree(self._grown(self.nodes, max(tree.depths(), default=-1) + 1))
        chosen = zip(matching_points(grown, tree), tree.tokens, strict=True)
        return [q if q and q.of(token) else None for q, token in chosen]

    def _grown(self, nodes: int, depth: int) -> list[Guess]:
        """The likeliest guesses. Each comes after its parent and after its likelier siblings."""
        guesses: list[Guess] = []
        waiting: list[tuple[float, int, _Place]] = []
        order = count()

        def offer(token: int, node: int, chance: float, level: int) -> None:
            row = self._rows.get(token)
            if row and level <= depth:
                for rank, rate in enumerate(RATES[: len(row.tokens)]):
                    heapq.heappush(waiting, (-chance * rate, next(order), _Place(row, rank, node, level)))

        offer(self._pending, ROOT, 1.0, 1)
        while waiting and len(guesses) < nodes:
            chance, _, (row, rank, parent, level) = heapq.heappop(waiting)
            token = row.tokens[rank]
            offer(token, len(guesses), -chance, level + 1)
            guesses.append(Guess(token, parent, Point(token), None, self._source(row, rank)))
        return guesses

    def _source(self, row: _Row, rank: int) -> Source:
        ago = self._passes + 1 - row.learned
        seen = because("recycled.rejected" if row.rejected else "recycled.rounds", choice=rank + 1, rounds=ago)
        words = seen if row.learned else because("recycled.prompt", choice=rank + 1)
        return Source(NAME, rank, None, Counts(1, 0, row.times), words)

    def _learn(self, tokens: Sequence[int], logits: Reals, rejected: Sequence[bool]) -> None:
        """Remembers a row for each token in place of the row before. If a token occurs twice, the last row counts."""
        kept = largest(logits[: len(tokens)], KEPT).tolist()
        for token, row, lost in zip(tokens, kept, rejected, strict=True):
            before = self._rows.get(token)
            self._rows[token] = _Row(row, self._passes, lost, 1 + (before.times if before else 0))


def _tree(guesses: Sequence[Guess]) -> DraftTree:
    return DraftTree(tuple(guess.token for guess in guesses), tuple(guess.parent for guess in guesses))


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameters. Raises ConfigError: there is no target to learn from."""
    if resources.target is None:
        raise ConfigError("no_target")
    return Recycling(int(params["nodes"]), resources.target, resources.clock)


SPEC = DrafterSpec(draft.entry(NAME), build)
