"""GGUF files as models: their numbers, words, positions and refusals. The files are written here, small."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from safetensors.numpy import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.models.hub import gguf_files, gguf_says
from specviz.trace.info import Generation
from tests.real import tiny_gguf
from tests.real.tiny_hub import REPOSITORY, TinyHub

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<me>"
ABOUT = {
    "tokenizer.chat_template": TEMPLATE,
    "general.sampling.temp": 0.6,
    "general.sampling.top_p": 0.95,
    "general.sampling.xtc_probability": 0.1,
}


def written(path: Path, tokenizer: Path, kind: Kind, **more: Any) -> dict[str, Any]:
    return tiny_gguf.write(path, tiny_gguf.model(tokenizer), tokenizer, kind, ABOUT, **more)


@pytest.mark.parametrize("kind", [Kind.Q4_1, Kind.Q8_0, Kind.F16])
def test_a_file_runs_with_its_own_numbers_words_and_template(kind: Kind, tmp_path: Path, tokenizer: Path) -> None:
    path = tmp_path / "tiny.gguf"
    wanted = written(path, tokenizer, kind)
    folder = gguf_files.located(str(path), cache=tmp_path / "cache")
    assert folder
    found = load_file(folder / "model.safetensors")
    assert found.keys() == wanted.keys()
    for name, numbers in wanted.items():
        assert np.array_equal(found[name], numbers.astype(np.float32)), name
    assert gguf_files.located(str(tmp_path), cache=tmp_path / "cache") == folder, "a folder with one file is that file"
    trace = specviz.run("def f(x):", target=str(folder), device="cpu", temperature=0, max_new_tokens=24)
    assert "".join(trace.prompt_texts).endswith("<user>def f(x):<me>")
    named = tell(trace.info.target)
    assert named.endswith("read as float32") == (kind is not Kind.F16)
    assert (kind.name in named) == (kind is not Kind.F16)
    assert trace.info.generation == Generation({"top_p": 0.95}, {"temperature": 0.6}, {"xtc_probability": 0.1})
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    text = torch.tensor([trace.prompt])
    own = model.generate(text, attention_mask=torch.ones_like(text), do_sample=False, max_new_tokens=24)
    assert list(trace.tokens) == own[0, len(trace.prompt) :].tolist()


def test_a_file_of_a_repository_is_fetched_and_runs_as_target_and_draft(
    server: TinyHub, tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    path, source = tmp_path / "tiny.gguf", f"{REPOSITORY}:tiny.gguf"
    wanted = written(path, tokenizer, Kind.Q8_0)
    server.files[path.name] = path.read_bytes()
    trace = specviz.run("def f(x):", target=source, draft=source, device="cpu", temperature=0, max_new_tokens=8)
    assert [len(step.path) for step in trace.rounds] == [len(step.verdicts) for step in trace.rounds], "all accepted"
    assert server.downloads == [path.name], "the repository's other files are not asked for"
    server.stop()
    folder = gguf_files.located(source)
    assert folder
    assert folder.is_relative_to(tmp_path / "user")
    assert load_file(folder / "model.safetensors").keys() == wanted.keys()
    server.start()
    with pytest.raises(ConfigError, match=r"'tiny/llama:other\.gguf' cannot be loaded: .* does not have"):
        gguf_files.located(f"{REPOSITORY}:other.gguf")


def test_what_cannot_be_read_is_refused_by_name_and_leaves_nothing(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"

    def refused(source: Path | str, said: str) -> None:
        with pytest.raises(ConfigError, match=said):
            gguf_files.located(str(source), cache=cache)
        assert not cache.exists() or not [*cache.iterdir()]

    unknown, part, broken = (tmp_path / f"{name}.gguf" for name in ("unknown", "part", "broken"))
    written(unknown, tokenizer, Kind.F16)
    unknown.write_bytes(unknown.read_bytes().replace(b"llama", b"mysty"))
    refused(unknown, "reads no GGUF file of 'mysty'; it reads .*llama")
    written(part, tokenizer, Kind.F16, lacks="blk.1.ffn_up.weight")
    refused(part, r"part.gguf.*its weights lack model.layers.1.mlp.up_proj.weight")
    broken.write_bytes(part.read_bytes()[:2000])
    refused(broken, "is damaged")
    broken.write_bytes(b"GGUX" + bytes(100))
    refused(broken, "is no GGUF file")
    refused(tmp_path, "has 3 GGUF files; name one of them")
    refused(tmp_path / "nowhere.gguf", "there is no file")
    with pytest.raises(
        ConfigError, match=r"broken.gguf/gguf cannot be written \(.*\); set XDG_CACHE_HOME to a writable folder"
    ):
        gguf_files.located(str(unknown), cache=broken / "gguf")
    monkeypatch.setattr(gguf_files, "find_spec", lambda name: None)
    refused(part, r"needs gguf and accelerate; run pip install 'specviz\[gguf\]'")


REACH = 64
LINEAR = {"rope_type": "linear", "factor": 4.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": REACH}
LLAMA3 = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": REACH,
}  # fmt: skip
LONG = {
    "rope_type": "longrope", "short_factor": [1.0 + place / 9 for place in range(16)],
    "long_factor": [1.0 + place for place in range(16)], "original_max_position_embeddings": REACH,
    "attention_factor": 1.2,
}  # fmt: skip
SAYS: dict[str, dict[str, Any]] = {
    "linear": {".rope.scaling.type": "linear", ".rope.scaling.factor": 4.0},
    "yarn": {
        ".rope.scaling.type": "yarn", ".rope.scaling.factor": 4.0, ".rope.scaling.original_context_length": REACH,
    },
    "llama3": {},
    "longrope": {".rope.scaling.attn_factor": 1.2, ".rope.scaling.original_context_length": REACH},
}  # fmt: skip


def freqs() -> list[float]:
    """Llama 3's tensor, as llama.cpp's converter computes it."""
    factors, low, high = [], REACH / LLAMA3["low_freq_factor"], REACH / LLAMA3["high_freq_factor"]
    for place in range(16):
        length = 2 * math.pi * 10_000 ** (place / 16)
        smooth = (REACH / length - 1.0) / (4.0 - 1.0)
        factors.append(1.0 if length < high else 8.0 if length > low else 1 / ((1 - smooth) / 8.0 + smooth))
    return factors


TENSORS: dict[str, dict[str, list[float]]] = {
    "llama3": {"rope_freqs.weight": freqs()},
    "longrope": {"rope_factors_long.weight": LONG["long_factor"], "rope_factors_short.weight": LONG["short_factor"]},
}


GEMMA = {"query_pre_attn_scalar": 32, "sliding_window": 32, "tie_word_embeddings": True, "num_hidden_layers": 6}
LONG_TEXT = "def f(x): return x + 1\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scaling", [LINEAR, YARN, LLAMA3], ids=lambda each: each["rope_type"])
@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gemma3_text", "gemma2"])
def test_positions_are_scaled_as_the_file_says(family: str, scaling: Any, tmp_path: Path, tokenizer: Path) -> None:
    kind, place = scaling["rope_type"], {"rope_theta": 10_000.0, **scaling}
    if family == "gemma3_text":
        place = {"full_attention": place, "sliding_attention": {"rope_theta": 10_000.0, "rope_type": "default"}}
    says, more = SAYS[kind], {"rope_parameters": place}
    if family.startswith("gemma"):
        says, more = says | {".attention.sliding_window": 32}, more | GEMMA
    check(tiny_gguf.model(tokenizer, family, **more), says, TENSORS.get(kind), tmp_path, tokenizer)


def test_two_lists_of_factors_and_what_caps_scales_and_narrows_attention_are_read(
    tmp_path: Path, tokenizer: Path
) -> None:
    more = {"rope_parameters": {"rope_theta": 10_000.0, **LONG}, "original_max_position_embeddings": REACH}
    inner = tiny_gguf.model(tokenizer, "phi3", **more, sliding_window=80)
    says = SAYS["longrope"] | {".attention.sliding_window": 80}
    check(inner, says, TENSORS["longrope"], tmp_path / "phi3", tokenizer)
    more = {"final_logit_softcapping": 20.0, "attn_logit_softcapping": 5.0, "query_pre_attn_scalar": 4}
    says = {
        ".final_logit_softcapping": 20.0, ".attn_logit_softcapping": 5.0, ".attention.scale": 0.5,
        ".attention.sliding_window": 16, ".attention.causal": True, ".rope.scaling.type": "none", ".logit_scale": 1.0,
    }  # fmt: skip
    inner = tiny_gguf.model(tokenizer, "gemma2", **GEMMA | more | {"sliding_window": 16})
    check(inner, says, None, tmp_path / "gemma2", tokenizer)


def check(inner: Any, says: Any, tensors: Any, home: Path, tokenizer: Path) -> None:
    """A file of a model's weights gives its logits and its greedy text."""
    home.mkdir(exist_ok=True)
    tiny_gguf.write(home / "tiny.gguf", inner, tokenizer, says=says, tensors=tensors)
    folder = gguf_files.located(str(home / "tiny.gguf"), cache=home / "cache")
    assert folder
    text = torch.tensor([AutoTokenizer.from_pretrained(folder)(LONG_TEXT * 12).input_ids[: REACH + 40]])
    with torch.no_grad():
        wanted = inner(text).logits
        found = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)(text).logits
    assert torch.allclose(found, wanted, rtol=1e-4, atol=1e-4 * float(wanted.abs().max()))
    trace = specviz.run(LONG_TEXT * 9, target=str(folder), device="cpu", temperature=0, max_new_tokens=12)
    start = torch.tensor([trace.prompt])
    own = inner.generate(start, attention_mask=torch.ones_like(start), do_sample=False, max_new_tokens=12)
    assert list(trace.tokens) == own[0, len(trace.prompt) :].tolist()


REFUSED: list[tuple[str, object]] = [
    (".attention.scale", 0.1), (".attention.sliding_window", 32), (".attention.causal", False),
    (".attention.clamp_kqv", 8.0), (".attention.max_alibi_bias", 8.0), (".attention.value_length", 16),
    (".attention.temperature_scale", 0.1), (".attention.layer_norm_rms_epsilon_swa", 0.1),
    (".attn_logit_softcapping", 50.0), (".final_logit_softcapping", 30.0), (".logit_scale", 0.5),
    (".residual_scale", 0.5), (".embedding_scale", 2.0), (".expert_count", 4), (".nextn_predict_layers", 1),
    (".pooling_type", 1), (".rope.dimension_count", 16), (".rope.dimension_sections", [8, 8]),
    (".rope.scaling.alpha", 1000.0), (".rope.scaling.yarn_log_multiplier", 0.1), (".rope.scaling.type", "su"),
    (".rope.freq_base_swa", 5000.0), (".use_parallel_residual", True), ("split.count", 2),
]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("key", "value"), REFUSED)
def test_a_key_that_would_change_the_model_is_refused_by_name(
    key: str, value: object, tmp_path: Path, tokenizer: Path
) -> None:
    refused(tmp_path, tokenizer, key.removeprefix(".") if key.startswith(".") else "one of 2 parts", {key: value})


def test_a_tensor_that_the_model_has_no_place_for_is_refused_by_name(tmp_path: Path, tokenizer: Path) -> None:
    for name in ("blk.0.attn_q.bias", "blk.0.attn_q_norm.weight", "rope_factors_long.weight"):
        refused(tmp_path, tokenizer, name if "rope" not in name else "rope", {}, {name: [1.0] * 16})


def refused(home: Path, tokenizer: Path, said: str, says: Any, tensors: Any = None) -> None:
    path = home / "tiny.gguf"
    tiny_gguf.write(path, tiny_gguf.model(tokenizer), tokenizer, says=says, tensors=tensors)
    with pytest.raises(ConfigError, match=rf"^\S+tiny\.gguf:? (it holds |is )?{said}"):
        gguf_files.located(str(path), cache=home / "cache")
    assert not [*(home / "cache").glob("*")]


def test_a_text_ends_wherever_the_file_says(tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tiny.gguf"
    says = {"tokenizer.ggml.eot_token_id": 7, "tokenizer.ggml.eom_token_id": 5}
    tiny_gguf.write(path, tiny_gguf.model(tokenizer), tokenizer, says=says)
    folder = gguf_files.located(str(path), cache=tmp_path / "cache")
    assert specviz.run("def", target=str(folder), device="cpu", max_new_tokens=1).info.eos == (0, 5, 7)
    tokens = ["a", "<|end|>", "<|im_end|>", "<|return|>", "b"]
    assert gguf_says.ends({"tokenizer.ggml.eos_token_id": 4}, tokens) == [4, 1, 2, 3]
    assert gguf_says.ends({}, [*tokens, "<|call|>"]) == [2, 3, 5]
    monkeypatch.setattr(gguf_files, "READER", 1)
    assert gguf_files.located(str(path), cache=tmp_path / "cache") != folder, "what an older specviz converted"
