"""Transformers' own models behind our slots, in float64: one pass equals many, with and without a cache."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from specviz import verify as verifying
from specviz.draft import model_chain
from specviz.draft.base import Resources
from specviz.draft.small_model import SmallModel
from specviz.models.border import TorchCache
from specviz.models.hf import HFModel, cache_argument
from specviz.sampling.arrays import Reals
from specviz.sampling.distribution import Sampling
from specviz.sampling.tree import DraftTree
from specviz.verify import verify
from tests.tiny import decode, parts, tokens_of

TEXT = (3, 1, 4, 1, 5)
FAMILIES = ("llama", "gpt2")
by_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def model(family: str, seed: int = 0) -> HFModel:
    """Two layers; the Llama shares each key head between two query heads."""
    torch.manual_seed(seed)
    if family == "llama":
        shape = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4}
        config = LlamaConfig(vocab_size=11, num_key_value_heads=2, max_position_embeddings=40, **shape)
        return HFModel(LlamaForCausalLM(config).double())
    return HFModel(
        GPT2LMHeadModel(
            GPT2Config(vocab_size=11, n_positions=40, n_embd=16, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)
        ).double()
    )


@torch.inference_mode()
def alone(family: str, text: Sequence[int]) -> Reals:
    """Every row of a pass that has never heard of a cache."""
    rows: Reals = model(family).model(torch.tensor([list(text)]), use_cache=False).logits[0].numpy()
    return rows


def read(family: str, text: Sequence[int], capacity: int = 40) -> TorchCache:
    """A cache that holds the text."""
    slots = model(family).new_cache(capacity)
    model(family).forward(text, range(len(text)), None, slots)
    return slots


def close(found: Any, wanted: Any) -> bool:
    return np.allclose(found, wanted, rtol=0, atol=1e-12)


@by_family
@pytest.mark.parametrize("unread", [1, 2, 5])
def test_a_chain_verified_in_one_pass_has_the_rows_of_a_pass_without_a_cache(family: str, unread: int) -> None:
    slots = model(family).new_cache(40)
    if unread < len(TEXT):
        slots = read(family, TEXT[:-unread])
    rows = verify(model(family), slots, TEXT[-unread:], DraftTree.chain([9, 2, 6])).logits
    assert close(rows, alone(family, [*TEXT, 9, 2, 6])[-4:])
    assert slots.length == len(TEXT) + 3


@by_family
def test_a_whole_run_over_transformers_models_recomputes(family: str) -> None:
    """At temperature 0 its text is what the target alone would write, pass by pass, without a cache."""
    target, draft = model(family), model(family, 1)
    made = parts(target, draft=draft, gamma=3, sampling=Sampling(0), limit=30)
    text = list(TEXT)
    while len(text) < 30:
        text.append(int(alone(family, text)[-1].argmax()))
    assert [*TEXT, *tokens_of(decode(made, TEXT))] == text


@by_family
def test_a_text_can_fill_the_context_to_the_last_slot(family: str) -> None:
    made = parts(model(family), draft=model(family, 1), gamma=5, limit=40)
    assert len(tokens_of(decode(made, TEXT))) == 40 - len(TEXT)


@by_family
def test_reading_more_than_the_cache_holds_is_refused(family: str) -> None:
    with pytest.raises(ValueError, match="6 slots needed, the cache has 5"):
        verify(model(family), read(family, TEXT, 5), [2], DraftTree.chain([]))


@by_family
def test_a_long_text_is_read_in_parts_and_to_the_same_end(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a run, in one, and by a draft: no pass makes more rows of logits than CHUNK that nobody asks for."""
    text, widths = [(3 * place) % 11 for place in range(23)], []
    forward = HFModel.forward

    def watched(self: HFModel, tokens: Sequence[int], *rest: Any) -> Reals:
        widths.append(len(tokens))
        return forward(self, tokens, *rest)

    monkeypatch.setattr(HFModel, "forward", watched)
    for module in (verifying, model_chain):
        monkeypatch.setattr(module, "CHUNK", 5)
    whole, read_on = model(family).new_cache(40), model(family).new_cache(40)
    rows = verify(model(family), read_on, text, DraftTree.chain([7, 8])).logits
    assert widths == [2, 5, 5, 5, 5, 3]
    assert close(rows, alone(family, [*text, 7, 8])[22:])
    forward(model(family), [*text, 7, 8], range(25), None, whole)
    assert close(read_on.slots[..., :25, :], whole.slots[..., :25, :])
    widths.clear()
    drafter = SmallModel(model(family), Resources(Sampling(), 11, 40))
    drafter.begin(text)
    assert (widths, drafter._cache.length) == ([5, 5, 5, 5, 2], 22)


def test_a_cache_goes_by_the_name_that_a_models_forward_has_for_it() -> None:
    """transformers 5.24 renamed it and warns of the old name."""

    class Older(LlamaForCausalLM):
        def forward(self, input_ids: Any, past_key_values: Any = None) -> None: ...

    class Newer(LlamaForCausalLM):
        def forward(self, input_ids: Any, cache: Any = None) -> None: ...

    cache = DynamicCache()
    assert cache_argument(Older.__new__(Older), cache) == {"past_key_values": cache}
    assert cache_argument(Newer.__new__(Newer), cache) == {"cache": cache}
