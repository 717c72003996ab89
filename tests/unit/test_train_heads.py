"""Training heads on a frozen target of the Llama family, from the command to a run that uses them."""

import json
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specviz import session
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.heads import files
from specviz.proof.findings import Question, SampledToken
from specviz.proof.sampled import prove
from specviz.train import heads_stage, heads_text
from specviz.train.corpus import read_genres, train_tokenizer
from tests.unit.test_train import TEXT

KINDS = tuple(heads_stage.KINDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pair of random weights, its text, and heads after a few steps."""
    folder: Path = tmp_path_factory.mktemp("heads")
    (folder / "corpus").mkdir()
    (folder / "corpus" / "sums.txt").write_text(TEXT, encoding="utf-8")
    for name in ("target", "draft"):
        train_tokenizer(read_genres(folder / "corpus"), 300, 128).save_pretrained(folder / name)
        shape = LlamaConfig(
            vocab_size=300, hidden_size=16, intermediate_size=32, num_hidden_layers=3, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=128, initializer_range=0.2,
        )  # fmt: skip
        torch.manual_seed(1)
        LlamaForCausalLM(shape).save_pretrained(folder / name)
    (folder / "card.json").write_text("{}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads_text, "WINDOW", 48)
        patch.setattr(heads_text, "GIVEN", 12)
        patch.setattr(heads_stage, "WRITTEN", 6)
        patch.setattr(heads_stage, "COPIED", 2)
        patch.setattr(heads_stage, "HELD_OUT", heads_text.Reading(1, 4, 0, 99))
        command = [
            "train",
            "--stages",
            ",".join((*KINDS, "feedback")),
            "--corpus",
            str(folder / "corpus"),
            "--out",
            str(folder),
        ]
        before = files.target_hash(folder / "target")
        assert main([*command, "--work", str(folder / "work"), "--head-steps", "3", "--shards", "1"]) == 0
    assert files.target_hash(folder / "target") == before, "the target stays as it is"
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_uses_what_was_trained(kind: str, folder: Path) -> None:
    pair = pairs.read(folder, "cpu")
    for shape in ("chain", "tree"):
        config = RunConfig("7 times", drafter=kind, params={"shape": shape}, gamma=3, max_new_tokens=12)
        run = session.start(config, pair)
        for _ in run:
            pass
        assert problems(run.trace()) == []
        assert any(step.verdicts for step in run.trace().rounds)
        *_, found = prove(Question(config, (), SampledToken.FIRST, 300, 0), pair)
        assert found is not None
        assert not found.impossible
    card = json.loads((folder / "card.json").read_text())["heads"][kind]
    assert card["steps"] == 3
    assert [note["step"] for note in card["overlap"]] == [3]
    rates = pair.head(kind).facts["rates"]
    assert all(sum(place) <= 1.001 for how in rates.values() for place in how)
