"""Copies from the text: the last few tokens occurred before, so guess what followed them there."""

from collections.abc import Sequence

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
    matching_points,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting

NAME = "prompt-lookup"


class PromptLookup(ChainDrafter):
    """Looks up where the text's last tokens occurred before: the longest match first, then the most recent place.

    It stores the place of every run of up to `longest` tokens, so a lookup costs no more in a long text.
    Source: Saxena, prompt lookup decoding, 2023.
    """

    def __init__(self, shortest: int, longest: int, resources: Resources) -> None:
        self._lengths = range(max(shortest, longest), shortest - 1, -1)
        self._clock = resources.clock
        self._text: list[int] = []
        self._ends: dict[tuple[int, ...], int] = {}

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text, self._ends = [], {}
        self._grow(prompt)

    def commit(self, step: Committed) -> None:
        self._grow(step.tokens)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._clock()
        length, place = self._match()
        copied = self._text[place : place + min(budget.nodes, budget.depth)] if length else []
        words = because("lookup", length=length)
        guesses = [
            Guess(token, node - 1, Point(token), None, Source(NAME, span=(place + node, place + node + 1), words=words))
            for node, token in enumerate(copied)
        ]
        glances, halted = point_glances(len(guesses), halt)
        guesses = guesses[: len(glances)] if halted else guesses
        return proposal(guesses, [Drafting(len(guesses), milliseconds(self._clock() - start))], 0, glances, halted)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self.begin(text)
        length, place = self._match()
        return matching_points(DraftTree.chain(self._text[place:] if length else ()), tree)

    def _match(self) -> tuple[int, int]:
        """How many of the last tokens occurred before, 0 if none did, and where what followed them begins."""
        for length in self._lengths:
            place = self._ends.get(tuple(self._text[-length:])) if length <= len(self._text) else None
            if place is not None:
                return length, place
        return 0, 0

    def _grow(self, tokens: Sequence[int]) -> None:
        """A run of tokens is stored only once something follows it, so the text's own end never matches."""
        for token in tokens:
            for length in self._lengths:
                if length <= len(self._text):
                    self._ends[tuple(self._text[-length:])] = len(self._text)
            self._text.append(token)


def build(resources: Resources, params: Settings) -> Drafter:
    """Matches min_match to max_match tokens."""
    return PromptLookup(int(params["min_match"]), int(params["max_match"]), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
