"""The library that `retrieval` copies from: a share of every work of a corpus, held-out text left out."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from specviz.config.typed import saved
from specviz.models.datastore import Datastore, joined
from specviz.models.tokenizer import Tokenizer
from specviz.train.corpus import Genre

MOST_TOKENS = 2_000_000
MARK = ".works.tsv"
"""A file of this ending beside a genre's text names its works: on each line the character where one begins, and its
title after a tab. Without such a file, the genre is one work."""


def build(tokenizer: Tokenizer, corpus: Path, genres: Sequence[Genre], most: int = MOST_TOKENS) -> Datastore:
    """A datastore of at most `most` tokens: as many of each genre as there are, or an equal share.

    Raises:
        ValueError: a file of works cannot be read.
    """
    folder = corpus if corpus.is_dir() else corpus.parent
    encoded = [
        [(work, tokenizer.encode(text)) for work, text in _works(genre, folder / f"{genre.name}{MARK}")]
        for genre in genres
    ]
    works: list[tuple[str, list[int]]] = []
    for place, parts in enumerate(sorted(encoded, key=_length)):  # what a short genre leaves goes to the others
        share = (most - _length(works)) / (len(encoded) - place) / max(1, _length(parts))
        works += [(work, ids[: int(len(ids) * min(1.0, share))]) for work, ids in parts]
    return joined([(work, ids) for work, ids in works if ids])


def _length(parts: Sequence[tuple[str, list[int]]]) -> int:
    return sum(len(ids) for _, ids in parts)


def _works(genre: Genre, titles: Path) -> Iterator[tuple[str, str]]:
    """The training text in parts that lie within one work, with its title."""
    begin, names = _titles(titles) if titles.is_file() else ([0], [genre.name])
    at = 0
    for piece, held_out in zip(genre.train, (*genre.held_out, ""), strict=True):
        cuts = [at, *(start for start in begin if at < start < at + len(piece)), at + len(piece)]
        for start, stop in pairwise(cuts):
            number = max(0, bisect_right(begin, start) - 1)
            yield names[number], piece[start - at : stop - at]
        at += len(piece) + len(held_out)


def _titles(path: Path) -> tuple[list[int], list[str]]:
    try:
        rows = [line.split("\t", 1) for line in saved(path.read_bytes()).splitlines()]
        begin, names = [int(start) for start, _ in rows], [name.strip() for _, name in rows]
    except ValueError as error:
        raise ValueError(f"{path}: {error}; wanted a number, a tab and a title on each line") from None
    if not begin or begin != sorted(begin):
        raise ValueError(f"{path}: wanted the works in the order of the text, one at least")
    return begin, names
