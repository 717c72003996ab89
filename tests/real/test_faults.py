"""What breaks in the engine breaks one run: its rounds are kept, its memory comes back, nobody else's text changes."""

import gc
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import pytest
import torch

from specviz import accept, draft, session
from specviz.check.run import problems
from specviz.config.pairs import Offer
from specviz.config.settings import HOME, DraftEntry, Limits, RuleEntry, RunConfig
from specviz.models.pair import Pair
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
from specviz.ui.runs import live
from specviz.ui.runs.recordings import Recordings
from tests.battery.common import tiny_pair

CONFIG = RunConfig("abé", seed=3, max_new_tokens=60, chat=False)
TIMES = 20


def decided(rounds: Sequence[Round]) -> list[tuple[Any, ...]]:
    """What the rounds say, but for the times they took."""
    return [(step.path, step.tokens, [each.u for each in step.verdicts]) for step in rounds]


class Engine:
    """As much of a backend as a run needs, over a pair whose memory runs out in the pass of one round."""

    limits = HOME

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.breaks_at: int | None = None
        self.caches: list[weakref.ref[Any]] = []

    def catalog(self) -> tuple[DraftEntry, ...]:
        return draft.ENTRIES

    def rules(self) -> tuple[RuleEntry, ...]:
        return accept.ENTRIES

    def offers(self) -> tuple[Offer, ...]:
        return (Offer("embedded", "embedded", "", "", ready=True),)

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        at, target = self.breaks_at, self.pair.target
        passes = None  # not counted while the prompt is read

        def forward(tokens: Any, positions: Any, mask: Any, cache: Any) -> torch.Tensor:
            nonlocal passes
            if passes == 0:
                self.caches.append(weakref.ref(cache))
            if passes is not None and passes == at:
                raise torch.OutOfMemoryError("no room for a tensor")
            passes = None if passes is None else passes + 1
            return target.forward(tokens, positions, mask, cache)

        broken: Any = _With(target, forward)
        run = session.Run(config, self.pair if at is None else replace(self.pair, target=broken))
        passes = 0
        return run.stream()


class _With:
    """A model with another forward pass."""

    def __init__(self, model: Any, forward: Any) -> None:
        self._model = model
        self.forward = forward

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


def test_memory_that_runs_out_in_any_round_keeps_the_rounds_before_and_twenty_times_leave_nothing_behind(
    pair: Pair,
) -> None:
    engine, recordings = Engine(pair), Recordings({})
    solo = list(session.Run(CONFIG, pair))
    for at in range(TIMES):
        engine.breaks_at = at % len(solo)
        sent = []
        with pytest.raises(torch.OutOfMemoryError):
            sent.extend(live.stream(engine, recordings, CONFIG, "me"))
        recording = recordings.newest("me")
        assert recording is not None
        assert recording.stop is Stop.FAILED
        assert decided(recording.rounds) == decided(solo[: at % len(solo)])
        assert "refusals.fewer" in sent[-1]["j"]
    gc.collect()
    assert len(engine.caches) == TIMES
    assert [cache for cache in engine.caches if cache() is not None] == []
    engine.breaks_at = None
    list(live.stream(engine, recordings, CONFIG, "next"))
    recording = recordings.newest("next")
    assert recording is not None
    assert decided(recording.rounds) == decided(solo)


def test_two_runs_in_turns_and_one_that_breaks_between_them_change_nothing(pair: Pair) -> None:
    configs = (CONFIG, RunConfig("ba", seed=9, max_new_tokens=40, chat=False))
    solo = [list(session.Run(config, pair)) for config in configs]
    engine = Engine(pair)
    engine.breaks_at = 1
    beside: list[list[Round]] = [[], []]
    for turn in zip_longest(*(session.Run(config, pair) for config in configs)):
        with pytest.raises(torch.OutOfMemoryError):
            list(engine.start(CONFIG))
        for made, step in zip(beside, turn, strict=True):
            made += [step] if step else []
    assert [decided(rounds) for rounds in beside] == [decided(rounds) for rounds in solo]


def test_a_run_out_of_time_ends_after_the_round_it_is_in_and_is_sound(pair: Pair) -> None:
    run = session.Run(CONFIG, pair, limits=Limits(seconds=0))
    assert len(list(run)) == 1
    trace = run.trace()
    assert trace.stop is Stop.DEADLINE
    assert problems(trace) == []
