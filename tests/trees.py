"""A drafter of any shape, whose children are taken in every way there is, and the laws its rounds must have."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from specviz.accept.base import AcceptRule
from specviz.config.settings import Budget
from specviz.draft.base import ChainDrafter, Committed, Guess, Proposal, proposal
from specviz.gamma.base import GammaRule, Halting, State
from specviz.loop import Parts
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting, Round
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, Shared, law
from tests.tiny import TableModel, decode, parts, tokens_of

PROMPT = (0, 0)
SPREAD = 0.8
"""Laws near enough that behind PROMPT a refusal leaves several tokens."""
SHAPES: dict[str, tuple[int, ...]] = {
    "2": (-1, -1),
    "2,1": (-1, -1, 0, 1),
    "2,2": (-1, -1, 0, 0, 1, 1),
    "3,1": (-1, -1, -1, 0, 1, 2),
    "uneven": (-1, -1, 0, 2, 2),
}
"""Parents of the nodes."""
HOW = ("i.i.d.", "without replacement", "several drafters", "points")


def left_of(q: Floats, gone: Sequence[int]) -> Floats:
    """q without tokens, what is left of it as a law; all of q where nothing is."""
    left = q.copy()
    left[list(gone)] = 0.0
    total = left.sum()
    return left / total if total else q


class Grown(ChainDrafter):
    """Draws a tree of a given shape, level by level as its parents say; each sibling is one of its models' next row."""

    renormalises: Callable[[Floats, Sequence[int]], Floats] = staticmethod(left_of)

    def __init__(self, models: Sequence[TableModel], shape: Sequence[int], how: str, sampling: Sampling) -> None:
        self.models, self.shape, self.how, self.sampling = models, shape, how, sampling
        self.nodes = len(shape)
        self.text: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self.text = list(prompt)

    def commit(self, step: Committed) -> None:
        self.text += step.tokens

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        guesses: list[Guess] = []
        kept: dict[int, int] = {ROOT: ROOT}  # where nodes of the shape went, those too deep nowhere
        depths: dict[int, int] = {}
        for place, parent in enumerate(self.shape):
            depth = 0 if parent == ROOT else depths[parent] + 1
            depths[place] = depth
            if depth >= budget.depth or parent not in kept:
                continue
            before = [guess.token for guess in guesses if guess.parent == kept[parent]]
            law = self._law(guesses, kept[parent], before)
            if law is None:
                continue
            at = At(len(self.text) + depth, Purpose.DRAFT, sibling=len(before))
            token, u = self._taken(law, chance, at, before)
            kept[place] = len(guesses)
            guesses.append(Guess(token, kept[parent], law, u, Source("grown", rank=len(before))))
        return proposal(guesses, [Drafting(len(guesses), 1.0)])

    def _taken(self, law: Law, chance: Chance, at: At, before: Sequence[int]) -> tuple[int, float | None]:
        if isinstance(law, Point):
            return int(law.tokens), None
        return chance.pick(law.dense(0), at)

    def _law(self, guesses: Sequence[Guess], parent: int, before: Sequence[int]) -> Law | None:
        branch: list[int] = []
        while parent != ROOT:
            branch, parent = [guesses[parent].token, *branch], guesses[parent].parent
        which = len(before) if self.how == "several drafters" else 0
        model = self.models[which % len(self.models)]
        q = np.array(reference.law(model, [*self.text, *branch], self.sampling))
        if self.how == "points":
            order = [int(token) for token in np.argsort(-q, kind="stable") if token not in before]
            return Point(order[0]) if order else None
        if self.how == "without replacement":
            return None if not np.delete(q, list(before)).any() else Row(self.renormalises(q, before))
        return Row(q)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        raise NotImplementedError


def written(
    every: type[Branching] | type[Shared] | str,
    made: Callable[[Any], Parts],
    prompt: Sequence[int],
    length: int,
    watch: Callable[[Sequence[Round]], object] = len,
    piece: Callable[[int], str] | None = None,
) -> dict[tuple[int, ...], float]:
    """The exact law of a run's first tokens, every outcome tried that there is (under a rule, if one is named).

    piece: as of Parts; a run that is shown also draws what a γ rule cut.
    """

    def first(chance: Any) -> tuple[int, ...]:
        parts = dataclasses.replace(made(chance), piece=piece)
        done = decode(parts, prompt, lambda done: len(tokens_of(done)) >= length)
        watch(done)
        return tuple(tokens_of(done)[:length])

    if isinstance(every, str):
        every = Shared if every == "coupled" else Branching
    return law(every, first)


def unlawful(
    every: type[Branching] | type[Shared] | str,
    made: Callable[[Any], Parts],
    prompt: Sequence[int],
    length: int,
    watch: Callable[[Sequence[Round]], object] = len,
    piece: Callable[[int], str] | None = None,
) -> list[str]:
    """Where that law is not the target's, whose texts end where the run's do."""
    one, wanted = made(None), dict[tuple[int, ...], float]()
    for text, weight in reference.texts(one.target, prompt, one.sampling, length).items():
        last = next((place for place, token in enumerate(text) if token in one.ends), length)
        wanted[text[: last + 1]] = wanted.get(text[: last + 1], 0.0) + weight
    return list(differences(written(every, made, prompt, length, watch, piece), wanted))


@dataclass(frozen=True)
class Once(GammaRule):
    """Drafts in the first round only: what it leaves unsaid plain steps say."""

    depth: int = 3
    name: str = "once"

    def first(self) -> State:
        return State(self.depth, "first")

    def next(self, state: State, step: Round) -> State:
        return State(0, "no more")


def unlawful_behind(rule: AcceptRule, shape: str, how: str, size: int, sampling: Sampling) -> list[str]:
    """Where the law of the first two tokens behind a tree of that shape is not the target's."""
    target, models = TableModel(size, 1, spread=SPREAD), [TableModel(size, seed, spread=SPREAD) for seed in (2, 3, 4)]

    def made(chance: Chance) -> Parts:
        drafter = Grown(models, SHAPES[shape], how, sampling)
        return parts(target, drafter, controller=Once(), rule=rule, sampling=sampling, chance=chance)

    return unlawful(rule.name, made, PROMPT, 2)
