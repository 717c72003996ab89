"""The chat model that everybody can have: what comes with it, and how it is had. Nothing here needs a network."""

from pathlib import Path

import pytest
import torch

import specviz
from specviz.config import pairs as named
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.models import pair as pairs
from specviz.models.hub import chat_model, offers
from tests.real.families import random_model, saved


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's fetched models lie: nothing is there, nor in the hub's cache, and nothing ships."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(named, "ASSETS", tmp_path / "assets")
    pairs._shelf.clear()
    return tmp_path / "user" / "specviz" / "smollm2"


def test_what_ships_for_it_is_offered_and_fits_its_weights_in_every_precision(
    home: Path, tokenizer: Path, tmp_path: Path
) -> None:
    from specviz.models.heads import files

    saved(home / "model", tokenizer, random_model("llama").half())
    ships = tmp_path / "assets" / "smollm2"
    for kind, target in (("eagle", "smollm2"), ("medusa", "a" * 64)):
        files.save(ships / "heads" / f"{kind}.safetensors", kind, {"w": torch.ones(2)}, target, {})
    pair = pairs.load("smollm2", "cpu", "float32")
    assert pair.head("eagle").facts == {}
    with pytest.raises(ConfigError, match=r"was trained on target aaaaaaaa, this one is smollm2"):
        pair.head("medusa")
    with pytest.raises(ConfigError, match=r"the pair smollm2 has no datastore\.npz"):
        pair.asset("datastore.npz")
    built_in, chat, *_ = offers.offers()
    assert (built_in.name, chat.name, chat.chat) == ("embedded", "smollm2", True)
    assert chat.assets == ("heads/eagle.safetensors", "heads/medusa.safetensors")
    assert (named.drafter_for("smollm2"), named.drafter_for("smollm2", counted=True)) == ("suffix", "ngram")
    (ships / "draft").mkdir()
    (ships / "draft" / "config.json").write_text("{}")
    assert named.drafter_for("smollm2") == "small-model"
    assert "draft" in offers.offers()[1].assets


def test_where_it_was_not_fetched_a_run_says_in_one_line_how(home: Path) -> None:
    assert chat_model.folder() is None
    with pytest.raises(ConfigError) as refused:
        specviz.run("Hello", pair="smollm2")
    assert tell(refused.value.sentence) == (
        "the model of smollm2 is not here yet; run `specviz fetch smollm2`, once, for up to 0.27 GB"
    )
