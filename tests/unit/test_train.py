"""Making a pair: nothing held out is trained on, a stopped training resumes as if it had not been."""

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import AutoTokenizer, LlamaForCausalLM

from specviz.__main__ import main
from specviz.models.counts import archive
from specviz.train import pair, shape
from specviz.train.corpus import batch, encode, read_genres, train_tokenizer
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


def test_the_best_shape_is_printed(corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr(shape, "PROMPTS", 2)
    monkeypatch.setattr(shape, "LENGTH", 6)
    assert main(["train", "--corpus", str(corpus), "--stages", "shape", "--nodes", "5", "--depth", "3"]) == 0
    rates, best = capsys.readouterr().out.splitlines()
    found = tuple(map(float, re.findall(r"0\.\d+", rates)))
    assert len(found) == shape.WIDEST
    assert sum(found) <= 1.01
    assert re.fullmatch(r"5 guesses, 3 deep: shape [()\d,]+, \d\.\d\d tokens a round expected", best)


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


def test_a_batch_is_a_function_of_seed_and_step(corpus: Path) -> None:
    streams = {"a": torch.arange(500), "b": torch.arange(500, 900)}

    def rows(seed: int, step: int) -> Tensor:
        return batch(streams, {"a": 0.5, "b": 0.5}, 8, 20, seed, step)

    assert torch.equal(rows(0, 3), rows(0, 3))
    assert not torch.equal(rows(0, 3), rows(0, 4))
    assert not torch.equal(rows(0, 3), rows(1, 3))
    assert (rows(0, 3).diff(dim=1) == 1).all()


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


def test_what_is_retold_starts_as_the_text_does_and_goes_on_as_the_target_would(tmp_path: Path) -> None:
    stream = torch.randint(1, 64, (900,), generator=torch.Generator().manual_seed(0))
    target = pair.new_model(SHAPE, 64, 128, seed=1)
    torch.nn.init.normal_(target.lm_head.weight, std=90.0)  # so sure of itself that any sample is its best guess
    plan = pair.Plan(2, 0.01, 0.004, tokens=144, window=72, seed=5)
    told = pair.retell(target, {"a": stream}, plan, tmp_path / "retold.pt")["a"]
    assert len(stream) <= len(told) < len(stream) + 4 * 72
    for window in told[: 4 * 72].split(72):
        assert any(torch.equal(window[:64], piece) for piece in stream.unfold(0, 64, 1))
        with torch.no_grad():
            logits = target(input_ids=window[None]).logits[0, 63:-1]
        logits[:, 0] = -torch.inf  # the text's end, which would cut a window short
        assert torch.equal(window[64:], logits.argmax(-1))
    assert torch.equal(pair.retell(target, {"a": stream}, plan, tmp_path / "retold.pt")["a"], told), "resumes"


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


def test_count_tables_can_be_rebuilt_from_any_file_for_any_tokenizer(corpus: Path, tmp_path: Path) -> None:
    tokenizer = train_tokenizer(read_genres(corpus), vocab_size=300)
    tokenizer.save_pretrained(tmp_path / "other")
    out = tmp_path / "out"
    out.mkdir()
    arguments = ["--corpus", str(corpus / "sums.txt"), "--tokenizer", str(tmp_path / "other"), "--out", str(out)]
    assert main(["train", "--stages", "counts", *arguments]) == 0
    table = archive.load(out / "counts.npz")
    assert table.vocab_size == len(AutoTokenizer.from_pretrained(tmp_path / "other"))
    (sums,) = read_genres(corpus / "sums.txt")
    assert table.size == sum(len(ids) for ids in encode(tokenizer, sums.train))


def test_verse_is_counted_four_times_so_that_one_more_of_everything_leaves_something_of_it(
    corpus: Path, tmp_path: Path
) -> None:
    tokenizer = train_tokenizer(read_genres(corpus), vocab_size=300)
    tokenizer.save_pretrained(tmp_path / "target")
    verse = (corpus / "sums.txt").rename(tmp_path / "verse.txt")
    assert main(["train", "--stages", "counts", "--corpus", str(verse), "--out", str(tmp_path)]) == 0
    (genre,) = read_genres(verse)
    assert archive.load(tmp_path / "counts.npz").size == 4 * sum(map(len, encode(tokenizer, genre.train)))


def test_no_token_reaches_across_a_line_a_sign_or_a_digit(tmp_path: Path) -> None:
    text = tmp_path / "code.txt"
    text.write_text("    if n == 10:\n        return (n)\n\n" * 50)
    tokenizer = train_tokenizer(read_genres(text), vocab_size=300)
    pieces = [tokenizer.decode([id_]) for id_ in tokenizer.encode("    if n == 10:\n        return (n)\n")]
    assert pieces == [
        "    ",
        "if",
        " n",
        " =",
        "=",
        " 1",
        "0",
        ":",
        "\n",
        "    ",
        "    ",
        "return",
        " (",
        "n",
        ")",
        "\n",
    ]


def test_a_model_goes_on_under_another_tokenizer_with_what_it_knew_of_the_pieces(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("what the fox said to the crow, and what the crow said\n" * 80)
    old, new = (train_tokenizer(read_genres(text), vocab_size=300) for text in (corpus, tmp_path / "other.txt"))
    model = pair.new_model(SHAPE, 300, 32, seed=0, tied=False)
    before, after = model.lm_head.weight.clone(), model.lm_head.weight
    pair.carry_over(model, old, new)
    known = old.get_vocab()
    for token, index in new.get_vocab().items():
        pieces = [token] if token in known else [piece.value for piece in old.backend_tokenizer.model.tokenize(token)]
        wanted = torch.stack([before[known[piece]] for piece in pieces]).mean(0)
        assert torch.equal(after[index], wanted), token
    assert not known.keys() >= new.get_vocab().keys()
