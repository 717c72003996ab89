"""The pair `hybrid`, which ships: a target with a running state, the embedded pair's draft, and its recorded runs."""

from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

import specviz
from specviz.check.run import problems
from specviz.config.pairs import BUILT_IN
from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.recurrent import RecurrentModel
from specviz.train import hybrid
from specviz.train.pair import Plan
from tests.real.test_recurrent import generated

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
