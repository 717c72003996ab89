"""The engine over models nobody here wrote or trained: random weights, GPT-2 and Llama, other tokenizers."""

import copy
from pathlib import Path

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedModel

from specviz.config.settings import RunConfig
from specviz.draft.base import Resources
from specviz.draft.small_model import SmallModel
from specviz.law.sampling import Sampling, to_probs
from specviz.loop import prefill, rounds
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.models.tokenizer import Tokenizer
from specviz.proof.problems.run import problems
from specviz.session import Run
from specviz.trace.guess import Verdict
from specviz.train.corpus import read_genres, train_tokenizer
from tests.tiny import parts

VOCAB = 320


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    text = tmp_path_factory.mktemp("text") / "text.txt"
    text.write_text((Path(__file__).parents[2] / "LICENSE").read_text())
    return Tokenizer(train_tokenizer(read_genres(text), VOCAB))


def gpt2() -> PreTrainedModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=VOCAB, n_embd=48, n_layer=3, n_head=3, n_positions=256))


def llama() -> PreTrainedModel:
    shape = {"hidden_size": 48, "intermediate_size": 96, "num_hidden_layers": 3, "num_attention_heads": 4}
    return LlamaForCausalLM(LlamaConfig(vocab_size=VOCAB, num_key_value_heads=2, max_position_embeddings=256, **shape))


def near(model: PreTrainedModel) -> PreTrainedModel:
    """A copy that is off by a little, so that it is accepted and refused in turn."""
    other = copy.deepcopy(model)
    with torch.no_grad():
        for weight in other.parameters():
            weight += 0.01 * torch.randn_like(weight)
    return other


@pytest.fixture(params=[gpt2, pytest.param(llama, marks=pytest.mark.long)])
def pair(request: pytest.FixtureRequest, tokenizer: Tokenizer) -> Pair:
    torch.manual_seed(1)
    target = request.param().double()
    draft = near(target)
    return Pair("random", HFModel(target), HFModel(draft), tokenizer, frozenset(), None, "cpu", "float64")


def test_greedy_text_is_token_for_token_transformers_own(pair: Pair) -> None:
    accepted = rejected = 0
    for prompt in ("def f(x):", "a"):
        run = Run(RunConfig(prompt, temperature=0, max_new_tokens=120, gamma=5), pair)
        for step in run:
            accepted += len(step.path)
            rejected += sum(verdict.verdict is Verdict.REJECTED for verdict in step.verdicts)
        trace = run.trace()
        ids = torch.tensor([trace.prompt])
        wanted = pair.target.model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=120,
            eos_token_id=None,
            pad_token_id=0,
        )
        assert [*trace.prompt, *trace.tokens] == wanted[0].tolist()
        assert problems(trace) == []
    assert accepted > 15
    assert rejected > 15


def test_every_row_is_that_of_a_pass_without_a_cache(pair: Pair) -> None:
    run = Run(RunConfig("for x in", temperature=0.7, max_new_tokens=60, gamma=4, seed=3), pair)
    rounds = list(run)
    text = list(run.prompt)
    for step in rounds:
        drafted = [verdict.token for verdict in step.verdicts]
        ids = torch.tensor([[*text, *drafted]])
        laws = [
            to_probs(model.model(ids).logits[0, len(text) - 1 :].numpy(), Sampling(0.7))
            for model in (pair.target, pair.draft)
            if model
        ]
        for verdict in step.verdicts:
            for bar in verdict.view.bars:
                p, q = (float(law[verdict.depth, bar.token]) for law in laws)
                assert bar.p == pytest.approx(p, rel=1e-5, abs=1e-9)
                assert bar.q == pytest.approx(q, rel=1e-5, abs=1e-9)
        text += step.tokens


def test_caches_hold_the_text_and_nothing_else(pair: Pair) -> None:
    """After a run with rejections, the slots are those of one pass over the text. These bugs never show in the text."""
    assert pair.draft is not None
    sampling = Sampling(1.0)
    drafter = SmallModel(pair.draft, Resources(sampling, VOCAB, 200, pair.draft))
    made = parts(pair.target, drafter, gamma=4, sampling=sampling, limit=180)
    prompt = pair.tokenizer.encode("class A:")
    cache = prefill(made, prompt)
    text = list(prompt)
    refused = 0
    for step in rounds(made, prompt, cache):
        text += step.tokens
        refused += len(step.path) < len(step.verdicts)
        for model, kept in ((pair.target, cache), (pair.draft, drafter._cache)):
            fresh = model.new_cache(len(text))
            model.forward(text[: kept.length], range(kept.length), None, fresh)
            ours, theirs = (each.slots[:, :, :, : kept.length] for each in (kept, fresh))
            torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
    assert refused
