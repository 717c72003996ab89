"""Layers for multi-token prediction in a target's checkpoint: transformers' own guesses, exact text, sound files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, Glm4MoeForCausalLM
from transformers.cache_utils import MtpCache
from transformers.generation.candidate_generator import MTPCandidateGenerator

import specviz
from specviz.check.run import problems
from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.heads.published import mtp
from specviz.models.hub import offers
from tests.real.families import others_long, saved
from tests.real.mtp_files import FAMILIES, carrying
from tests.real.shrunk import tiny
from tests.real.test_recurrent import generated

PROMPTS = ("Once upon a time", "the the the the", "7")
DEPTH = 3
"""Layers of a tiny model."""


def asked(name: str, **more: Any) -> dict[str, Any]:
    chosen = {"pair": name, "drafter": "mtp", "device": "cpu", "temperature": 0, "max_new_tokens": 16, "gamma": 3}
    return {**chosen, "chat": False, **more}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", others_long([*FAMILIES], 4))
def test_the_text_is_transformers_own(family: str, tmp_path: Path, tokenizer: Path) -> None:
    name, model = carrying(tmp_path, tokenizer, family)
    shapes = ({"shape": "chain"},) if "qwen3" in family else ({"shape": "chain"}, {"shape": "tree", "nodes": 5})
    for prompt in PROMPTS[::2]:
        for params in shapes:
            trace = specviz.run(prompt, params=params, **asked(name))
            assert [*trace.tokens] == generated(model, trace.prompt, len(trace.tokens)), (prompt, params)
            assert problems(trace) == []
            assert sum(len(step.verdicts) for step in trace.rounds) > 20


@pytest.mark.parametrize(("family", "layers"), others_long([("mellum", 1), ("glm4_moe", 3), ("glm4_moe", 1)], 2))
def test_the_guesses_are_transformers_own(
    family: str, layers: int, tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as `generate` makes, a guess for each layer."""
    name, _ = carrying(tmp_path, tokenizer, family, layers)
    if family == "glm4_moe":  # transformers knows the depths of the published models only
        behind = [rf"model\.layers\.{DEPTH + layer}\..*" for layer in range(layers)]
        monkeypatch.setattr(Glm4MoeForCausalLM, "_keys_to_ignore_on_load_unexpected", behind)
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "target", dtype=torch.float32).eval()
    theirs: dict[tuple[int, ...], list[int]] = {}
    candidates = MTPCandidateGenerator.get_candidates

    def watched(self: Any, input_ids: Tensor, *args: Any, **kwargs: Any) -> Any:
        found = candidates(self, input_ids, *args, **kwargs)
        theirs[tuple(input_ids[0].tolist())] = found[0][0, input_ids.shape[1] :].tolist()
        return found

    monkeypatch.setattr(MTPCandidateGenerator, "get_candidates", watched)
    for prompt in PROMPTS[:2]:
        trace = specviz.run(prompt, **asked(name, gamma=layers))
        ids, text, compared = torch.tensor([trace.prompt]), [*trace.prompt], 0
        more: dict[str, Any] = {"use_mtp": True, "eos_token_id": None, "pad_token_id": 0, "max_new_tokens": 16}
        out = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, **more)
        assert [*trace.tokens] == out[0, ids.shape[1] : len(trace.tokens) + ids.shape[1]].tolist()
        for step in trace.rounds:
            guesses = [each.token for each in step.verdicts]
            if wanted := theirs.get(tuple(text)):
                assert guesses == wanted[: len(guesses)]
                compared += len(guesses)
            text += step.tokens
        assert compared > 10 * layers


def anew(module: Any, states: Tensor, text: list[int], branch: list[int]) -> Tensor:
    """The logits behind a branch of guesses, everything read anew by transformers' own layers.

    Args:
        states: [n - 1, width] of the target, behind all tokens of the text but the last.
    """
    cache, layers = MtpCache(config=module.config), len(module.layers)
    ids, before, found = torch.tensor([text[1:]]), states[None], torch.empty(0)
    for depth in range(len(branch) + 1):
        fresh = len(text) - 1 if layers > 1 or not depth else 1
        places = torch.arange(1 + depth, len(text) + depth)[None, -fresh:]
        found = module.forward_layer(depth % layers, before[:, -fresh:], places, cache, input_ids=ids[:, -fresh:])
        before = found
        ids = torch.cat([ids, torch.tensor([branch[depth : depth + 1]], dtype=torch.long)], -1)[:, 1:]
    logits: Tensor = module._project_to_logits(found[0, -1])
    return logits


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("family", "layers"), [("deepseek_v3", 1), ("glm4_moe", 3)])
def test_q_is_what_the_layers_say_of_true_states_whatever_was_accepted(
    family: str, layers: int, tmp_path: Path, tokenizer: Path
) -> None:
    name, _ = carrying(tmp_path, tokenizer, family, layers)
    pair, kept = pairs.load(name, "cpu", "float32"), 0
    module, model = mtp._loaded(pair.head("mtp"), pair.target.model), pair.target.model
    trace = specviz.run(PROMPTS[0], **asked(name, temperature=2, seed=3, max_new_tokens=40))
    text = [*trace.prompt]
    with torch.inference_mode():
        for step in trace.rounds:
            states = model(torch.tensor([text[:-1]]), output_hidden_states=True).hidden_states[-1][0]
            branch: list[int] = []
            for each in step.verdicts:
                q = (anew(module, states, text, branch) / 2).softmax(-1)
                assert each.q == pytest.approx(float(q[each.token]), rel=1e-4), (step.index, each.node)
                branch.append(each.token)
            text += step.tokens
            kept += len(step.path)
    assert kept > 5


def lacking(tensors: dict[str, Tensor]) -> None:
    del tensors["mtp.fc.weight"]


def leftover(tensors: dict[str, Tensor]) -> None:
    tensors["mtp.gate.weight"] = torch.zeros(3)


def reshaped(tensors: dict[str, Tensor]) -> None:
    tensors["mtp.fc.weight"] = torch.zeros(8, 64)


def doubled(tensors: dict[str, Tensor]) -> None:
    inner = [name for name in tensors if "layers.0" in name]
    tensors |= {name.replace("layers.0", "layers.1"): tensors[name].clone() for name in inner}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lacking, "lack layers.0.eh_proj.weight"),
        (leftover, "gate.weight, which config.json has no"),
        (reshaped, "layers.0.eh_proj.weight is 8 x 64"),
        (doubled, "layers.1"),
    ],
)
def test_a_layer_with_a_part_missing_left_over_or_of_another_shape_is_refused_by_name(
    change: Callable[[dict[str, Tensor]], None], says: str, tmp_path: Path, tokenizer: Path
) -> None:
    name, _ = carrying(tmp_path, tokenizer, "mellum", change=change)
    with pytest.raises(ConfigError, match=says):
        specviz.run(PROMPTS[0], **asked(name))


def test_a_target_offers_its_layer_without_any_file_and_one_without_says_what_is_wanted(
    tmp_path: Path, tokenizer: Path
) -> None:
    name, _ = carrying(tmp_path, tokenizer, "glm4_moe")
    assert "heads/mtp.safetensors" in offers.offers(name)[0].assets
    bare = f"-> {saved(tmp_path / 'bare', tokenizer, tiny('glm4_moe'))}"
    assert "heads/mtp.safetensors" not in offers.offers(bare)[0].assets
    with pytest.raises(ConfigError, match="has no layer for multi-token prediction"):
        specviz.run(PROMPTS[0], **asked(bare))
