"""What every drafter is: begin, commit, propose. It never hears of a rejection.

begin gives it the prompt, commit what the text grew by, propose asks for a guess
at what comes next. A drafter that keeps a model feeds it sequence[len(cache):],
whatever happened before.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from specviz.chance import At, Chance, Floats, Purpose
from specviz.config import Budget, Clock, Entry
from specviz.gamma.base import Halting
from specviz.models.counts import CountTable
from specviz.sampling import Sampling, entropy, row
from specviz.trace import Drafting, Glance, Halt, Source
from specviz.tree import DraftTree
from specviz.verify import LanguageModel


class Proposal(NamedTuple):
    """A guess.

    Attributes:
        q: n times float64[V]: what each node was really drawn from, its earlier siblings given. One tensor where it was
            drawn on a GPU, and is still there.
        us: the number that drew each node, None if no one number did.
        sources: per node, where it came from.
        drafting: the draft calls, their nodes in order.
        calls: forward passes of a draft model.
        glances: per slot, what the gamma rule was shown, if anything; one more than nodes where it stopped undrawn.
        halt: why it stopped there.
    """

    tree: DraftTree
    q: Sequence[Floats] | Tensor
    us: tuple[float | None, ...]
    sources: tuple[Source, ...]
    drafting: tuple[Drafting, ...]
    calls: int = 0
    glances: tuple[Glance, ...] = ()
    halt: Halt | None = None


class Committed(NamedTuple):
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

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """At most budget.nodes tokens, budget.depth deep; an empty tree is allowed.

        Args:
            halt: asked of every slot before and after its token is drawn; the first reason it gives ends the draft.
        """
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


RAW = Sampling()


def draw_chain(
    budget: Budget,
    position: int,
    law: Callable[[Sequence[int]], tuple[Tensor, Source]],
    resources: Resources,
    chance: Chance,
    halt: Halting | None = None,
    calls: int = 0,
) -> Proposal:
    """Draws as many tokens as budget and `halt` allow, one after the other.

    Args:
        position: index in the text of the first of them.
        law: the tokens drawn so far -> logits[V] of the next one, and where they come from.
        calls: forward passes of a draft model that each law takes.
    """
    sampling, clock = resources.sampling, resources.clock
    tokens: list[int] = []
    drawn: list[Floats] = []
    us: list[float | None] = []
    sources: list[Source] = []
    drafting: list[Drafting] = []
    glances: list[Glance] = []
    halted: Halt | None = None
    for step in range(min(budget.nodes, budget.depth)):
        start = clock()
        logits, source = law(tokens)
        q = row(logits, sampling)
        if halt:
            seen = q if sampling.temperature else row(logits, RAW)
            glances.append(Glance(float(entropy(torch.from_numpy(seen))), None))
            halted = halt(glances)
            if halted:
                drafting.append(Drafting(0, 1e3 * (clock() - start)))
                break
        pick = chance.pick(q, At(position + step, Purpose.DRAFT))
        tokens.append(pick.token)
        drawn.append(q)
        us.append(pick.u)
        sources.append(source)
        if halt:
            glances[-1] = Glance(glances[-1].entropy, seen.item(pick.token))
            halted = halt(glances)
        drafting.append(Drafting(1, 1e3 * (clock() - start)))
        if halted:
            break
    return Proposal(
        tree=DraftTree.chain(tokens),
        q=drawn,
        us=tuple(us),
        sources=tuple(sources),
        drafting=tuple(drafting),
        calls=calls * max(len(tokens), len(glances)),
        glances=tuple(glances),
        halt=halted,
    )
