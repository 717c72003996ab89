"""GGUF files as models: their numbers, words and refusals. The files are written here, small."""

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from gguf.quants import dequantize, quantize
from safetensors.numpy import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.models.hub import gguf_files
from specviz.trace.info import Generation
from tests.real.tiny_hub import REPOSITORY, TinyHub

WIDTH, WIDE, LAYERS, HEADS, KEYS, DIM = 64, 96, 2, 2, 1, 32
TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<me>"
NAMES = {
    "token_embd": "model.embed_tokens", "output": "lm_head", "output_norm": "model.norm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}  # fmt: skip


def matrices(words: int) -> dict[str, tuple[int, ...]]:
    """The tensors of a tiny Llama by their names in a GGUF file."""
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd": (words, WIDTH),
        "output": (words, WIDTH),
        "output_norm": (WIDTH,),
    }
    for layer in range(LAYERS):
        shapes |= {
            f"blk.{layer}.{name}": shape
            for name, shape in {
                "attn_q": (HEADS * DIM, WIDTH), "attn_k": (KEYS * DIM, WIDTH), "attn_v": (KEYS * DIM, WIDTH),
                "attn_output": (WIDTH, HEADS * DIM), "ffn_gate": (WIDE, WIDTH), "ffn_up": (WIDE, WIDTH),
                "ffn_down": (WIDTH, WIDE), "attn_norm": (WIDTH,), "ffn_norm": (WIDTH,),
            }.items()
        }  # fmt: skip
    return shapes


def written(path: Path, tokenizer: Path, kind: Kind, architecture: str = "llama", lacks: str = "") -> dict[str, Any]:
    """Writes a file, and returns its matrices turned back into numbers, by transformers' names."""
    words = AutoTokenizer.from_pretrained(tokenizer)
    tokens = words.convert_ids_to_tokens(range(len(words)))
    merges = json.loads((tokenizer / "tokenizer.json").read_text(encoding="utf-8"))["model"]["merges"]
    out = gguf.GGUFWriter(path, architecture)
    out.add_context_length(256)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(WIDE)
    out.add_head_count(HEADS)
    out.add_head_count_kv(KEYS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_freq_base(10_000.0)
    out.add_vocab_size(len(tokens))
    out.add_tokenizer_model("gpt2")
    out.add_token_list(tokens)
    out.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in merges])
    out.add_bos_token_id(0)
    out.add_eos_token_id(0)
    out.add_chat_template(TEMPLATE)
    out.add_sampling_temp(0.6)
    out.add_sampling_top_p(0.95)
    out.add_sampling_xtc_probability(0.1)
    dice, found = np.random.default_rng(0), {}
    for name, shape in matrices(len(tokens)).items():
        numbers = dice.normal(0, 0.3, shape).astype(np.float32)
        if name == lacks:
            continue
        if len(shape) == 1:
            out.add_tensor(name + ".weight", numbers)
            found[theirs(name)] = numbers
            continue
        packed = quantize(numbers, kind)
        out.add_tensor(name + ".weight", packed, raw_dtype=kind)
        found[theirs(name)] = turned(name, dequantize(packed, kind))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return found


def theirs(name: str) -> str:
    """A tensor's name in transformers."""
    *block, part = name.split(".")
    return f"model.layers.{block[1]}.{NAMES[part]}.weight" if block else f"{NAMES[part]}.weight"


def turned(name: str, numbers: Any) -> Any:
    """GGUF files hold a Llama's queries and keys with each head's halves in turns."""
    heads = {"attn_q": HEADS, "attn_k": KEYS}.get(name.rpartition(".")[2])
    if not heads:
        return numbers
    return numbers.reshape(heads, DIM // 2, 2, -1).swapaxes(1, 2).reshape(numbers.shape)


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
    written(unknown, tokenizer, Kind.F16, architecture="mystery")
    refused(unknown, "reads no GGUF file of 'mystery'; it reads .*llama")
    written(part, tokenizer, Kind.F16, lacks="blk.1.ffn_up")
    refused(part, r"part.gguf.*its weights lack model.layers.1.mlp.up_proj.weight")
    broken.write_bytes(part.read_bytes()[:2000])
    refused(broken, "is damaged")
    broken.write_bytes(b"GGUX" + bytes(100))
    refused(broken, "is no GGUF file")
    refused(tmp_path, "has 3 GGUF files; name one of them")
    refused(tmp_path / "nowhere.gguf", "there is no file")
    with pytest.raises(
        ConfigError, match=r"broken.gguf/gguf cannot be written \(.*\); set XDG_CACHE_HOME to a folder that"
    ):
        gguf_files.located(str(unknown), cache=broken / "gguf")
    monkeypatch.setattr(gguf_files, "find_spec", lambda name: None)
    refused(part, r"needs gguf and accelerate; run pip install 'specviz\[gguf\]'")
