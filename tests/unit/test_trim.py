"""The cache and the tree: what is kept, forgotten or refused, what parents alone say, what crosses to torch."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from specviz.config.settings import ConfigError
from specviz.models.border import CPU, TorchCache, UnevenCache, place_of
from specviz.models.hf import HFModel
from specviz.sampling.tree import ROOT, DraftTree
from tests.real.families import random_model


def filled(length: int, capacity: int = 8) -> TorchCache:
    """Two layers, three heads, two numbers a slot; every number says where it stands."""
    cache = TorchCache(2, 3, capacity, 2, CPU._replace(dtype=torch.float64))
    for layer in range(2):
        k = 100 * layer + torch.arange(length, dtype=torch.float64)[None, :, None].expand(3, length, 2)
        cache.write(layer, k, k + 1000)
    cache.advance(length)
    return cache


def slots(cache: TorchCache, layer: int = 0) -> list[int]:
    """Which slots stand in the cache, by their first number; keys, values and heads must agree."""
    keys, values = cache.slots[layer, :, :, : cache.length]
    assert torch.equal(values, keys + 1000)
    assert torch.equal(keys, keys[:1, :, :1].expand_as(keys))
    return [int(number) - 100 * layer for number in keys[0, :, 0]]


def test_a_full_cache_refuses_more_and_stays_as_it_was() -> None:
    cache = filled(8)
    with pytest.raises(ValueError, match="9 slots needed, the cache has 8"):
        cache.write(0, torch.zeros(3, 1, 2), torch.zeros(3, 1, 2))
    assert slots(cache) == list(range(8))


@given(st.integers(0, 8), st.integers(-2, 10))
def test_truncating_forgets_the_end_and_nothing_else(length: int, to: int) -> None:
    cache = filled(length)
    if 0 <= to <= length:
        cache.truncate(to)
        assert slots(cache) == slots(cache, 1) == list(range(to))
    else:
        with pytest.raises(ValueError, match="cannot truncate"):
            cache.truncate(to)
        assert slots(cache) == list(range(length))


@given(st.integers(0, 8), st.data())
def test_keeping_rows_gathers_them_in_order_in_every_layer(length: int, data: st.DataObject) -> None:
    base = data.draw(st.integers(0, length))
    rows = data.draw(st.lists(st.sampled_from(range(length - base)), unique=True)) if base < length else []
    cache = filled(length)
    cache.keep(base, rows)
    assert slots(cache) == slots(cache, 1) == [*range(base), *(base + row for row in rows)]


@pytest.mark.parametrize("rows", [[3], [-1], [0, 5], [1, 1]])
def test_keeping_a_row_that_is_not_there_is_refused_and_changes_nothing(rows: list[int]) -> None:
    cache = filled(5)
    with pytest.raises(ValueError, match="wanted different ones below 3"):
        cache.keep(2, rows)
    assert slots(cache) == list(range(5))


def test_the_first_layers_share_their_slots_and_have_a_length_of_their_own() -> None:
    cache = filled(4)
    first = cache.first(1)
    new = torch.full((3, 1, 2), 7.0, dtype=torch.float64)
    first.write(0, new, new + 1000)
    first.advance(1)
    assert (len(first.slots), first.length, cache.length) == (1, 5, 4)
    cache.advance(1)
    assert slots(cache) == slots(first) == [0, 1, 2, 3, 7]
    first.truncate(0)
    assert cache.length == 5


def test_slots_are_lent_to_a_shorter_cache() -> None:
    cache = filled(4)
    lent = cache.shared(3)
    assert (lent.capacity, lent.length, cache.capacity) == (3, 0, 8)
    with pytest.raises(ValueError, match="4 slots needed, the cache has 3"):
        lent.room(4)
    lent.slots.fill_(1.0)
    assert cache.slots[..., :3, :].eq(1.0).all()


def test_layers_of_several_sizes_are_kept_and_moved_each_by_itself() -> None:
    """Keys of two heads and values of one in the first layer, latents in the second; a later cache is made whole."""
    sizes: list[tuple[int, int, int, int] | None] = [None, None]
    place = CPU._replace(dtype=torch.float64)

    def row(length: int, heads: int, dim: int) -> torch.Tensor:
        return torch.arange(length, dtype=torch.float64)[None, :, None].expand(heads, length, dim)

    cache = UnevenCache(sizes, 8, place)
    for layer, (keys, values) in enumerate((((2, 3), (1, 4)), ((1, 6), (1, 2)))):
        cache.write(layer, row(6, *keys), row(6, *values) + 100)
    cache.advance(6)
    assert sizes == [(2, 3, 1, 4), (1, 6, 1, 2)]
    cache.keep(3, [0, 2])
    assert cache.length == 5
    for keys, values in cache.slots:
        assert keys[0, :5, 0].tolist() == [0, 1, 2, 3, 5]
        assert values[0, :5, 0].tolist() == [100, 101, 102, 103, 105]
    first = cache.first(1)
    first.write(0, row(1, 2, 3) + 7, row(1, 1, 4))
    assert cache.slots[0][0][0, 5, 0] == 7, "the first layers share their slots"
    later = UnevenCache(sizes, 4, place)
    assert [keys.shape for keys, _ in later.slots] == [(2, 4, 3), (1, 4, 6)]
    with pytest.raises(ConfigError, match="different sizes"):
        later.write(0, row(1, 2, 5), row(1, 1, 4))


@st.composite
def trees(draw: st.DrawFn) -> DraftTree:
    parents = [draw(st.integers(ROOT, node - 1)) for node in range(draw(st.integers(0, 9)))]
    return DraftTree(tuple(range(10, 10 + len(parents))), tuple(parents))


def ancestors(tree: DraftTree, node: int) -> list[int]:
    """The branch from ROOT to the node, both included."""
    return [ROOT] if node == ROOT else [*ancestors(tree, tree.parents[node]), node]


@given(trees())
def test_a_node_is_as_deep_as_its_branch_is_long(tree: DraftTree) -> None:
    assert list(tree.depths()) == [len(ancestors(tree, node)) - 2 for node in range(len(tree))]


@given(trees())
def test_a_node_sees_its_branch_and_itself_and_nothing_else(tree: DraftTree) -> None:
    mask = tree.mask()
    assert mask.dtype == np.bool_
    assert mask.shape == (len(tree) + 1, len(tree) + 1)
    for node in range(ROOT, len(tree)):
        assert (np.flatnonzero(mask[node + 1]) - 1).tolist() == ancestors(tree, node)


@pytest.mark.parametrize(("tokens", "parents"), [((1,), ()), ((1,), (0,)), ((1,), (-2,)), ((1, 2), (1, -1))])
def test_what_is_no_tree_is_refused(tokens: tuple[int, ...], parents: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="parent"):
        DraftTree(tokens, parents)


LAZY = (
    "draft.dflash", "draft.eagle", "draft.early_exit", "draft.hydra", "draft.medusa", "draft.mtp",
    "models.heads.files", "models.heads.published", "models.hub.fits", "models.hub.repository",
)  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_what_a_model_says_is_in_main_memory_and_loses_nothing(dtype: torch.dtype) -> None:
    inner = random_model("llama").to(dtype)
    model, text = HFModel(inner), list(range(20))
    assert place_of(model) == (torch.device("cpu"), dtype)
    with torch.inference_mode():
        wanted = inner(torch.tensor([text]), output_hidden_states=True)
    found = model.opened(text, range(20), None, model.new_cache(20), (0, 3))
    for one, other in (
        (found.logits, wanted.logits[0]),
        (found.hidden[3], wanted.hidden_states[3][0]),
        (model.embedded(text), wanted.hidden_states[0][0]),
        (model.spoken(found.hidden[3]), wanted.logits[0]),
    ):
        assert one.dtype == (np.float64 if dtype == torch.float64 else np.float32)
        assert np.array_equal(one, other.double().numpy())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("module", LAZY)
def test_torch_comes_with_the_first_head_or_model_that_needs_it(module: str) -> None:
    code = f"import sys, specviz.{module}; print(*{{'torch', 'transformers'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
