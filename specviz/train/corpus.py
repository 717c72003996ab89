"""Text files as token streams: held-out split, tokenizer, seeded batches.

A genre is one UTF-8 file; its name is the file's stem. The split is by text,
before tokenization, so no held-out character ever reaches the tokenizer's
training, the models or the count tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor
from transformers import PreTrainedTokenizerFast

END_OF_TEXT = "<|endoftext|>"
PIECES = r"'(?:s|t|re|ve|m|ll|d)\b|\n| {4}| ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]|\s"
"""What no token reaches across: a word, a digit, a sign, a line's end, a step of indentation.

Code then comes in small steps, many of them easy to guess, which is what a drafter lives on.
"""
HELD_OUT_SHARE = 0.01
HELD_OUT_LENGTH = 3500
"""Characters of a held-out passage, about one context of the embedded pair."""
LEAST_PIECES = 8
"""A short text is sampled at this many places all the same, in shorter passages."""


@dataclass(frozen=True)
class Genre:
    """One text file, split in two.

    held_out is HELD_OUT_SHARE of the text, in passages evenly spaced over the
    file; train is everything else, in order.
    """

    name: str
    train: tuple[str, ...]
    held_out: tuple[str, ...]


def read_genres(corpus: Path) -> tuple[Genre, ...]:
    """One text file, or every .txt file in a folder, by name.

    Raises:
        FileNotFoundError: there is no such file, or the folder holds no .txt file.
        ValueError: a file is not UTF-8, or too short to split.
    """
    paths = sorted(corpus.glob("*.txt")) if corpus.is_dir() else [corpus]
    if not paths:
        raise FileNotFoundError(f"no .txt file in {corpus}; wanted a folder of UTF-8 text files, or one file")
    return tuple(_split(path) for path in paths)


def _split(path: Path) -> Genre:
    try:
        text = path.read_text(encoding="utf-8")
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
    found = text.find("\n", place, place + 1000)
    return place if found < 0 else found + 1


def train_tokenizer(genres: Sequence[Genre], vocab_size: int = 4096, context: int = 1024) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer: any byte string round-trips, id 0 ends a text."""
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
    """Token ids of each text, int64[n]; long texts are fine, nothing is truncated."""
    return [torch.tensor(tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]


def batch(
    streams: Mapping[str, Tensor], weights: Mapping[str, float], rows: int, length: int, seed: int, step: int
) -> Tensor:
    """Random windows for one step, int64[rows, length + 1]; a pure function of (seed, step)."""
    names = sorted(streams)
    share = np.array([weights.get(name, 1.0) for name in names])
    dice = np.random.default_rng((seed, step))
    out = []
    for name in dice.choice(names, rows, p=share / share.sum()):
        stream = streams[name]
        start = int(dice.integers(0, len(stream) - length - 1))
        out.append(stream[start : start + length + 1])
    return torch.stack(out)
