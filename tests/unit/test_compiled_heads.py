"""EAGLE's head, and a layer for multi-token prediction, by the compiled pass put out what torch makes of them."""

import numpy as np
import pytest
from torch import nn

from specviz.models import pair as pairs
from specviz.models.heads import working
from specviz.models.heads.compiled import Compiled
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.mtp import Mtp
from specviz.models.heads.shaped import filled

IDS = [5, 9, 300, 4000, 2]
KINDS: dict[str, tuple[type[nn.Module], type]] = {"mtp": (Mtp, MtpPass), "eagle": (Eagle, EaglePass)}


@pytest.mark.parametrize("ids", [None, IDS], ids=["every word", "five words"])
@pytest.mark.parametrize("name", KINDS)
def test_text_guesses_and_branches_are_read_alike(name: str, ids: list[int] | None) -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    target, text = pair.target, np.random.default_rng(0).integers(4096, size=40).tolist()
    new, by = KINDS[name]
    module = filled(pair.head(name), EagleShape, new, target)
    compiled = Compiled(module, target, ids)
    by_torch = working.EagleHead(by(module, 64), working._among(ids, target), working.place_of(target))
    layers = module.shape.layers
    read = target.opened(text, range(40), None, target.new_cache(40), layers).hidden
    states = np.stack([read[layer] for layer in layers], 1)
    embedded, branches = target.embedded(text), np.eye(2, dtype=bool)
    deeper = np.concatenate([branches, branches], 1)
    found, said = [], []
    for head in (compiled, by_torch):
        cache, fused = head.new_cache(64), head.fused(states)
        cache.advance(1)  # the first token has no state before it, and nobody sees its slot
        out = head(embedded[1:], fused[:-1], range(1, 40), None, cache)
        first = head(embedded[3:5], out[[-1, -1]], [40, 40], branches, cache)
        found.append(np.concatenate([out, first, head(embedded[5:7], first, [41, 41], deeper, cache)]))
        said.append(head.words.spoken(head.normed(first)))
        assert cache.length == 44
    assert np.abs(found[0] - found[1]).max() < 1e-3 * np.abs(found[1]).max()
    assert np.abs(found[1]).max() > 1
    assert np.isfinite(said[0][0]).sum() == (len(ids) if ids else target.vocab_size)
    assert np.allclose(*said, rtol=0, atol=1e-2), "where one is -inf, so is the other"


def test_on_a_cpu_the_built_in_pairs_run_by_it() -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    for name in KINDS:
        assert isinstance(getattr(working, name)(pair.head(name), pair.target, 64), Compiled)
