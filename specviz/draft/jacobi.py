"""Guesses what the target itself said at each place in its last pass, rejected guesses' rows included."""

from collections.abc import Sequence

from specviz import draft
from specviz.config.settings import Budget, milliseconds
from specviz.config.words import Reason, because
from specviz.draft.base import (
    ChainDrafter,
    Committed,
    Drafter,
    DrafterSpec,
    Guess,
    Proposal,
    Resources,
    Settings,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting
from specviz.verify import Needs

NAME = "jacobi"


class Jacobi(ChainDrafter):
    """Each pass is one step of Jacobi's iteration on all places of the window at once.

    Where nothing is drawn by number, a token follows from the text before it alone. So the iteration comes to rest at
    plain decoding's text: at temperature 0, or under noise that belongs to each place.

    Source: Santilli et al., arXiv:2305.10427.
    """

    needs = Needs(rows=True)

    def __init__(self, resources: Resources) -> None:
        self._sampling, self._clock = resources.sampling, resources.clock
        self._text: list[int] = []
        self._said: Reals | None = None
        self._ages: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text, self._said, self._ages = list(prompt), None, []

    def commit(self, step: Committed) -> None:
        made = len(step.tokens)
        self._text += step.tokens
        # Row i of a pass says what follows its guess i - 1: the first rows gave this round's own tokens.
        self._said = step.scores.logits[made:] if step.scores else None
        self._ages = [age + 1 for age in (*self._ages, 0)[made:]] if step.scores else []

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start, depth = self._clock(), min(budget.nodes, budget.depth)
        answers = self._answers(depth, chance)
        filler = [self._text[place % len(self._text)] for place in range(-depth, 0)]
        tokens = [*answers, *filler[len(answers) :]]
        ages = [*self._ages, *[0] * depth][:depth]
        glances, halted = point_glances(depth, halt)
        if halted:
            tokens, ages = tokens[: len(glances)], ages[: len(glances)]
        self._ages = ages
        guesses = [
            Guess(token, node - 1, Point(token), None, Source(NAME, words=_words(age)))
            for node, (token, age) in enumerate(zip(tokens, ages, strict=True))
        ]
        return proposal(guesses, [Drafting(len(guesses), milliseconds(self._clock() - start))], 0, glances, halted)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """Every guess was chosen. Which one would be, the passes before decide, and not the text."""
        return [Point(token) for token in tree.tokens]

    def _answers(self, most: int, chance: Chance) -> list[int]:
        """What the target said in its last pass from here on."""
        if self._said is None or not most:
            return []
        answers: list[int] = []
        for place, logits in enumerate(self._said[:most]):
            now = row(logits, self._sampling, self._text, answers)
            drawn = self._sampling.temperature and chance.pick(now, At(len(self._text) + place, Purpose.DRAFT)).token
            answers.append(int(drawn if self._sampling.temperature else now.argmax()))
        return answers


def _words(age: int) -> Reason:
    return because("jacobi.answer", passes=age) if age else because("jacobi.any")


def build(resources: Resources, params: Settings) -> Drafter:
    """Takes no parameters: the window is as long as the draft."""
    return Jacobi(resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
