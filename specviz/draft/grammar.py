"""Guesses what the grammar forces: where it allows one token alone, that token is certain. Behind it another drafter
goes on."""

from collections.abc import Sequence
from dataclasses import replace

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
    TellingDrafter,
    point_glances,
    proposal,
    told,
)
from specviz.gamma.base import Halting
from specviz.law.chance import Chance
from specviz.law.processors import Processors
from specviz.law.rows import Law, Point
from specviz.law.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting

NAME = "grammar"


class Forced(ChainDrafter):
    """p of a forced token is 1, so it is accepted whatever the number. The other drafter takes it for text already, and
    is alone where rows are asked for as they are without the grammar.

    Source: jump-forward decoding, SGLang, Zheng et al., arXiv:2312.07104; here the target checks it like any guess.
    """

    def __init__(self, inner: Drafter, resources: Resources) -> None:
        self._inner, self._clock = inner, resources.clock
        self._processors = resources.sampling.processors or Processors()
        self.caches = inner.caches
        self._text: list[int] = []
        self._heard: list[int] = []
        """What the other drafter takes for text."""
        self._others: Proposal | None = None
        """Its part of the last proposal."""

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text, self._heard = [*prompt], [*prompt]
        self._inner.begin(prompt)

    def commit(self, step: Committed) -> None:
        self._text += step.tokens
        self._listen(self._text)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start, most = self._clock(), min(budget.nodes, budget.depth)
        forced = self._forced(most)
        glances, halted = point_glances(len(forced), halt)
        forced = forced[: len(glances)] if halted else forced
        words = because("forced")
        guesses = [
            Guess(token, place - 1, Point(token), None, Source(NAME, words=words)) for place, token in enumerate(forced)
        ]
        drafting = [Drafting(len(forced), milliseconds(self._clock() - start))] if forced else []
        self._others = None
        if halted or (forced and (len(forced) == most or forced[-1] in self._processors.ends)):
            return proposal(guesses, drafting, 0, glances, halted)
        self._listen([*self._text, *forced])
        left = replace(budget, nodes=most - len(forced), depth=most - len(forced))
        made = self._others = self._inner.propose(left, chance, halt and (lambda seen: halt([*glances, *seen])))
        guesses += [guess._replace(parent=len(forced) + guess.parent) for guess in made.guesses]
        return proposal(guesses, [*drafting, *made.drafting], made.calls, [*glances, *made.glances], made.halt)

    def told(self, proposal: Proposal) -> Proposal:
        """See TellingDrafter."""
        others = self._others
        if others is None or not isinstance(self._inner, TellingDrafter):
            return proposal
        own = proposal.guesses[: len(proposal.guesses) - len(others.guesses)]
        return told(proposal, [guess.source for guess in (*own, *self._inner.told(others).guesses)])

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self._text = [*text]
        forced = self._forced(len(tree))
        behind = tree.tokens[len(forced) :]
        laws: list[Law | None] = [Point(token) for token in forced]
        if tree.tokens[: len(forced)] != (*forced,):
            return [*laws, *[None] * len(behind)]
        return [*laws, *self._inner.q_of([*text, *forced], DraftTree.chain(behind))]

    def _forced(self, most: int) -> list[int]:
        """The tokens behind the text of which each is the only one allowed at its place."""
        mask, found = self._processors.mask, list[int]()
        while mask and len(found) < most:
            (only,) = np.nonzero(mask.allowed([*self._text[self._processors.prompt :], *found]))
            if len(only) > 1:
                break
            found.append(only.item())
        return found

    def _listen(self, text: list[int]) -> None:
        """Tells the other drafter what to take for text."""
        if text[: len(self._heard)] == self._heard:
            self._inner.commit(Committed((*text[len(self._heard) :],)))
        else:
            self._inner.begin(text)
        self._heard = [*text]


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: the other drafter cannot be made."""
    inner = str(params["inner"])
    if inner == "auto":
        inner = "suffix" if resources.draft is None else "small-model"
    return Forced(resources.make_drafter(inner), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
