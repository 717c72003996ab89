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
from specviz.law.arrays import Reals
from specviz.law.sampling import Sampling
from specviz.law.tree import DraftTree
from specviz.models.border import TorchCache
from specviz.models.hf import HFModel, cache_argument
from specviz.verify import verify
from tests.tiny import decode, parts, tokens_of
from tests.transformers_cache import from_transformers, to_transformers

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
def test_a_slot_takes_what_the_cache_gives_it(family: str) -> None:
    assert 7 * model(family).slot_bytes == model(family).new_cache(7).slots.nbytes


@by_family
def test_nothing_drafted_is_a_plain_decoding_step(family: str) -> None:
    rows = verify(model(family), read(family, TEXT[:-1]), TEXT[-1:], DraftTree.chain([])).logits
    assert close(rows, alone(family, TEXT)[-1:])


TREE = DraftTree((9, 2, 6, 6, 0, 2, 7), (-1, -1, 0, 1, 1, 3, 2))
BRANCHES = {-1: [], 0: [0], 1: [1], 2: [0, 2], 3: [1, 3], 4: [1, 4], 5: [1, 3, 5], 6: [0, 2, 6]}


def said(nodes: Sequence[int]) -> list[int]:
    return [TREE.tokens[node] for node in nodes]


@by_family
@pytest.mark.parametrize("unread", [1, 3])
def test_branches_verified_in_one_pass_have_the_rows_each_has_alone(family: str, unread: int) -> None:
    rows = verify(model(family), read(family, TEXT[:-unread]), TEXT[-unread:], TREE).logits
    assert len(rows) == len(TREE) + 1
    for node, branch in BRANCHES.items():
        assert close(rows[node + 1], alone(family, [*TEXT, *said(branch)])[-1])


@by_family
@pytest.mark.parametrize("node", BRANCHES)
def test_a_kept_branch_is_as_if_it_had_been_read_alone(family: str, node: int) -> None:
    slots = read(family, TEXT[:-1])
    verify(model(family), slots, TEXT[-1:], TREE)
    slots.keep(len(TEXT), BRANCHES[node])
    text = [*TEXT, *said(BRANCHES[node])]
    wanted = read(family, text)
    assert slots.length == len(text)
    assert close(slots.slots[..., : len(text), :], wanted.slots[..., : len(text), :])
    rows = verify(model(family), slots, [8], DraftTree.chain([1])).logits
    assert close(rows, alone(family, [*text, 8, 1])[-2:])


@by_family
@pytest.mark.parametrize("kept", range(4))
def test_after_a_rejection_the_text_goes_on_as_if_nothing_had_been_drafted(family: str, kept: int) -> None:
    slots = read(family, TEXT[:-1])
    verify(model(family), slots, TEXT[-1:], DraftTree.chain([9, 2, 6]))
    slots.keep(len(TEXT), range(kept))
    text = [*TEXT, *[9, 2, 6][:kept]]
    for drafted in ([7, 7], [], [0]):
        rows = verify(model(family), slots, [10], DraftTree.chain(drafted)).logits
        assert close(rows, alone(family, [*text, 10, *drafted])[-len(drafted) - 1 :])
        slots.keep(len(text) + 1, [])
        text.append(10)


@by_family
def test_a_forgotten_block_leaves_no_trace(family: str) -> None:
    slots = read(family, TEXT)
    before = slots.slots[..., : len(TEXT), :].clone()
    model(family).forward([9, 9, 9], range(5, 8), None, slots)
    slots.truncate(len(TEXT))
    assert torch.equal(slots.slots[..., : len(TEXT), :], before)


@by_family
def test_two_caches_of_one_model_do_not_know_each_other(family: str) -> None:
    one, other = read(family, TEXT), read(family, [0, 0])
    rows = verify(model(family), one, [2], DraftTree.chain([])).logits
    assert close(rows, alone(family, [*TEXT, 2])[-1:])
    assert close(verify(model(family), other, [2], DraftTree.chain([])).logits, alone(family, [0, 0, 2])[-1:])


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
def test_a_cache_goes_to_transformers_and_comes_back_as_it_was(family: str) -> None:
    slots = read(family, TEXT)
    back = from_transformers(to_transformers(slots), 40)
    assert (back.length, back.capacity) == (len(TEXT), 40)
    assert torch.equal(back.slots[..., : len(TEXT), :], slots.slots[..., : len(TEXT), :])


@by_family
@torch.inference_mode()
def test_transformers_own_forward_goes_on_from_our_cache_and_we_from_its(family: str) -> None:
    theirs = model(family).model
    cache = to_transformers(read(family, TEXT))
    logits = theirs(torch.tensor([[9, 2]]), use_cache=True, **cache_argument(theirs, cache)).logits
    assert close(logits[0].numpy(), alone(family, [*TEXT, 9, 2])[-2:])
    ours = from_transformers(cache, 40)
    assert close(verify(model(family), ours, [6], DraftTree.chain([1])).logits, alone(family, [*TEXT, 9, 2, 6, 1])[-2:])


def test_the_copies_do_not_share_memory() -> None:
    slots = read("llama", TEXT)
    dynamic = to_transformers(slots)
    slots.slots.zero_()
    assert dynamic.layers[0].keys.count_nonzero()
    back = from_transformers(dynamic, 40)
    dynamic.layers[0].keys.zero_()
    assert back.slots[0, 0].count_nonzero()


def test_a_cache_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        from_transformers(DynamicCache(), 40)
    with pytest.raises(ValueError, match="5 slots needed, the cache has 4"):
        from_transformers(to_transformers(read("llama", TEXT)), 4)
    batch = DynamicCache()
    batch.update(torch.zeros(2, 2, 3, 4), torch.zeros(2, 2, 3, 4), 0)
    with pytest.raises(ValueError, match="batch of 2"):
        from_transformers(batch, 40)


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
