"""Times what a round costs besides the models' passes: sampling, judging, trimming, bookkeeping."""

import dataclasses
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from torch import Tensor

from specviz import session
from specviz.config import Clock, RunConfig
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.trim import KVCache

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
    """A model that adds up the time its passes take."""

    def __init__(self, model: HFModel, clock: Clock) -> None:
        self._model, self.clock = model, clock
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def blocks(self, cache: KVCache) -> bool:
        """False, because the passes of a whole draft on a GPU could not be timed apart from the draws between them."""
        return False

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        """The model's own pass, timed."""
        start = self.clock()
        logits = self._read(tokens, positions, mask, cache)
        self.seconds += self.clock() - start
        return logits

    def _read(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        logits = self._model.forward(tokens, positions, mask, cache)
        float(logits[-1, 0])  # copying a number waits for the GPU
        return logits


class _PlayedBack(_TimedModel):
    """Stores its logits. After `rewind` it returns them once more without computing."""

    def __init__(self, model: HFModel, clock: Clock) -> None:
        super().__init__(model, clock)
        self._stored: list[Tensor] = []
        self._replay: Iterator[Tensor] | None = None

    def rewind(self) -> None:
        self._replay = iter(self._stored)

    def _read(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        if self._replay is None:
            self._stored.append(super()._read(tokens, positions, mask, cache))
            return self._stored[-1]
        cache.advance(len(tokens))
        return next(self._replay)


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
    start, verified, drafted = clock(), target.seconds, draft.seconds
    for step in run:
        now, timing = clock(), step.timing
        verifying, drafting = 1e3 * (target.seconds - verified), 1e3 * (draft.seconds - drafted)
        whole = 1e3 * (now - start) - verifying - drafting
        parts = timing.drafting - drafting, timing.verify - verifying, timing.accept
        own.append(Own(whole, *parts, whole - sum(parts)))
        start, verified, drafted = clock(), target.seconds, draft.seconds
    return own
