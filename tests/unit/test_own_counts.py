"""A count table for any tokenizer: what is counted, when again, for how large a vocabulary, and what is built in."""

import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, normalizers, pre_tokenizers
from transformers import BertTokenizerFast, PreTrainedTokenizerFast

from specviz.config.settings import ConfigError
from specviz.models.counts import archive, for_tokenizer
from specviz.models.counts.table import CountTable, Online
from specviz.models.tokenizer import Tokenizer
from specviz.shipped import user_cache
from tests.unit.test_cli import saved

LARGE = 151_936
END = "<|endoftext|>"
TEXT = "the cat sat on the mat.\nthe cat ate the rat.\n" * 3


def byte_level(size: int = 300, end: str = END) -> Tokenizer:
    """Byte-level BPE with a few words of Python merged, filled up to `size` with tokens no text holds."""
    words = ["import", "the", "Ġthe", "Ġsys", "Ġos", "Ġre"]
    vocab = {letter: at for at, letter in enumerate([end, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    merges = []
    for word in words:
        for stop in range(2, len(word) + 1):
            merge = word[: stop - 1], word[stop - 1]
            if merge not in merges:
                merges.append(merge)
                vocab.setdefault(word[:stop], len(vocab))
    vocab |= {f"Ġfiller{at:06}": at for at in range(len(vocab), size)}
    backend = Backend(models.BPE(vocab, merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return Tokenizer(PreTrainedTokenizerFast(tokenizer_object=backend, eos_token=end, bos_token=end))


def unigram() -> Tokenizer:
    pieces = [("<unk>", 0.0), ("▁", -3.0), ("▁the", -1.0), ("▁cat", -2.0), *((letter, -4.0) for letter in "acehmnorst")]
    backend = Backend(models.Unigram(pieces, unk_id=0))
    backend.normalizer = normalizers.Replace("\n", " ")
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    return Tokenizer(PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>"))


def word_piece() -> Tokenizer:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "s", "##at", "on", "m", "r", ".", "import"]
    return Tokenizer(BertTokenizerFast(vocab={word: at for at, word in enumerate(words)}))


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The vocabulary of every table that was counted and not read."""
    done: list[int] = []
    fit = CountTable.fit.__func__

    def told(cls: type[CountTable], streams: list[np.ndarray], vocab_size: int) -> CountTable:
        done.append(vocab_size)
        return fit(cls, streams, vocab_size)

    monkeypatch.setattr(CountTable, "fit", classmethod(told))
    return done


def pairs_of(table: CountTable) -> dict[tuple[int, int], int]:
    return {
        (a, int(b)): int(count)
        for a in range(table.vocab_size)
        for b, count in zip(*table.followers((a,))[1:], strict=True)
    }


def equal(one: CountTable, two: CountTable) -> bool:
    same = all((a == b).all() for x, y in zip(one.levels, two.levels, strict=True) for a, b in zip(x, y, strict=True))
    return same and (one.vocab_size, one.parameters) == (two.vocab_size, two.parameters)


@pytest.mark.parametrize("make", [byte_level, unigram, word_piece])
def test_the_users_text_is_counted_exactly(make: Callable[[], Tokenizer], text: Path, folder: Path) -> None:
    tokenizer = make()
    size = len(tokenizer.inner)
    table = for_tokenizer.table(tokenizer, size, text, folder)
    unknown = tokenizer.inner.unk_token_id
    ids = tokenizer.encode(TEXT)
    counted = [token for token in ids if token != unknown]
    assert table.size == len(counted) > 20
    assert dict(enumerate(table.levels[0].counts)) == {token: counted.count(token) for token in range(size)}
    assert pairs_of(table) == Counter(pair for pair in pairwise(ids) if unknown not in pair)


def test_no_special_token_and_no_id_beyond_the_model_is_counted_or_reached_across(text: Path, folder: Path) -> None:
    tokenizer = byte_level()
    text.write_text(f"ab{END}cd" * 5, encoding="utf-8")
    table = for_tokenizer.table(tokenizer, 300, text, folder)
    a, b, c, d = tokenizer.encode("abcd")
    assert pairs_of(table) == {(a, b): 5, (c, d): 5, (d, a): 4}
    assert table.levels[0].counts[tokenizer.encode(END)] == 0
    table = for_tokenizer.table(tokenizer, c, text, folder)
    assert table.vocab_size == c
    assert pairs_of(table) == {(a, b): 5}


def test_the_same_question_is_counted_once_another_anew(text: Path, folder: Path, counted: list[int]) -> None:
    first = for_tokenizer.table(byte_level(), 300, text, folder)
    assert equal(for_tokenizer.table(byte_level(), 300, text, folder), first)
    for_tokenizer.table(byte_level(), 301, text, folder)
    for_tokenizer.table(byte_level(301), 301, text, folder)
    for_tokenizer.table(byte_level(301, end="<end>"), 301, text, folder)
    for_tokenizer.table(unigram(), 301, text, folder)
    text.write_text(TEXT + "more", encoding="utf-8")
    for_tokenizer.table(unigram(), 301, text, folder)
    assert counted == [300, 301, 301, 301, 301, 301]
    assert [path.suffix for path in folder.iterdir()] == [".npz"] * 6


@pytest.mark.parametrize("damage", [b"", b"not a table", None])
def test_a_damaged_cache_is_made_again(damage: bytes | None, text: Path, folder: Path, counted: list[int]) -> None:
    first = for_tokenizer.table(byte_level(), 300, text, folder)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert equal(for_tokenizer.table(byte_level(), 300, text, folder), first)
    assert equal(archive.load(path), first)
    for_tokenizer.table(byte_level(), 300, text, folder)
    assert counted == [300, 300]


def test_the_cache_is_the_users(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    for_tokenizer.table(byte_level(), 300, text)
    assert len(list((tmp_path / "xdg" / "specviz").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert user_cache() == tmp_path / "home" / ".cache" / "specviz"


def test_without_a_home_and_a_disk_that_can_be_written_it_is_counted(
    text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", none)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(text)])
    monkeypatch.setenv("TMPDIR", str(text))
    assert for_tokenizer.table(byte_level(), 300, text).size


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, r"text\.txt cannot be read \(No such file or directory\); wanted a UTF-8 text file"),
        (b"", r"text\.txt is empty"),
        (b" \n\n", r"text\.txt is empty"),
        (b"caf\xe9 au lait", r"text\.txt is not UTF-8 text \(invalid continuation byte\)"),
        (END.encode(), r"text\.txt has no token below 300 that is not special"),
    ],
)
def test_a_wrong_file_is_one_clear_error(content: bytes | None, told: str, text: Path, folder: Path) -> None:
    text.unlink()
    if content is not None:
        text.write_bytes(content)
    with pytest.raises(ConfigError, match=told) as caught:
        for_tokenizer.table(byte_level(), 300, text, folder)
    assert "\n" not in str(caught.value)
    assert not folder.exists()


@pytest.mark.parametrize("content", saved("ab"))
def test_a_byte_order_mark_is_not_text(content: bytes, text: Path, folder: Path) -> None:
    text.write_bytes(content)
    assert for_tokenizer.table(byte_level(), 300, text, folder).size == 2


def test_the_built_in_text_knows_python_at_the_largest_vocabulary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(for_tokenizer, "MAX_CHARS", 900_000)  # all of the documentation and some of the library
    tokenizer = byte_level(LARGE)
    table = for_tokenizer.table(tokenizer, LARGE, folder=tmp_path)
    assert equal(table, for_tokenizer.table(tokenizer, LARGE, folder=tmp_path))
    (word,) = tokenizer.encode("import")
    row = table.bigram(word)
    online = Online(table)
    online.extend(tokenizer.encode("import sys\nimport os\n"))
    rows = [online.ngram(tokenizer.encode(text)[-4:]).probs for text in ("", "import", "\nimport sys", "zqzq\n")]
    for probs in (row, table.bigram(LARGE - 1), *rows):
        assert probs.shape == (LARGE,)
        assert probs.sum() == pytest.approx(1, abs=1e-9)
        assert probs.min() > 0
    likely = {tokenizer.piece(int(token)) for token in row.argsort()[-8:]}
    assert likely & {" sys", " os", " re", " "}
    assert all(probs[tokenizer.encode("import")[0]] > probs[LARGE - 1] for probs in rows)
    assert tokenizer.piece(int(online.ngram(tokenizer.encode("\nimport sys")).probs.argmax())) == "\n"
