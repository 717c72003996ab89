"""Trees of any shape, on every family: each row is that of its branch alone, by transformers."""

import functools
import random

import pytest
import torch
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from specviz.models.hf import HFModel
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import ROOT, DraftTree
from specviz.verify import read, verify

VOCAB, TEXT, SEED = 150, 24, 7
SHAPE = {"vocab_size": VOCAB, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3,
         "num_attention_heads": 4, "max_position_embeddings": 256}  # fmt: skip
GROUPED = {**SHAPE, "num_key_value_heads": 2}
FAMILIES = {
    "gpt2": lambda: GPT2LMHeadModel(GPT2Config(vocab_size=VOCAB, n_embd=48, n_layer=3, n_head=4, n_positions=256)),
    "gpt-neox": lambda: GPTNeoXForCausalLM(GPTNeoXConfig(**SHAPE)),
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**GROUPED)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**GROUPED)),
    "qwen3": lambda: Qwen3ForCausalLM(Qwen3Config(**GROUPED, head_dim=16)),
}
SIZES = (2, 3, 5, 9, 16, 33, 64)


@functools.cache
def plain(family: str) -> PreTrainedModel:
    torch.manual_seed(SEED)
    return FAMILIES[family]().float().eval()


def grown(size: int, dice: random.Random) -> DraftTree:
    """Deep, broad, or anything between."""
    back = dice.choice((1, 2, 5, size))
    parents = [dice.randint(max(ROOT, node - back), node - 1) for node in range(size)]
    return DraftTree(tuple(dice.randrange(VOCAB) for _ in range(size)), tuple(parents))


def branch(tree: DraftTree, node: int) -> list[int]:
    """Nodes from the pending token down to that one."""
    return [] if node == ROOT else [*branch(tree, tree.parents[node]), node]


@torch.inference_mode()
def alone(family: str, tokens: list[int]) -> Reals:
    return plain(family)(input_ids=torch.tensor([tokens])).logits[0, -1].numpy()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_row_is_its_branchs_and_a_gathered_cache_is_a_fresh_one(family: str) -> None:
    dice, model = random.Random(SEED), HFModel(plain(family))
    text = [dice.randrange(VOCAB) for _ in range(TEXT)]
    for size in SIZES:
        tree = grown(size, dice)
        cache = model.new_cache(TEXT + 1 + size + 1)
        read(model, text[:-1], cache)
        logits = verify(model, cache, text[-1:], tree).logits
        for node in {ROOT, size - 1, *dice.sample(range(size), min(size, 6))}:
            wanted = alone(family, [*text, *(tree.tokens[each] for each in branch(tree, node))])
            assert abs(logits[node + 1] - wanted).max() < 1e-4, (size, node)
        path = branch(tree, dice.randrange(size))
        cache.keep(TEXT, path)
        accepted = [*text, *(tree.tokens[node] for node in path)]
        fresh = model.new_cache(len(accepted) + 1)
        read(model, accepted, fresh)
        assert cache.length == fresh.length == len(accepted)
        kept, wanted = (each.slots[..., : len(accepted), :] for each in (cache, fresh))
        assert float((kept - wanted).abs().max()) < 1e-4
        following = verify(model, cache, [5], DraftTree((), ())).logits[0]
        assert abs(following - alone(family, [*accepted, 5])).max() < 1e-4
