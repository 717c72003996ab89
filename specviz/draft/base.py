"""What every drafter is: begin, commit, propose. It never hears of a rejection, unless it asks for the target's scores.

begin gives it the prompt, commit what the text grew by, propose asks for guesses at what comes next. A drafter that
keeps a model feeds it sequence[len(cache):], whatever happened before. What a drafter does not need it does not get,
and nobody pays for it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from torch import Tensor

from specviz.chance import Chance
from specviz.config import Budget, Clock, ConfigError, DraftEntry
from specviz.gamma.base import Halting
from specviz.law import Law, Row
from specviz.models.counts.table import CountTable
from specviz.sampling import Sampling
from specviz.trace.guess import Source
from specviz.trace.info import Forward
from specviz.trace.round import Drafting, Glance, Halt
from specviz.tree import ROOT, DraftTree, Scouts
from specviz.trim import KVCache
from specviz.verify import NOTHING, LanguageModel, Needs, Scores

Settings = Mapping[str, float | str]
"""A drafter's parameters, resolved against its entry."""


class Guess(NamedTuple):
    """One guessed token.

    Attributes:
        parent: the node it follows, ROOT for the pending token.
        law: what it was taken from, its earlier siblings given; None while that is still on a GPU.
        u: the number that drew it, None if no one number did or nothing was drawn.
    """

    token: int
    parent: int
    law: Law | None
    u: float | None
    source: Source


class Proposal(NamedTuple):
    """Guesses, parents before children, siblings in the order they were drawn; see `proposal`.

    Attributes:
        tree: how they stand.
        drafting: the draft calls, their nodes in order.
        calls: forward passes of a draft model.
        glances: per slot, what the gamma rule was shown, if anything; one more than guesses where it stopped undrawn.
        halt: why it stopped there.
        gpu_q: float64[n, V], the guesses' rows where a GPU drew them and they still are; None otherwise.
    """

    guesses: tuple[Guess, ...]
    tree: DraftTree
    drafting: tuple[Drafting, ...]
    calls: int = 0
    glances: tuple[Glance, ...] = ()
    halt: Halt | None = None
    gpu_q: Tensor | None = None

    @property
    def laws(self) -> Sequence[Law]:
        """The guesses' laws, which must be in main memory."""
        laws = [guess.law for guess in self.guesses if guess.law is not None]
        assert len(laws) == len(self.guesses), "the laws were fetched"
        return laws

    def in_memory(self) -> "Proposal":
        """The same with its laws in main memory."""
        if self.gpu_q is None:
            return self
        rows = self.gpu_q.cpu().numpy()
        guesses = (guess._replace(law=Row(row)) for guess, row in zip(self.guesses, rows, strict=True))
        return self._replace(guesses=tuple(guesses), gpu_q=None)


def proposal(
    guesses: Sequence[Guess],
    drafting: Sequence[Drafting],
    calls: int = 0,
    glances: Sequence[Glance] = (),
    halt: Halt | None = None,
    gpu_q: Tensor | None = None,
    scouts: Scouts | None = None,
) -> Proposal:
    """Guesses with the tree they stand in."""
    tree = DraftTree(tuple(guess.token for guess in guesses), tuple(guess.parent for guess in guesses), scouts)
    return Proposal(tuple(guesses), tree, tuple(drafting), calls, tuple(glances), halt, gpu_q)


class Committed(NamedTuple):
    """What a round added to the text.

    Attributes:
        path: the accepted guesses by node, root to leaf.
        scores: the target's, of the pending token and every guess, refused ones too; None unless the drafter needs
            rows or hidden states.
    """

    tokens: tuple[int, ...]
    path: tuple[int, ...] = ()
    scores: Scores | None = None


class OwnCache(NamedTuple):
    """A cache that a drafter keeps, for as long as it drafts.

    Attributes:
        name: whose it is; no two of a drafter's are called the same.
        slot_bytes: what one token takes in it.
        way: how its model's pass is run.
    """

    name: str
    cache: KVCache
    slot_bytes: int
    way: Forward


class Drafter(Protocol):
    """Guesses tokens for one run.

    Attributes:
        needs: what it wants to be told of the target's passes.
        nodes: the most guesses of one round; None for a chain, which has as many as it is deep.
        caches: those it keeps.
    """

    @property
    def needs(self) -> Needs: ...

    @property
    def nodes(self) -> int | None: ...

    @property
    def caches(self) -> Sequence[OwnCache]: ...

    def begin(self, prompt: Sequence[int], states: Mapping[int, Tensor] | None = None) -> None:
        """Starts a text; whatever was known of another is forgotten.

        Args:
            states: by layer, [n, width]: the hidden rows of the prompt's tokens but the last, if it needs any.
        """
        ...

    def commit(self, step: Committed) -> None: ...

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """At most budget.nodes tokens, budget.depth deep; none is allowed.

        Args:
            halt: asked of every slot before and after its token is drawn; the first reason it gives ends the draft.
        """
        ...

    def laws(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """What it would take each of these guesses from behind `text`, without drawing; None where it has no guess.

        Afterwards it must `begin` again.
        """
        ...


class ChainDrafter:
    """What a drafter has that drafts chains, keeps no cache and needs nothing."""

    needs = NOTHING
    nodes: int | None = None
    caches: Sequence[OwnCache] = ()


def _no_drafter(name: str) -> Drafter:
    raise ConfigError(f"no drafter {name!r} can be made here")


def _no_asset(kind: str) -> Path:
    raise ConfigError(f"this pair has no {kind}; choose another drafter")


@dataclass(frozen=True, slots=True)
class Resources:
    """What a drafter may be built from.

    Attributes:
        capacity: how long the text can get, in tokens.
        draft: the pair's small model, None if the pair has none.
        counts: gives the pair's count table, None if it has none.
        shared: ids below this mean the same to draft and target; None: their vocabularies are one.
        target: the pair's large model.
        make_drafter: another drafter by name, of its own, with its default parameters. Raises ConfigError: it cannot be made.
        asset: where weights or data of that kind are. Raises ConfigError: the pair has none.
    """

    sampling: Sampling
    vocab_size: int
    capacity: int
    draft: LanguageModel | None = None
    counts: Callable[[], CountTable] | None = None
    shared: int | None = None
    target: LanguageModel | None = None
    make_drafter: Callable[[str], Drafter] = _no_drafter
    asset: Callable[[str], Path] = _no_asset
    clock: Clock = time.perf_counter


@dataclass(frozen=True, slots=True)
class DrafterSpec:
    """A drafter's name and how to make one; params are resolved against entry.params."""

    entry: DraftEntry
    build: Callable[[Resources, Settings], Drafter]


def branches(tree: DraftTree) -> list[tuple[int, ...]]:
    """For each node the tokens between the text and it, itself excluded."""
    before: list[tuple[int, ...]] = []
    for parent in tree.parents:
        before.append(() if parent == ROOT else (*before[parent], tree.tokens[parent]))
    return before
