"""The compiled pass gives transformers' own logits, whatever family or tree, and the same bits on any processor."""

import functools
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
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

from specviz.models.hf import HFModel
from specviz.models.pair import EMBEDDED
from specviz.models.passes import llama, llama_pass, tile
from specviz.models.passes.llama import Llama, PanelCache
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import ROOT, DraftTree
from specviz.verify import read, verify

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
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}
Make = Callable[[], PreTrainedModel]
COMPILED: dict[str, Make] = {
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE)),
    "llama with biases": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, attention_bias=True, mlp_bias=True)),
    "llama 3's rotation": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, rope_parameters=LLAMA3)),
    "yarn": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, rope_parameters=YARN)),
    "tied, wide heads": lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, head_dim=20, tie_word_embeddings=True)),
    "mistral": lambda: MistralForCausalLM(MistralConfig(**SHAPE, sliding_window=None)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**SHAPE)),
    "qwen3": lambda: Qwen3ForCausalLM(Qwen3Config(**SHAPE, head_dim=16)),
}
EAGER: dict[str, tuple[Make, str]] = {
    "gpt2": (
        lambda: GPT2LMHeadModel(GPT2Config(vocab_size=150, n_embd=48, n_layer=3, n_head=4, n_positions=256)),
        "gpt2 is not one of llama",
    ),
    "pythia": (
        lambda: GPTNeoXForCausalLM(
            GPTNeoXConfig(**{name: size for name, size in SHAPE.items() if name != "num_key_value_heads"})
        ),
        "gpt_neox is not one of",
    ),
    "a window": (lambda: MistralForCausalLM(MistralConfig(**SHAPE, sliding_window=64)), "a window of the text"),
    "dynamic": (lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, rope_parameters=DYNAMIC)), "dynamic rotation"),
    "gelu": (lambda: LlamaForCausalLM(LlamaConfig(**SHAPE, hidden_act="gelu")), "layers use gelu"),
}
STORED = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
TEXT = np.random.default_rng(5).integers(0, 150, 200).tolist()


def made(make: Make) -> PreTrainedModel:
    """Weights, biases and norms all random: fresh models have norms of 1 and biases of 0, which would hide mistakes."""
    torch.manual_seed(3)
    model = make().eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.1 * torch.randn_like(weight)
    return model


Both = Callable[..., tuple[PreTrainedModel, Llama]]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """transformers' model and ours, of that name in COMPILED or in the embedded pair."""
    root = tmp_path_factory.mktemp("models")

    def models(name: str, stored: str = "float32") -> tuple[PreTrainedModel, Llama]:
        folder = root / f"{name} {stored}" if name in COMPILED else EMBEDDED / name
        if not folder.exists():
            made(COMPILED[name]).to(STORED[stored]).save_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        return model, Llama.load(folder, model.config.to_dict())

    return models


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many take part in every pass, however small it is."""
    team = llama_pass.Team(request.param)
    monkeypatch.setattr(llama_pass, "team", lambda: team)
    monkeypatch.setattr(llama, "EACH", 1)
    return int(request.param)


def logits_of(model: PreTrainedModel, text: Sequence[int]) -> Any:
    with torch.inference_mode():
        return model(torch.tensor([[*text]]), output_hidden_states=True)


def by(model: Llama, rows: int, text: Sequence[int]) -> tuple[Reals, PanelCache]:
    """The logits of a text read so many tokens at a time."""
    cache, found = model.new_cache(len(text)), []
    while cache.length < len(text):
        part = text[cache.length :][:rows]
        found.append(model.forward(part, range(cache.length, cache.length + len(part)), None, cache))
    return np.concatenate(found), cache


def same(one: PanelCache, other: PanelCache) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.plain(), other.plain(), strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "stored"), [*((name, "float32") for name in COMPILED), ("qwen3", "float16"), ("llama", "bfloat16"),
                         ("tied, wide heads", "float16"), ("target", ""), ("draft", "")],
)  # fmt: skip
def test_its_logits_and_states_are_transformers_own(name: str, stored: str, both: Both) -> None:
    model, own = both(name, stored)
    wanted = logits_of(model, TEXT)
    layers = range(own.layers + 1)
    found = own.opened(TEXT, range(len(TEXT)), None, own.new_cache(len(TEXT)), [-1, *layers])
    logits = wanted.logits[0].numpy()
    assert logits.std() > 0.3, "a model that says nothing"
    assert np.abs(found.logits - logits).max() <= 2e-5 * np.abs(logits).max()
    assert (found.logits.argmax(1) == logits.argmax(1)).all()
    for layer in layers:
        state = wanted.hidden_states[layer][0].numpy()
        assert np.abs(found.hidden[layer] - state).max() <= 1e-4 * np.abs(state).max()
    assert np.array_equal(found.hidden[-1], found.hidden[own.layers])
    assert np.array_equal(own.spoken(found.hidden[-1]), found.logits), "the output layer reads the last states"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["target", "draft", "llama with biases", "qwen3"])
def test_a_row_has_the_same_bits_however_many_are_read_at_once(name: str, both: Both, threads: int) -> None:
    _, own = both(name)
    wanted, whole = by(own, len(TEXT), TEXT)
    for rows in (1, 2, 3, 5, 9, 17):
        found, cache = by(own, rows, TEXT)
        assert np.array_equal(found, wanted), f"{rows} rows at a time on {threads} threads"
        assert same(cache, whole)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "stored"), [("target", ""), ("tied, wide heads", "bfloat16"), ("qwen3", "float16")])
def test_a_row_of_a_tree_has_the_bits_of_its_branch_alone(name: str, stored: str, both: Both, threads: int) -> None:
    """And the slots that are kept of a tree are those that plain decoding leaves."""
    _, own = both(name, stored)
    dice = random.Random(threads)
    for _ in range(4):
        before, tree = dice.randrange(20, 150), grown(dice.randrange(3, 21), dice)
        roomy, alone = (own.new_cache(before + len(tree) + 1) for _ in range(2))
        for cache in (roomy, alone):
            own.forward(TEXT[:before], range(before), None, cache)
        rows = verify(own, roomy, [TEXT[before]], tree).logits
        for node in range(len(tree)):
            path = branch(tree, node)
            alone.keep(before, [])
            for place, token in enumerate([TEXT[before], *(tree.tokens[each] for each in path)]):
                said = own.forward([token], [before + place], None, alone)
            assert np.array_equal(said[0], rows[node + 1])
        roomy.keep(before + 1, path)
        assert same(roomy, alone)


@pytest.mark.parametrize(("sinks", "window"), [(4, 32), (0, 40), (70, 130)])
def test_slots_that_a_row_does_not_see_are_not_read(sinks: int, window: int, both: Both, threads: int) -> None:
    _, ours = both("target")
    text = np.random.default_rng(3).integers(3, ours.vocab_size, 330).tolist()
    cache = ours.new_cache(332)
    ours.forward(text, range(330), None, cache)
    mask = np.zeros((2, 332), bool)
    mask[0, :sinks], mask[0, 331 - window : 331], mask[1] = True, True, True
    beside = ours.forward([5, 6], [330, 331], mask, cache)[0]
    cache.truncate(330)
    cache.keys[:, :, 128 // tile.LANES : 192 // tile.LANES] = cache.values[:, :, :, 128:192] = np.nan
    alone = ours.forward([5], [330], mask[:1, :331], cache)[0]
    assert np.abs(alone - beside).max() < 1e-5 * np.abs(beside).max()


def test_the_rest_of_a_pass_has_the_bits_of_a_whole_one(both: Both, threads: int) -> None:
    _, own = both("target")
    wanted, whole = by(own, len(TEXT), TEXT)
    cache = own.new_cache(len(TEXT))
    for start in range(0, len(TEXT), 40):
        first, places = cache.first(7), range(start, start + 40)
        hidden = np.concatenate([own.start(7, [TEXT[place]], [place], None, first) for place in places])
        assert np.array_equal(own.resume(7, hidden, places, None, cache), wanted[start : start + 40])
    assert same(cache, whole)


def test_passes_at_the_same_time_do_not_disturb_each_other(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "EACH", 1)
    team = llama_pass.Team(2)
    monkeypatch.setattr(llama_pass, "team", lambda: team)
    _, own = both("target")
    texts = [TEXT[start : start + 60] for start in range(0, 120, 15)]
    alone = [by(own, 5, text)[0] for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda text: by(own, 5, text)[0], texts)
    assert all(map(np.array_equal, alone, together))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", COMPILED)
def test_its_8_bit_copy_is_near_and_leaves_it_as_it_is(name: str, both: Both) -> None:
    _, own = both(name, "float16")
    before, _ = by(own, 5, TEXT)
    rough = own.in_8_bits()
    found, _ = by(rough, 5, TEXT)
    assert 0 < np.abs(found - before).max() < 0.1 * np.abs(before).max()
    assert np.array_equal(found, by(rough, 1, TEXT)[0]), "its bits do not change either"
    assert np.array_equal(by(own, 5, TEXT)[0], before)
    assert np.array_equal(rough.embedded(TEXT), own.embedded(TEXT)), "the embedding is not rounded"
    assert own.in_8_bits() is rough, "made once"
    assert (2 * rough.weight_bytes, rough.slot_bytes, rough.way) == (own.weight_bytes, own.slot_bytes, own.way)


BEFORE, SEED = 24, 7
EVERY = {**{name: make for name, (make, _) in EAGER.items() if name in ("gpt2", "pythia")}, **COMPILED}
SIZES = (2, 3, 5, 9, 16, 33, 64)


@functools.cache
def plain(family: str) -> PreTrainedModel:
    torch.manual_seed(SEED)
    return EVERY[family]().float().eval()


def grown(size: int, dice: random.Random) -> DraftTree:
    """Deep, broad, or anything between."""
    back = dice.choice((1, 2, 5, size))
    parents = [dice.randint(max(ROOT, node - back), node - 1) for node in range(size)]
    return DraftTree(tuple(dice.randrange(SHAPE["vocab_size"]) for _ in range(size)), tuple(parents))


def branch(tree: DraftTree, node: int) -> list[int]:
    """Nodes from the pending token down to that one."""
    return [] if node == ROOT else [*branch(tree, tree.parents[node]), node]


@torch.inference_mode()
def by_itself(family: str, tokens: list[int]) -> Reals:
    return plain(family)(input_ids=torch.tensor([tokens])).logits[0, -1].numpy()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", ["gpt2", "pythia", "llama", "qwen2", "qwen3"])
def test_every_row_is_its_branchs_and_a_gathered_cache_is_a_fresh_one(family: str) -> None:
    dice, model = random.Random(SEED), HFModel(plain(family))
    text = [dice.randrange(SHAPE["vocab_size"]) for _ in range(BEFORE)]
    for size in SIZES:
        tree = grown(size, dice)
        cache = model.new_cache(BEFORE + 1 + size + 1)
        read(model, text[:-1], cache)
        logits = verify(model, cache, text[-1:], tree).logits
        for node in {ROOT, size - 1, *dice.sample(range(size), min(size, 6))}:
            wanted = by_itself(family, [*text, *(tree.tokens[each] for each in branch(tree, node))])
            assert abs(logits[node + 1] - wanted).max() < 1e-4, (size, node)
        path = branch(tree, dice.randrange(size))
        cache.keep(BEFORE, path)
        accepted = [*text, *(tree.tokens[node] for node in path)]
        fresh = model.new_cache(len(accepted) + 1)
        read(model, accepted, fresh)
        assert cache.length == fresh.length == len(accepted)
        kept, wanted = (each.slots[..., : len(accepted), :] for each in (cache, fresh))
        assert float((kept - wanted).abs().max()) < 1e-4
        following = verify(model, cache, [5], DraftTree((), ())).logits[0]
        assert abs(following - by_itself(family, [*accepted, 5])).max() < 1e-4


PASS = """
import hashlib
from specviz.models import pair
target = pair.load("embedded", "cpu", "float32").target
text, bits = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2], hashlib.sha256()
for rows in (1, 2, 3, 5, 9, 17):
    bits.update(target.forward(text[:rows], range(rows), None, target.new_cache(rows)).tobytes())
from specviz.models.passes import tile
print(tile.LANES, tile.HALVES, bits.hexdigest())
"""


def told(**processor: str) -> list[str]:
    """Lanes, whether it widens float16, and the bits of logits, on such a processor."""
    done = subprocess.run(
        [sys.executable, "-c", PASS], env={**os.environ, **processor}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


WIDENS = pytest.mark.skipif(not {"+avx", "+f16c"} <= tile.PROCESSOR, reason="this processor is an old one itself")


@WIDENS
@pytest.mark.long
def test_where_float16_cannot_be_widened_a_pass_has_the_same_bits_eight_at_a_time() -> None:
    old = told(NUMBA_CPU_FEATURES="+avx,+avx2,+fma")
    assert old[:2] == ["8", "False"]
    assert old[2] == told()[2]


@pytest.mark.long
@WIDENS
def test_a_processor_of_another_name_runs() -> None:
    assert told(NUMBA_CPU_NAME="ivybridge")[:2] == ["8", "False"]


@pytest.mark.long
@pytest.mark.skipif(not tile.WIDE, reason="this processor has one width alone")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_sixteen_lanes_have_the_bits_of_eight(threads: str) -> None:
    narrow = told(NUMBA_CPU_FEATURES="+avx,+avx2,+f16c,+fma", OMP_NUM_THREADS=threads)
    assert narrow[0] == "8"
    assert told()[1:] == narrow[1:]
