"""GGUF files as models: their numbers, words and refusals. The files are written here, small."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from safetensors.numpy import load_file
from transformers import AutoModelForCausalLM

import specviz
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.models.hub import gguf_files
from specviz.trace.info import Generation
from tests.real import tiny_gguf
from tests.real.tiny_hub import REPOSITORY, TinyHub

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<me>"
SAYS = {
    "tokenizer.chat_template": TEMPLATE,
    "general.sampling.temp": 0.6,
    "general.sampling.top_p": 0.95,
    "general.sampling.xtc_probability": 0.1,
}


def written(path: Path, tokenizer: Path, kind: Kind, **more: Any) -> dict[str, Any]:
    return tiny_gguf.write(path, tiny_gguf.model(tokenizer), tokenizer, kind, SAYS, **more)


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
