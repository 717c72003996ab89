"""A pass in two parts: the first layers, then the others from their hidden states. It equals the pass in one."""

import time

import pytest
import torch
from torch import Tensor

from specviz.models.hf import HFModel
from specviz.models.passes.lean import LeanModel
from specviz.models.passes.picked import Picked
from specviz.tree import DraftTree
from specviz.verify import Needs, SplitModel, verify
from tests.real.test_forwards import LEAN, made

OFF = 1e-5
"""How far a logit may be off, as a share of the largest."""
TEXT = [(7 * place) % 150 for place in range(40)]
CHAIN = DraftTree.chain([3, 1, 4, 1])
TREE = DraftTree((3, 1, 4, 1, 5), (-1, 0, 0, -1, 3))


def split(model: SplitModel, layers: int, tree: DraftTree, guessed: int) -> tuple[Tensor, Tensor]:
    """A check's rows, and all keys and values. The first layers read `guessed` of its tokens before, one by one."""
    cache = model.new_cache(60)
    model.forward(TEXT[:-1], range(len(TEXT) - 1), None, cache)
    first, read = cache.first(layers), [TEXT[-1], *tree.tokens][:guessed]
    started = [model.start(layers, [token], [first.length], None, first) for token in read]
    needs = Needs(layers=layers)
    scores = verify(model, cache, TEXT[-1:], tree, needs, torch.cat(started) if started else None)
    return scores.logits, cache.slots[..., : cache.length, :]


@pytest.mark.parametrize("name", LEAN)
@pytest.mark.parametrize("fast", [True, False], ids=["lean", "eager"])
def test_a_pass_that_goes_on_equals_a_whole_one(name: str, fast: bool) -> None:
    model = made(LEAN[name])
    target = LeanModel(model, time.perf_counter, packed=False, picked=Picked(2, {})) if fast else HFModel(model)
    for tree, guessed in ((CHAIN, 4), (CHAIN, 5), (CHAIN, 1), (TREE, 1), (TREE, 2)):
        whole = split(target, 1, tree, 0)
        for layers in (1, 2):
            for found, wanted in zip(split(target, layers, tree, guessed), whole, strict=True):
                assert float((found - wanted).abs().max()) <= OFF * float(wanted.abs().max())


def test_the_output_layer_reads_the_last_hidden_state_as_the_pass_does() -> None:
    model = made(LEAN["qwen3"])
    for target in (LeanModel(model, time.perf_counter, packed=False), HFModel(made(LEAN["qwen3"]))):
        cache = target.new_cache(8)
        wanted = target.forward(TEXT[:5], range(5), None, cache)
        cache.truncate(0)
        hidden = target.start(3, TEXT[:5], range(5), None, cache.first(3))
        assert torch.allclose(target.read_off(hidden), wanted, atol=OFF * float(wanted.abs().max()), rtol=0)
