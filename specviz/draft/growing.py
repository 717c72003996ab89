"""A draft that grows level by level, from any source of rows. Shared by drafters that have such rows.

Drawn without replacement, each place gets as many guesses as a shape says; the shape is fixed before anything is drawn.
Chosen, the likeliest tokens are point masses. Without a shape they are picked by the probability of their whole path:
the best of each level continue, and at the end the best of all are kept. A kept guess never loses the one it follows.

Sources: Sequoia, Chen et al., arXiv:2402.12374; EAGLE-2, Li et al., arXiv:2406.16858.
"""

import heapq
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from specviz.config.settings import Budget, milliseconds
from specviz.config.words import Reason
from specviz.draft.base import Committed, Guess, OwnCache, Proposal, Resources, branches, matching_points, proposal
from specviz.draft.shapes import Plan
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Bools, Floats, Reals
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.distribution import entropy, row
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.ruler import largest
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Drafting, Glance, Halt
from specviz.trim import KVCache
from specviz.verify import NOTHING, Needs, Scores


@dataclass(slots=True)
class Node:
    """A guess in the making.

    Attributes:
        parent: its index in the list of all; ROOT for the pending token.
        plan: the guesses below it, if a shape fixes them.
        score: log of the probability of its whole path under q.
        slot: its slot in the cache; None while it was not read.
    """

    token: int
    parent: int
    depth: int
    rank: int
    q: Law
    u: float | None
    score: float
    plan: Plan = ()
    slot: int | None = None


@dataclass(slots=True)
class _Draft:
    """Nodes and draft calls so far, and what the gamma rule was shown. kept: the nodes of the proposal, in order.
    frontier: the places whose children come next, down to `depth`; shaped: whether a plan says which.
    """

    nodes: list[Node] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    glances: list[Glance] = field(default_factory=list)
    halt: Halt | None = None
    kept: list[int] = field(default_factory=list)
    frontier: list[tuple[int, Plan | None]] = field(default_factory=list)
    depth: int = 0
    shaped: bool = False


class Growing(ABC):
    """Grows drafts after its text.

    Attributes:
        nodes: see Drafter.
        points: whether its guesses are chosen, not drawn.
        width: the most children of a guess, where no shape says it.
        source: who guesses.
    """

    needs: Needs = NOTHING
    caches: Sequence[OwnCache] = ()
    at_once = False
    """True if one pass gives the rows of all levels, `_logits`."""
    _logits: Reals

    def __init__(self, name: str, resources: Resources, nodes: int | None, width: int, *, points: bool) -> None:
        self.nodes, self.points, self.width = nodes, points, width
        self._name, self._resources = name, resources
        self._text: list[int] = []
        self._drafted: Sequence[Node] = ()
        self._made = _Draft()

    @abstractmethod
    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None: ...

    @abstractmethod
    def commit(self, step: Committed) -> None: ...

    @abstractmethod
    def _begin_again(self, text: Sequence[int]) -> None:
        """Begins with this text, whatever it needs of the target's pass."""

    @abstractmethod
    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Reals:
        """logits[len(places), V] of what follows the text, if places are [ROOT], or each of these guesses of a level.

        It is asked level by level.
        """

    def _fitting(self, budget: Budget) -> Budget:
        """The budget, no deeper than the drafter can guess."""
        return budget

    def _shape(self, depth: int) -> Plan | None:
        """The shape of a draft at most so deep; None: the guesses are chosen by q."""
        return None

    def _words(self, depth: int) -> Reason:
        """How a guess so deep came about, for people; "" where there is nothing to say."""
        return ""

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the drafter can guess no deeper."""
        start = self._resources.clock()
        made = self._made = self._grown(self._fitting(budget), chance, halt)
        self._drafted = kept = [made.nodes[node] for node in made.kept]
        guesses = self._guesses(made.nodes, made.kept)
        depths = [node.depth for node in kept]
        drafting = [Drafting(depths.count(level), taken) for level, taken in enumerate(made.milliseconds)]
        if budget.depth and not drafting:  # there is nothing to go by
            drafting = [Drafting(0, milliseconds(self._resources.clock() - start))]
        calls = min(1, len(made.milliseconds)) if self.at_once else len(made.milliseconds)
        return proposal(guesses, drafting, calls, made.glances, made.halt)

    def unchecked(self, proposal: Proposal, budget: Budget, chance: Chance) -> Sequence[Guess]:
        """See OnePassDrafter. It goes on over the rows of the same pass."""
        made = self._made
        if not (self.at_once and made.halt):
            return ()
        checked = max((made.nodes[node].depth + 1 for node in made.kept), default=0)
        for level in range(checked, made.depth):
            for place, below in made.frontier:
                self._guess(made.nodes, place, level, below, self._logits[level], chance, Purpose.UNCHECKED)
            made.frontier = self._next(made.nodes, level, shaped=made.shaped)
        deeper = [node for node in self._best(made.nodes) if made.nodes[node].depth >= checked]
        return self._guesses(made.nodes, [*made.kept, *deeper])[len(made.kept) :]

    def _guesses(self, nodes: Sequence[Node], kept: Sequence[int]) -> list[Guess]:
        """These nodes, numbered anew in this order."""
        places = {ROOT: ROOT} | {node: place for place, node in enumerate(kept)}
        return [
            Guess(
                each.token,
                places[each.parent],
                each.q,
                each.u,
                Source(self._name, each.rank, words=self._words(each.depth)),
            )
            for each in (nodes[node] for node in kept)
        ]

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self._begin_again(text)
        depths = tree.depths()
        if self.points:
            budget = Budget.chain(max(depths, default=-1) + 1, "").shaped(self.nodes)
            made = self._grown(self._fitting(budget), None, None)
            places = {ROOT: ROOT} | {node: place for place, node in enumerate(made.kept)}
            nodes_kept = [made.nodes[node] for node in made.kept]
            parents = tuple(places[node.parent] for node in nodes_kept)
            return matching_points(DraftTree(tuple(node.token for node in nodes_kept), parents), tree)
        nodes = [
            Node(token, parent, depth, 0, Point(token), None, 0.0)
            for token, parent, depth in zip(tree.tokens, tree.parents, depths, strict=True)
        ]
        most = self._fitting(Budget.chain(max(depths, default=-1) + 1, "")).depth
        laws: list[Law | None] = [None] * len(nodes)
        before = branches(tree)
        for level in range(min(most, max(depths, default=-1) + 1)):
            fresh = [node for node, depth in enumerate(depths) if depth == level]
            parents_ = sorted({tree.parents[node] for node in fresh})
            rows = dict(zip(parents_, self._rows(nodes, parents_), strict=True))
            for node in fresh:
                elder = [tree.tokens[other] for other in tree.children(tree.parents[node]) if other < node]
                q = without(row(rows[tree.parents[node]], self._resources.sampling, text, before[node]), elder)
                laws[node] = None if q is None else Row(q)
        return laws

    def _grown(self, budget: Budget, chance: Chance | None, halt: Halting | None) -> _Draft:
        """Grows level by level, as deep as budget, shape and `halt` allow. Point masses need no chance."""
        made, clock = _Draft(), self._resources.clock
        depth = min(budget.depth, budget.nodes) if self.nodes is None else budget.depth * bool(budget.nodes)
        plan = self._planned(depth)
        made.frontier, made.depth, made.shaped = [(ROOT, plan)], depth, plan is not None
        for level in range(depth):
            start = clock()
            logits = self._rows(made.nodes, [node for node, _ in made.frontier])
            seen = self._looked_at(logits[0], self._branch(made.nodes, made.frontier[0][0])) if halt else None
            if halt and seen is not None:
                made.glances.append(Glance(float(entropy(seen)), None))
                made.halt = halt(made.glances)
            if not made.halt:
                before = len(made.nodes)
                for (node, below), scores in zip(made.frontier, logits, strict=True):
                    self._guess(made.nodes, node, level, below, scores, chance)
                made.frontier = self._next(made.nodes, level, shaped=made.shaped)
                if halt and seen is not None:
                    first = made.nodes[before].token
                    made.glances[-1] = Glance(made.glances[-1].entropy, seen.item(first))
                    made.halt = halt(made.glances)
            made.milliseconds.append(milliseconds(clock() - start))
            if made.halt or not made.frontier:
                break
        made.kept = self._best(made.nodes)
        return made

    def _planned(self, depth: int) -> Plan | None:
        if self.nodes is not None:
            return self._shape(depth)
        chain: Plan = ()
        for _ in range(depth):
            chain = (chain,)
        return chain

    def _looked_at(self, logits: Reals, behind: Sequence[int]) -> Floats:
        """What a gamma rule sees of a level: its first guess's q. Chosen guesses have q 1."""
        warm = self._resources.sampling
        q = row(logits, warm if warm.temperature else warm.before_greedy(), self._text, behind)
        return q if not self.points or not warm.temperature else np.eye(1, len(q), int(q.argmax()))[0]

    def _guess(
        self,
        nodes: list[Node],
        parent: int,
        depth: int,
        plan: Plan | None,
        logits: Reals,
        chance: Chance | None,
        purpose: Purpose = Purpose.DRAFT,
    ) -> None:
        """Adds the guesses at one place."""
        warm = self._resources.sampling
        scored = warm.before_greedy() if self.points and not warm.temperature else warm
        q = row(logits, scored, self._text, self._branch(nodes, parent))
        plans: Plan = ((),) * self.width if plan is None else plan
        before = nodes[parent].score if parent != ROOT else 0.0
        if self.points:
            for rank, token in enumerate(largest(q[None], len(plans))[0].tolist()):
                if q[token]:
                    score = before + math.log(q.item(token))
                    nodes.append(Node(token, parent, depth, rank, Point(token), None, score, plans[rank]))
            return
        assert chance is not None, "drawing needs a chance"
        elder: list[int] = []
        for rank, below in enumerate(plans):
            left = without(q, elder)
            if left is None:
                return
            token, u = chance.pick(left, At(len(self._text) + depth, purpose, sibling=rank))
            nodes.append(Node(token, parent, depth, rank, Row(left), u, before + math.log(q.item(token)), below))
            elder.append(token)

    def _branch(self, nodes: Sequence[Node], place: int) -> list[int]:
        """Tokens from the text down to that guess, where the sampling asks for them."""
        return branch(nodes, place) if self._resources.sampling.processors else []

    def _next(self, nodes: Sequence[Node], level: int, *, shaped: bool) -> list[tuple[int, Plan | None]]:
        """The places whose children come next: what the shape says, or the best of the level that may still be kept."""
        fresh = [place for place, node in enumerate(nodes) if node.depth == level]
        if shaped:
            return [(place, nodes[place].plan) for place in fresh if nodes[place].plan]
        kept = set(self._best(nodes))
        best = heapq.nlargest(self.width, (place for place in fresh if place in kept), lambda at: nodes[at].score)
        return [(place, None) for place in sorted(best)]

    def _best(self, nodes: Sequence[Node]) -> list[int]:
        """The best of all, in the order they were made. A guess is never likelier than the one it follows."""
        if self.nodes is None or len(nodes) <= self.nodes:
            return [*range(len(nodes))]
        return sorted(sorted(range(len(nodes)), key=lambda at: (-nodes[at].score, at))[: self.nodes])


class Reading(Growing):
    """Grows over a model that reads its guesses: between rounds its cache holds a prefix of the text, nothing else."""

    _cache: KVCache

    @abstractmethod
    def _read_text(self) -> Reals:
        """logits[1, V] after the text, after reading what of it the cache does not hold."""

    @abstractmethod
    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, parents: Sequence[int]
    ) -> Reals:
        """logits[n, V] after guesses that are written after the cache.

        Args:
            mask: see LanguageModel.forward. None for the one guess of a chain.
            parents: the slot of what each of them follows.
        """

    def _rows(self, nodes: Sequence[Node], places: Sequence[int]) -> Reals:
        """After the text, or after some guesses of a level, each of which sees its own branch."""
        if places == [ROOT]:
            return self._read_text()
        length, start, n = len(self._text), self._cache.length, len(places)
        mask = np.zeros((n, start + n - length), dtype=bool)
        parents = []
        for number, place in enumerate(places):
            nodes[place].slot = start + number
            slots = _slots(nodes, place)
            mask[number, [slot - length for slot in slots]] = True
            parents.append(slots[1] if len(slots) > 1 else length - 1)
        tokens = [nodes[place].token for place in places]
        positions = [length + nodes[place].depth for place in places]
        return self._read(tokens, positions, mask if self.nodes else None, parents)


def without(q: Floats, elder: Sequence[int]) -> Floats | None:
    """q without the tokens already taken, normalized. None: nothing is left."""
    if not elder:
        return q
    left = q.copy()
    left[[*elder]] = 0.0
    mass = left.sum()
    return left / mass if mass > 0 else None


def branch(nodes: Sequence[Node], place: int) -> list[int]:
    """Tokens from the text down to that guess."""
    return [] if place == ROOT else [*branch(nodes, nodes[place].parent), nodes[place].token]


def _slots(nodes: Sequence[Node], place: int) -> list[int]:
    """The slot of that guess, then of the one it follows, and so on up to the text."""
    if place == ROOT:
        return []
    slot = nodes[place].slot
    assert slot is not None, "a level is read before the next"
    return [slot, *_slots(nodes, nodes[place].parent)]
