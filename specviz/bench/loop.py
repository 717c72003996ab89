"""Times what a round costs besides the models' passes: sampling, judging, trimming, bookkeeping."""

import dataclasses
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from torch import Tensor

from specviz import session
from specviz.config import Clock, RunConfig
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.trim import KVCache
from specviz.verify import Scores

Made = TypeVar("Made", Tensor, Scores)

ROUNDS = (10, 100, 300)
AROUND = 5
TOKENS = 900
FEW = 128
"""Tokens of a run whose logits are played back."""
LAPS = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Own:
    """Milliseconds of a round outside the models' passes, and their parts.

    drawing: the guesses. verifying: preparing the target's pass and copying its logits. judging: probabilities and
    judgement. rest: everything else.
    """

    whole: float
    drawing: float
    verifying: float
    judging: float
    rest: float


@dataclasses.dataclass(frozen=True, slots=True)
class Loop:
    """What rounds cost besides the models' passes. Each number is a median.

    Attributes:
        behind: between real passes, which fill the processor's caches with weights.
        at: milliseconds around each of ROUNDS of that run, 0 if the run was shorter.
        alone: with the logits played back from memory, so that code and data stay in the caches.
    """

    drafter: str
    behind: Own
    at: tuple[float, ...]
    alone: Own


class _TimedModel:
    """A model that adds up the time its passes take.

    seconds: of whole passes, and of what is left of them behind a drafter's layers. drafting: of these layers.
    """

    def __init__(self, model: HFModel, clock: Clock) -> None:
        self._model, self.clock = model, clock
        self.seconds = self.drafting = self._open = 0.0
        self.width, self.unsplit = model.width, model.unsplit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def blocks(self, cache: KVCache) -> bool:
        """False, because the passes of a whole draft on a GPU could not be timed apart from the draws between them."""
        return False

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        """The model's own pass, timed."""
        logits, seconds = self._timed(lambda: self._model.forward(tokens, positions, mask, cache), len(tokens), cache)
        self.seconds += seconds
        return logits

    def opened(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        mask: Tensor | None,
        cache: KVCache,
        hidden: Sequence[int],
    ) -> Scores:
        """A pass that shows its states, timed."""
        work = partial(self._model.opened, tokens, positions, mask, cache, hidden)
        scores, seconds = self._timed(work, len(tokens), cache)
        self.seconds += seconds
        return scores

    def spoken(self, hidden: Tensor) -> Tensor:
        """The output layer behind a head, timed."""
        logits, seconds = self._timed(lambda: self._model.spoken(hidden))
        self.drafting += seconds
        return logits

    def start(
        self, layers: int, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        """The first layers, timed. Whose time it is shows when a guess is read off them, or the others follow."""
        work = partial(self._model.start, layers, tokens, positions, mask, cache)
        hidden, seconds = self._timed(work, len(tokens), cache)
        self._open += seconds
        return hidden

    def read_off(self, hidden: Tensor) -> Tensor:
        """The output layer, timed."""
        logits, seconds = self._timed(lambda: self._model.read_off(hidden))
        self.drafting += self._open + seconds
        self._open = 0.0
        return logits

    def resume(
        self, layers: int, hidden: Tensor, positions: Sequence[int], mask: Tensor | None, cache: KVCache
    ) -> Tensor:
        """The other layers, timed."""
        work = partial(self._model.resume, layers, hidden, positions, mask, cache)
        logits, seconds = self._timed(work, len(hidden), cache)
        self.seconds += self._open + seconds
        self._open = 0.0
        return logits

    def _timed(self, work: Callable[[], Made], n: int = 0, cache: KVCache | None = None) -> tuple[Made, float]:
        start = self.clock()
        return self._done(work, n, cache), self.clock() - start

    def _done(self, work: Callable[[], Made], n: int, cache: KVCache | None) -> Made:
        made = work()
        float((made.logits if isinstance(made, Scores) else made)[-1, 0])  # copying a number waits for the GPU
        return made


class _PlayedBack(_TimedModel):
    """Stores what its passes gave. After `rewind` it returns that once more without computing."""

    def __init__(self, model: HFModel, clock: Clock) -> None:
        super().__init__(model, clock)
        self._stored: list[Any] = []
        self._replay: Iterator[Any] | None = None

    def rewind(self) -> None:
        self._replay = iter(self._stored)

    def _done(self, work: Callable[[], Made], n: int, cache: KVCache | None) -> Made:
        if self._replay is None:
            self._stored.append(super()._done(work, n, cache))
            return self._stored[-1]  # type: ignore[no-any-return]
        if cache:
            cache.advance(n)
        made: Made = next(self._replay)
        return made


def measure(config: RunConfig, pair: Pair, clock: Clock) -> Loop:
    """Decodes a long text without recording, and a shorter one several times with its logits played back."""
    assert pair.draft is not None, "every pair that is timed has a draft"
    long = dataclasses.replace(config, max_new_tokens=TOKENS)
    own = _own(long, pair, _TimedModel(pair.target, clock), _TimedModel(pair.draft, clock))
    near = [[each.whole for each in own[place - AROUND : place + AROUND]] for place in ROUNDS]
    played = _PlayedBack(pair.target, clock), _PlayedBack(pair.draft, clock)
    alone: list[Own] = []
    for lap in range(LAPS + 1):
        found = _own(dataclasses.replace(config, max_new_tokens=FEW), pair, *played)
        alone += found if lap else []
        for model in played:
            model.rewind()
    return Loop(
        config.drafter,
        _typical(own),
        tuple(statistics.median(each) if each else 0.0 for each in near),
        _typical(alone),
    )


def _typical(rounds: Sequence[Own]) -> Own:
    return Own(*map(statistics.median, zip(*map(dataclasses.astuple, rounds), strict=True)))


def _own(config: RunConfig, pair: Pair, target: _TimedModel, draft: _TimedModel) -> list[Own]:
    """What each round of a run took besides both models' passes."""
    timed: Any = dataclasses.replace(pair, target=target, draft=draft)  # type: ignore[arg-type]
    clock, own = target.clock, []
    run = session.start(config, timed, shown=False)
    start, verified, drafted = clock(), target.seconds, draft.seconds + target.drafting
    for step in run:
        now, timing = clock(), step.timing
        verifying = 1e3 * (target.seconds - verified)
        drafting = 1e3 * (draft.seconds + target.drafting - drafted)
        whole = 1e3 * (now - start) - verifying - drafting
        parts = timing.drafting - drafting, timing.verify - verifying, timing.accept
        own.append(Own(whole, *parts, whole - sum(parts)))
        start, verified, drafted = clock(), target.seconds, draft.seconds + target.drafting
    return own
