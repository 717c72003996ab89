"""A model's files from a folder or a hub: the right ones, in full or not at all, and one sentence that says why not."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch
from huggingface_hub import constants, file_download
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz.config.pairs import Loading, Offer, pair_name
from specviz.config.words import tell
from specviz.models import pair as pairs
from specviz.models.hub import download, offers, repository
from specviz.ui.answers.pairs import Pairs
from tests.real.tiny_hub import (
    CHUNK,
    REPOSITORY,
    Answer,
    TinyHub,
    is_right,
    leftovers,
    read_files,
    recovers,
    refusal,
    shards,
)


def test_a_repository_becomes_a_folder_that_transformers_opens(server: TinyHub, saved: Path) -> None:
    folder = repository.weights(REPOSITORY)
    assert len(shards(server)) >= 2
    assert is_right(folder, server)
    assert AutoTokenizer.from_pretrained(folder)("w3")["input_ids"] == [3]
    tokens = torch.tensor([[1, 2, 3]])
    fetched, original = (AutoModelForCausalLM.from_pretrained(place)(tokens).logits for place in (folder, saved))
    assert torch.equal(fetched, original)


def test_what_comes_before_the_weights_asks_for_none_of_them(server: TinyHub) -> None:
    assert repository.size(REPOSITORY) == sum(map(len, shards(server).values()))
    assert sorted(read_files(repository.small(REPOSITORY))) == sorted(
        name for name in server.files if name in repository.SMALL
    )
    assert not [line for line in server.requests if line.endswith(".safetensors")]


def test_a_download_is_called_off_within_a_chunk_and_taken_up_later(server: TinyHub) -> None:
    told = [0]
    with pytest.raises(download.Cancelled):
        repository.weights(REPOSITORY, tell=lambda done, _: told.append(done), stop=lambda: told[-1] > 3 * CHUNK)
    assert 3 * CHUNK < told[-1] <= 4 * CHUNK
    assert len(set(server.downloads) & set(shards(server))) == 1
    assert not set(shards(server)) & set(read_files(repository.small(REPOSITORY)))
    assert not leftovers()
    assert recovers(server)


def test_a_break_is_mended_where_it_happened(server: TinyHub) -> None:
    told = [0]

    def tell(done: int, _: int) -> None:
        told.append(done)
        server.cut = None

    server.cut = 2 * CHUNK
    assert is_right(repository.weights(REPOSITORY, tell=tell), server)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("fault", "said"), [({}, "try again"), ({"resumes": False}, "try again"), ({"dies": True}, "was lost")]
)
def test_a_file_that_always_breaks_off_is_not_taken(server: TinyHub, fault: dict[str, bool], said: str) -> None:
    vars(server).update(fault, cut=2 * CHUNK + 1)
    assert said in refusal(repository.weights, REPOSITORY)
    assert not leftovers()
    if "dies" in fault:
        server.start()
    assert recovers(server)


@pytest.mark.parametrize("file", ["model-00001-of-", "config.json"])
@pytest.mark.parametrize("off", [-1, 1])
def test_a_size_other_than_announced(server: TinyHub, file: str, off: int) -> None:
    [name] = [name for name in server.files if name.startswith(file)]
    server.announced = {name: len(server.files[name]) + off}
    said = refusal(repository.weights, REPOSITORY)
    assert name in said
    assert f"{server.announced[name]:,} bytes" in said
    assert recovers(server)


def test_a_cached_file_that_was_cut_is_fetched_again(server: TinyHub) -> None:
    shard = repository.weights(REPOSITORY) / min(shards(server))
    os.truncate(shard, 100)
    assert recovers(server)

    os.truncate(shard, 100)
    server.stop()
    assert "does not answer" in refusal(repository.weights, REPOSITORY)
    server.start()
    assert recovers(server)


def test_a_complete_cache_needs_no_hub(server: TinyHub, monkeypatch: pytest.MonkeyPatch) -> None:
    def got() -> tuple[object, ...]:
        return tuple(get(REPOSITORY) for get in (repository.weights, repository.size, repository.small))

    online = got()
    server.requests.clear()

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert got() == online
    assert not server.requests

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    server.api = Answer(503)
    assert got() == online
    assert len(server.requests) == 3

    server.stop()
    assert got() == online
    server.start()


@pytest.mark.parametrize("before", [None, repository.small])
@pytest.mark.parametrize("offline", [True, False])
def test_an_incomplete_cache_without_a_hub(
    server: TinyHub, before: Callable[[str], Path] | None, offline: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if before:
        before(REPOSITORY)
    server.stop()
    with monkeypatch.context() as patch:
        patch.setattr(constants, "HF_HUB_OFFLINE", offline)
        said = refusal(repository.weights, REPOSITORY)
    assert "the cache does not hold all of it" in said
    assert ("HF_HUB_OFFLINE" if offline else server.url) in said
    server.start()
    assert recovers(server)


class Engine:
    """The part of app.py's backend that knows pairs, offering the one on the hub."""

    def __init__(self, name: str) -> None:
        self.name = name

    def offers(self) -> tuple[Offer, ...]:
        return offers.offers(self.name)

    def ready(self, name: str) -> Iterator[Loading]:
        return offers.ready(name)


@pytest.mark.parametrize(
    "fault",
    [
        {"cut": 2 * CHUNK + 1, "dies": True},
        {"announced": {"model-00001-of-00003.safetensors": 17}},
        {"api": Answer(404, "RepoNotFound")},
    ],
    ids=["gone half-way", "wrong size", "not there"],
)
def test_on_the_page_a_fault_is_one_sentence_and_the_embedded_pair_runs_on(
    server: TinyHub, fault: dict[str, object]
) -> None:
    pairs._shelf.clear()
    name = pair_name(REPOSITORY, REPOSITORY)
    page = Pairs(Engine(name))  # type: ignore[arg-type]  # the rest of a backend is not asked
    for attribute, value in fault.items():
        setattr(server, attribute, value)
    *_, last = (json.loads(report["j"]) for report in page.answer({"name": name, "ask": "1"}))
    said = tell(last["error"])
    assert "\n" not in said
    assert 40 < len(said) < 300
    assert len(specviz.run("Once", max_new_tokens=4).tokens) == 4
    server.heal()
    if "dies" in fault:
        server.start()
    *steps, last = (json.loads(report["j"]) for report in page.answer({"name": name, "ask": "2"}))
    assert last["pair"] == name
    assert any(step["total"] for step in steps)
    assert len(specviz.run("w1 w2", pair=name, max_new_tokens=4).tokens) == 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(404, "RepoNotFound"), "no such repository"),
        (Answer(401), "hf auth login"),
        (Answer(401, "GatedRepo"), "is gated"),
        (Answer(403, "GatedRepo"), "is gated"),
        (Answer(403), "hf auth login"),
        (Answer(418), "answered 418"),
    ],
)
@pytest.mark.parametrize("where", ["api", "resolve"])
def test_a_hub_that_refuses(server: TinyHub, where: str, answer: Answer, said: str) -> None:
    setattr(server, where, answer)
    sentence = refusal(repository.small, REPOSITORY)
    assert said in sentence
    assert REPOSITORY in sentence
    server.heal()
    assert repository.small(REPOSITORY).is_dir()


def test_no_such_repository_revision_or_name(server: TinyHub) -> None:
    assert "no such repository" in refusal(repository.small, "nobody/nothing")
    assert "no such repository" in refusal(repository.small, "gpt-nothing")
    assert "no revision 'other'" in refusal(repository.small, REPOSITORY, "other")
    for name in ("", "what is this", "a--b", "x/", "\0", "{0}"):
        assert "owner/name" in refusal(repository.small, name)


@pytest.mark.parametrize("page", [b"", b"<html>", b"[]", b"{}", b'{"id": "tiny/llama"}'])
def test_a_server_that_is_no_hub(server: TinyHub, page: bytes) -> None:
    server.page = page
    assert "HF_ENDPOINT" in refusal(repository.small, REPOSITORY)


@pytest.mark.parametrize(
    ("lacks", "said", "small"),
    [
        ("model", "no model.safetensors", True),
        ("model-00001-of-", "model-00001-of-", True),
        (repository.CONFIG, repository.CONFIG, False),
    ],
)
def test_a_repository_that_lacks_something(server: TinyHub, lacks: str, said: str, small: bool) -> None:
    """Weights that are no safetensors, a shard that the index names, a config."""
    whole = server.files
    server.files = {name: body for name, body in whole.items() if not name.startswith(lacks)}
    for get in (repository.size, repository.weights) if small else (repository.small, repository.weights):
        assert said in refusal(get, REPOSITORY)
    assert not {"pytorch_model.bin", *shards(server)} & set(server.downloads)
    assert not small or repository.small(REPOSITORY).is_dir()
    server.files = whole
    assert recovers(server)


@pytest.mark.parametrize("name", ["../../etc/x.safetensors", "onnx/x.safetensors", "pytorch_model.bin", 7])
def test_an_index_that_points_elsewhere(tmp_path: Path, name: object) -> None:
    (tmp_path / repository.CONFIG).write_text("{}")
    (tmp_path / "model-1.safetensors").touch()
    (tmp_path / repository.INDEX).write_text(json.dumps({"weight_map": {"a": "model-1.safetensors", "b": name}}))
    assert repository.INDEX in refusal(repository.weights, str(tmp_path))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"weight_map": 3}', '{"weight_map": {}}'])
def test_an_index_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / repository.CONFIG).write_text("{}")
    (tmp_path / repository.INDEX).write_text(text)
    assert repository.INDEX in refusal(repository.size, str(tmp_path))


def test_too_much_is_refused_before_it_is_asked_for(server: TinyHub) -> None:
    total = repository.size(REPOSITORY)
    assert "choose a smaller model" in refusal(repository.weights, REPOSITORY, most=total - 1)
    assert not set(server.downloads) & set(shards(server))
    assert is_right(repository.weights(REPOSITORY, most=total), server)


def test_a_disk_without_room(server: TinyHub, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(download, "shutil", SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=1000)))
        assert "HF_HOME" in refusal(repository.weights, REPOSITORY)
    assert not set(server.downloads) & set(shards(server))

    for code, says in ((errno.ENOSPC, "is full"), (errno.EROFS, "(Read-only file system); set HF_HOME to")):
        with monkeypatch.context() as patch:
            patch.setattr(file_download, "_chmod_and_move", Mock(side_effect=OSError(code, os.strerror(code))))
            assert says in refusal(repository.weights, REPOSITORY)
    assert not leftovers()
    assert recovers(server)


@pytest.mark.parametrize("name", ["./nowhere", "/no/where", "~/nowhere-at-all", "~nobody", "a/b/c", "..."])
def test_a_folder_that_is_not_there(name: str) -> None:
    for get in (repository.small, repository.size, repository.weights):
        said = refusal(get, name)
        assert "no folder" in said
        assert name in said


def test_a_folder_that_lacks_something(saved: Path, tmp_path: Path) -> None:
    assert repository.CONFIG in refusal(repository.small, str(tmp_path))
    (tmp_path / repository.CONFIG).write_text("{}")
    assert repository.small(str(tmp_path)) == tmp_path
    assert "safetensors" in refusal(repository.size, str(tmp_path))
    (tmp_path / repository.INDEX).write_bytes((saved / repository.INDEX).read_bytes())
    assert "which is not there" in refusal(repository.weights, str(tmp_path))
