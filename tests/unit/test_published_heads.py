"""Heads as other projects publish them: they say what the published code says, and whatever does not fit is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM

from specviz import session
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config import pairs
from specviz.config.settings import ConfigError, RunConfig, resolve_params
from specviz.config.words import tell
from specviz.draft import entry, load
from specviz.draft.base import Drafter, Resources
from specviz.models.heads import published as published_heads
from specviz.models.hf import HFModel
from specviz.models.hub import offers
from specviz.models.pair import Pair
from specviz.sampling.distribution import Sampling, to_probs
from specviz.sampling.tree import DraftTree
from specviz.trace.codec import from_json
from tests import published
from tests.real.tiny_hub import save_model

TEXT = [7, 33, 12, 5, 5, 60, 21]
BRANCH = [9, 11, 40]
WARM = Sampling(0.9)


def target(family: Any = LlamaForCausalLM, config: Any = LlamaConfig) -> HFModel:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return HFModel(
            family(
                config(
                    vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=6, num_attention_heads=4,
                    num_key_value_heads=2, head_dim=8, max_position_embeddings=64,
                )
            ).eval()
        )  # fmt: skip


def pair(model: HFModel) -> Pair:
    return Pair("tiny", model, None, None, frozenset(), None, "cpu", "float32")  # type: ignore[arg-type]


def states(model: HFModel, text: list[int], layers: tuple[int, ...]) -> Tensor:
    """[n, layers * width], by transformers' own pass."""
    with torch.inference_mode():
        found = model.model(torch.tensor([text]), output_hidden_states=True).hidden_states
    return torch.cat([found[layer][0] for layer in layers], -1)


def drafter(name: str, folder: str, model: HFModel) -> Drafter:
    resources = Resources(WARM, model.vocab_size, 64, target=model, head=pair(model).head)
    return load(name).build(resources, resolve_params(entry(name), {"head": folder}))


def laws(name: str, folder: str, model: HFModel) -> Tensor:
    """q behind the text and behind each guess of BRANCH but the last."""
    found = drafter(name, folder, model).q_of(TEXT, DraftTree.chain(BRANCH))
    return torch.from_numpy(np.stack([law.dense(64) for law in found if law]))


def warm(logits: Tensor) -> Tensor:
    return torch.from_numpy(to_probs(logits.numpy(), WARM))


NEWER: dict[str, dict[str, Any]] = {
    "3": {},
    "3.1": {"fc_norm": True, "norm_output": True},
    "gpt-oss": {"norm_before_fc": True, "norm_output": True},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", NEWER)
@pytest.mark.parametrize("layout", ["llama", "qwen3"])
def test_eagle_says_what_the_published_code_says(layout: str, kind: str, tmp_path: Path) -> None:
    """Three guesses deep: behind the first it reads its own states instead of the target's."""
    llama = layout == "llama"
    config, layers = (published.EAGLE, (2, 3, 3)) if llama else (published.QWEN, (1, 3, 5))
    config = config | NEWER[kind]
    model = target() if llama else target(Qwen3ForCausalLM, Qwen3Config)
    tensors = published.eagle(config)
    table = model.model.get_input_embeddings().weight.detach() if llama else tensors["embed_tokens.weight"]
    before = published.fused_by_eagle(config, tensors, states(model, TEXT[:-1], layers))
    tokens, wanted = TEXT[1:], []
    for guess in BRANCH:
        logits, state = published.said_by_eagle(config, tensors, before, table[tokens], 64)
        wanted.append(warm(logits))
        before, tokens = torch.cat([before, state[None]]), [*tokens, guess]
    found = laws("eagle", published.save(tmp_path / "head", config, tensors), model)
    torch.testing.assert_close(found, torch.stack(wanted), rtol=1e-4, atol=1e-5)
    assert (found > 0).sum(-1).tolist() == [24 if llama else 64] * 3


def test_dflash_says_what_the_published_code_says(tmp_path: Path) -> None:
    config, tensors = published.DFLASH, published.dflash()
    model = target(Qwen3ForCausalLM, Qwen3Config)
    table = model.model.get_input_embeddings().weight.detach()
    block = table[[TEXT[-1], 63, 63, 63, 63]]
    out = published.said_by_dflash(config, tensors, states(model, TEXT[:-1], (1, 3, 5)), block)
    wanted = warm(out @ model.model.get_output_embeddings().weight.detach().T)[: len(BRANCH)]
    found = laws("dflash", published.save(tmp_path / "head", config, tensors), model)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("layout", ["FasterDecoding", "vLLM"])
def test_medusa_says_what_the_published_code_says(layout: str, tmp_path: Path) -> None:
    model, tensors = target(), published.medusa()
    state, wanted = states(model, TEXT[:-1], (6,))[-1], []
    for head in range(3):
        matrix, bias, rows = (tensors[f"{head}.{end}"] for end in ("0.linear.weight", "0.linear.bias", "1.weight"))
        x = state + torch.nn.functional.silu(state @ matrix.T + bias)
        wanted.append(warm(rows @ x))
    if layout == "vLLM":
        renamed = {}
        for head in range(3):
            renamed |= {
                f"blocks.{head}.layers.0.{end}": tensors[f"{head}.0.linear.{end}"] for end in ("weight", "bias")
            }
            renamed[f"lm_heads.{head}.weight"] = tensors[f"{head}.1.weight"]
        folder = published.save(tmp_path / "head", {"model_type": "medusa", "num_heads": 3}, renamed)
    else:
        folder = published.save(tmp_path / "head", published.MEDUSA, tensors, "medusa_lm_head.safetensors")
    torch.testing.assert_close(laws("medusa", folder, model), torch.stack(wanted), rtol=1e-4, atol=1e-5)


REFUSED: dict[str, Any] = {
    "eagle": [
        ({"hidden_size": 64}, {}, "for states of 64 numbers, this target's have 32"),
        ({"num_hidden_layers": 2}, {}, "has 2 layers; wanted a head of one"),
        ({"eagle_aux_hidden_state_layer_ids": [1, 3, 9]}, {}, "reads layer 9, this target has 6"),
        ({"rms_norm_eps": "x"}, {}, "config.json says rms_norm_eps is 'x'"),
        ({"transformer_layer_config": 3}, {}, "says transformer_layer_config is 3; wanted an object"),
        ({"hidden_act": "gelu"}, {}, "uses gelu; wanted a head with silu"),
        ({}, {"midlayer.mlp.up_proj.weight_scale": torch.ones(1)}, "is quantized (layers.0.mlp.up_proj.weight_scale)"),
        ({}, {"midlayer.mlp.up_proj.weight": None}, "has no layers.0.mlp.up_proj.weight"),
        ({}, {"fc.weight": torch.zeros(32, 64)}, "fc.weight is 32 x 64; wanted 32 x 96"),
        ({}, {"d2t": torch.full((24,), 60)}, "its 24 tokens are not among this target's 64"),
        ({}, {"t2d": torch.ones(64, dtype=torch.bool)}, "its d2t and t2d name different tokens"),
        ({}, {"midlayer.hidden_norm.weight": None}, "is an EAGLE-1 or EAGLE-2 head; wanted EAGLE-3"),
        ({}, {"layers.0.surprise.weight": torch.ones(3)}, "also holds layers.0.surprise.weight, which this head has"),
        ({}, {"midlayer.mlp.up_proj.bias": torch.ones(48)}, "also holds layers.0.mlp.up_proj.bias, which this head"),
        ({}, {"layers.1.mlp.up_proj.weight": torch.ones(48, 32)}, "also holds layers.1.mlp.up_proj.weight"),
        ({}, {"midlayer.self_attn.q_norm.weight": torch.ones(8)}, "has no layers.0.self_attn.k_norm.weight"),
        ({"fc_norm": True}, {"fc_norm.0.weight": torch.ones(32)}, "has no fc_norm.1.weight"),
        ({}, {"fc_norm.0.weight": torch.ones(32)}, "holds fc_norm.0.weight, but its config.json does not set fc_norm"),
        ({}, {"input_norm.weight": torch.ones(96)}, "holds input_norm.weight, but its config.json does not set norm_b"),
        ({"norm_before_fc": True}, {"input_norm.weight": torch.ones(32)}, "input_norm.weight is 32; wanted 96"),
        ({"fc_norm": True, "norm_before_fc": True}, {}, "sets both fc_norm and norm_before_fc"),
        ({"architectures": ["Qwen3DSparkModel"]}, {}, "is a DSpark drafter, whose guesses hang on"),
        ({"speculators_model_type": "dflash2"}, {}, "is a DFlash-2 drafter"),
        ({"architectures": ["DFlashSpeculator"]}, {}, "is a DFlash drafter in speculators' layout"),
        ({"speculators_model_type": "peagle"}, {}, "is a P-EAGLE head"),
        ({"architectures": ["Eagle3DeepseekV2ForCausalLM"]}, {}, "is a head with latent keys (MLA)"),
    ],
    "dflash": [
        ({"hidden_size": 64}, {}, "for states of 64 numbers, this target's have 32"),
        ({"layer_types": ["sliding_attention"] * 2}, {}, "has layers of sliding_attention; wanted full attention"),
        ({"dflash_config": {"mask_token_id": 99, "target_layer_ids": [0, 2, 4]}}, {}, "its blanks are token 99"),
        ({"dflash_config": {"mask_token_id": 63, "target_layer_ids": [0, 2, 6]}}, {}, "reads layer 7"),
        ({}, {"layers.1.self_attn.k_norm.weight": None}, "has no layers.1.self_attn.k_norm.weight"),
        ({}, {"layers.2.mlp.up_proj.weight": torch.ones(48, 32)}, "also holds layers.2.mlp.up_proj.weight, which this"),
        ({}, {"markov_head.markov_w1.weight": torch.ones(64, 8)}, "holds markov_head.markov_w1.weight, as DSpark has"),
        ({}, {"confidence_head.proj.weight": torch.ones(1, 40)}, "holds confidence_head.proj.weight, as DSpark has"),
        ({}, {"candidate_selector.weight": torch.ones(3)}, "as DFlash-2 has"),
        ({"final_logit_softcapping": 20.0}, {}, "sets final_logit_softcapping, which specviz does not know"),
    ],
    "medusa": [
        ({"medusa_num_heads": 5}, {}, "config.json says 5 heads, the file has 3"),
        ({}, {"2.1.weight": None}, "has no 2.1.weight"),
        ({}, {"1.0.linear.weight": None}, "says 3 heads, the file has 1"),
        ({}, {"0.surprise.weight": torch.ones(3)}, "also holds 0.surprise.weight, which this head has no place for"),
        ({}, {"0.1.weight": torch.zeros(60, 32)}, "knows 60 tokens, this target 64"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "config", "tensors", "said"), [(name, *case) for name, cases in REFUSED.items() for case in cases]
)
def test_what_does_not_fit_is_refused_in_one_line(
    name: str, config: dict[str, Any], tensors: dict[str, Any], said: str, tmp_path: Path
) -> None:
    whole = {"eagle": published.eagle, "dflash": published.dflash, "medusa": published.medusa}[name]() | tensors
    facts = {"eagle": published.EAGLE, "dflash": published.DFLASH, "medusa": published.MEDUSA}[name] | config
    folder = published.save(tmp_path / "head", facts, {key: each for key, each in whole.items() if each is not None})
    with pytest.raises(ConfigError) as found:
        drafter(name, folder, target())
    assert said in str(found.value)
    assert "\n" not in str(found.value)


def test_only_whole_safetensors_of_the_right_kind_are_opened(tmp_path: Path) -> None:
    folder = tmp_path / "head"
    published.save(folder, published.EAGLE, published.eagle())
    assert published_heads.read(str(folder)).kind == "eagle"
    with pytest.raises(ConfigError, match="is a head for the drafter eagle; wanted one for medusa"):
        pair(target()).head("medusa", str(folder))
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ConfigError, match=r"model\.safetensors is damaged"):
        published_heads.read(str(folder))
    path.rename(folder / "pytorch_model.bin")
    with pytest.raises(ConfigError, match=r"pytorch_model\.bin is a pickle, which may run code"):
        published_heads.read(str(folder))
    (folder / "config.json").write_text("[")
    with pytest.raises(ConfigError):
        published_heads.read(str(folder))


OWN = published.EAGLE | {"hidden_size": 64, "num_attention_heads": 2, "eagle_aux_hidden_state_layer_ids": [0, 1, 2]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target of two layers, and a head for it in the published layout, trained for a moment."""
    found = tmp_path_factory.mktemp("own")
    save_model(found / "target", "10GB")
    published.save(found / "head", OWN, trained(found / "target"))
    return found


def trained(target: Path) -> published.Tensors:
    """It learns one text that the target wrote, as far as it knows the tokens."""
    model, tensors = LlamaForCausalLM.from_pretrained(target), published.eagle(OWN)
    weights = [each.requires_grad_() for each in tensors.values() if each.is_floating_point()]
    learns, ids = torch.optim.AdamW(weights, 0.01), torch.arange(24) * 2 + 5
    table = model.get_input_embeddings().weight.detach()
    with torch.no_grad():
        text = model.generate(torch.tensor([[7]]), max_new_tokens=40, do_sample=False)
        seen = model(text, output_hidden_states=True)
    before = torch.cat([each[0] for each in seen.hidden_states], -1)[:-1]
    for _ in range(25):
        states = before @ tensors["fc.weight"].T
        said, _ = published.said_by_eagle(OWN, tensors, states, table[text[0, 1:]], 64, every=True)
        loss = torch.nn.functional.cross_entropy(said[:, ids], seen.logits[0, 1:, ids].argmax(-1))
        learns.zero_grad()
        loss.backward()
        learns.step()
    return {name: each.detach() for name, each in tensors.items()}


def test_a_run_with_a_published_head_writes_the_targets_text(folder: Path, tmp_path: Path) -> None:
    """The command picks the drafter that the head is for. It was trained, so some of its guesses stand."""
    asked = ["run", "w7", "--target", str(folder / "target"), "--draft", str(folder / "target")]
    asked += ["--temperature", "0", "--max-new-tokens", "40", "--device", "cpu", "--out", str(tmp_path / "trace.json")]
    texts = []
    for more in (["--head", str(folder / "head")], ["--drafter", "ngram"]):
        assert main([*asked, *more]) == 0
        trace = from_json((tmp_path / "trace.json").read_text(encoding="utf-8"))
        assert problems(trace) == []
        texts.append(trace.tokens)
        if more[0] == "--head":
            assert trace.info.config.drafter == "eagle"
            assert sum(len(step.path) for step in trace.rounds) > 10
    assert texts[0] == texts[1]


def test_a_pair_that_has_one_offers_it(folder: Path) -> None:
    name = pairs.pair_name(str(folder / "target"), str(folder / "target"), str(folder / "head"))
    assert (pairs.split(name), pairs.head_of(name)) == ((str(folder / "target"),) * 2, str(folder / "head"))
    offered = {offer.name: offer for offer in offers.offers(name)}
    assert (offered[name].assets, tell(offered[name].about)) == (
        ("heads/eagle.safetensors", "draft"),
        "your own; with heads for eagle",
    )
    assert offered["qwen3-0.6b-8b"].assets == ("heads/eagle.safetensors", "heads/dflash.safetensors", "draft")
    run = session.start(RunConfig("w7", pair=name, drafter="eagle", max_new_tokens=8, device="cpu"))
    assert sum(len(step.verdicts) for step in run) > 0
    with pytest.raises(ConfigError, match="no folder"):
        offers.offers(name + "s")
