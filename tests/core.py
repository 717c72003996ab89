"""The acceptance rule's core alone, thousands of rounds at once, and the laws of what comes out."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from specviz import accept
from specviz.accept.base import AcceptRule, Walk
from specviz.sampling.arrays import Floats, Ids
from specviz.sampling.chance import At, Purpose
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Row
from specviz.sampling.tree import DraftTree
from tests import reference
from tests.statistic import p_value
from tests.tiny import TableModel

BATCH = 20_000
LAWS = ("token", "slot", "bonus")


@dataclass(frozen=True)
class Tables:
    """A pair of laws that depend on the last two tokens: the context, counted as last but one * V + last."""

    name: str
    vocab_size: int
    sampling: Sampling
    draft_seed: int

    @property
    def p(self) -> Floats:
        """float64[V * V, V]."""
        return _rows(self.vocab_size, 1, self.sampling)

    @property
    def q(self) -> Floats:
        return _rows(self.vocab_size, self.draft_seed, self.sampling)

    def then(self, context: Ids, token: Ids) -> Ids:
        return context % self.vocab_size * self.vocab_size + token


@cache
def _rows(vocab_size: int, seed: int, sampling: Sampling) -> Floats:
    model = TableModel(vocab_size, seed, spread=0.6)
    contexts = [(first, last) for first in range(vocab_size) for last in range(vocab_size)]
    return np.array([reference.law(model, context, sampling) for context in contexts])


def kept(rule: str, p: Floats, q: Floats) -> Floats:
    """How often a token is guessed and stands, float64[..., V]."""
    if rule == "coupled":
        ratios = np.maximum(p[..., None, :] * q[..., None], q[..., None, :] * p[..., None]).sum(-1)
        return np.divide(p * q, ratios, out=np.zeros_like(p), where=p * q > 0)
    return np.minimum(p, q)


class Sample:
    """What many independent rounds did, counted by context.

    Attributes:
        tokens: [contexts, V], every token that was added to a text.
        slots: [gamma, contexts, 2, V], what a tested slot ended with: its guess, or what replaced it.
        bonuses: [contexts, V].
        broken: what no round may do, in words.
    """

    def __init__(self, rule: AcceptRule, tables: Tables, gamma: int, count: int, seed: int) -> None:
        self.rule, self.tables, self.gamma = rule, tables, gamma
        self.weighs = accept.entry(rule.name).weighs
        size = tables.vocab_size
        self.tokens = np.zeros((size**2, size))
        self.slots = np.zeros((gamma, size**2, 2, size))
        self.bonuses = np.zeros_like(self.tokens)
        self.broken: set[str] = set()
        generator = np.random.default_rng(seed)
        while self.tokens.sum() < count:
            self._play(generator)

    def _play(self, generator: np.random.Generator) -> None:
        tables = self.tables
        draws = self.rule.batch_draws(generator, BATCH)
        contexts = [generator.integers(tables.vocab_size**2, size=BATCH)]
        guesses = []
        for node in range(self.gamma):
            guess, _ = draws.pick(tables.q[contexts[-1]], At(node, Purpose.DRAFT))
            guesses.append(guess)
            contexts.append(tables.then(contexts[-1], guess))
        tokens, places = np.stack(guesses, 1), np.stack(contexts, 1)
        tree = DraftTree.chain([0] * self.gamma)
        q, p = [Row(tables.q[each]) for each in contexts[:-1]], [tables.p[each] for each in contexts]
        self._count(tokens, places, self.rule.walk(tree, tokens, q, p, 0, np.zeros(tokens.shape, dtype=bool), draws))

    def _count(self, tokens: Ids, places: Ids, walk: Walk) -> None:
        order = np.concatenate([np.where(walk.won, tokens, -1), walk.token[:, None]], 1)
        text = np.take_along_axis(order, (order < 0).argsort(1, kind="stable"), 1)
        context = places[:, 0]
        for token in text.T:
            there = token >= 0
            _tally(self.tokens, context[there], token[there])
            context = self.tables.then(context, np.maximum(token, 0))
        for node, slot in enumerate(self.slots):
            won, lost = walk.won[:, node], walk.rejected == node
            _tally(slot[:, 0], places[won, node], tokens[won, node])
            _tally(slot[:, 1], places[lost, node], walk.token[lost])
        bonus = (walk.rejected < 0) & (walk.token >= 0)
        _tally(self.bonuses, places[bonus, -1], walk.token[bonus])
        self._look(walk)

    def _look(self, walk: Walk) -> None:
        reached = np.concatenate([np.ones((len(walk.won), 1), dtype=bool), walk.won[:, :-1]], 1)
        if self.weighs:
            reached = np.ones_like(reached)
        everything = walk.won.all(1)
        for what, wrong in {
            "a guess was judged, or not, whatever became of the one before it": walk.tested != reached,
            "a guess stands that was never judged": walk.won & ~walk.tested,
            "a bonus without every guess standing, or none with it": (walk.rejected < 0) != everything,
            "a round without a token of the target's own": walk.token < 0,
        }.items():
            if wrong.any():
                self.broken.add(what)

    def laws(self) -> dict[str, float]:
        """p-values: of a token given its context, of what a slot ends with given its context, of a bonus given its."""
        p, both = self.tables.p, kept(self.rule.name, self.tables.p, self.tables.q)
        replaced = np.where(p - both > 1e-12, p - both, 0.0)
        slots = self.slots.sum((-1, -2), keepdims=True) * np.stack([both, replaced], 1)
        outcomes = 2 * self.tables.vocab_size
        found = {"token": self.tokens, "slot": self.slots.reshape(-1, outcomes), "bonus": self.bonuses}
        expected = {
            "token": self.tokens.sum(-1, keepdims=True) * p,
            "slot": slots.reshape(-1, outcomes),
            "bonus": self.bonuses.sum(-1, keepdims=True) * p,
        }
        if self.weighs:  # what a slot ends with depends on the guesses behind it
            del found["slot"]
        return {law: p_value(found[law], expected[law]) for law in found}


def _tally(counts: Floats, context: Ids, token: Ids) -> None:
    np.add.at(counts, (context, token), 1.0)
