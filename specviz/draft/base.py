"""The drafter: begin, commit, propose. It is not notified of rejections, unless it asks for the target's scores.

begin gives it the prompt, commit what was added to the text, propose asks it for guesses. A drafter that keeps a model
feeds it sequence[len(cache):], whatever happened before. A drafter gets only what it needs, so the others do not pay
for it.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from specviz.config.settings import Budget, Clock, ConfigError, DraftEntry
from specviz.gamma.base import Halting
from specviz.models.counts.table import CountTable
from specviz.models.translation import Translation
from specviz.sampling.arrays import Bools, Floats, Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import ROOT, DraftTree, Scouts
from specviz.trace.guess import Source
from specviz.trace.info import Forward, Heads
from specviz.trace.round import Drafting, Glance, Halt, Imagined, Learning
from specviz.trim import KVCache
from specviz.verify import NOTHING, LanguageModel, Needs, Scores, read

if TYPE_CHECKING:
    from specviz.models.heads.files import Head

Settings = Mapping[str, float | str]
"""A drafter's parameters, resolved against its entry."""


class Guess(NamedTuple):
    """One guessed token.

    Attributes:
        parent: the node it follows; ROOT for the pending token.
        q: what it was taken from, given its earlier siblings.
        u: the number that drew it. None if it was not drawn, or not by a single number.
        raw: the row before temperature 0, where it was looked at.
    """

    token: int
    parent: int
    q: Law
    u: float | None
    source: Source
    raw: Floats | None = None


class Proposal(NamedTuple):
    """A round's guesses: parents before children, siblings in the order they were drawn. Made by `proposal`.

    Attributes:
        tree: the guesses' tokens and parents.
        drafting: the draft calls, in the order of the nodes.
        calls: forward passes of a draft model.
        glances: what the gamma rule was shown at each slot, if anything. One more than guesses if it stopped before a
            draw.
        halt: why it stopped there.
        started: what the drafter's `needs.layers` layers made of the pending token and of all guesses it has read.
        learning: what the drafter had learned in this run before it guessed; None if it does not learn.
    """

    guesses: tuple[Guess, ...]
    tree: DraftTree
    drafting: tuple[Drafting, ...]
    calls: int = 0
    glances: tuple[Glance, ...] = ()
    halt: Halt | None = None
    started: Reals | None = None
    learning: Learning | None = None

    @property
    def q(self) -> Sequence[Law]:
        """What each guess was taken from."""
        return [guess.q for guess in self.guesses]


def proposal(
    guesses: Sequence[Guess],
    drafting: Sequence[Drafting],
    calls: int = 0,
    glances: Sequence[Glance] = (),
    halt: Halt | None = None,
    scouts: Scouts | None = None,
) -> Proposal:
    """A Proposal of these guesses, with the tree they form."""
    tree = DraftTree(tuple(guess.token for guess in guesses), tuple(guess.parent for guess in guesses), scouts)
    return Proposal(tuple(guesses), tree, tuple(drafting), calls, tuple(glances), halt)


def attach(proposal: Proposal, sources: Iterable[Source]) -> Proposal:
    """The same guesses, each with the source in its place."""
    pairs = zip(proposal.guesses, sources, strict=True)
    return proposal._replace(guesses=tuple(guess._replace(source=source) for guess, source in pairs))


class Committed(NamedTuple):
    """What a round added to the text.

    Attributes:
        path: the accepted nodes, root to leaf.
        scores: the target's scores of the pending token and of every guess, rejected ones included. None unless the
            drafter needs rows or hidden states.
    """

    tokens: tuple[int, ...]
    path: tuple[int, ...] = ()
    scores: Scores | None = None


class OwnCache(NamedTuple):
    """A cache that a drafter keeps for its whole run.

    Attributes:
        name: whose cache it is. No two caches of a drafter share a name.
        slot_bytes: the bytes one token takes in it.
        way: which forward pass runs its model.
        own_tokens: its slots are tokens of a tokenizer of its model's own, not the target's.
    """

    name: str
    cache: KVCache
    slot_bytes: int
    way: Forward
    own_tokens: bool = False


class Drafter(Protocol):
    """Guesses tokens for one run.

    Attributes:
        needs: what it needs from the target's passes.
        nodes: the most guesses one round can have; None for a chain, which has as many as it is deep.
        caches: the caches it keeps.
    """

    @property
    def needs(self) -> Needs: ...

    @property
    def nodes(self) -> int | None: ...

    @property
    def caches(self) -> Sequence[OwnCache]: ...

    def begin(self, prompt: Sequence[int], seen: Scores | None = None, /) -> None:
        """Starts a text. Everything about an earlier text is forgotten.

        Args:
            seen: what it needs of the target's pass over the prompt's tokens but the last; see `verify.read`.
        """
        ...

    def commit(self, step: Committed) -> None: ...

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Guesses at most budget.nodes tokens, at most budget.depth deep. It may guess none.

        Args:
            halt: is asked before and after each slot's token is drawn. Its first reason ends the draft.
        """
        ...

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """What it would take each of these guesses from after `text`, without drawing. None where it has no guess.

        A drafter whose weights learn uses them as they are. Afterwards it must `begin` again.
        """
        ...


@runtime_checkable
class Sharer(Drafter, Protocol):
    """A drafter that writes into the target's own cache, after the text, before the target's pass does."""

    def share(self, cache: KVCache) -> None:
        """Gives it that cache for the text that begins now."""
        ...


@runtime_checkable
class HeadsDrafter(Drafter, Protocol):
    """Heads on the target."""

    @property
    def heads(self) -> Heads: ...


@runtime_checkable
class ImaginingDrafter(HeadsDrafter, Protocol):
    """A head that continues from states that it imagined."""

    def imagined(self, tree: DraftTree, scores: Scores, /) -> Sequence[Imagined]:
        """The states that the last proposal was read from, beside the target's, before it learns what was accepted.

        Args:
            scores: of the pending token and of every guess of that tree.
        """
        ...


@runtime_checkable
class SourcedDrafter(Drafter, Protocol):
    """A drafter that can show what it took its guesses from. A run that is timed never asks it."""

    def with_sources(self, proposal: Proposal, /) -> Proposal:
        """Its last proposal with what its sources show, before it hears what was accepted."""
        ...


@runtime_checkable
class OnePassDrafter(Drafter, Protocol):
    """A drafter that guesses every place in one pass, so that what a γ rule decides is how much of it to check."""

    def unchecked(self, made: Proposal, budget: Budget, chance: Chance, /) -> Sequence[Guess]:
        """What a halt cut from its last proposal, before it hears what was accepted; they follow on its guesses.

        The halt came before they are drawn, with random numbers of their own. A run that is timed never asks.
        """
        ...


@runtime_checkable
class CoveringDrafter(Drafter, Protocol):
    """A drafter that can guess only some tokens. covered: bool[V], which."""

    @property
    def covered(self) -> Bools: ...


class ChainDrafter:
    """Base of a drafter that drafts chains, keeps no cache and needs nothing."""

    needs = NOTHING
    nodes: int | None = None
    caches: Sequence[OwnCache] = ()


class SharingChain(ChainDrafter):
    """Base of a drafter of chains that writes into the target's own cache. It knows that cache and the text."""

    def share(self, cache: KVCache) -> None:
        self._cache = cache

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text = list(prompt)

    def commit(self, step: Committed) -> None:
        self._text += step.tokens


def _no_drafter(name: str) -> Drafter:
    raise ConfigError(f"no drafter {name!r} can be made here")


def _no_asset(kind: str) -> Path:
    raise ConfigError("lacks", what=kind)


def _no_model(kind: str) -> LanguageModel:
    raise ConfigError("lacks", what=kind)


def _no_head(kind: str, path: str) -> "Head":
    raise ConfigError("untrained", what=kind)


@dataclass(frozen=True, slots=True)
class Resources:
    """What a drafter may be built from.

    Attributes:
        capacity: the longest the text can become, in tokens.
        draft: the pair's small model; None if it has none.
        counts: gives the pair's count table; None if it has none.
        shared: ids below this mean the same token to draft and target. None: they share the whole vocabulary.
        translation: between two tokenizers; None: the draft has the target's.
        target: the pair's large model.
        make_drafter: makes another drafter by name, with its default parameters. Raises ConfigError: it cannot be made.
        asset: where weights or data of that kind are. Raises ConfigError: the pair has none.
        model: another model of the pair's. Raises ConfigError: the pair has none of that kind.
        head: weights of that kind that were trained on the target: the pair's, or those in a file of one's own if the
            second argument names one. Raises ConfigError: there are none, or they do not fit.
        decode: the text of tokens, as people read it.
    """

    sampling: Sampling
    vocab_size: int
    capacity: int
    draft: LanguageModel | None = None
    counts: Callable[[], CountTable] | None = None
    shared: int | None = None
    translation: Translation | None = None
    target: LanguageModel | None = None
    make_drafter: Callable[[str], Drafter] = _no_drafter
    asset: Callable[[str], Path] = _no_asset
    model: Callable[[str], LanguageModel] = _no_model
    head: Callable[[str, str], "Head"] = _no_head
    decode: Callable[[Sequence[int]], str] = str
    clock: Clock = time.perf_counter


@dataclass(frozen=True, slots=True)
class DrafterSpec:
    """A drafter's entry and how to build it. The settings are resolved against entry.params."""

    entry: DraftEntry
    build: Callable[[Resources, Settings], Drafter]


def begin(drafter: Drafter, target: LanguageModel, text: Sequence[int], cache: KVCache) -> None:
    """Both read the text, except its last token. The drafter gets what it needs of the target's pass.

    Args:
        cache: an empty one of the target's.
    """
    if isinstance(drafter, Sharer):
        drafter.share(cache)
    drafter.begin(text, read(target, text[:-1], cache, drafter.needs))


def branches(tree: DraftTree) -> list[tuple[int, ...]]:
    """For each node, the tokens between the text and it, without its own."""
    return [tree.path_to(parent) for parent in tree.parents]


def point_glances(depth: int, halt: Halting | None) -> tuple[list[Glance], Halt | None]:
    """What a gamma rule sees of `depth` levels of point masses: entropy 0 and q 1 at each.

    One glance for each level the rule lets pass, the one it stops after included. Empty if there is no rule to ask.
    """
    glances: list[Glance] = []
    if halt:
        for _ in range(depth):
            glances.append(Glance(0.0, 1.0))
            if halted := halt(glances):
                return glances, halted
    return glances, None


def cut(tree: DraftTree, depth: int) -> list[tuple[int, int]]:
    """The nodes of its first levels, in their order, each with its parent's place among them."""
    kept = [node for node, level in enumerate(tree.depths()) if level < depth]
    places = {ROOT: ROOT} | {node: place for place, node in enumerate(kept)}
    return [(node, places[tree.parents[node]]) for node in kept]


def matching_points(drafted: DraftTree, tree: DraftTree) -> Sequence[Law | None]:
    """The point masses a drafter chose (`own`), for guesses at the same places of another tree.

    A guess gets the choice of its rank after the same tokens; None where the drafter chose nothing.
    """
    chosen: dict[tuple[int, ...], list[int]] = {}
    for before, token in zip(branches(drafted), drafted.tokens, strict=True):
        chosen.setdefault(before, []).append(token)
    points: list[Law | None] = []
    for node, before in enumerate(branches(tree)):
        rank = tree.parents[:node].count(tree.parents[node])
        choices = chosen.get(before, ())
        points.append(Point(choices[rank]) if rank < len(choices) else None)
    return points
