"""Making a pair, heads and a chat model's drafters, from the command to runs that use them."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

import specviz
from specviz import session
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config import pairs as named
from specviz.config.settings import ConfigError, RunConfig
from specviz.models import pair as pairs
from specviz.models.heads import files
from specviz.proof.findings import Question, SampledToken
from specviz.proof.sampled import prove
from specviz.train import chat_stage, chats, heads_stage, heads_text, pair
from specviz.train.corpus import batch, read_genres, train_tokenizer
from tests.unit.test_cli import saved

SHAPE = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
TEXT = "".join(
    f"{number} times {number} is {number * number}, said the {'fox' if number % 3 else 'crow'}.\n"
    for number in range(900)
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "sums.txt").write_text(TEXT, encoding="utf-8")
    (folder / "loud.txt").write_text(TEXT.upper(), encoding="utf-8")
    return folder


def test_a_text_is_split_without_loss_or_overlap(corpus: Path) -> None:
    loud, sums = read_genres(corpus)
    for content in saved(TEXT):
        (corpus / "sums.txt").write_bytes(content)
        assert read_genres(corpus)[1] == sums
    assert (loud.name, sums.name) == ("loud", "sums")
    pieces = [part for pair_ in zip(sums.train, (*sums.held_out, ""), strict=True) for part in pair_]
    assert "".join(pieces) == TEXT
    held_out = sum(map(len, sums.held_out))
    assert 0.01 <= held_out / len(TEXT) <= 0.03
    assert all(piece.endswith("\n") for piece in sums.held_out)


def test_what_cannot_be_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no \.txt file"):
        read_genres(tmp_path)
    short = tmp_path / "short.txt"
    short.write_text("too short")
    with pytest.raises(ValueError, match="9 characters"):
        read_genres(tmp_path)
    short.write_bytes(b"\xff" * 900)
    with pytest.raises(ValueError, match="not UTF-8"):
        read_genres(short)


def test_a_training_that_was_stopped_resumes_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair.shutil, "which", lambda _: None)  # compiling these would take longer than training them
    streams = {"a": torch.randint(0, 64, (3000,), generator=torch.Generator().manual_seed(0))}
    plan = pair.Plan(6, 0.01, 0.004, tokens=64, window=16, context=32, checkpoint_every=2)

    def train(checkpoint: Path) -> LlamaForCausalLM:
        model = pair.new_model(SHAPE, 64, 32, seed=0)
        pair.train_on_text("target", model, streams, plan, checkpoint)
        return model

    whole = train(tmp_path / "whole.pt")

    def stops_at_5(*arguments: object) -> Tensor:
        if arguments[-1] == 5:
            raise KeyboardInterrupt
        return batch(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pair, "batch", stops_at_5)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "stopped.pt")
    monkeypatch.setattr(pair, "batch", batch)
    resumed = train(tmp_path / "stopped.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


def test_distilling_raises_the_overlap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair.shutil, "which", lambda _: None)
    streams = {"a": torch.randint(0, 64, (3000,), generator=torch.Generator().manual_seed(0))}
    target = pair.new_model(SHAPE, 64, 32, seed=1)
    torch.nn.init.normal_(target.lm_head.weight, std=1.0)
    draft = pair.new_model({**SHAPE, "num_hidden_layers": 1}, 64, 32, seed=2)

    def overlap() -> float:
        window = batch(streams, {}, 4, 16, seed=9, step=0)
        with torch.no_grad():
            laws = [(model(input_ids=window).logits / 0.8).softmax(-1) for model in (target, draft)]
        return float(torch.minimum(*laws).sum(-1).mean())

    before = overlap()
    plan = pair.Plan(40, 0.02, 0.02, tokens=256, window=16, context=32)
    pair.distil_draft(draft, target, streams, plan, tmp_path / "draft.pt")
    assert overlap() > before + 0.1


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


@pytest.mark.sampled(2)
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


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("drafter", "params"),
    [("small-model", {}), ("small-tree", {}), ("eagle", {}), ("eagle", {"shape": "tree"}), ("ngram", {})],
)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_chat_run_uses_what_was_trained(home: Path, drafter: str, params: dict[str, Any], temperature: float) -> None:
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
