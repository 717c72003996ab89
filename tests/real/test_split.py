"""A pass in two parts: the first layers, then the others from their hidden states. It equals the pass in one."""

import numpy as np
import pytest

from specviz.models.hf import HFModel
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import DraftTree
from specviz.verify import Needs, verify
from tests.real.families import random_model

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
