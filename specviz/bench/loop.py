"""Times what a round costs besides the models' passes: sampling, judging, trimming, bookkeeping."""

import copy
import dataclasses
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from specviz import session
from specviz.config.settings import Clock, RunConfig
from specviz.models.pair import Pair
from specviz.trim import KVCache

ROUNDS = (10, 100, 300)
AROUND = 5
TOKENS = 900
FEW = 128
"""Tokens of a run whose logits are played back."""
LAPS = 3
COUNTED: Mapping[str, str] = {
    "forward": "seconds", "opened": "seconds", "resume": "seconds", "spoken": "drafting", "read_off": "drafting"
}  # fmt: skip
"""What counts the time of a model's passes."""


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


class _Timed:
    """A copy of a model that times its passes.

    kept: what they gave is kept, and after `rewind` returned once more without computing.
    seconds: of whole passes, and of what is left of them behind a drafter's layers. drafting: of these layers.
    """

    def __init__(self, model: Any, clock: Clock, *, kept: bool) -> None:
        self.model, self.clock = copy.copy(model), clock
        self.seconds = self.drafting = self._begun = 0.0
        self._kept, self._stored = kept, list[tuple[Any, int]]()
        self._replay: Iterator[tuple[Any, int]] | None = None
        for name in ("start", *COUNTED):
            setattr(self.model, name, partial(self._timed, name, getattr(model, name)))

    def rewind(self) -> None:
        self._replay = iter(self._stored)

    def _timed(self, name: str, work: Callable[..., Any], *given: Any) -> Any:
        start = self.clock()
        made = self._made(work, given)
        self._begun += self.clock() - start
        if name in COUNTED:  # whose time the first layers are shows in what follows them
            setattr(self, COUNTED[name], getattr(self, COUNTED[name]) + self._begun)
            self._begun = 0.0
        return made

    def _made(self, work: Callable[..., Any], given: Sequence[Any]) -> Any:
        cache = next((each for each in given if isinstance(each, KVCache)), None)
        length = cache.length if cache else 0
        if self._replay is None:
            made = work(*given)
            if self._kept:
                self._stored.append((made, cache.length - length if cache else 0))
            return made
        made, grown = next(self._replay)
        if cache:
            cache.advance(grown)
        return made


def measure(config: RunConfig, pair: Pair, clock: Clock) -> Loop:
    """Decodes a long text without recording, and a shorter one several times with its logits played back."""
    assert pair.draft is not None, "every pair that is timed has a draft"
    long = dataclasses.replace(config, max_new_tokens=TOKENS)
    own = _own(long, pair, *_both(pair, clock, kept=False))
    near = [[each.whole for each in own[place - AROUND : place + AROUND]] for place in ROUNDS]
    played = _both(pair, clock, kept=True)
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


def _both(pair: Pair, clock: Clock, *, kept: bool) -> tuple[_Timed, _Timed]:
    return _Timed(pair.target, clock, kept=kept), _Timed(pair.draft, clock, kept=kept)


def _own(config: RunConfig, pair: Pair, target: _Timed, draft: _Timed) -> list[Own]:
    """What each round of a run took besides both models' passes."""
    timed = dataclasses.replace(pair, target=target.model, draft=draft.model)
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
