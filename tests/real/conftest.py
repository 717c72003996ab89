"""A saved model, a hub that has it, and a tokenizer; the pass is compiled by one process of a run for all."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import constants, file_download
from huggingface_hub.utils import _http

from specviz.models.passes.llama import Llama
from specviz.train.corpus import read_genres, train_tokenizer
from tests.real.families import VOCAB
from tests.real.tiny_hub import CHUNK, TinyHub, read_files, save_model


def one_by_one(warm: Callable[..., None]) -> Callable[..., None]:
    """Whoever wants the pass compiled waits for those that compile it, and then reads what they wrote."""

    def waiting(model: Llama, tell: Any) -> None:
        with (Path(os.environ["NUMBA_CACHE_DIR"]) / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            warm(model, tell)

    return waiting


Llama.warm = one_by_one(Llama.warm)  # type: ignore[method-assign]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    save_model(folder, "150KB")
    return folder


@pytest.fixture
def server(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TinyHub]:
    """A hub with the saved model and much that is not wanted; the library knows no other, and its cache is empty."""
    files = read_files(saved)
    for name in ("pytorch_model.bin", "model.gguf", "modeling.py", "adapter_model.safetensors", "onnx/config.json"):
        files[name] = b"not this"
    made = TinyHub(files)
    monkeypatch.setattr(constants, "ENDPOINT", made.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", made.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", True)
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", str(tmp_path / "harnesses.json"))
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", CHUNK)
    # The library waits between the attempts of one download.
    for module in (file_download, _http):
        monkeypatch.setattr(module, "time", SimpleNamespace(sleep=lambda _: None, time=time.time))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    text = folder / "text.txt"
    text.write_text((Path(__file__).parents[2] / "LICENSE").read_text())
    train_tokenizer(read_genres(text), VOCAB).save_pretrained(folder)
    text.unlink()
    return folder
