"""A target, its draft, and what both read and write: one vocabulary, one tokenizer."""

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from specviz.config import ConfigError
from specviz.models import counts_file, forwards
from specviz.models.counts import CountTable
from specviz.models.hf import HFModel
from specviz.models.tokenizer import Tokenizer

EMBEDDED = Path(__file__).parents[2] / "assets" / "pair"
NAMES = ("embedded",)

_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class Pair:
    """Shared between concurrent runs; nothing in it changes.

    Attributes:
        ends: token ids that end a text.
        counts: the table behind the bigram and n-gram drafters, None if there is none.
    """

    name: str
    target: HFModel
    draft: HFModel | None
    tokenizer: Tokenizer
    ends: frozenset[int]
    counts: CountTable | None
    device: str
    dtype: str


def load(name: str, device: str, dtype: str) -> Pair:
    """The pair of that name on that device, loaded once per process.

    Args:
        device, dtype: as in RunConfig.

    Raises:
        ConfigError: no such pair, or the device is not there.
    """
    if name not in NAMES:
        raise ConfigError(f"no pair {name!r}; there are: {', '.join(NAMES)}")
    with _loading:
        where = place(device)
        return _load(name, where, _type(dtype, where))


def place(device: str) -> str:
    """A device by name, auto being a GPU if there is one. Raises ConfigError: it is not there."""
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(
            f"device {device!r} cannot be used here ({str(error).splitlines()[0]}); try auto or cpu"
        ) from None
    return device


@lru_cache(maxsize=2)
def _load(name: str, device: str, dtype: str) -> Pair:
    return read(EMBEDDED, device, dtype, name)


def _type(dtype: str, device: str) -> str:
    return dtype if dtype != "auto" else "bfloat16" if device.startswith("cuda") else "float32"


def read(folder: Path, device: str, dtype: str = "float32", name: str = "embedded") -> Pair:
    """A pair as `python -m specviz train` writes it: target, draft, tokenizer and count table in one folder."""
    target, draft = _model(folder / "target", device, dtype), _model(folder / "draft", device, dtype)
    if device == "cpu":
        forwards.settle_threads(target, draft)
    return Pair(
        name=name,
        target=target,
        draft=draft,
        tokenizer=Tokenizer.load(folder / "target"),
        ends=_ends(folder / "target"),
        counts=counts_file.load(folder / "counts.npz"),
        device=device,
        dtype=dtype,
    )


def _model(folder: Path, device: str, dtype: str) -> HFModel:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True, use_safetensors=True)
    return forwards.fastest(model.to(device))


def _ends(folder: Path) -> frozenset[int]:
    ends = GenerationConfig.from_pretrained(folder).eos_token_id
    return frozenset([ends] if isinstance(ends, int) else ends or ())
