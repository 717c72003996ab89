"""The cache: what is kept, what is forgotten, what is refused. Over torch's slots; tests/tiny.py has others."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from specviz.config.settings import ConfigError
from specviz.models.border import CPU, TorchCache, UnevenCache


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
