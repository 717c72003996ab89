"""What a round costs beside the models' passes: drawing, judging, trimming, bookkeeping."""

import dataclasses
import statistics
from collections.abc import Sequence
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


@dataclasses.dataclass(frozen=True, slots=True)
class Loop:
    """Milliseconds of a round that are no model's: the median, and around ROUNDS of a long run, 0 if not reached."""

    drafter: str
    median: float
    at: tuple[float, ...]


class _Timed:
    """A model that adds up the time its passes take."""

    def __init__(self, model: HFModel, clock: Clock) -> None:
        self._model, self._clock = model, clock
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        """As the model's own."""
        start = self._clock()
        logits = self._model.forward(tokens, positions, mask, cache)
        float(logits[-1, 0])  # waits for a GPU, too
        self.seconds += self._clock() - start
        return logits


def measure(config: RunConfig, pair: Pair, clock: Clock) -> Loop:
    """Decodes a long text, its rounds not recorded."""
    assert pair.draft is not None, "every pair that is timed has a draft"
    target, draft = _Timed(pair.target, clock), _Timed(pair.draft, clock)
    timed: Any = dataclasses.replace(pair, target=target, draft=draft)  # type: ignore[arg-type]
    own = []
    run = session.start(dataclasses.replace(config, max_new_tokens=TOKENS), timed, shown=False)
    start, passed = clock(), target.seconds + draft.seconds
    for _ in run:
        now, spent = clock(), target.seconds + draft.seconds
        own.append(1e3 * ((now - start) - (spent - passed)))
        start, passed = now, spent
    near = [own[place - AROUND : place + AROUND] for place in ROUNDS]
    return Loop(
        config.drafter, statistics.median(own), tuple(statistics.median(each) if each else 0.0 for each in near)
    )
