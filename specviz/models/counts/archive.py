"""A count table as one small file: an .npz archive packed with LZMA.

The file does not store which token follows a context, but its rank: tokens that followed the context without its
first token are sorted by count, and the rank is a place in that order. Ranks are small numbers, because the tokens
that follow a long context mostly are the common ones after the shorter context. All numbers are stored as byte planes.

Source: Pibiri & Venturini 2017, context-based identifier remapping.
"""

import lzma
import zipfile
import zlib
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specviz.models.counts.table import ORDER, CountTable, Ints, Level, Parameters

FORMAT = 1


_DAMAGE = (zipfile.BadZipFile, lzma.LZMAError, zlib.error, LookupError, ValueError, TypeError, EOFError, RuntimeError)
"""What zipfile, its decompressors and NumPy raise when the bytes are damaged."""


def save(table: CountTable, path: Path) -> None:
    """Writes the table to one file. Equal tables give equal bytes."""
    arrays = {
        "format": np.array([FORMAT, table.vocab_size, ORDER]),
        "k": np.array(table.parameters.k),
        "discounts": np.array(table.parameters.discounts),
        "weights": np.array(table.parameters.weights),
        "counts1": _planes(table.levels[0].counts),
        "ends1": _ends(table.levels[0]),
    }
    # for each n-gram, the number of the shorter n-gram that lacks its first token
    suffixes = np.zeros(table.vocab_size, np.int64)
    for order, (below, level) in enumerate(pairwise(table.levels), 2):
        parents, below_parents = _parents(level.starts), _parents(below.starts)
        shorter = suffixes[parents]
        suffixes = np.searchsorted(
            below_parents * table.vocab_size + below.tokens, shorter * table.vocab_size + level.tokens
        )
        places = np.empty(len(below.tokens), np.int64)
        places[_by_count(below)] = np.arange(len(places))
        ranks = places[suffixes] - below.starts[shorter]
        sequence = _within(parents, ranks)
        arrays[f"children{order}"] = _planes(np.diff(level.starts))
        arrays[f"ranks{order}"] = _planes(ranks[sequence])
        arrays[f"counts{order}"] = _planes(level.counts[sequence])
        arrays[f"ends{order}"] = _ends(level)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def load(path: Path) -> CountTable:
    """Reads what `save` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is damaged or not a count table; the message names it.
    """
    data = path.read_bytes()
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            # read() checks the checksum before NumPy trusts the header
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
            }
        return _decode(arrays)
    except _DAMAGE as error:
        raise ValueError(f"{path} is not a readable count table ({error}); build it again") from error


def _decode(arrays: dict[str, NDArray[Any]]) -> CountTable:
    form, vocab_size, order = arrays["format"].tolist()
    if (form, order) != (FORMAT, ORDER):
        raise ValueError(f"format {form}, order {order}; wanted {FORMAT}, {ORDER}")
    counts = _join(arrays["counts1"])
    if len(counts) != vocab_size:
        raise ValueError(f"{len(counts)} token counts for a vocabulary of {vocab_size}")
    levels = [Level.of(np.arange(vocab_size), counts, arrays["ends1"], np.array([0, vocab_size]))]
    suffixes = np.zeros(vocab_size, np.int64)
    for order in range(2, ORDER + 1):
        below = levels[-1]
        starts = np.concatenate([[0], np.cumsum(_join(arrays[f"children{order}"]))])
        parents, ranks = _parents(starts), _join(arrays[f"ranks{order}"])
        shorter = suffixes[parents]
        if len(starts) != len(below.tokens) + 1 or (ranks >= np.diff(below.starts)[shorter]).any():
            raise ValueError(f"the {order}-grams do not fit the {order - 1}-grams")
        suffixes = _by_count(below)[below.starts[shorter] + ranks]
        sequence = _within(parents, below.tokens[suffixes])
        suffixes, counts = suffixes[sequence], _join(arrays[f"counts{order}"])[sequence]
        levels.append(Level.of(below.tokens[suffixes], counts, arrays[f"ends{order}"], starts))
    parameters = Parameters(
        float(arrays["k"]), tuple(map(tuple, arrays["discounts"].tolist())), tuple(arrays["weights"].tolist())
    )
    return CountTable(vocab_size, tuple(levels), parameters.check())


def _parents(starts: Ints) -> Ints:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _within(parents: Ints, keys: Ints) -> Ints:
    """The order that sorts the children of each parent by key. Children with equal keys keep their order."""
    return np.argsort(parents * (int(keys.max(initial=0)) + 1) + keys, kind="stable")


def _by_count(level: Level) -> Ints:
    """The order that puts the most frequent child of each parent first; of equally frequent ones, the lower token."""
    return _within(_parents(level.starts), level.counts.max(initial=0) - level.counts)


def _ends(level: Level) -> Ints:
    return np.repeat(np.arange(len(level.counts)), level.counts - level.followed)


def _planes(numbers: Ints) -> NDArray[np.uint8]:
    """The bytes of each number, uint8[bytes, n], the least significant first. The largest number sets how many."""
    size = max(1, (int(numbers.max(initial=0)).bit_length() + 7) // 8)
    return np.ascontiguousarray(numbers.astype("<u4").view(np.uint8).reshape(-1, 4).T[:size])


def _join(planes: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.asarray(256 ** np.arange(len(planes)) @ planes, np.int64)
