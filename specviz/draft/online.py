"""A small model that learns from every correction during a run.

The model's layers stay as they are, for everybody. What learns is a low-rank correction of its logits, made from its
last hidden state, and every drafter has its own. So no cache is ever stale, and the model itself is not touched.

Source: Liu et al., Online speculative decoding, arXiv:2310.07177; low rank as in LoRA, Hu et al., arXiv:2106.09685.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from specviz import draft
from specviz.config.settings import Budget, ConfigError
from specviz.config.words import because
from specviz.draft.base import Committed, Drafter, DrafterSpec, Proposal, Resources, Settings
from specviz.draft.model_chain import ModelChain
from specviz.draft.small import known, small
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.trace.guess import Source
from specviz.trace.round import Learning, Moved
from specviz.verify import Needs, OpenModel

NAME = "online"
NOVICE = "draft-tales"
RANK = 32
RATE = 0.01
MOMENTS = (0.9, 0.95)
"""Adam's averages."""
REPLAYED, NUMBERS = 64, 1 << 19
"""Each update repeats the newest so many tested places, fewer if that would be more logits than NUMBERS."""
FADES = 0.98
"""What the acceptance at a place counts for, one tested place later."""
LAST = -1
"""The last layer's state."""


class Read(NamedTuple):
    """What a model said after a token: its last hidden state [width], and its logits [V]."""

    state: Reals
    logits: Reals


class Correction:
    """Learns what to add to a model's logits to come nearer to the target's, by cross-entropy at temperature 1.

    So what it learns does not depend on the run's temperature, top-k or top-p. It is used only while it would have been
    accepted at least as often as the model alone, in the places tested last: each was tried before it was learned from.

    Attributes:
        updates: how often its weights changed.
        used: whether it is added.
    """

    def __init__(self, size: int) -> None:
        """size: that many logits, from the first on, mean the same tokens to target and model."""
        self.updates, self.used = 0, True
        self._size = size
        self._weights: list[Reals] = []
        self._averages: list[tuple[Reals, Reals]] = []
        self._replayed: list[tuple[Reals, Reals, Reals]] = []
        self._accepted = np.zeros(2)
        self._last: tuple[Reals, Reals, Moved] | None = None
        """The newest tested place with a token: its state, the model's logits, and p and q there before the update."""

    def __call__(self, read: Read) -> Reals:
        """The corrected logits[V]."""
        if not self.updates or not self.used:
            return read.logits
        corrected = read.logits.copy()
        corrected[: self._size] += self._added(_direction(read.state))
        return corrected

    def learn(self, reads: Sequence[Read], target: Reals, tokens: Sequence[int]) -> None:
        """Makes one update from tested places: what the model read there, and the target's logits[n, V].

        Args:
            tokens: the tokens there now. The text may end before the last of them.
        """
        states = _direction(np.stack([each.state for each in reads]))
        before = np.stack([each.logits[: self._size] for each in reads]).astype(np.float32)
        wanted = _softmax(target[: len(reads), : self._size].astype(np.float32))
        if not self._weights:
            width = states.shape[1]
            first = np.random.Generator(np.random.Philox(key=0)).standard_normal((width, RANK), np.float32)
            self._weights = [first / np.float32(width**0.5), np.zeros((RANK, self._size), np.float32)]
            self._averages = [(np.zeros_like(each), np.zeros_like(each)) for each in self._weights]
        q = self._compare(states, before, wanted)
        last = min(len(reads), len(tokens)) - 1
        self._last = None
        if last >= 0 and (token := tokens[last]) < self._size:
            was = Moved(token, "", wanted[last].item(token), q[last].item(token), 0.0)
            self._last = states[last], before[last], was
        self._replayed += zip(states, before, wanted, strict=True)
        del self._replayed[: -max(1, min(REPLAYED, NUMBERS // self._size))]
        self._update(*map(np.stack, zip(*self._replayed, strict=True)))

    def moved(self) -> Moved | None:
        """What the last update did to q of the token that it was given."""
        if self._last is None:
            return None
        state, logits, was = self._last
        return replace(was, after=_softmax(logits + self._added(state)).item(was.token))

    def _compare(self, states: Reals, before: Reals, wanted: Reals) -> Reals:
        """How often a guess would be accepted in these places, with the correction and without. Returns q with it."""
        q = _softmax(np.stack([before + self._added(states), before]))
        self._accepted *= FADES ** len(states)
        self._accepted += np.minimum(q, wanted).sum((1, 2))
        corrected, alone = self._accepted
        self.used = bool(corrected >= alone)
        with_it: Reals = q[0]
        return with_it

    def _added(self, states: Reals) -> Reals:
        down, up = self._weights
        added: Reals = states @ down @ up
        return added

    def _update(self, states: Reals, before: Reals, wanted: Reals) -> None:
        """One step of Adam."""
        self.updates += 1
        down, up = self._weights
        wrong = (_softmax(before + self._added(states)) - wanted) / len(states)
        slopes = states.T @ (wrong @ up.T), (states @ down).T @ wrong
        (one, other), step = MOMENTS, self.updates
        for weight, slope, (mean, square) in zip(self._weights, slopes, self._averages, strict=True):
            mean += (1 - one) * (slope - mean)
            square += (1 - other) * (slope * slope - square)
            weight -= RATE / (1 - one**step) * mean / (np.sqrt(square / (1 - other**step)) + 1e-8)


def _softmax(logits: Reals) -> Reals:
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    shares: Reals = weights / weights.sum(-1, keepdims=True)
    return shares


def _direction(state: Reals) -> Reals:
    """A state without its length, so that every model's states are alike: float32[..., width]."""
    length = np.linalg.norm(state, axis=-1, keepdims=True)
    found: Reals = (state / np.maximum(length, 1e-12) * state.shape[-1] ** 0.5).astype(np.float32)
    return found


class Online(ModelChain):
    """The small model's chain, with a correction that learns from each round what the target said in the tested places.

    Weights move between rounds only, so a draft is drawn from the q that is recorded with it.
    """

    needs = Needs(rows=True)

    def __init__(self, model: OpenModel, resources: Resources) -> None:
        super().__init__(NAME, model, resources)
        self._open = model
        self._size = min(resources.shared or resources.vocab_size, model.vocab_size)
        self._correction = Correction(self._size)
        self._read: dict[int, Read] = {}
        """By slot, for tokens after which a guess may be tested."""

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._correction = Correction(self._size)
        super().begin(prompt)

    def commit(self, step: Committed) -> None:
        if step.scores and (tested := min(len(step.path) + 1, len(step.scores.logits) - 1)):
            self._correction.learn(self._reads(step.tokens, tested), step.scores.logits, step.tokens)
        self._read.clear()
        super().commit(step)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        learned = self._correction
        words = because("online.used" if learned.used else "online.unused", updates=learned.updates)
        self._source = Source(NAME, words=words)
        made = super().propose(budget, chance, halt)
        return made._replace(learning=Learning(learned.updates, learned.used))

    def with_sources(self, proposal: Proposal) -> Proposal:
        learning = proposal.learning
        return proposal._replace(learning=learning and replace(learning, moved=self._correction.moved()))

    def _reads(self, tokens: Sequence[int], tested: int) -> list[Read]:
        """What the model said in the tested places. What it has not read yet, in rounds it did not draft, it reads."""
        first = len(self._text) - 1
        if first not in self._read:
            self._forget(min(self._cache.length, first))
        if unread := [*self._text, *tokens][self._cache.length : first + tested]:
            self._feed(unread)
        return [self._read[place] for place in range(first, first + tested)]

    def _feed(self, tokens: Sequence[int]) -> Reals:
        """The last token's logits alone, [1, V]."""
        start = self._cache.length
        self._fed += tokens
        places = range(start, start + len(tokens))
        scores = self._open.opened(known(self._model, tokens), places, None, self._cache, (LAST,))
        reads = [*map(Read, scores.hidden[LAST], scores.logits)]
        self._read.update(
            (place, read) for place, read in zip(places, reads, strict=True) if place >= len(self._text) - 1
        )
        return self._correction(reads[-1])[None]


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameter. Raises ConfigError: the pair has no such model."""
    model = small(resources) if params["start"] == "shipped" else resources.model(NOVICE)
    if not isinstance(model, OpenModel):
        raise ConfigError("no_draft_states")
    return Online(model, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
