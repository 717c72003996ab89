"""Weights trained on a frozen target, as safetensors in float16. They know their target, and refuse any other."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from specviz.config import ConfigError

SHOWN = 8
"""Letters of a hash that an error quotes."""


@dataclass(frozen=True, eq=False)
class Head:
    """What a file of weights holds.

    Attributes:
        facts: what the training noted: shapes, figures, anything JSON can hold.
    """

    path: Path
    facts: Mapping[str, Any]
    tensors: Mapping[str, Tensor]

    def take(self, name: str, *shape: int) -> Tensor:
        """A tensor, whose shape must be this one; -1 stands for any size.

        Raises:
            ConfigError: it is not there, or has another shape.
        """
        found = self.tensors.get(name)
        if found is None:
            raise ConfigError(f"{self.path} has no {name}; there are: {', '.join(sorted(self.tensors))}")
        sizes = found.shape
        if len(shape) != len(sizes) or any(want not in (-1, size) for want, size in zip(shape, sizes, strict=True)):
            raise ConfigError(f"{self.path}: {name} is {_words(sizes)}; wanted {_words(shape)}")
        return found


def _words(shape: Sequence[int]) -> str:
    return " x ".join("any" if size < 0 else str(size) for size in shape)


@lru_cache(maxsize=4)
def target_hash(folder: Path) -> str:
    """SHA-256 over a model's weight files, in the order of their names."""
    found = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                found.update(part)
    return found.hexdigest()


def save(path: Path, kind: str, tensors: Mapping[str, Tensor], target: str, facts: Mapping[str, Any]) -> None:
    """Writes weights of that kind, trained on the target with that hash. A stop while writing leaves the old file."""
    halves = {name: tensor.detach().to("cpu", torch.float16).contiguous() for name, tensor in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    save_file(halves, fresh, metadata={"kind": kind, "target": target, "facts": json.dumps(facts)})
    fresh.replace(path)


def load(path: Path, kind: str, target: str) -> Head:
    """The weights that `save` wrote, in float32.

    Raises:
        ConfigError: there is no such file, it is damaged, of another kind, or was trained on another target.
    """
    try:
        with safe_open(path, "pt") as file:
            noted = file.metadata() or {}
            tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 - it is no dict
        facts = json.loads(noted.get("facts", "{}"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror or error}); wanted trained weights") from None
    except (SafetensorError, ValueError) as error:
        raise ConfigError(
            f"{path} is damaged ({str(error).splitlines()[0][:80]}); make it with specviz train"
        ) from None
    if noted.get("kind") != kind:
        raise ConfigError(f"{path} has weights for {noted.get('kind', 'something else')!s:.40}, wanted {kind}")
    if noted.get("target") != target:
        raise ConfigError(
            f"{path} was trained on target {noted.get('target', '')[:SHOWN]}, this one is {target[:SHOWN]};"
            f" train it with specviz train --stages {kind}"
        )
    return Head(path, facts, tensors)
