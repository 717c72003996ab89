"""Makes a count table for any tokenizer, from text that every Python has or from a file, and caches it."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specviz.config.settings import ConfigError
from specviz.config.typed import encoding
from specviz.models.counts import archive
from specviz.models.counts.table import CountTable, Parameters
from specviz.models.tokenizer import Tokenizer
from specviz.shipped import user_cache

MAX_CHARS = 4_000_000
"""Characters of a text that are read: about a million tokens of a usual tokenizer."""

MAX_TOKENS = 1_500_000
"""Tokens that are counted at most. They decide how much memory the table takes, whatever the tokenizer."""

PIECE = 16_384
"""Characters encoded at a time. No n-gram spans two pieces."""

SMOOTHING = 180
"""k V: what bigram smoothing adds to all counts together. The fits at V = 4,096 and at V = 151,936 agree."""

FITTED = Parameters(
    discounts=((0.75, 1.5, 2.5), (0.9, 1.7, 2.7), (1.0, 1.7, 2.8), (0.8, 1.5, 2.5)), weights=(3000, 300, 4, 3, 3)
)
"""Fitted by `train.counts.fit_parameters` on code and prose that are not in the built-in text. Rounding them costs less
than 0.02 nats."""


def table(tokenizer: Tokenizer, vocab_size: int, text: Path | None = None, folder: Path | None = None) -> CountTable:
    """Counts the n-grams of a text in this tokenizer's tokens, or reads the counts from the cache.

    Special tokens, and ids for which the model has no row, are not counted, and no n-gram spans one of them.

    Args:
        vocab_size: V of the model, which may be more or less than the tokenizer has.
        text: a UTF-8 file; None stands for Python's documentation and standard library. At most MAX_CHARS are read
            and MAX_TOKENS counted.
        folder: the cache; the user's own unless named. If nothing can be written there, nothing is cached.

    Raises:
        ConfigError: the file cannot be read, is empty or not UTF-8, or the text has no token of this vocabulary.
    """
    content = _standard() if text is None else _read(text)
    path = (folder or user_cache()) / f"counts-{_digest(tokenizer, vocab_size, content)}.npz"
    with suppress(OSError, ValueError):
        return archive.load(path)
    streams = list(_streams(tokenizer, vocab_size, content))
    if not streams:
        raise ConfigError(f"{text or 'the built-in text'} has no token below {vocab_size} that is not special")
    counted = replace(CountTable.fit(streams, vocab_size), parameters=_parameters(vocab_size))
    with suppress(OSError):
        _write(counted, path)
    return counted


def _parameters(vocab_size: int) -> Parameters:
    return FITTED._replace(k=SMOOTHING / vocab_size)


def _standard() -> str:
    modules = sorted(Path(os.__file__).parent.glob("[!_]*.py"))
    return "\n".join([*topics.values(), *(path.read_text("utf-8", "ignore") for path in modules)])[:MAX_CHARS]


def _read(path: Path) -> str:
    try:
        with path.open("rb") as first:
            kind = encoding(first.read(2))
        with path.open(encoding=kind) as file:
            content = file.read(MAX_CHARS)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); wanted a UTF-8 text file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    if not content.strip():
        raise ConfigError(f"{path} is empty; wanted a UTF-8 text file")
    return content


def _digest(tokenizer: Tokenizer, vocab_size: int, content: str) -> str:
    """A name for everything that the counts depend on."""
    constants = [archive.FORMAT, PIECE, MAX_TOKENS, _parameters(vocab_size)]
    made = json.dumps([constants, vocab_size, _rules(tokenizer.inner)], sort_keys=True)
    return hashlib.sha256(f"{made}\n{content}".encode()).hexdigest()[:32]


def _rules(inner: Any) -> Any:
    """What decides how text becomes ids: all of a fast tokenizer; the class and the vocabulary of a slow one."""
    backend = getattr(inner, "backend_tokenizer", None)
    if backend is None:
        return [type(inner).__qualname__, inner.get_vocab()]
    # The last call of the tokenizer may have left truncation and padding set.
    return {**json.loads(backend.to_str()), "truncation": None, "padding": None}


def _pieces(content: str) -> Iterator[str]:
    """The text in pieces that end with a line. Only a line longer than PIECE is cut in the middle."""
    start = 0
    while start < len(content):
        stop = content.rfind("\n", start, start + PIECE) + 1 or start + PIECE
        yield content[start:stop]
        start = stop


def _streams(tokenizer: Tokenizer, vocab_size: int, content: str) -> Iterator[NDArray[np.int64]]:
    """The ids of each piece, int64[n], split at every id that must not be counted."""
    special = [token for token, added in tokenizer.inner.added_tokens_decoder.items() if added.special]
    room = MAX_TOKENS
    for piece in _pieces(content):
        # Each cut falls before an id that is not counted. One is put in front, so that every stream starts with one.
        ids = np.array([vocab_size, *tokenizer.encode(piece)[:room]])
        cuts = np.flatnonzero((ids >= vocab_size) | np.isin(ids, special))
        yield from (stream[1:] for stream in np.split(ids, cuts) if len(stream) > 1)
        room -= len(ids) - 1
        if not room:
            return


def _write(counted: CountTable, path: Path) -> None:
    """Writes a temporary file and renames it, so that another process sees a whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        finished = Path(folder) / path.name
        archive.save(counted, finished)
        finished.replace(path)
