"""Targets with a running state, the pair `hybrid` that ships, and models in several parts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

import specviz
from specviz.check.run import problems
from specviz.config.pairs import BUILT_IN
from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.recurrent import RecurrentModel, StateCache
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import DraftTree
from specviz.train import hybrid
from specviz.train.pair import Plan
from specviz.trim import KVCache
from specviz.verify import Needs, verify
from tests.real.families import random_model
from tests.real.shrunk import pair_of, tiny

PROMPTS = ("Once upon a time", "def f(x):\n    return", "the the the the")


def generated(model: Any, prompt: tuple[int, ...], count: int) -> list[int]:
    ids = torch.tensor([prompt])
    more: dict[str, Any] = {"do_sample": False, "eos_token_id": None, "pad_token_id": 0}
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=count, **more)
    found: list[int] = out[0, len(prompt) :].tolist()
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", ["qwen3_next", "lfm2_moe"])
def test_a_hybrids_text_is_transformers_own_and_the_trace_says_what_was_read_again(
    family: str, tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny(family)
    name = pair_of(tmp_path, tokenizer, model)
    model.eval()
    asked: dict[str, Any] = {"pair": name, "device": "cpu", "temperature": 0, "max_new_tokens": 20, "gamma": 4}
    ways = [(drafter, prompt) for prompt in PROMPTS for drafter in ("small-model", "prompt-lookup")]
    wanted: dict[str, list[int]] = {}
    again = 0
    for drafter, prompt in ways:
        trace = specviz.run(prompt, drafter=drafter, **asked)
        wanted.setdefault(prompt, generated(model, trace.prompt, 20))
        assert [*trace.tokens] == wanted[prompt], (drafter, prompt)
        assert problems(trace) == []
        for step in trace.rounds:
            thrown = step.target_cache.written - step.target_cache.kept
            assert step.target_cache.reread == (1 + len(step.path) if thrown else 0)
            assert (step.timing.reread > 0) == bool(thrown)
            assert all(span.reread == 0 for span in step.draft_caches), "it has a save for every token of its draft"
            again += step.target_cache.reread
        states = [trace.info.target_state_bytes, *(cache.state_bytes for cache in trace.info.draft_caches)]
        assert min(states) > 0
        assert len(set(states)) == 1, "a state has one size"
    assert again

    monkeypatch.setattr(StateCache, "truncate", KVCache.truncate)
    wrong = ([*specviz.run(prompt, drafter=drafter, **asked).tokens] != wanted[prompt] for drafter, prompt in ways)
    assert any(wrong), "a state that is not put back writes another text"
    pairs._shelf.clear()


HOME = BUILT_IN["hybrid"]


def test_it_runs_without_a_network_and_its_greedy_text_is_generates() -> None:
    pair = pairs.load("hybrid", "cpu", "float32")
    assert isinstance(pair.target, RecurrentModel)
    assert pair.tokenizer.vocabulary() == pairs.load("embedded", "cpu", "float32").tokenizer.vocabulary()
    trace = specviz.run("Once upon a time", pair="hybrid", temperature=0, max_new_tokens=24, device="cpu")
    assert problems(trace) == []
    assert [*trace.tokens] == generated(pair.target.model, trace.prompt, 24)
    assert sum(step.target_cache.reread for step in trace.rounds)


@pytest.mark.parametrize(
    ("drafter", "said"),
    [
        ("small-tree", "choose a drafter that guesses in a chain"),
        ("window", "the target cannot leave out a part of what it has read"),
        ("early-exit", "the pair hybrid has no heads/exits.safetensors"),
        ("medusa", "the pair hybrid has no heads/medusa.safetensors"),
    ],
)
def test_drafters_that_need_what_it_lacks_are_refused_in_words(drafter: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        specviz.run("Once", pair="hybrid", drafter=drafter, max_new_tokens=4, device="cpu")


def test_a_fresh_hybrid_says_what_its_draft_says_and_learns_from_the_target(tmp_path: Path) -> None:
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "vocab_size": 64}
    config = LlamaConfig(num_hidden_layers=2, initializer_range=0.3, tie_word_embeddings=True, **shape)
    torch.manual_seed(0)
    draft, target = LlamaForCausalLM(config), LlamaForCausalLM(config)
    for layer in draft.model.layers:
        layer.self_attn.q_proj.weight.data.zero_()
    text = torch.randint(64, (2000,))
    made = hybrid.new(draft, text[None, :100], 0)
    with torch.no_grad():
        own, fresh, wanted = (model(text[None, :50]).logits for model in (draft, made, target))
    torch.testing.assert_close(fresh, own, atol=1e-4, rtol=1e-4)
    plan = Plan(12, matrix_rate=0.003, other_rate=0.003, tokens=128, window=32, context=32, rise=1)
    hybrid.distil(made, target, {"tales": text}, plan, tmp_path / "hybrid.pt")
    with torch.no_grad():
        learned = made.eval()(text[None, :50]).logits
    before, after = (
        torch.nn.functional.kl_div(each.log_softmax(-1), wanted.log_softmax(-1), log_target=True, reduction="batchmean")
        for each in (fresh, learned)
    )
    assert after < before


OFF = 1e-5
"""How far a logit may be off, as a share of the largest."""
TEXT = [(7 * place) % 150 for place in range(40)]
CHAIN = DraftTree.chain([3, 1, 4, 1])
TREE = DraftTree((3, 1, 4, 1, 5), (-1, 0, 0, -1, 3))


def split(model: HFModel, layers: int, tree: DraftTree, guessed: int) -> tuple[Reals, Reals]:
    """A check's rows, and all keys and values. The first layers read `guessed` of its tokens before, one by one."""
    cache = model.new_cache(60)
    model.forward(TEXT[:-1], range(len(TEXT) - 1), None, cache)
    first, read = cache.first(layers), [TEXT[-1], *tree.tokens][:guessed]
    started = [model.start(layers, [token], [first.length], None, first) for token in read]
    needs = Needs(layers=layers)
    scores = verify(model, cache, TEXT[-1:], tree, needs, np.concatenate(started) if started else None)
    return scores.logits, cache.slots[..., : cache.length, :].numpy()


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "mistral"])
def test_a_pass_that_goes_on_equals_a_whole_one(family: str) -> None:
    target = HFModel(random_model(family))
    for tree, guessed in ((CHAIN, 4), (CHAIN, 5), (CHAIN, 1), (TREE, 1), (TREE, 2)):
        whole = split(target, 1, tree, 0)
        for layers in (1, 2):
            for found, wanted in zip(split(target, layers, tree, guessed), whole, strict=True):
                assert abs(found - wanted).max() <= OFF * abs(wanted).max()
