"""Drafters for a chat model, from the conversations that it writes itself to runs that use them."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

import specviz
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config import pairs as named
from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.train import chat_stage, chats
from specviz.train.corpus import read_genres, train_tokenizer
from tests.unit.test_train import TEXT

TEMPLATE = (
    "{% for m in messages %}{{ m.role }}{{ m.content }}.\n{% endfor %}{% if add_generation_prompt %}<me>{% endif %}"
)
LENGTH = 40


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A fetched model of random weights, whose drafters were trained for a few steps."""
    folder: Path = tmp_path_factory.mktemp("chats")
    (folder / "corpus").mkdir()
    (folder / "corpus" / "sums.txt").write_text(TEXT, encoding="utf-8")
    model = folder / "user" / "specviz" / "smollm2" / "model"
    train_tokenizer(read_genres(folder / "corpus"), 300, 128).save_pretrained(model)
    (model / "chat_template.jinja").write_text(TEMPLATE)
    shape = LlamaConfig(
        vocab_size=300, hidden_size=16, intermediate_size=32, num_hidden_layers=6, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=128, initializer_range=0.2, tie_word_embeddings=True,
    )  # fmt: skip
    torch.manual_seed(1)
    LlamaForCausalLM(shape).save_pretrained(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "user"))
        patch.setattr(named, "ASSETS", folder / "assets")
        for module, values in (
            (chats, {"LENGTH": LENGTH, "LONGEST": 8}),
            (chat_stage, {"ROWS": 6, "HELD_OUT_ROWS": 4, "COMMONEST": 60}),
        ):
            for name, value in values.items():
                patch.setattr(module, name, value)
        pairs._shelf.clear()
        command = ["train", "--pair", "smollm2", "--stages", "draft,eagle,counts", "--work", str(folder / "work")]
        assert main([*command, "--head-steps", "3", "--shards", "1"]) == 0
        pairs._shelf.clear()
        yield folder
    pairs._shelf.clear()


@pytest.mark.parametrize(
    ("drafter", "params"),
    [("small-model", {}), ("small-tree", {}), ("eagle", {}), ("eagle", {"shape": "tree"}), ("ngram", {})],
)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_run_uses_what_was_trained(home: Path, drafter: str, params: dict[str, Any], temperature: float) -> None:
    run = specviz.run(
        "7 times", pair="smollm2", drafter=drafter, params=params, temperature=temperature, gamma=3, max_new_tokens=16
    )
    assert problems(run) == []
    assert any(step.verdicts for step in run.rounds)
    plain = specviz.run("7 times", pair="smollm2", drafter="suffix", gamma=0, temperature=0, max_new_tokens=16)
    if not temperature:
        assert run.text == plain.text


def test_without_a_corpus_only_a_chat_pair_is_trained(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for choices in (["--stages", "draft"], ["--pair", "smollm2", "--stages", "card"], ["--pair", "embedded"]):
        assert main(["train", *choices]) == 2
        assert "--corpus is missing; only a chat model writes it itself: --pair smollm2" in capsys.readouterr().err
    untied = LlamaForCausalLM.from_pretrained(home / "user" / "specviz" / "smollm2" / "model")
    untied.config.tie_word_embeddings = False
    with pytest.raises(ConfigError, match="not its embedding"):
        chat_stage.check(untied, "smollm2")
