"""The bench's arithmetic and its rivals: turns, ratios, counts of tokens. No time is asserted."""

import copy
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from specviz import theory
from specviz.__main__ import main
from specviz.bench import bare, genre, loop, suite
from specviz.bench.bare import Bare, Passes
from specviz.bench.clock import Spread, TimedWork, in_turns, ratio
from specviz.bench.rivals import Rivals
from specviz.bench.shapes import ModelShape
from specviz.config.settings import ConfigError, RunConfig
from specviz.law.sampling import Sampling
from specviz.models import pair as pairs
from specviz.trace.codec import read
from specviz.trace.metrics import summarize
from specviz.trace.round import Drafting, Timing
from tests.tiny import TableModel, decode, parts


def test_contestants_take_turns_part_by_part_and_the_first_lap_does_not_count() -> None:
    order: list[str] = []

    def work(name: str, part: int, lap: int) -> TimedWork:
        order.append(f"{name} {lap}.{part}")
        return TimedWork(4 - part, float(lap))

    works = {name: partial(work, name) for name in ("one", "other")}
    seconds = in_turns(works, 2, 3, lambda: order.append("|"))
    turns = ["0.0", *(f"{lap}.{part}" for lap in (1, 2, 3) for part in (0, 1))]
    assert order == [step for turn in turns for step in (f"one {turn}", "|", f"other {turn}", "|")]
    assert seconds == {"one": [2 / 7, 4 / 7, 6 / 7], "other": [2 / 7, 4 / 7, 6 / 7]}


def test_a_ratio_is_taken_lap_by_lap() -> None:
    assert ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0]) == Spread(2.0, 1.0, 3.0)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_rivals_make_as_many_tokens_as_asked_and_are_timed_from_the_first_on(temperature: float) -> None:
    """Assisted, the first are as many as came of the pass that read the prompt."""
    torch.manual_seed(1)
    target, draft = (
        GPT2LMHeadModel(GPT2Config(vocab_size=60, n_embd=16, n_layer=layers, n_head=2, bos_token_id=0, eos_token_id=0))
        for layers in (2, 1)
    )
    config = RunConfig("", max_new_tokens=9, temperature=temperature)
    ticks = count()
    rivals = Rivals(target.eval(), draft.eval(), [[1, 2, 3], [4, 5]], config, lambda: float(next(ticks)))
    plain, *guessed = rivals.plain(0, 0), rivals.assisted(3, 1, 0), rivals.lookup(3, 1, 0)
    assert plain == TimedWork(8, 1.0)
    assert all(5 <= made.tokens <= 8 and made.seconds == 1.0 for made in guessed)


def test_what_is_predicted_and_reached_comes_of_the_same_lap() -> None:
    """Costs are means, so that a lap whose steps take these times reaches just what it must; the first never counts."""
    draft, target = TableModel(6, 1), TableModel(6, 2)
    rounds = decode(parts(target, draft=draft, gamma=2, sampling=Sampling(0.8), limit=60), (0,))
    timing = Timing(draft=(Drafting(1, 1.0), Drafting(1, 3.0)), verify=6.0, accept=0.5, trim=0.25, overhead=0.25)
    timed = [replace(step, timing=timing) for step in rounds]
    laps = {0: rounds, 1: timed, 2: timed}
    bared = {
        0: [Passes(900.0, Bare(9.0, 9.0), Bare(9.0, 9.0))],
        1: [Passes(2.0, Bare(0.5, 5.0), Bare(1.5, 5.0)), Passes(4.0, Bare(1.0, 7.0), Bare(1.5, 7.0))],
        2: [Passes(4.0, Bare(1.0, 6.0), Bare(2.0, 6.0))],
    }
    gained = [1.5, 1.2]
    found = genre._costs(laps, 2, {0: [900.0], 1: [3.0, 5.0], 2: [8.0]}, bared, gained)
    alpha = summarize(rounds).alpha
    assert alpha
    assert found["overhead"] == pytest.approx(0.1875)
    wanted = {
        "in_rounds": [(2 / 4, 6 / 4), (2 / 8, 6 / 8)],
        "alone": [(0.75 / 3, 6 / 3), (1 / 4, 6 / 4)],
        "in_order": [(1.5 / 3, 6 / 3), (2 / 4, 6 / 4)],
    }
    for name, costs in wanted.items():
        told = found[name]
        predicted = [theory.speedup(alpha, 2, c, v) for c, v in costs]
        assert (told.c, told.v) == pytest.approx(tuple(map(statistics.mean, zip(*costs, strict=True))))
        assert told.predicted == pytest.approx(statistics.mean(predicted))
        reached = sorted(one / other for one, other in zip(gained, predicted, strict=True))
        assert (told.reached.low, told.reached.high) == pytest.approx(reached)
    assert genre._costs(laps, 2, {1: [3.0], 2: [8.0]}, None, gained)["alone"] is None


class Evicting(TableModel):
    """A pass costs a tick, and nine more where another model's went before."""

    ticks = 0.0
    last: "Evicting | None" = None

    def forward(self, *asked: Any) -> Any:
        Evicting.ticks += 1e-3 if Evicting.last is self else 1e-2
        Evicting.last = self
        return super().forward(*asked)


def test_passes_are_timed_each_alone_and_in_the_order_of_rounds() -> None:
    draft, target = Evicting(6, 1), Evicting(6, 2)
    found = bare.measure(target, draft, 3, 5, lambda: Evicting.ticks)
    assert found.plain == pytest.approx(1)
    assert (found.alone.draft, found.alone.verify) == pytest.approx((1, 1))
    assert (found.in_order.draft, found.in_order.verify) == pytest.approx((4, 10)), "one of three is evicted"


def test_what_a_round_costs_beside_its_passes_is_told_in_parts() -> None:
    """Passes that are played back are read once, and the run over them is the same, round for round."""
    read: list[int] = []

    def counted(forward: Any, tokens: Sequence[int], *rest: Any) -> Any:
        read.append(len(tokens))
        return forward(tokens, *rest)

    pair = pairs.load("embedded", "cpu", "float32")
    config = RunConfig("Once upon a time", max_new_tokens=20, gamma=4, temperature=0.8)
    counting: list[Any] = [copy.copy(model) for model in (pair.target, pair.draft)]
    for model in counting:
        model.forward = partial(counted, model.forward)
    target, draft = (loop._Timed(model, time.perf_counter, kept=True) for model in counting)
    first = loop._own(config, pair, target, draft)
    assert sum(read) > 20
    read.clear()
    for each in (target, draft):
        each.rewind()
    again = loop._own(config, pair, target, draft)
    assert len(again) == len(first)
    assert not read
    for own in (*first, *again):
        whole, *parts = astuple(own)
        assert min(parts) > 0
        assert sum(parts) == pytest.approx(whole)


def test_a_pair_that_cannot_be_timed_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="no pair 'gpt9' to time; there are: embedded, gpt2-medium-shape"):
        suite.jobs("gpt9", "cpu", quick=True)
    assert main(["bench", "gammas", "--pair", "gpt9"]) == 2
    assert capsys.readouterr().err.startswith("specviz: no pair 'gpt9'")


def test_a_shape_is_timed_from_end_to_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every contestant decodes, the draft being the target's first layer; what is written can be read again."""
    tiny = ModelShape(
        lambda: GPT2Config(vocab_size=90, n_embd=16, n_layer=3, n_head=2), "n_layer", 1, ("c_proj",), torch.float32
    )
    monkeypatch.setitem(suite.SHAPES, "gpt2-medium-shape", tiny)
    written = tmp_path / "report.json"
    asked = ["--pair", "gpt2-medium-shape", "--device", "cpu", "--quick", "--json", str(written)]
    assert main(["bench", "gammas", *asked]) == 0
    found = read(suite.BenchReport, json.loads(written.read_text(encoding="utf-8")), "report")
    assert [(row.drafter, row.rule, row.gamma, row.recorded) for row in found.genres[0].rows] == [
        ("small-model", "rejection", 4, False),
        ("small-model", "rejection", 4, True),
    ]
    assert len(found.passes) == 17
    assert found.target.startswith("gpt2, 3 layers")
