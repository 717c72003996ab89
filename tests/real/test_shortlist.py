"""A small model that shares its target's embedding and guesses among some of its tokens: stored in 8 bits, and run by
either pass, beside what transformers makes of the same weights."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.bench.rivals import shortlisted
from specviz.config.settings import ConfigError
from specviz.models import loading, shortlist
from specviz.models.hf import HFModel
from specviz.models.passes.llama import Llama
from specviz.models.rounded import SCALE, restored, rounded

SHAPE = {
    "vocab_size": 90, "hidden_size": 24, "intermediate_size": 40, "num_attention_heads": 3, "num_key_value_heads": 1,
    "max_position_embeddings": 64, "tie_word_embeddings": True, "initializer_range": 0.3,
}  # fmt: skip
IDS = np.array([0, 3, 4, 17, 40, 88])


def made(layers: int) -> LlamaForCausalLM:
    torch.manual_seed(layers)
    return LlamaForCausalLM(LlamaConfig(**SHAPE, num_hidden_layers=layers)).eval()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target, and the draft of a small model beside it."""
    folder: Path = tmp_path_factory.mktemp("shortlist")
    made(3).save_pretrained(folder / "target")
    small = made(2)
    own = {
        name: each.numpy() for name, each in small.state_dict().items() if "embed" not in name and "head" not in name
    }
    small.config.save_pretrained(folder / "draft")
    save_file(rounded(own | {"ids": IDS}), folder / "draft" / "model.safetensors")
    return folder


@pytest.mark.parametrize("compiled", [True, False])
def test_its_logits_are_those_of_transformers_and_no_other_token_is_possible(folder: Path, compiled: bool) -> None:
    target: Any = loading.load("target", folder / "target", None, "cpu", "float32")
    assert isinstance(target, Llama)
    theirs = LlamaForCausalLM.from_pretrained(folder / "target")
    if not compiled:
        target = HFModel(theirs)
    model = shortlist.load(folder / "draft", target)
    assert model.way.name == ("compiled" if compiled else "eager")
    text, cache = [5, 88, 2, 61, 5, 7], model.new_cache(8)
    found = [model.forward(text[:4], range(4), None, cache), model.forward(text[4:], range(4, 6), None, cache)]
    with torch.inference_mode():
        wanted = shortlisted(shortlist.read(folder / "draft"), theirs)(torch.tensor([text])).logits[0].numpy()
    assert np.allclose(np.concatenate(found)[:, IDS], wanted[:, IDS], atol=2e-2 if compiled else 1e-4)
    assert np.isneginf(np.delete(np.concatenate(found), IDS, 1)).all()
    assert model.vocab_size == 90


def test_numbers_in_8_bits_are_off_by_half_a_step_and_ids_not_at_all() -> None:
    matrix = np.random.default_rng(0).normal(size=(5, 30)).astype(np.float32)
    back = restored(rounded({"a": matrix, "ids": IDS, "b": matrix[0]}))
    steps = np.abs(matrix).max(1, keepdims=True) / 127
    assert (np.abs(back["a"] - matrix) <= steps / 2 + 1e-7).all()
    assert (np.abs(back["a"]).max(1) > 0).all()
    assert (back["ids"] == IDS).all()
    assert np.allclose(back["b"], matrix[0], atol=2e-3)


def spoilt(folder: Path, **changes: Any) -> dict[str, Any]:
    tensors = load_file(folder / "draft" / "model.safetensors")
    return {name: each for name, each in (tensors | changes).items() if each is not None}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ids": IDS[::-1].copy()}, "its ids are not in order"),
        ({"ids": None}, "ids"),
        ({"model.layers.0.mlp.up_proj.weight" + SCALE: None}, "has no scale for each row"),
        ({"ids": np.array([1, 90])}, "for a target of another shape"),
        ({"model.norm.weight": None}, "lack model.norm.weight"),
    ],
)
def test_a_damaged_one_is_refused_in_a_line(folder: Path, tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    draft = tmp_path / "draft"
    made(2).config.save_pretrained(draft)
    save_file(spoilt(folder, **changes), draft / "model.safetensors")
    target: Any = loading.load("target", folder / "target", None, "cpu", "float32")
    with pytest.raises(ConfigError, match=said):
        shortlist.load(draft, target)
