"""Our caches as transformers' own and back, to hold one against the other."""

from transformers.cache_utils import DynamicCache

from specviz.models.border import Place, TorchCache


def to_transformers(cache: TorchCache) -> DynamicCache:
    """The valid slots as a cache of transformers' own, batch 1; a copy."""
    dynamic = DynamicCache()
    for layer in range(cache.slots.shape[0]):
        keys, values = cache.slots[layer, :, None, :, : cache.length].clone()
        dynamic.update(keys, values, layer)
    return dynamic


def from_transformers(dynamic: DynamicCache, capacity: int) -> TorchCache:
    """A transformers cache of batch 1 as slots; a copy.

    Raises:
        ValueError: it is empty, holds a batch, or more than `capacity` slots.
    """
    if not dynamic.layers or not dynamic.get_seq_length():
        raise ValueError("the transformers cache is empty")
    pairs = [(layer.keys, layer.values) for layer in dynamic.layers]
    batch, heads, length, dim = pairs[0][0].shape
    if batch != 1:
        raise ValueError(f"the transformers cache holds a batch of {batch}; wanted 1")
    cache = TorchCache(len(pairs), heads, capacity, dim, Place(pairs[0][0].device, pairs[0][0].dtype))
    for index, (keys, values) in enumerate(pairs):
        cache.write(index, keys[0], values[0])
    cache.advance(length)
    return cache
