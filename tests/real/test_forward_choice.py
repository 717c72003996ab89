"""Where the compiled pass stands back or refuses, what it costs in memory, and what a cold start imports."""

import importlib.util
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.config.settings import ConfigError
from specviz.config.words import because, tell
from specviz.models import loading, tried
from specviz.models.pair import EMBEDDED
from specviz.models.passes import llama, llama_pass
from specviz.models.passes.llama import Llama
from tests.real.test_forwards import COMPILED, EAGER, SHAPE, TEXT, logits_of, made


@pytest.mark.parametrize("name", EAGER)
def test_what_cannot_be_compiled_runs_as_transformers_does_and_says_why(name: str, tmp_path: Path) -> None:
    make, why = EAGER[name]
    model = made(make)
    model.save_pretrained(tmp_path)
    own = loading.load("m", tmp_path, model.config, "cpu", "float32")
    assert own.way.name == "eager"
    assert why in tell(own.way.reason)
    found = own.forward(TEXT, range(len(TEXT)), None, own.new_cache(len(TEXT)))
    assert np.allclose(found, logits_of(model, TEXT).logits[0].numpy(), atol=1e-4)


def test_other_types_and_devices_are_not_compiled() -> None:
    config = LlamaConfig(**SHAPE).to_dict()
    assert loading.compiled(config, "cpu", "float32") == ""
    assert "bfloat16 on cpu" in tell(loading.compiled(config, "cpu", "bfloat16"))
    assert "float32 on cuda" in tell(loading.compiled(config, "cuda", "float32"))


def test_a_compiled_pass_that_fails_or_is_off_stands_back_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = made(COMPILED["qwen3"])
    model.save_pretrained(tmp_path)
    read = loading.load("m", tmp_path, model.config, "cpu", "float32")
    assert (read.way.name, read.way.reason) == ("compiled", "")
    assert 0 < (read.way.error or 0) < 1e-4, "it was tried beside transformers"
    rotation = llama._rotation
    with monkeypatch.context() as patch:
        patch.setattr(llama, "_rotation", lambda *of: (1.01 * rotation(*of)[0], 1.0))
        assert "gives different logits" in tell(loading.load("m", tmp_path, model.config, "cpu", "float32").way.reason)
    with monkeypatch.context() as patch:
        patch.setattr(tried, "differs", lambda config: ("", 0.0))
        patch.setattr(Llama, "forward", _breaks)
        way = loading.load("m", tmp_path, model.config, "cpu", "float32").way
    assert way == replace(way, name="eager", reason=because("pass.fails", error="no such instruction"))


@pytest.mark.parametrize("heads", [(4, 2), (9, 3), (7, 1), (14, 2)])
def test_a_model_is_tried_and_compiled_whatever_heads_share_their_keys(heads: tuple[int, int]) -> None:
    """SmolLM2-135M has nine heads over three."""
    queries, keys = heads
    shape = {**SHAPE, "hidden_size": 16 * queries, "num_attention_heads": queries, "num_key_value_heads": keys}
    reason, found = tried.differs(LlamaConfig(**shape))
    assert reason == ""
    assert [trial.use for trial in found] == ["chain", "back", "branch", "together"]


def _breaks(*_: Any) -> None:
    raise llama.FAULTS[0]("no such instruction\nat 0x0")


def test_without_numba_transformers_own_pass_runs_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numba"]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("llama_pass", "tile"):
        monkeypatch.delitem(sys.modules, f"{llama_pass.__package__}.{name}")
    spec = importlib.util.spec_from_file_location("llama_anew", llama.__file__)
    assert spec
    assert spec.loader
    anew = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "llama_anew", anew)
    spec.loader.exec_module(anew)
    assert anew.FAULTS == ()
    monkeypatch.setattr(llama, "UNREADY", anew.UNREADY)
    way = loading.load("m", EMBEDDED / "target", None, "cpu", "float32").way
    assert (way.name, way.reason["code"]) == ("eager", "reasons.pass.numba")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda tensors: tensors.pop("model.layers.1.mlp.up_proj.weight"), "lack model.layers.1.mlp.up_proj.weight"),
        (lambda tensors: tensors.update({"model.layers.3.mlp.x": torch.ones(80, 48)}), "hold model.layers.3"),
        (lambda tensors: tensors.update({"model.norm.weight": torch.ones(47)}), "is 47; config.json asks for 48"),
        (lambda tensors: tensors.update({"model.norm.weight": torch.ones(48, dtype=torch.int8)}), "norm.weight is I8"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_what_its_config_asks_for_is_refused(
    change: Callable[[dict[str, Any]], Any], why: str, tmp_path: Path
) -> None:
    made(COMPILED["llama"]).save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    change(tensors)
    save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(ConfigError, match=why):
        loading.load("m", tmp_path, None, "cpu", "float32")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    made(COMPILED["llama"]).save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    for damaged in (path.read_bytes()[:-1000], b"\xff" * 4000, b""):
        path.write_bytes(damaged)
        with pytest.raises(ConfigError, match="cannot be read"):
            loading.load("m", tmp_path, None, "cpu", "float32")


def test_weights_stand_in_memory_once(tmp_path: Path) -> None:
    wide = SHAPE | {"hidden_size": 256, "intermediate_size": 768, "num_hidden_layers": 8}
    LlamaForCausalLM(LlamaConfig(**wide)).half().save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    Llama.load(tmp_path, config)  # compiling takes memory too
    tracemalloc.start()
    own = Llama.load(tmp_path, config)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    stored = (tmp_path / "model.safetensors").stat().st_size
    assert own.weight_bytes <= stored
    assert peak <= 1.35 * stored


def test_a_cold_run_imports_neither_torch_nor_transformers_and_stays_small() -> None:
    code = (
        "import sys\n"
        "from specviz.__main__ import main\n"
        "assert main(['run', 'Once upon a time', '--max-new-tokens', '32']) == 0\n"
        "print({'torch', 'transformers', 'gradio'} & {*sys.modules})\n"
        "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    *_, imported, kilobytes = told.splitlines()
    assert imported == "set()"
    assert int(kilobytes) <= 350_000
