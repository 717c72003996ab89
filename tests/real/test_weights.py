"""Files that do not hold exactly what their config asks for: refused in one line that names the first tensor."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from tests.real.families import saved
from tests.real.shrunk import pair_of, tiny

Tensors = dict[str, torch.Tensor]
Change = Callable[[Tensors], Any]


def drop(part: str) -> Change:
    """Deletes the tensors with that in their names."""
    return lambda tensors: [tensors.pop(name) for name in [*tensors] if part in name]


def extra(tensors: Tensors) -> None:
    tensors["model.layers.9.extra.weight"] = torch.zeros(3)


def shorten(part: str) -> Change:
    """Cuts off a row of the tensors with that in their names."""
    return lambda tensors: tensors.update({name: each[:-1].clone() for name, each in tensors.items() if part in name})


def untie(tensors: Tensors) -> None:
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"] + 1


MLP = "model.layers.1.mlp.up_proj.weight"
COMPILED, EAGER = "llama", "gemma2"
"""A family that specviz compiles, and one that runs through transformers."""
CASES: list[tuple[str, Change, str]] = [
    *((family, drop("lm_head"), "lack lm_head.weight") for family in (COMPILED, EAGER, "olmo2")),
    ("gpt2", drop("lm_head"), "lack lm_head.weight"),
    ("gpt_neox", drop("embed_out"), "lack lm_head.weight"),
    (COMPILED, drop("model.layers.1."), "lack model.layers.1.input_layernorm.weight"),
    (EAGER, drop("model.layers.1."), r"lack model.layers.1.\S+, \S+, \S+ and 8 more"),
    ("gpt_neox", drop("gpt_neox.layers.1."), r"lack gpt_neox.layers.1.attention.\S+, \S+, \S+ and \d+ more"),
    ("gpt2", drop("h.1."), r"lack transformer.h.1.attn.\S+, \S+, \S+ and \d+ more"),
    *((family, extra, "hold model.layers.9.extra.weight, which config.json") for family in (COMPILED, EAGER, "olmo2")),
    *((family, shorten(MLP), f"{MLP} is 63 x 32; config.json asks for 64 x 32") for family in (COMPILED, EAGER)),
    ("qwen2", drop("layers.1.self_attn.q_proj.bias"), "lack model.layers.1.self_attn.q_proj.bias"),
    ("qwen3", drop("layers.2.self_attn.q_norm"), "lack model.layers.2.self_attn.q_norm.weight"),
    ("qwen2", drop("self_attn.v_proj.bias"), "lack model.layers.0.self_attn.v_proj.bias"),
]

IN_PARTS = [
    pytest.param(*case, part, marks=() if place % 2 == turn else pytest.mark.long)
    for place, case in enumerate(CASES)
    for turn, part in enumerate(("target", "draft"))
]
"""Each in a target or in a draft, in turns; in the other one with the long tests."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("family", "change", "said", "part"), IN_PARTS)
def test_a_file_that_holds_something_else_is_refused_by_name(
    family: str, change: Change, said: str, part: str, tmp_path: Path, tokenizer: Path
) -> None:
    name = pair_of(tmp_path, tokenizer, tiny(family))
    path = tmp_path / part / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path, {"format": "pt"})
    with pytest.raises(ConfigError, match=said) as refusal:
        pairs.load(name, "cpu", "float32")
    assert "\n" not in str(refusal.value)
    assert str(tmp_path / part) in str(refusal.value)


@pytest.mark.parametrize("family", [COMPILED, EAGER])
def test_tied_weights_that_differ_are_refused(family: str, tmp_path: Path, tokenizer: Path) -> None:
    name = pair_of(tmp_path, tokenizer, tiny(family, tie_word_embeddings=True))
    pairs.load(name, "cpu", "float32")
    path = tmp_path / "target" / "model.safetensors"
    tensors = load_file(path)
    untie(tensors)
    save_file(tensors, path, {"format": "pt"})
    pairs._shelf.clear()
    with pytest.raises(ConfigError, match=r"lm_head.weight differs from model.embed_tokens.weight, but config"):
        pairs.load(name, "cpu", "float32")


def test_an_adapter_is_refused_whether_or_not_its_model_lies_beside_it(tmp_path: Path, tokenizer: Path) -> None:
    name = pair_of(tmp_path, tokenizer, tiny("llama"))
    beside = saved(tmp_path / "beside", tokenizer, tiny("llama"))
    alone = tmp_path / "alone"
    alone.mkdir()
    for folder in (alone, beside):
        said = {"peft_type": "LORA", "base_model_name_or_path": str(tmp_path / "target"), "r": 2}
        (folder / "adapter_config.json").write_text(json.dumps(said))
        save_file({"layers.0.lora_A.weight": torch.ones(2, 32)}, folder / "adapter_model.safetensors")
        draft, target = name.split(" -> ")
        for each in (f"{draft} -> {folder}", f"{folder} -> {target}"):
            with pytest.raises(ConfigError, match=r"is an adapter \(adapter_config.json\).*; merge it into its model"):
                pairs.load(each, "cpu", "float32")
