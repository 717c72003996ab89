"""Weights trained on a frozen target: they come back as saved, and whatever does not fit is refused in one line."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from specviz.config.settings import ConfigError
from specviz.models.heads import files, working
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
