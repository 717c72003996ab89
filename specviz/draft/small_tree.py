"""A tree of the small model's guesses: several at each place, and one pass of the model for each level.

Drawn without replacement, each place gets as many guesses as a shape says; the shape is fixed before anything is drawn.
Chosen, the likeliest tokens are point masses, picked by the probability of their whole path: the best of each level go
on, and at the end the best of all are kept. A kept guess never loses the one it follows.

Sources: Sequoia, Chen et al., arXiv:2402.12374; EAGLE-2, Li et al., arXiv:2406.16858.
"""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from specviz import draft
from specviz.arrays import Floats
from specviz.chance import At, Chance, Purpose, Seeded
from specviz.config import Budget, ConfigError
from specviz.draft import level_on_gpu, shapes
from specviz.draft.base import Committed, Drafter, DrafterSpec, Guess, OwnCache, Proposal, Resources, Settings, proposal
from specviz.draft.points import matching_points
from specviz.draft.shapes import RATES, Plan
from specviz.draft.small import Meaning, known, small
from specviz.gamma.base import Halting
from specviz.law import Law, Point, Row
from specviz.sampling import Sampling, entropy, on_gpu, probabilities, row
from specviz.trace.guess import Source
from specviz.trace.round import Drafting, Glance, Halt
from specviz.tree import ROOT, DraftTree
from specviz.verify import NOTHING, LanguageModel, read, verify

NAME = "small-tree"
RAW = Sampling()
MOST = 64
DEEPEST = 20
"""The most levels of a draft. Reserves slots for guesses that are read but not kept."""


@dataclass(slots=True)
class _Node:
    """A guess in the making.

    Attributes:
        parent: its index in the list of all; ROOT for the pending token.
        plan: the guesses below it, if a shape fixes them.
        score: log of the probability of its whole path under q.
        slot: its slot in the cache; None while it was not read.
        gpu_q: float64[V], what it was drawn from, if a GPU drew it; law is None then.
    """

    token: int
    parent: int
    depth: int
    rank: int
    law: Law | None
    u: float | None
    score: float
    plan: Plan = ()
    slot: int | None = None
    gpu_q: Tensor | None = None


@dataclass(slots=True)
class _Draft:
    """Nodes and draft calls so far, and what the gamma rule was shown."""

    nodes: list[_Node] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    glances: list[Glance] = field(default_factory=list)
    halt: Halt | None = None


class SmallTree:
    """Keeps a model in step with the text: between rounds its cache holds a prefix of the text, nothing else."""

    needs = NOTHING

    def __init__(self, model: LanguageModel, settings: Settings, resources: Resources) -> None:
        self._model, self._resources = model, resources
        self._points = settings["draw"] == "top" or resources.sampling.temperature == 0
        self._width, text = int(settings["width"]), str(settings["shape"])
        self._shape = shapes.parsed(text) if text else None
        self.nodes = shapes.size(self._shape) if self._shape is not None else int(settings["nodes"])
        if not 0 < self.nodes <= MOST:
            raise ConfigError(f"shape {text!r} has {self.nodes:,} guesses; wanted 1 to {MOST}")
        spare = self.nodes if self._shape is not None or not self._points else self._width * DEEPEST
        self._cache = model.new_cache(min(model.context, resources.capacity) + spare)
        self._meaning = Meaning(resources.sampling, resources.shared, resources.vocab_size)
        self.caches = (OwnCache(NAME, self._cache, model.slot_bytes, model.way),)
        self._text: list[int] = []
        self._slots: tuple[int | None, ...] = ()

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text, self._slots = list(prompt), ()
        self._cache.truncate(0)
        read(self._model, known(self._model, self._text[:-1][: self._model.context]), self._cache)

    def commit(self, step: Committed) -> None:
        """Gathers the slots of the accepted path and forgets everything else behind the text."""
        base, rows = min(self._cache.length, len(self._text)), []
        for slot in (self._slots[node] for node in step.path):
            if slot is None:
                break
            rows.append(slot - base)
        self._text += step.tokens
        self._cache.keep(base, rows)
        self._slots = ()

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the draft model's context ends."""
        room = max(0, self._model.context - len(self._text) + 1)
        fitting = budget.within(room, "the draft model's context ends here")
        made = self._grown(fitting, chance, halt)
        kept = self._kept(made.nodes)
        places = {node: place for place, node in enumerate(kept)}
        guesses = []
        for node in map(made.nodes.__getitem__, kept):
            parent = ROOT if node.parent == ROOT else places[node.parent]
            guesses.append(Guess(node.token, parent, node.law, node.u, Source(NAME, node.rank)))
        self._slots = tuple(made.nodes[node].slot for node in kept)
        depths = [made.nodes[node].depth for node in kept]
        drafting = [Drafting(depths.count(level), taken) for level, taken in enumerate(made.milliseconds)]
        rows = [q for node in kept if (q := made.nodes[node].gpu_q) is not None]
        gpu_q = torch.stack(rows) if rows else None
        return proposal(guesses, drafting, len(drafting), made.glances, made.halt, gpu_q)

    def laws(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        self.begin(text)
        if self._points:
            depth = max(tree.depths(), default=-1) + 1
            own = self._grown(Budget.chain(depth, "").shaped(self.nodes), None, None).nodes
            kept = self._kept(own)
            places = {ROOT: ROOT} | {node: place for place, node in enumerate(kept)}
            chosen = tuple(own[node].token for node in kept), tuple(places[own[node].parent] for node in kept)
            return matching_points(DraftTree(*chosen), tree)
        unread = known(self._model, self._text[self._cache.length :])
        readable = DraftTree(tuple(known(self._model, tree.tokens)), tree.parents)
        logits = self._meaning.of(verify(self._model, self._cache, unread, readable).logits)
        found: list[Law | None] = []
        for node, parent in enumerate(tree.parents):
            elder = [tree.tokens[other] for other in tree.children(parent) if other < node]
            q = _without(row(logits[parent + 1], self._resources.sampling), elder)
            found.append(None if q is None else Row(q))
        return found

    def _grown(self, budget: Budget, chance: Chance | None, halt: Halting | None) -> _Draft:
        """Grows level by level, as deep as budget, shape and `halt` allow. Point masses need no chance."""
        self._cache.truncate(min(self._cache.length, len(self._text) - 1))
        made, clock = _Draft(), self._resources.clock
        plan = self._planned(budget.depth) if budget.nodes else ()
        frontier = [(ROOT, plan)]
        for level in range(budget.depth if budget.nodes else 0):
            start = clock()
            logits = self._read(made.nodes, [node for node, _ in frontier])
            seen = self._looked_at(logits[0]) if halt else None
            if halt and seen is not None:
                made.glances.append(Glance(float(entropy(torch.from_numpy(seen))), None))
                made.halt = halt(made.glances)
            if not made.halt:
                before = len(made.nodes)
                if on_gpu(logits) and not halt and (self._points or isinstance(chance, Seeded)):
                    self._guess_on_gpu(made.nodes, frontier, level, logits, chance)
                else:
                    for (node, below), scores in zip(frontier, logits, strict=True):
                        self._guess(made.nodes, node, level, below, scores, chance)
                if halt and seen is not None:
                    first = made.nodes[before].token
                    made.glances[-1] = Glance(made.glances[-1].entropy, seen.item(first))
                    made.halt = halt(made.glances)
            made.milliseconds.append(1e3 * (clock() - start))
            frontier = self._next(made.nodes, level)
            if made.halt or not frontier:
                break
        return made

    def _planned(self, depth: int) -> Plan | None:
        """The shape, at most that deep. None: chosen by q as the tree grows."""
        if self._shape is not None:
            return shapes.cut(self._shape, depth)
        return None if self._points else shapes.best(self.nodes, depth, RATES[: self._width])[1]

    def _looked_at(self, logits: Tensor) -> Floats:
        """What a gamma rule sees of a level: its first guess's q. Chosen guesses have q 1."""
        warm = self._resources.sampling
        q = row(logits, warm if warm.temperature else RAW)
        return q if not self._points or not warm.temperature else np.eye(1, len(q), int(q.argmax()))[0]

    def _guess(
        self, nodes: list[_Node], parent: int, depth: int, plan: Plan | None, logits: Tensor, chance: Chance | None
    ) -> None:
        """Adds the guesses at one place."""
        warm = self._resources.sampling
        q = row(logits, RAW if self._points and not warm.temperature else warm)
        plans: Plan = ((),) * self._width if plan is None else plan
        before = nodes[parent].score if parent != ROOT else 0.0
        if self._points:
            for rank, token in enumerate(Row(q).largest(len(plans)).tolist()):
                score = before + math.log(q.item(token))
                nodes.append(_Node(token, parent, depth, rank, Point(token), None, score, plans[rank]))
            return
        assert chance is not None, "drawing needs a chance"
        elder: list[int] = []
        for rank, below in enumerate(plans):
            left = _without(q, elder)
            if left is None:
                return
            token, u = chance.pick(left, At(len(self._text) + depth, Purpose.DRAFT, sibling=rank))
            nodes.append(_Node(token, parent, depth, rank, Row(left), u, before + math.log(q.item(token)), below))
            elder.append(token)

    def _guess_on_gpu(
        self,
        nodes: list[_Node],
        frontier: Sequence[tuple[int, Plan | None]],
        depth: int,
        logits: Tensor,
        chance: Chance | None,
    ) -> None:
        """Adds the same guesses at all places of a level, and leaves the rows where they are."""
        warm = self._resources.sampling
        q = probabilities(logits, RAW if self._points and not warm.temperature else warm)
        plans: list[Plan] = [((),) * self._width if plan is None else plan for _, plan in frontier]
        if self._points:
            chosen = level_on_gpu.likeliest(q, max(map(len, plans)))
            for (parent, _), plan, likely in zip(frontier, plans, chosen, strict=True):
                before = nodes[parent].score if parent != ROOT else 0.0
                for rank, ((token, weight), below) in enumerate(zip(likely, plan, strict=False)):
                    score = before + math.log(weight)
                    nodes.append(_Node(token, parent, depth, rank, Point(token), None, score, below))
            return
        assert isinstance(chance, Seeded), "a GPU draws by numbers"
        drawn = level_on_gpu.draw(q, [*map(len, plans)], len(self._text) + depth, chance)
        for (parent, _), plan, guesses in zip(frontier, plans, drawn, strict=True):
            for rank, (guess, below) in enumerate(zip(guesses, plan, strict=False)):
                nodes.append(_Node(guess.token, parent, depth, rank, None, guess.u, 0.0, below, gpu_q=guess.q))

    def _next(self, nodes: list[_Node], level: int) -> list[tuple[int, Plan | None]]:
        """The places whose children come next: what the shape says, or the best of the level that may still be kept."""
        fresh = [place for place, node in enumerate(nodes) if node.depth == level]
        if not self._points or self._shape is not None:
            return [(place, nodes[place].plan) for place in fresh if nodes[place].plan]
        kept = set(self._kept(nodes))
        best = heapq.nlargest(self._width, (place for place in fresh if place in kept), lambda at: nodes[at].score)
        return [(place, None) for place in sorted(best)]

    def _kept(self, nodes: Sequence[_Node]) -> list[int]:
        """The best of all, in the order they were made. A guess is never likelier than the one it follows."""
        if len(nodes) <= self.nodes:
            return [*range(len(nodes))]
        return sorted(sorted(range(len(nodes)), key=lambda at: (-nodes[at].score, at))[: self.nodes])

    def _read(self, nodes: list[_Node], places: Sequence[int]) -> Tensor:
        """The model's logits behind the text, or behind some guesses of a level, each of which sees its own branch."""
        cache, model, length = self._cache, self._model, len(self._text)
        if places == [ROOT]:
            unread, start = known(model, self._text[cache.length :]), cache.length
            return self._meaning.of(model.forward(unread, range(start, length), None, cache)[-1:])
        start, n = cache.length, len(places)
        mask = torch.zeros(n, start + n, dtype=torch.bool)
        mask[:, :length] = True
        for number, place in enumerate(places):
            nodes[place].slot = start + number
            at = place
            while at != ROOT:
                mask[number, nodes[at].slot] = True
                at = nodes[at].parent
        tokens = known(model, [nodes[place].token for place in places])
        positions = [length + nodes[place].depth for place in places]
        return self._meaning.of(model.forward(tokens, positions, mask, cache))


def _without(q: Floats, elder: Sequence[int]) -> Floats | None:
    """q without the tokens already taken, normalized. None: nothing is left."""
    if not elder:
        return q
    left = q.copy()
    left[[*elder]] = 0.0
    mass = left.sum()
    return left / mass if mass > 0 else None


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameters. Raises ConfigError: see `small.small`; a shape that is too large."""
    return SmallTree(small(resources), params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
