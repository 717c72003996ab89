"""What no hub or folder can give: one sentence that says why, before more is asked for than needed."""

import errno
import json
import os
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from huggingface_hub import file_download

from specviz.models.hub import download, repository
from tests.real.hub_files import is_right, leftovers, recovers, refusal, shards
from tests.real.tiny_hub import REPOSITORY, Answer, TinyHub


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
