"""Finds where the end of the text occurred before and guesses what followed most often, as a chain or a tree."""

import heapq
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

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
    cut,
    matching_points,
    point_glances,
    proposal,
)
from specviz.draft.matches import Places
from specviz.gamma.base import Halting
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting

NAME = "suffix"
DEPTH = 24
"""How many tokens of a match are compared."""
RECENT = 256
"""How many earlier positions of the last token are compared, the most recent ones."""


class Candidate(NamedTuple):
    """A possible guess.

    Attributes:
        chance: the probability, by the counts, of it and everything above it.
        place: its most recent position in the text.
        seen: how often it followed, and how often anything followed.
    """

    token: int
    parent: int
    chance: float
    place: int
    seen: tuple[int, int]


class Suffix(ChainDrafter):
    """Builds one draft for each match length and keeps the best.

    A draft has as many guesses as the match is long, times `factor`. It goes on as long as everything up to a guess is
    likely enough. The best draft has the largest sum of chances, the expected number of accepted guesses; of equal
    ones, that of the longest match.

    Source: Oliaro et al., arXiv:2411.04975, with lists of each token's places instead of a suffix tree.
    """

    def __init__(self, settings: Settings, resources: Resources) -> None:
        self._factor, self._least = float(settings["factor"]), float(settings["min_probability"])
        self.nodes = int(settings["nodes"]) if settings["shape"] == "tree" else None
        self._clock = resources.clock
        self._places = Places()

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._places = Places()
        self.commit(Committed((*prompt,)))

    def commit(self, step: Committed) -> None:
        for token in step.tokens:
            self._places.add(token)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._clock()
        length, candidates = self._best_draft(budget)
        depth = _tree(candidates).depths()
        glances, halted = point_glances(max(depth, default=-1) + 1, halt)
        if halted:  # the rule stopped at this level
            kept = cut(_tree(candidates), len(glances))
            candidates = [candidates[node]._replace(parent=parent) for node, parent in kept]
        expected = sum(each.chance for each in candidates)
        guesses = [self._guess(candidates, node, length, expected) for node in range(len(candidates))]
        return proposal(guesses, [Drafting(len(guesses), milliseconds(self._clock() - start))], 0, glances, halted)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self.begin(text)
        depth = max(tree.depths(), default=-1) + 1
        _, candidates = self._best_draft(Budget.chain(depth, "").shaped(self.nodes))
        return matching_points(_tree(candidates), tree)

    def _guess(self, candidates: Sequence[Candidate], node: int, length: int, expected: float) -> Guess:
        token, parent, _, place, (many, of) = candidates[node]
        rank = sum(other.parent == parent for other in candidates[:node])
        words = because("suffix", length=length, many=many, of=of, expected=f"{expected:.2g}")
        return Guess(token, parent, Point(token), None, Source(NAME, rank, (place, place + 1), None, words))

    def _best_draft(self, budget: Budget) -> tuple[int, list[Candidate]]:
        """The match length of the best draft, and that draft."""
        matches = [*self._places.matches(DEPTH, RECENT)]
        best: tuple[float, int, list[Candidate]] = 0.0, 0, []
        for length in range(1, max((length for length, _ in matches), default=0) + 1):
            places = [place for matched, place in matches if matched >= length]
            most = min(int(length * self._factor), budget.nodes)
            candidates = self._grown(places, most, budget.depth)
            score = sum(each.chance for each in candidates)
            if candidates and score >= best[0]:
                best = score, length, candidates
        return best[1:]

    def _grown(self, places: Sequence[int], most: int, depth: int) -> list[Candidate]:
        """Adds the likeliest guess first. A chain continues only after that one; a tree may return to others."""
        text, candidates = self._places.text, list[Candidate]()
        waiting: list[tuple[float, int, Candidate, list[int]]] = []
        order = count()

        def offer(node: int, places: Sequence[int], chance: float) -> None:
            after = Counter(text[place] for place in places if place < len(text))
            latest = {text[place]: place for place in sorted(places) if place < len(text)}
            ranked = sorted(after, key=lambda token: (-after[token], -latest[token]))
            for token in ranked if self.nodes is not None else ranked[:1]:
                share = chance * after[token] / after.total()
                if share >= self._least:
                    candidate = Candidate(token, node, share, latest[token], (after[token], after.total()))
                    there = [place + 1 for place in places if place < len(text) and text[place] == token]
                    heapq.heappush(waiting, (-share, next(order), candidate, there))

        levels: dict[int, int] = {ROOT: 0}
        if most > 0 and depth > 0:
            offer(ROOT, places, 1.0)
        while waiting and len(candidates) < most:
            _, _, candidate, there = heapq.heappop(waiting)
            node = len(candidates)
            candidates.append(candidate)
            levels[node] = levels[candidate.parent] + 1
            if levels[node] < depth:
                offer(node, there, candidate.chance)
        return candidates


def _tree(candidates: Sequence[Candidate]) -> DraftTree:
    return DraftTree(tuple(each.token for each in candidates), tuple(each.parent for each in candidates))


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameters."""
    return Suffix(params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
