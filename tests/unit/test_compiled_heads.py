"""Trained heads by the compiled pass put out what torch makes of them."""

import numpy as np
import pytest
from torch import nn

from specviz.models import pair as pairs
from specviz.models.border import CPU
from specviz.models.heads import working
from specviz.models.heads.compiled import Compiled, CompiledBlock, CompiledHeads
from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.medusa import Medusa, MedusaShape
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


@pytest.mark.parametrize("name", ["medusa", "hydra"])
def test_heads_on_one_state_say_alike(name: str) -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    compiled = working.medusa(pair.head(name), pair.target)
    shape, draws = compiled.shape, np.random.default_rng(1)
    by_torch = working.MedusaHeads(filled(pair.head(name), MedusaShape, Medusa, pair.target), pair.target, CPU)
    for head in range(shape.heads):
        states = draws.normal(size=(3, len(shape.layers), shape.width)).astype(np.float32)
        known = pair.target.embedded([*range(3 * (head + 1 if shape.told else 1))]).reshape(3, -1, shape.width)
        wanted = by_torch(head, states, known)
        assert np.abs(compiled(head, states, known) - wanted).max() < 1e-3 * np.abs(wanted).max()


def test_a_block_is_filled_alike_whatever_was_remembered_at_once() -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    compiled = working.dflash(pair.head("dflash"), pair.target)
    module, shape = filled(pair.head("dflash"), DFlashShape, DFlash, pair.target), compiled.shape
    by_torch = working.DFlashHead(module, pair.target, CPU)
    states = np.random.default_rng(2).normal(size=(37, len(shape.layers), shape.width)).astype(np.float32)
    wanted, one = by_torch.new_cache(60), compiled.new_cache(60)
    by_torch.remember(states, wanted)
    logits = by_torch.filled(7, wanted)
    for cuts in ([], [1, 21]):
        one.truncate(0)
        for part in np.split(states, cuts):
            compiled.remember(part, one)
        found = compiled.filled(7, one)
        assert one.length == 37
        assert np.abs(found - logits).max() < 1e-3 * np.abs(logits).max()


def test_on_a_cpu_the_built_in_pairs_run_by_it() -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    for name in KINDS:
        assert isinstance(getattr(working, name)(pair.head(name), pair.target, 64), Compiled)
    assert isinstance(working.medusa(pair.head("hydra"), pair.target), CompiledHeads)
    assert isinstance(working.dflash(pair.head("dflash"), pair.target), CompiledBlock)
