"""What bounds a pass, measured with a clock on which every lap takes a millisecond. No time is asserted."""

from itertools import count
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.config.settings import ConfigError, RunConfig
from specviz.lab import machine, roofline
from specviz.models.hf import HFModel
from specviz.models.hub import fits
from specviz.models.pair import Pair
from tests.tiny import Letters

SIDE = 16
CONTEXT = 100
CONFIG = RunConfig("abc", gamma=3, chat=False)


def llama(layers: int) -> LlamaForCausalLM:
    shape = {"hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}
    return LlamaForCausalLM(
        LlamaConfig(vocab_size=20, max_position_embeddings=CONTEXT, num_hidden_layers=layers, **shape)
    )


class Ours:
    """A target that only we can run, so batches need another model of its shape; two bytes hold each weight."""

    def __init__(self, layers: int) -> None:
        self.model = HFModel(llama(layers))
        self.config = self.model.config.to_dict()
        self.weight_bytes, self.weight_size = self.model.weight_bytes // 2, 2

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)


def pair() -> Pair:
    target: Any = Ours(2)
    tokenizer: Any = Letters()
    return Pair("tiny", target, HFModel(llama(1)), tokenizer, frozenset(), None, "cpu", "float32")


def clock() -> Any:
    ticks = count()
    return lambda: next(ticks) / 1000


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "CPU_SIDE", SIDE)
    monkeypatch.setattr(machine, "READ", 1 << 20)
    monkeypatch.setattr(roofline, "BATCHES", (1, 3))


def test_everything_is_measured_once_and_kept_as_it_comes() -> None:
    tiny, dice = pair(), torch.get_rng_state()
    told = list(roofline.measure(CONFIG, tiny, clock()))
    assert [(found.done, len(found.widths), len(found.batches)) for found in told] == [
        (1, 0, 0),
        *((2 + done, len(roofline.WIDTHS), done) for done in range(len(roofline.BATCHES) + 1)),
    ]
    last = told[-1]
    assert last.done == last.of
    assert torch.equal(torch.get_rng_state(), dice), "numbers that are not the engine's were left alone"
    weights = sum(weight.numel() for weight in llama(2).parameters()) - 20 * 16
    assert (last.weight_bytes, last.flops) == (2 * weights, 2 * weights)
    assert last.memory == pytest.approx(machine.READ / 0.001)
    assert last.again == pytest.approx(2 * weights / 0.001)
    assert last.arithmetic == pytest.approx(2 * SIDE**3 / 0.001)
    assert last.behind == CONTEXT - roofline.WIDTHS[-1]
    laps = [lap for taken in last.passes for lap in taken]
    laps += [lap for each in last.batches for lap in (*each.one, *each.many, *each.draft)]
    assert laps == pytest.approx([1.0] * len(laps))
    assert tuple(each.rows for each in last.batches) == roofline.BATCHES


def test_what_does_not_fit_is_refused_with_what_was_measured_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fits, "memory", lambda device: 0)
    told = roofline.measure(CONFIG, pair(), clock())
    assert [len(next(told).passes), len(next(told).passes)] == [0, len(roofline.WIDTHS)]
    with pytest.raises(ConfigError, match="more memory, cpu has 0 GB free; choose a smaller pair"):
        next(told)
