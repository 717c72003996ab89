"""A datastore: text from which guesses are copied. It finds where a phrase occurs, and which work a token is from."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from specviz.config.settings import ConfigError

Ids = NDArray[Any]

SHORTEST, LONGEST = 2, 16
"""How many tokens a match has at least and at most."""
MOST_PLACES = 5_000
"""Places of a match that are used at most, spread evenly over the text."""


class Match(NamedTuple):
    """The places in a datastore where the last tokens of a text occur.

    Attributes:
        length: how many last tokens they are: as many as possible, and 0 if even two do not occur.
        places: where the continuations begin, int64[n], MOST_PLACES at most.
    """

    length: int
    places: Ids


@dataclass(frozen=True, eq=False)
class Datastore:
    """The text of several works.

    Attributes:
        tokens: the works one after the other, an END after each, int32[n].
        works: their names. starts: where each begins, int64.
    """

    tokens: Ids
    works: tuple[str, ...]
    starts: Ids
    _pairs: Ids
    _places: Ids

    END = -1

    @classmethod
    def of(cls, tokens: Sequence[int] | Ids, works: Sequence[str], starts: Sequence[int] | Ids) -> "Datastore":
        """Sorts all pairs of neighbouring tokens, which takes a fifth of a second per million tokens."""
        text = np.asarray(tokens, np.int32)
        pairs = _pair(text[:-1], text[1:])
        order = np.argsort(pairs, kind="stable")
        return cls(text, tuple(works), np.asarray(starts, np.int64), pairs[order], order + SHORTEST)

    def match(self, text: Sequence[int]) -> Match:
        """Finds the last tokens of `text`, as many as occur together, SHORTEST to LONGEST of them."""
        if len(text) < SHORTEST:
            return Match(0, np.empty(0, np.int64))
        key = _pair(text[-2], text[-1])
        first, last = np.searchsorted(self._pairs, key, "left"), np.searchsorted(self._pairs, key, "right")
        places, length = self._places[first:last], SHORTEST
        while len(places) > 0 and length < min(LONGEST, len(text)):
            longer = places[(places > length) & (self.tokens[places - length - 1] == text[-length - 1])]
            if not len(longer):
                break
            places, length = longer, length + 1
        return Match(length if len(places) else 0, places[:: 1 + len(places) // MOST_PLACES])

    def work(self, place: int) -> str:
        """The name of the work that holds a place."""
        return self.works[int(np.searchsorted(self.starts, place, "right")) - 1]

    def save(self, path: Path) -> None:
        """Writes a compressed file: ids as uint16 if all of them fit, and no END."""
        kept = self.tokens[self.tokens != self.END]
        lengths = np.diff([*self.starts, len(self.tokens)]) - 1
        ids = kept.astype(np.uint16 if kept.max(initial=0) <= np.iinfo(np.uint16).max else np.uint32)
        np.savez_compressed(path, ids=ids, lengths=lengths, works=np.array(self.works, dtype=np.str_))


def _pair(first: ArrayLike, second: ArrayLike) -> Ids:
    """One number for two tokens, different for every pair. END counts as a token."""
    return (np.asarray(first, np.int64) + 1) * 2**32 + np.asarray(second, np.int64) + 1


def joined(works: Sequence[tuple[str, Sequence[int] | Ids]]) -> Datastore:
    """Makes a datastore of works, the name and the tokens of each."""
    tokens = np.concatenate([np.append(np.asarray(ids, np.int32), np.int32(Datastore.END)) for _, ids in works])
    starts = np.cumsum([0, *(len(ids) + 1 for _, ids in works)])[:-1]
    return Datastore.of(tokens, [name for name, _ in works], starts)


@lru_cache(maxsize=2)
def load(path: Path, vocab_size: int) -> Datastore:
    """Reads a file that `save` wrote.

    Raises:
        ConfigError: there is no such file, it is damaged, or it has tokens that the vocabulary lacks.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            ids, lengths, works = archive["ids"], archive["lengths"], archive["works"]
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror or error}); wanted a datastore") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ConfigError(f"{path} is no datastore ({str(error)[:80]}); make it with specviz train") from None
    sound = ids.ndim == lengths.ndim == works.ndim == 1 and len(lengths) == len(works) and (lengths >= 0).all()
    if not sound or ids.dtype.kind != "u" or lengths.sum() != len(ids) or not len(ids):
        raise ConfigError(f"{path} is no datastore (its works and tokens do not fit); make it with specviz train")
    if ids.max() >= vocab_size:
        raise ConfigError(
            f"{path} has token {ids.max():,}, but the target knows {vocab_size:,}; make it with the target's tokenizer"
        )
    return joined(list(zip(map(str, works), np.split(ids, np.cumsum(lengths)[:-1]), strict=True)))
