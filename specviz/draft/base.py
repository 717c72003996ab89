"""What every drafter is: begin, commit, propose. It never hears of a rejection.

begin gives it the prompt, commit what the text grew by, propose asks for a guess
at what comes next. A drafter that keeps a model feeds it sequence[len(cache):],
whatever happened before.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.chance import At, Chance, Purpose
from specviz.config import Budget, Clock, Entry
from specviz.models.counts import CountTable
from specviz.sampling import Sampling
from specviz.tree import DraftTree
from specviz.verify import LanguageModel


@dataclass(frozen=True, slots=True)
class Proposal:
    """A guess.

    Attributes:
        q: float64[n, V]; row i is the law node i was really drawn from, its earlier siblings given.
        us: the number that drew each node, None if no one number did.
        evidence: per node, what the drafter went by, in words; may be empty text.
        seconds: per node, how long it took.
        calls: forward passes of a draft model.
    """

    tree: DraftTree
    q: Tensor
    us: tuple[float | None, ...]
    evidence: tuple[str, ...]
    seconds: tuple[float, ...]
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Committed:
    """What a round added to the text."""

    tokens: tuple[int, ...]


class Drafter(Protocol):
    """Guesses tokens for one run.

    cache_length is the length of its model's cache, None if it keeps none.
    """

    @property
    def cache_length(self) -> int | None: ...

    def begin(self, prompt: Sequence[int]) -> None:
        """Starts a text; whatever was known of another is forgotten."""
        ...

    def commit(self, step: Committed) -> None: ...

    def propose(self, budget: Budget, chance: Chance) -> Proposal:
        """At most budget.nodes tokens, budget.depth deep; an empty tree is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class Resources:
    """What a drafter may be built from.

    Attributes:
        capacity: how long the text can get, in tokens.
        draft: the pair's small model, None if the pair has none.
        counts: gives the pair's count table, None if it has none.
        shared: ids below this mean the same to draft and target; None: their vocabularies are one.
    """

    sampling: Sampling
    vocab_size: int
    capacity: int
    draft: LanguageModel | None = None
    counts: Callable[[], CountTable] | None = None
    shared: int | None = None
    clock: Clock = time.perf_counter


@dataclass(frozen=True, slots=True)
class DrafterSpec:
    """A drafter's name and how to make one; params are resolved against entry.params."""

    entry: Entry
    build: Callable[[Resources, Mapping[str, float]], Drafter]


def draw_chain(
    budget: Budget,
    position: int,
    law: Callable[[Sequence[int]], tuple[Tensor, str]],
    vocab_size: int,
    chance: Chance,
    clock: Clock,
) -> Proposal:
    """Draws as many tokens as the budget allows, one after the other.

    Args:
        position: index in the text of the first of them.
        law: the tokens drawn so far -> q for the next one, float64[V], and what it goes by.
    """
    tokens: list[int] = []
    rows: list[Tensor] = []
    us: list[float | None] = []
    evidence: list[str] = []
    seconds: list[float] = []
    for step in range(min(budget.nodes, budget.depth)):
        start = clock()
        q, why = law(tokens)
        pick = chance.pick(q, At(position + step, Purpose.DRAFT))
        tokens.append(pick.token)
        rows.append(q)
        us.append(pick.u)
        evidence.append(why)
        seconds.append(clock() - start)
    stacked = torch.stack(rows) if rows else torch.empty(0, vocab_size, dtype=torch.float64)
    return Proposal(DraftTree.chain(tokens), stacked, tuple(us), tuple(evidence), tuple(seconds))
