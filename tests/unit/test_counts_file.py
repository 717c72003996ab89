"""The count table's file: a table comes back whole, a damaged file is named."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from specviz.models.counts import archive
from specviz.models.counts.table import CountTable
from tests.unit.test_counts import PARAMETERS


def random_table(vocab: int, length: int) -> CountTable:
    dice = np.random.default_rng(0)
    streams = [(dice.random(size) ** 3 * vocab).astype(np.uint32) for size in (length, 0, 1, length)]
    return replace(CountTable.fit(streams, vocab), parameters=PARAMETERS)


def assert_equal(one: CountTable, two: CountTable) -> None:
    assert (one.vocab_size, one.parameters) == (two.vocab_size, two.parameters)
    for left, right in zip(one.levels, two.levels, strict=True):
        for a, b in zip(left, right, strict=True):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b)


@pytest.mark.parametrize(("vocab", "length"), [(5, 3000), (300, 3000), (70_000, 3000), (5, 1)])
def test_a_saved_table_comes_back_whole_and_to_the_byte(vocab: int, length: int, tmp_path: Path) -> None:
    table = random_table(vocab, length)
    archive.save(table, tmp_path / "one.npz")
    again = archive.load(tmp_path / "one.npz")
    archive.save(again, tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert_equal(table, again)


def test_a_damaged_file_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "counts.npz"
    table = random_table(6, 120)
    archive.save(table, path)
    whole = path.read_bytes()
    damaged = [b"", b"not a table", whole[: len(whole) // 2]]
    damaged += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), 97)]
    reasons = []
    for data in damaged:
        path.write_bytes(data)
        try:
            again = archive.load(path)
        except ValueError as error:
            reasons.append(str(error))
        else:  # dates and file attributes in the archive mean nothing
            assert_equal(again, table)
    assert len(reasons) > len(damaged) / 2
    assert all("counts.npz is not a readable count table" in reason for reason in reasons)


def test_a_foreign_file_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "counts.npz"
    np.savez_compressed(path, weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"counts\.npz is not a readable count table"):
        archive.load(path)
    archive.save(replace(random_table(6, 120), parameters=PARAMETERS._replace(k=-1)), path)
    with pytest.raises(ValueError, match=r"counts\.npz is not a readable count table .*k=-1"):
        archive.load(path)
    with pytest.raises(FileNotFoundError):
        archive.load(tmp_path / "absent.npz")
