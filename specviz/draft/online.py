"""A small model that learns from every correction during a run.

The model's layers stay as they are, for everybody. What learns is a low-rank correction of its logits, made from its
last hidden state, and every drafter has its own. So no cache is ever stale, and the model itself is not touched.

Source: Liu et al., Online speculative decoding, arXiv:2310.07177; low rank as in LoRA, Hu et al., arXiv:2106.09685.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from specviz import draft
from specviz.chance import Chance
from specviz.config import Budget, ConfigError
from specviz.draft.base import Committed, Drafter, DrafterSpec, Proposal, Resources, Settings
from specviz.draft.model_chain import ModelChain
from specviz.draft.small import known, small
from specviz.gamma.base import Halting
from specviz.trace.guess import Source
from specviz.trace.round import Learning
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

    state: Tensor
    logits: Tensor


class Correction:
    """Learns what to add to a model's logits to come nearer to the target's, by cross-entropy at temperature 1.

    So what it learns does not depend on the run's temperature, top-k or top-p. It is used only while it would have been
    accepted at least as often as the model alone, in the places tested last: each was tried before it was learned from.

    Attributes:
        updates: how often its weights changed.
        used: whether it is added.
    """

    def __init__(self, size: int) -> None:
        """size: so many logits, from the first on, mean the same tokens to target and model."""
        self.updates, self.used = 0, True
        self._size = size
        self._weights: list[Tensor] = []
        self._averages: list[tuple[Tensor, Tensor]] = []
        self._replayed: list[tuple[Tensor, Tensor, Tensor]] = []
        self._accepted = torch.zeros(2)

    @torch.inference_mode()
    def __call__(self, read: Read) -> Tensor:
        """The corrected logits[V]."""
        if not self.updates or not self.used:
            return read.logits
        corrected = read.logits.clone()
        corrected[: self._size] += self._added(_direction(read.state)).to(read.logits.dtype)
        return corrected

    @torch.inference_mode()
    def learn(self, reads: Sequence[Read], target: Tensor) -> None:
        """Makes one update from tested places: what the model read there, and the target's logits[n, V]."""
        states = _direction(torch.stack([each.state for each in reads]))
        own = torch.stack([each.logits for each in reads])[:, : self._size].float()
        wanted = target[: len(reads), : self._size].to(own.device).float().softmax(-1)
        if not self._weights:
            first = torch.randn(states.shape[1], RANK, generator=torch.Generator().manual_seed(0))
            self._weights = [
                first.to(own.device) / states.shape[1] ** 0.5,
                torch.zeros(RANK, self._size).to(own.device),
            ]
            self._averages = [(torch.zeros_like(each), torch.zeros_like(each)) for each in self._weights]
        self._compare(states, own, wanted)
        self._replayed += zip(states, own, wanted, strict=True)
        del self._replayed[: -max(1, min(REPLAYED, NUMBERS // self._size))]
        self._update(*map(torch.stack, zip(*self._replayed, strict=True)))

    def _compare(self, states: Tensor, own: Tensor, wanted: Tensor) -> None:
        """How often a guess would be accepted in these places, with the correction and without."""
        q = torch.stack([own + self._added(states), own]).softmax(-1)
        self._accepted *= FADES ** len(states)
        self._accepted += torch.minimum(q, wanted).sum((1, 2)).cpu()
        corrected, alone = self._accepted.tolist()
        self.used = corrected >= alone

    def _added(self, states: Tensor) -> Tensor:
        down, up = self._weights
        return states @ down @ up

    def _update(self, states: Tensor, own: Tensor, wanted: Tensor) -> None:
        """One step of Adam."""
        self.updates += 1
        down, up = self._weights
        wrong = ((own + self._added(states)).softmax(-1) - wanted) / len(states)
        slopes = states.t() @ (wrong @ up.t()), (states @ down).t() @ wrong
        (one, other), step = MOMENTS, self.updates
        for weight, slope, (mean, square) in zip(self._weights, slopes, self._averages, strict=True):
            mean.lerp_(slope, 1 - one)
            square.lerp_(slope * slope, 1 - other)
            size = (square / (1 - other**step)).sqrt_().add_(1e-8)
            weight.addcdiv_(mean, size, value=-RATE / (1 - one**step))


def _direction(state: Tensor) -> Tensor:
    """A state without its length, so that every model's states are alike."""
    root: float = state.shape[-1] ** 0.5
    return functional.normalize(state.float(), dim=-1) * root


class Online(ModelChain):
    """The small model's chain, with a correction that learns from each round what the target said in the tested places.

    Weights move between rounds only, so a draft is drawn from the q that is recorded with it.
    """

    needs = Needs(rows=True)

    def __init__(self, model: OpenModel, resources: Resources) -> None:
        super().__init__(NAME, model, resources)
        self._blocks = None  # a GPU that draws a whole draft knows no correction
        self._open = model
        self._size = min(resources.shared or resources.vocab_size, model.vocab_size)
        self._correction = Correction(self._size)
        self._read: dict[int, Read] = {}
        """By slot, for tokens behind which a guess may be tested."""

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._correction = Correction(self._size)
        super().begin(prompt)

    def commit(self, step: Committed) -> None:
        if step.scores and (tested := min(len(step.path) + 1, len(step.scores.logits) - 1)):
            self._correction.learn(self._reads(step.tokens, tested), step.scores.logits)
        self._read.clear()
        super().commit(step)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        learned = self._correction
        times = f"{learned.updates} update{'s' * (learned.updates != 1)}"
        self._source = Source(NAME, words=f"after {times}" if learned.used else f"as it began: {times} would not help")
        made = super().propose(budget, chance, halt)
        return made._replace(learning=Learning(learned.updates, learned.used))

    def _reads(self, tokens: Sequence[int], tested: int) -> list[Read]:
        """What the model said in the tested places. What it has not read yet, in rounds it did not draft, it reads."""
        first = len(self._text) - 1
        if first not in self._read:
            self._forget(min(self._cache.length, first))
        if unread := [*self._text, *tokens][self._cache.length : first + tested]:
            self._feed(unread)
        return [self._read[place] for place in range(first, first + tested)]

    def _feed(self, tokens: Sequence[int]) -> Tensor:
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
        raise ConfigError("this draft model shows no hidden states; choose another drafter")
    return Online(model, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
