"""Heads on a frozen target: back as saved, alike by the compiled pass, refused in one line where they do not fit."""

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.border import CPU
from specviz.models.heads import files, working
from specviz.models.heads.compiled import Compiled, CompiledBlock, CompiledHeads
from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.medusa import Medusa, MedusaShape
from specviz.models.heads.mtp import Mtp
from specviz.models.heads.shaped import filled
from tests.opened import HEADS, SHAPES, Opened, noisy_head

TENSORS = {"9.in": torch.randn(6, 4), "9.out": torch.zeros(4, 6)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "heads" / "exits.safetensors"
    files.save(found, "exits", TENSORS, "a" * 64, {"layers": [9], "alpha": {"tales": 0.5}})
    return found


def test_a_file_gives_back_what_was_saved(path: Path) -> None:
    head = files.load(path, "exits", "a" * 64)
    assert head.facts == {"layers": [9], "alpha": {"tales": 0.5}}
    assert head.tensors.keys() == TENSORS.keys()
    torch.testing.assert_close(head.take("9.in", -1, 4), TENSORS["9.in"].half().float())
    assert not list(path.parent.glob("*.new"))


def test_whatever_does_not_fit_is_refused_in_one_line(path: Path, tmp_path: Path) -> None:
    half, foreign, text = (tmp_path / name for name in ("half", "foreign", "text"))
    half.write_bytes(path.read_bytes()[:-9])
    save_file(TENSORS, foreign)
    text.write_text("once upon a time")
    for file, kind, target, said in (
        (tmp_path / "none", "exits", "a" * 64, "cannot be read"),
        (half, "exits", "a" * 64, "is damaged"),
        (text, "exits", "a" * 64, "is damaged"),
        (foreign, "exits", "a" * 64, "something else, wanted exits"),
        (path, "medusa", "a" * 64, "has weights for exits, wanted medusa"),
        (path, "exits", "b" * 64, "was trained on target aaaaaaaa, this one is bbbbbbbb"),
    ):
        with pytest.raises(ConfigError, match=said) as found:
            files.load(file, kind, target)
        assert "\n" not in str(found.value)


def test_a_tensor_that_is_missing_or_has_another_shape_is_named(path: Path) -> None:
    head = files.load(path, "exits", "a" * 64)
    with pytest.raises(ConfigError, match=r"has no 12\.in; there are: 9\.in, 9\.out"):
        head.take("12.in", -1, 4)
    with pytest.raises(ConfigError, match=r"9\.in is 6 x 4; wanted any x 8"):
        head.take("9.in", -1, 8)


def test_a_targets_hash_follows_every_byte_of_its_weights(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, last in ((first, 1.0), (second, 2.0)):
        folder.mkdir()
        save_file({"a": torch.ones(3)}, folder / "model-00001-of-00002.safetensors")
        save_file({"b": torch.full((3,), last)}, folder / "model-00002-of-00002.safetensors")
        (folder / "config.json").write_text("{}")
    assert files.target_hash(first) != files.target_hash(second)


@pytest.mark.parametrize("name", HEADS)
def test_a_head_comes_back_and_one_that_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    target, module, path = Opened(4, 1), noisy_head(name, 3), tmp_path / f"{name}.safetensors"

    def refused(said: str) -> None:
        with pytest.raises(ConfigError, match=said) as found:
            filled(files.load(path, name, "a"), type(SHAPES[name]), HEADS[name], target)
        assert "\n" not in str(found.value)

    def saved(**changed: object) -> None:
        facts = {"shape": {**module.facts()["shape"], **changed}}
        files.save(path, name, module.state_dict(), "a", facts)

    saved()
    found = filled(files.load(path, name, "a"), type(SHAPES[name]), HEADS[name], target)
    assert found.shape == SHAPES[name]
    for one, other in zip(found.parameters(), module.parameters(), strict=True):
        torch.testing.assert_close(one, other.half().float())
    saved(layers=[1, 9])
    refused("reads layer 9, this target has 2")
    saved(width=16)
    refused("is for states of 16 numbers, this target's have 8")
    saved(layers=[1])
    if name == "mtp":  # no part is as large as its layers are many
        with pytest.raises(ConfigError, match="wanted the last alone, 2"):
            working.mtp(files.load(path, name, "a"), target, 9)
    else:
        refused(r"weight is \d+ x \d+; wanted \d+ x \d+")
    saved(layers="all")
    refused(r"does not say its shape \(layers\)")
    facts = {"shape": dict(module.facts()["shape"])}
    files.save(path, name, {**module.state_dict(), "markov_head.weight": torch.ones(3)}, "a", facts)
    refused("also holds markov_head.weight, as DSpark has")


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
