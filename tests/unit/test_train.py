"""Making a pair: nothing held out is trained on, a stopped training resumes as if it had not been."""

from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.train import pair
from specviz.train.corpus import batch, read_genres
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
