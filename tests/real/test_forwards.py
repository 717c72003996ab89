"""The fast forward passes give transformers' own logits, whatever the family, and stand back where they do not."""

import time
import weakref
from collections.abc import Callable
from itertools import cycle, product
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from specviz.models.hf import HFModel, most_threads
from specviz.models.passes import fastest, lean, packed
from specviz.models.passes.lean import LeanModel
from specviz.tree import DraftTree
from specviz.verify import verify

SHAPE: dict[str, Any] = {
    "vocab_size": 150,
    "hidden_size": 48,
    "intermediate_size": 80,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}  # fmt: skip
YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 64}
Make = Callable[[], PreTrainedModel]
LEAN: dict[str, Make] = {
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE)),
    "llama with biases": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, attention_bias=True, mlp_bias=True)),
    "llama 3's rotation": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, rope_parameters=LLAMA3)),
    "yarn": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, rope_parameters=YARN)),
    "tied, wide heads": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, head_dim=20, tie_word_embeddings=True)),
    "mistral": lambda: MistralForCausalLM(MistralConfig(**SHAPE, sliding_window=None)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**SHAPE)),
    "qwen3": lambda: Qwen3ForCausalLM(Qwen3Config(**SHAPE, head_dim=16)),
}
PACKED: dict[str, Make] = {
    "gpt2": lambda: GPT2LMHeadModel(GPT2Config(vocab_size=150, n_embd=48, n_layer=3, n_head=4, n_positions=256)),
    "pythia": lambda: GPTNeoXForCausalLM(
        GPTNeoXConfig(**{name: size for name, size in SHAPE.items() if name != "num_key_value_heads"})
    ),
    "mistral's window": lambda: MistralForCausalLM(MistralConfig(**SHAPE, sliding_window=64)),
}


def made(make: Make) -> PreTrainedModel:
    """Weights, biases and norms all random: fresh models have norms of 1 and biases of 0, which would hide mistakes."""
    torch.manual_seed(3)
    model = make().eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.1 * torch.randn_like(weight)
    return model


def rows(model: HFModel) -> Tensor:
    """A long prompt, a chain, one token, a tree and two tokens, some forgotten in between; then levels of a draft: two
    siblings, a guess below the first, and two rows of which the first sees the second.
    """
    cache = model.new_cache(128)
    out = [model.forward(list(range(70, 150)), range(80), None, cache)]
    out.append(verify(model, cache, [20], DraftTree.chain([5, 6, 7, 8])).logits)
    cache.truncate(82)
    out.append(model.forward([9], [82], None, cache))
    out.append(verify(model, cache, [10, 11], DraftTree((1, 2, 3, 4), (-1, -1, 0, 1))).logits)
    cache.keep(85, (1, 3))
    out.append(model.forward([12, 13], [87, 88], None, cache))
    for tokens, position, hidden in (
        ([14, 15], 89, [(0, -1), (1, -2)]),
        ([16], 90, [(0, -2)]),
        ([17, 18], 91, [(1, -4)]),
    ):
        mask = torch.ones(len(tokens), cache.length + len(tokens), dtype=torch.bool)
        for row, column in hidden:
            mask[row, column] = False
        out.append(model.forward(tokens, [position] * len(tokens), mask, cache))
    return torch.cat(out)


def singly(most: int) -> Callable[[], float]:
    """A clock by which so many rows go fastest one after the other: it stands still where that is so."""
    trials = [(rows - 1, rows) for rows in range(1, min(most + 1, lean.FEW) + 1)]
    laps = [trial for trial in trials for _ in range(packed.LAPS)]
    return iter([tick for trial in laps for n in trial for tick in (0.0, abs(n - most))]).__next__


@pytest.mark.parametrize("most", range(lean.FEW + 1))
@pytest.mark.parametrize("name", LEAN)
def test_the_lean_pass_is_transformers_own(name: str, most: int) -> None:
    model = made(LEAN[name]).double()
    wanted = rows(HFModel(model))
    found = rows(LeanModel(model, singly(most), packed=False))
    assert wanted.std() > 0.3, "a model that says nothing"
    assert float((found - wanted).abs().max()) < 5e-6, "transformers computes its norms in float32, whatever the model"


@pytest.mark.parametrize("name", LEAN)
def test_the_lean_pass_shows_transformers_own_states(name: str) -> None:
    model, text = made(LEAN[name]).double(), list(range(70, 150))
    eager, fast = HFModel(model), LeanModel(model, singly(0), packed=False)
    layers = range(-1, 4)
    wanted, found = (each.opened(text, range(80), None, each.new_cache(80), layers) for each in (eager, fast))
    assert float((found.logits - wanted.logits).abs().max()) < 5e-6
    for layer in layers:
        assert float((found.hidden[layer] - wanted.hidden[layer]).abs().max()) < 5e-6


def test_a_lean_pass_without_torchscript_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    model = made(LEAN["qwen3"]).double()
    wanted = rows(LeanModel(model, singly(0), packed=False))
    monkeypatch.setattr(lean, "SCRIPTED", False)
    assert torch.equal(rows(LeanModel(model, singly(0), packed=False)), wanted)


@pytest.mark.parametrize("name", [*LEAN, *PACKED])
def test_the_fastest_pass_is_the_eager_one_up_to_rounding(name: str) -> None:
    model = made((LEAN | PACKED)[name])
    wanted = rows(HFModel(model))
    fast = fastest.fastest(model)
    assert fast.way.name == ("lean" if name in LEAN else "packed"), fast.way
    assert bool(fast.way.reason) == (name in PACKED)
    assert fast.way.error is not None
    assert float((rows(fast) - wanted).abs().max()) < 1e-4 * float(wanted.abs().max())


def test_packing_leaves_no_plain_linear_layer_behind() -> None:
    model = made(PACKED["gpt2"])
    fastest.fastest(model)
    assert not [layer for layer in model.modules() if isinstance(layer, nn.Linear)]
    assert sum(isinstance(layer, packed.Packed) for layer in model.modules()) == 4 * 3 + 1


@pytest.mark.parametrize("name", ["llama", "gpt2"])
def test_a_fast_pass_that_is_off_stands_back_and_says_why(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = made((LEAN | PACKED)[name])
    wanted = rows(HFModel(model))
    made_of = packed.Packed.__init__
    monkeypatch.setattr(packed.Packed, "__init__", lambda self, weight, bias: made_of(self, weight * 1.01, bias))
    slow = fastest.fastest(model)
    assert slow.way.name == "eager"
    assert "logits are off" in slow.way.reason
    assert torch.equal(rows(slow), wanted)


def test_what_cannot_be_packed_says_why() -> None:
    assert "float64" in fastest.fastest(made(LEAN["llama"]).double()).way.reason
    turned = LlamaForCausalLM(
        LlamaConfig(**SHAPE, rope_parameters={"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0})
    )
    assert "dynamic rotation" in fastest.fastest(turned).way.reason


@pytest.mark.parametrize("best", ["turned", "packed", "padded"])
def test_few_rows_go_whichever_way_is_fastest(best: str) -> None:
    """The clock decides: it stands still for one of the ways. Whichever it is, the rows come out the same."""
    model = made(PACKED["gpt2"])
    wanted = rows(HFModel(model))
    one = [tick for way in ("turned", "packed", "padded") for tick in (0.0, float(way != best))] * packed.LAPS
    few = [tick for way in ("packed", "padded") for tick in (0.0, float(way != best))] * packed.LAPS
    packed.pack(model, cycle([*one, *few]).__next__)
    layers = [layer for layer in model.modules() if isinstance(layer, packed.Packed)]
    wins = (best, "padded" if best == "padded" else "packed", best == "turned")
    assert {(layer.one, layer.few, layer.turned is not None) for layer in layers} == {wins}
    assert float((rows(HFModel(model)) - wanted).abs().max()) < 1e-4 * float(wanted.abs().max())


@pytest.mark.parametrize(("best", "with_draft"), [((1, 1), True), ((2, 1), True), ((1, 2), True), ((2,), False)])
def test_threads_are_measured(best: tuple[int, ...], with_draft: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock decides: it stands still for one choice."""
    monkeypatch.setattr(fastest, "LAPS", 2)
    models = [HFModel(made(LEAN["llama"])) for _ in best]
    choices = list(product((1, 2), repeat=len(best)))
    ticks = [tick for _ in range(fastest.LAPS + 1) for choice in choices for tick in (0.0, float(choice != best))]
    before = torch.get_num_threads()
    monkeypatch.setattr(fastest, "THREADS", 2)
    monkeypatch.delenv("OMP_NUM_THREADS")
    try:
        fastest.settle_threads(models[0], models[1] if with_draft else None, iter(ticks).__next__)
        for model, threads in zip(models, best, strict=True):
            assert model.way.threads == threads
            model.forward([1], [0], None, model.new_cache(1))
            assert torch.get_num_threads() == threads, "a pass runs on the model's own number"
    finally:
        torch.set_num_threads(before)


def test_a_core_is_left_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)
    assert most_threads() == 4, "conftest.py sets OMP_NUM_THREADS"
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert most_threads() == 3
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    assert most_threads() == 1


def test_the_environment_has_the_last_word_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastest, "THREADS", 2)
    model = HFModel(made(LEAN["llama"]))
    fastest.settle_threads(model, None, clock=iter([]).__next__)
    assert model.way.threads == torch.get_num_threads()


def test_what_is_packed_for_good_is_given_back_at_once() -> None:
    """Or a model that is read in would want its weights' size once more."""
    for turned in (False, True):
        body = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
        layers = [weakref.ref(layer) for layer in body]
        replaced = packed.pack(body, time.perf_counter, turned=turned)
        assert [layer() is None for layer in layers] == [turned] * 2
        assert len(replaced) == 2 * (not turned)
