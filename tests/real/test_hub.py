"""A model's files from a folder or a hub: the right ones, in full or not at all, and one sentence when it fails."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz.config.pairs import Loading, Offer, pair_name
from specviz.config.words import tell
from specviz.models import pair as pairs
from specviz.models.hub import download, offers, repository
from specviz.ui.answers.pairs import Pairs
from tests.real.hub_files import CHUNK, is_right, leftovers, recovers, refusal, shards
from tests.real.tiny_hub import REPOSITORY, Answer, TinyHub, read_files


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
