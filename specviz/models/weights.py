"""Tensors of a model's safetensors files, one at a time, in NumPy."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from specviz.config.settings import ConfigError
from specviz.config.words import Reason, because

TYPES: Mapping[str, Any] = {"F32": np.dtype(np.float32), "F16": np.dtype(np.float16), "BF16": np.dtype(np.uint16)}
"""bfloat16, which NumPy does not know, is read as the upper half of float32."""


def labelled(family: str, layers: int, size: int, stored: str = "", kept: str = "float32") -> Reason:
    """A model by its family, layers and number of weights: 9.4 M, 135 M, 1.7 B.

    Args:
        stored: its file's quantization; kept: the type of number that was read as.
    """
    unit, scale = ("B", 1e9) if size >= 1e9 else ("M", 1e6)
    number = f"{size / scale:.0f}" if size >= 99.5 * scale else f"{size / scale:.2g}"
    if stored:
        return because("model_stored", family=family, layers=layers, size=f"{number} {unit}", stored=stored, kept=kept)
    return because("model", family=family, layers=layers, size=f"{number} {unit}")


@dataclass(frozen=True, slots=True)
class Stored:
    """A tensor in a file. kind: a key of TYPES."""

    path: Path
    kind: str
    shape: tuple[int, ...]
    start: int

    def read(self) -> NDArray[Any]:
        """The numbers as they are stored."""
        count = int(np.prod(self.shape, dtype=np.int64))
        return np.fromfile(self.path, TYPES[self.kind], count, offset=self.start).reshape(self.shape)

    def floats(self) -> NDArray[np.float32]:
        """The same as float32."""
        return widened(self.read(), self.kind)


@dataclass(frozen=True, slots=True)
class Held:
    """A tensor in memory, of real numbers, as if it were stored in float16."""

    numbers: NDArray[Any]
    kind = "F16"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.numbers.shape

    def read(self) -> NDArray[Any]:
        """See Stored."""
        return self.numbers.astype(np.float16)

    def floats(self) -> NDArray[np.float32]:
        """See Stored."""
        return self.numbers.astype(np.float32)


def widened(numbers: NDArray[Any], kind: str) -> NDArray[np.float32]:
    """Numbers of that kind as float32."""
    if kind == "BF16":
        return (numbers.astype(np.uint32) << 16).view(np.float32)
    return numbers.astype(np.float32, copy=False)


def stored(files: Iterable[Path], source: str) -> Mapping[str, Stored]:
    """All tensors of these files by name.

    Args:
        source: what the model is called in an error.

    Raises:
        ConfigError: a file cannot be read, is damaged, or holds tensors of another kind.
    """
    tensors: dict[str, Stored] = {}
    for path in files:
        try:
            with safe_open(path, "np"):  # checks that the header is sound and every tensor inside the file
                pass
            with path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = json.loads(file.read(size))
        except OSError as error:
            raise ConfigError(f"{source}: {path.name} cannot be read ({error.strerror or error})") from None
        except (SafetensorError, ValueError) as error:
            raise ConfigError(f"{source}: its weights cannot be read ({str(error).splitlines()[0][:80]})") from None
        header.pop("__metadata__", None)
        for name, of in header.items():
            if of["dtype"] not in TYPES:
                raise ConfigError(f"{source}: {name} is {of['dtype']}; wanted {', '.join(TYPES)}")
            tensors[name] = Stored(path, of["dtype"], tuple(of["shape"]), 8 + size + of["data_offsets"][0])
    return tensors
