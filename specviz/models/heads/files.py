"""Weights trained on a frozen target, as safetensors in float16. They know their target, and refuse any other.

Importing this module does not import torch: reading a file does.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from specviz.config.settings import ConfigError
from specviz.models.rounded import restored, rounded

if TYPE_CHECKING:
    from torch import Tensor

IDS = "ids"
"""In a file: the target's tokens that a head may guess; without it, all."""
EXITS = "exits"
"""The kind of the weights of early exits; other kinds are called as the drafter they are for."""
SHOWN = 8
"""Letters of a hash that an error quotes."""
NEWER = {
    "markov_head": "DSpark",
    "confidence_head": "DSpark",
    "candidate_selector": "DFlash-2",
}
"""Parts of tensors' names that only a newer kind of head has."""


@dataclass(frozen=True, eq=False)
class Head:
    """What a file of weights holds.

    Attributes:
        facts: what the training noted: shapes, figures, anything JSON can hold.
    """

    path: Path
    facts: Mapping[str, Any]
    tensors: "Mapping[str, Tensor]"
    _taken: set[str] = field(default_factory=set, kw_only=True)

    def take(self, name: str, *shape: int) -> "Tensor":
        """A tensor, whose shape must be this one; -1 stands for any size.

        Raises:
            ConfigError: it is not there, or has another shape.
        """
        tensor = self.tensors.get(name)
        if tensor is None:
            raise ConfigError(f"{self.path} has no {name}; there are: {', '.join(sorted(self.tensors))}")
        self._taken.add(name)
        sizes = tensor.shape
        if len(shape) != len(sizes) or any(want not in (-1, size) for want, size in zip(shape, sizes, strict=True)):
            raise ConfigError(f"{self.path}: {name} is {_words(sizes)}; wanted {_words(shape)}")
        return tensor

    def emptied(self, known: Callable[[str], object] = lambda name: False) -> None:
        """Checks that every tensor was taken: one that is left over belongs to a head of another kind.

        Args:
            known: whether a tensor may be left.

        Raises:
            ConfigError: it names the first that are left, and the newer kind if it is known.
        """
        left = sorted(name for name in self.tensors.keys() - self._taken if not known(name))
        if left:
            newer = next((kind for part, kind in NEWER.items() if any(part in name for name in left)), "")
            raise ConfigError(
                f"{self.path} also holds {listed(left)}"
                + (
                    f", as {newer} has, which specviz does not read yet"
                    if newer
                    else ", which this head has no place for"
                )
                + "; choose another head"
            )

    def rates(self, how: str) -> tuple[tuple[float, ...], ...]:
        """How often the first, the second ... guess at a place is accepted, by depth, as the training measured it.

        Args:
            how: drawn, or top for the likeliest at temperature 0.

        Raises:
            ConfigError: the file does not say it.
        """
        noted = self.facts.get("rates")
        found = noted.get(how) if isinstance(noted, dict) else None
        try:
            measured = tuple(tuple(float(rate) for rate in place) for place in found or ())
        except (TypeError, ValueError):
            measured = ()
        if not measured or not all(measured) or any(not 0 <= rate <= 1 for place in measured for rate in place):
            raise ConfigError(
                f"{self.path} does not say how often its guesses are accepted; make it with specviz train"
            )
        return measured


def listed(names: Sequence[str], most: int = 3) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _words(shape: Sequence[int]) -> str:
    return " x ".join("any" if size < 0 else str(size) for size in shape)


@lru_cache(maxsize=4)
def target_hash(folder: Path) -> str:
    """SHA-256 over a model's weight files, in the order of their names."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    return digest.hexdigest()


def save(
    path: Path, kind: str, tensors: "Mapping[str, Tensor]", target: str, facts: Mapping[str, Any], *, bits: int = 16
) -> None:
    """Writes weights of that kind, trained on the target with that hash or name. A stop while writing leaves the old
    file.

    Args:
        bits: of a number in a matrix, 16 or 8.
    """
    kept = {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in tensors.items()}
    halves = {name: each.astype(np.float16) if each.dtype.kind == "f" else each for name, each in kept.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    noted = {"kind": kind, "target": target, "facts": json.dumps(facts)}
    save_file(halves if bits == 16 else rounded(kept), fresh, metadata=noted)
    fresh.replace(path)


def load(path: Path, kind: str, target: str) -> Head:
    """The weights that `save` wrote, real numbers in float32.

    Raises:
        ConfigError: there is no such file, it is damaged, of another kind, or was trained on another target.
    """
    import torch

    try:
        with safe_open(path, "np") as file:
            noted = file.metadata() or {}
            stored = restored({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118 - it is no dict
        tensors = {name: torch.from_numpy(each) for name, each in stored.items()}
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
