"""Text files as token streams: the held-out split, the tokenizer, seeded batches.

A genre is one UTF-8 file, named by the file's stem. The text is split before it is tokenized, so the tokenizer, the
models and the count tables are trained on no held-out character.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from specviz.config.typed import saved

END_OF_TEXT = "<|endoftext|>"
PIECES = r"'(?:s|t|re|ve|m|ll|d)\b|\n| {4}| ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]|\s"
"""The pieces that no token may span: a word, a digit, a sign, a line's end, four spaces of indentation.

Code is then split into many short tokens, most of which are easy to guess.
"""
HELD_OUT_SHARE = 0.01
HELD_OUT_LENGTH = 3500
"""Characters in a held-out passage, about as many as the embedded pair's context holds."""
LEAST_PIECES = 8
"""The fewest held-out passages of a text. A short text gives shorter ones."""


@dataclass(frozen=True)
class Genre:
    """One text file, split in two.

    held_out is HELD_OUT_SHARE of the text, in passages evenly spaced over the file. train is the rest, in order.
    """

    name: str
    train: tuple[str, ...]
    held_out: tuple[str, ...]


def read_genres(corpus: Path) -> tuple[Genre, ...]:
    """Reads one text file, or every .txt file in a folder, sorted by name.

    Raises:
        FileNotFoundError: there is no such file, or the folder holds no .txt file.
        ValueError: a file is not UTF-8, or is too short to split.
    """
    paths = sorted(corpus.glob("*.txt")) if corpus.is_dir() else [corpus]
    if not paths:
        raise FileNotFoundError(f"no .txt file in {corpus}; wanted a folder of UTF-8 text files, or one file")
    return tuple(_split(path) for path in paths)


def _split(path: Path) -> Genre:
    try:
        text = saved(path.read_bytes())
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from None
    pieces = max(LEAST_PIECES, int(len(text) * HELD_OUT_SHARE / HELD_OUT_LENGTH))
    size = int(len(text) * HELD_OUT_SHARE / pieces)
    if not size:
        raise ValueError(f"{path} has {len(text)} characters; wanted {int(LEAST_PIECES / HELD_OUT_SHARE)} at least")
    train: list[str] = []
    held_out: list[str] = []
    end = 0
    for piece in range(pieces):
        start = _line_after(text, int(len(text) * (piece + 0.5) / pieces))
        stop = _line_after(text, start + size)
        train.append(text[end:start])
        held_out.append(text[start:stop])
        end = stop
    train.append(text[end:])
    return Genre(path.stem, tuple(train), tuple(held_out))


def _line_after(text: str, place: int) -> int:
    """Where the next line starts, or `place` itself if no line ends within 1,000 characters."""
    line_end = text.find("\n", place, place + 1000)
    return place if line_end < 0 else line_end + 1


def train_tokenizer(genres: Sequence[Genre], vocab_size: int = 4096, context: int = 1024) -> PreTrainedTokenizerFast:
    """Trains a byte-level BPE tokenizer. Any byte string round-trips; id 0 ends a text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((text for genre in genres for text in genre.train), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END_OF_TEXT,
        bos_token=END_OF_TEXT,
        model_max_length=context,
        clean_up_tokenization_spaces=False,
    )


def encode(tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]) -> list[Tensor]:
    """The token ids of each text, int64[n]. A text longer than the context is not truncated."""
    return [torch.tensor(tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]


def batch(
    streams: Mapping[str, Tensor], weights: Mapping[str, float], rows: int, length: int, seed: int, step: int
) -> Tensor:
    """The random windows of one step, int64[rows, length + 1]. A pure function of (seed, step)."""
    names = sorted(streams)
    share = np.array([weights.get(name, 1.0) for name in names])
    dice = np.random.default_rng((seed, step))
    out = []
    for name in dice.choice(names, rows, p=share / share.sum()):
        stream = streams[name]
        start = int(dice.integers(0, len(stream) - length - 1))
        out.append(stream[start : start + length + 1])
    return torch.stack(out)
