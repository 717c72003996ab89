"""A drafter that guesses only where it is sure, and hands the rest of a round, or all of it, to another. Shared by
`grammar`, which is sure of what is forced, and `copy-first`, of what long matches continue with."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from specviz.config.settings import MOST_GAMMA, Budget, Clock, milliseconds
from specviz.draft.base import (
    Committed,
    Drafter,
    Guess,
    Proposal,
    SourcedDrafter,
    attach,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting
from specviz.verify import NOTHING, Scores

EVEN = 0.5
"""Guesses are made as long as all of them together are likelier accepted than not."""


class Sure(NamedTuple):
    """A token that is guessed, and where it comes from."""

    token: int
    source: Source


class First(Protocol):
    """Guesses where it is sure. What it guesses depends on the text alone.

    Attributes:
        certain: whether the target accepts all of its guesses.
        ends: tokens that nothing can follow.
    """

    @property
    def certain(self) -> bool: ...

    @property
    def ends(self) -> Collection[int]: ...

    def begin(self, text: Sequence[int]) -> None: ...

    def commit(self, tokens: Sequence[int]) -> None: ...

    def sure(self, most: int) -> list[Sure]:
        """The tokens after the text of which it is sure, `most` at most."""
        ...


class Handing:
    """After guesses that are certain the other drafter continues, taking them for text. Otherwise, or if it reads the
    target's states, which do not exist for a guess, it gets whole rounds. Of those it guesses as many tokens as are
    likelier accepted together than not, by its acceptance in this run, and one at least."""

    nodes: int | None = None

    def __init__(self, first: First, inner: Drafter, clock: Clock, most: int = MOST_GAMMA) -> None:
        """most: guesses of the other drafter in a round."""
        self._first, self._inner, self._clock, self._most = first, inner, clock, most
        self.caches, self.needs = inner.caches, inner.needs
        self._goes_on = first.certain and inner.needs == NOTHING
        self._text: list[int] = []
        self._heard: list[int] = []
        """What the other drafter takes for text."""
        self._others: Proposal | None = None
        """Its part of the last proposal."""
        self._stood, self._tested = 0, 0

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        self._text, self._heard = [*prompt], [*prompt]
        self._stood, self._tested = 0, 0
        self._first.begin(prompt)
        self._inner.begin(prompt, seen)

    def commit(self, step: Committed) -> None:
        self._text += step.tokens
        if self._others:
            self._stood += len(step.path)
            self._tested += min(len(step.path) + 1, len(self._others.guesses))
        self._first.commit(step.tokens)
        self._listen(self._text, step)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start, most = self._clock(), min(budget.nodes, budget.depth)
        found = self._first.sure(most)
        glances, halted = point_glances(len(found), halt)
        found = found[: len(glances)] if halted else found
        guesses = [
            Guess(each.token, place - 1, Point(each.token), None, each.source) for place, each in enumerate(found)
        ]
        drafting = [Drafting(len(found), milliseconds(self._clock() - start))] if found else []
        self._others = None
        if halted or (found and (len(found) == most or not self._goes_on or found[-1].token in self._first.ends)):
            return proposal(guesses, drafting, 0, glances, halted)
        self._listen([*self._text, *(each.token for each in found)], Committed(()))
        some = min(most - len(found), self._most if self._first.certain else self._likely())
        left = replace(budget, nodes=some, depth=some)
        made = self._others = self._inner.propose(left, chance, halt and (lambda seen: halt([*glances, *seen])))
        guesses += [guess._replace(parent=len(found) + guess.parent) for guess in made.guesses]
        return proposal(guesses, [*drafting, *made.drafting], made.calls, [*glances, *made.glances], made.halt)

    def _likely(self) -> int:
        """How many guesses of the other drafter are likelier accepted together than not; at least one."""
        rate = (self._stood + EVEN) / (self._tested + 1)
        return min(self._most, max(1, int(math.log(EVEN) / math.log(rate))))

    def with_sources(self, proposal: Proposal) -> Proposal:
        """See SourcedDrafter."""
        others = self._others
        if others is None or not isinstance(self._inner, SourcedDrafter):
            return proposal
        own = proposal.guesses[: len(proposal.guesses) - len(others.guesses)]
        return attach(proposal, [guess.source for guess in (*own, *self._inner.with_sources(others).guesses)])

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self._first.begin(text)
        found = [each.token for each in self._first.sure(len(tree))]
        behind = tree.tokens[len(found) :]
        laws: list[Law | None] = [Point(token) for token in found]
        if tree.tokens[: len(found)] != (*found,) or (found and not self._goes_on):
            return [*laws, *[None] * len(behind)]
        return [*laws, *self._inner.q_of([*text, *found], DraftTree.chain(behind))]

    def _listen(self, text: list[int], step: Committed) -> None:
        """Tells the other drafter what to take for text. step: the round that ended it."""
        if text == self._heard:
            return
        if text[: len(self._heard)] == self._heard:
            self._inner.commit(step._replace(tokens=(*text[len(self._heard) :],)))
        else:
            self._inner.begin(text)
        self._heard = [*text]
