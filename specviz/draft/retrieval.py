"""Copies from other texts: finds the last tokens of the text in a datastore, and guesses what follows them there."""

import heapq
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from specviz import draft
from specviz.config.settings import Budget, milliseconds
from specviz.config.words import because
from specviz.draft.base import (
    ChainDrafter,
    Committed,
    Drafter,
    DrafterSpec,
    Guess,
    Proposal,
    Resources,
    Settings,
    attach,
    cut,
    matching_points,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.models import datastore
from specviz.models.datastore import LONGEST, Datastore, Ids, Match
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Passage, Source
from specviz.trace.round import Drafting

NAME = "retrieval"
PASSAGE = 8
"""Tokens that are shown of the passage before the text that was copied."""


class Copied(NamedTuple):
    """A guess, one place from which it was copied, and at how many places of the match the text continues with it."""

    token: int
    parent: int
    place: int
    seen: int


class Retrieval(ChainDrafter):
    """Guesses the continuations that occur at the most places of the longest match.

    Source: REST, He et al., arXiv:2311.08252.
    """

    def __init__(self, store: Datastore, nodes: int, resources: Resources) -> None:
        self.nodes: int = nodes
        self._store = store
        self._decode, self._clock = resources.decode, resources.clock
        self._text: list[int] = []
        self._found: tuple[Match, list[Copied]] = Match(0, np.zeros(0, np.int64)), []
        """What the last guesses were copied from."""

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text = list(prompt)

    def commit(self, step: Committed) -> None:
        self._text.extend(step.tokens)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._clock()
        match = self._store.match(self._text[-LONGEST:])
        copied = self._continuations(match, budget)
        depths = _tree(copied).depths()
        glances, halted = point_glances(max(depths, default=-1) + 1, halt)
        if halted:  # deeper levels are not drafted
            copied = [copied[node]._replace(parent=parent) for node, parent in cut(_tree(copied), len(glances))]
            depths = _tree(copied).depths()
        self._found = match, copied
        guesses = [self._guess(copied, node, match, depths[node]) for node in range(len(copied))]
        return proposal(guesses, [Drafting(len(guesses), milliseconds(self._clock() - start))], 0, glances, halted)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        depth = max(tree.depths(), default=-1) + 1
        copied = self._continuations(self._store.match(text[-LONGEST:]), Budget.chain(depth, "").shaped(self.nodes))
        return matching_points(_tree(copied), tree)

    def with_sources(self, proposal: Proposal) -> Proposal:
        match, copied = self._found
        depths = proposal.tree.depths()
        shown = (
            replace(guess.source, passage=self._passage(each.place, match.length, depth))
            for guess, each, depth in zip(proposal.guesses, copied, depths, strict=True)
        )
        return attach(proposal, shown)

    def _passage(self, place: int, matched: int, depth: int) -> Passage:
        """Some tokens before the match, the match, and what was copied up to this place."""
        first = max(0, place - depth - matched - PASSAGE)
        tokens = self._store.tokens[first : place + 1].tolist()
        tokens = tokens[len(tokens) - tokens[::-1].index(Datastore.END) :] if Datastore.END in tokens else tokens
        return Passage(tuple(tokens), (), matched, depth + 1)

    def _continuations(self, match: Match, budget: Budget) -> list[Copied]:
        """The most frequent continuation comes first, so each guess comes after its parent."""
        tokens = self._store.tokens
        copies: list[Copied] = []
        waiting: list[tuple[int, int, Copied, Ids]] = []
        order = count()

        def offer(parent: int, places: Ids) -> None:
            following = tokens[places]
            each, first, seen = np.unique(following, return_index=True, return_counts=True)
            for token, place, many in zip(each.tolist(), places[first].tolist(), seen.tolist(), strict=True):
                if token != Datastore.END:
                    behind = places[following == token] + 1
                    heapq.heappush(waiting, (-many, next(order), Copied(token, parent, place, many), behind))

        depths: dict[int, int] = {ROOT: 0}
        if match.length and budget.depth > 0:
            offer(ROOT, match.places)
        while waiting and len(copies) < budget.nodes:
            _, _, copied, behind = heapq.heappop(waiting)
            node = len(copies)
            copies.append(copied)
            depths[node] = depths[copied.parent] + 1
            if depths[node] < budget.depth:
                offer(node, behind)
        return copies

    def _guess(self, copied: Sequence[Copied], node: int, match: Match, depth: int) -> Guess:
        token, parent, place, seen = copied[node]
        rank = sum(other.parent == parent for other in copied[:node])
        passage = self._store.tokens[max(0, place - depth - PASSAGE) : place + 1].tolist()
        work = self._store.work(place)
        passage = passage[passage.index(Datastore.END) + 1 :] if Datastore.END in passage else passage
        quoted = " ".join(self._decode(passage).split())
        words = because("retrieved", seen=seen, places=len(match.places), work=work, passage=quoted)
        return Guess(token, parent, Point(token), None, Source(NAME, rank, words=words))


def _tree(copied: Sequence[Copied]) -> DraftTree:
    return DraftTree(tuple(each.token for each in copied), tuple(each.parent for each in copied))


def build(resources: Resources, params: Settings) -> Drafter:
    """Reads the pair's datastore, or the one that the parameter `datastore` names."""
    named = str(params["datastore"])
    path = Path(named) if named else resources.asset(SPEC.entry.asset)
    return Retrieval(datastore.load(path, resources.vocab_size), int(params["nodes"]), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
