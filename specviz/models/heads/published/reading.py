"""Reads a published head. Its own code is never run, and nothing but safetensors is opened."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open

from specviz.config.settings import ConfigError
from specviz.models.heads.files import Head
from specviz.models.hub import repository

if TYPE_CHECKING:
    from torch import Tensor

QUANTIZED = ("weight_scale", "weight_scale_inv", "weight_packed", "qweight")
"""How tensors end that only quantized weights have."""
OTHERS = {
    "dspark": "a DSpark drafter, whose guesses hang on the one before",
    "dflash2": "a DFlash-2 drafter, which picks among candidates",
    "dflashspec": "a DFlash drafter in speculators' layout",
    "peagle": "a P-EAGLE head, which guesses all places at once",
    "deepseekv2": "a head with latent keys (MLA)",
}
"""Heads that specviz does not read, by a part of what config.json calls them."""
RATES = ((0.6, 0.15, 0.08, 0.04),)
"""How often the first, the second ... guess at a place is taken to be accepted, as no published file says it."""


@dataclass(frozen=True, eq=False)
class PublishedHead(Head):
    """A published head as it is. facts: what config.json says. kind: the drafter it is for."""

    kind: str

    def rates(self, how: str) -> tuple[tuple[float, ...], ...]:
        return RATES


def read(source: str) -> PublishedHead:
    """Reads a head, or gives the one that was read before, if its files did not change.

    Args:
        source: a folder, or a repository of the hub.

    Raises:
        ConfigError: it cannot be had, is damaged, no safetensors, or no head that specviz knows.
    """
    folder = repository.weights(source) if Path(source).is_dir() else _fetched(source)
    files = (folder / repository.CONFIG, *repository.weight_files(source, folder))
    return _read(source, files, tuple(path.stat().st_mtime_ns for path in files))


@lru_cache(maxsize=8)
def _fetched(source: str) -> Path:
    """So that the hub is asked once."""
    if source.endswith(repository.PICKLES):
        raise ConfigError(f"{source} is a pickle, which may run code when it is opened; wanted safetensors in a folder")
    return repository.weights(source)


@lru_cache(maxsize=2)
def _read(source: str, files: tuple[Path, ...], changed: tuple[int, ...]) -> PublishedHead:
    config = _config(files[0], source)
    tensors: dict[str, Tensor] = {}
    for path in files[1:]:
        tensors |= _tensors(path)
    tensors = {_plain(name): tensor for name, tensor in tensors.items()}
    if packed := next((name for name in tensors if name.endswith(QUANTIZED)), None):
        raise ConfigError(f"{source} is quantized ({packed}); wanted a head in float32, bfloat16 or float16")
    return PublishedHead(Path(source), config, tensors, _kind(source, config, tensors))


def _config(path: Path, source: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{source}: config.json cannot be read ({str(error)[:80]})") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{source}: config.json is no JSON object")
    return found


def _tensors(path: Path) -> "dict[str, Tensor]":
    try:
        with safe_open(path, "pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
    except (OSError, SafetensorError) as error:
        raise ConfigError(f"{path} is damaged ({str(error).splitlines()[0][:80]}); fetch it again") from None


def _plain(name: str) -> str:
    """A tensor's name without what some projects put before it."""
    for prefix in ("model.", "medusa_heads.", "medusa_head."):
        name = name.removeprefix(prefix)
    return "layers.0." + name.removeprefix("midlayer.") if name.startswith("midlayer.") else name


def _kind(source: str, config: Mapping[str, Any], tensors: "Mapping[str, Tensor]") -> str:
    called = " ".join(map(str, (config.get("speculators_model_type"), *(config.get("architectures") or ())))).lower()
    if other := next((name for part, name in OTHERS.items() if part in called), None):
        raise ConfigError(f"{source} is {other}; specviz reads EAGLE-3, EAGLE-3.1, z-lab's DFlash and Medusa")
    if "dflash_config" in config or "DFlashDraftModel" in (config.get("architectures") or ()):
        if "candidate_selector.hidden_projection.weight" in tensors:
            raise ConfigError(f"{source} is a DFlash-2 drafter; wanted the first DFlash, whose blanks are independent")
        return "dflash"
    if "layers.0.hidden_norm.weight" in tensors:
        return "eagle"
    if "0.0.linear.weight" in tensors or "blocks.0.layers.0.weight" in tensors:
        return "medusa"
    if "fc.weight" in tensors and "layers.0.self_attn.q_proj.weight" in tensors:
        raise ConfigError(f"{source} is an EAGLE-1 or EAGLE-2 head; wanted EAGLE-3, which has layers.0.hidden_norm")
    raise ConfigError(f"{source} is no head that specviz knows; wanted EAGLE-3, DFlash or Medusa")


def part(head: Head, name: str) -> Mapping[str, Any]:
    """A part of config.json; all of it if it has no such part. Raises ConfigError: it is no object, or not SiLU's."""
    found = head.facts.get(name, head.facts)
    if not isinstance(found, Mapping):
        raise ConfigError(f"{head.path}: config.json says {name} is {found!r:.40}; wanted an object")
    if (act := found.get("hidden_act", head.facts.get("hidden_act"))) not in (None, "silu"):
        raise ConfigError(f"{head.path} uses {act!s:.40}; wanted a head with silu")
    return found


def number(head: Head, config: Mapping[str, Any], name: str, default: float | None = None) -> float:
    """A positive number of config.json. Raises ConfigError: it is not there, or no such number."""
    found = config.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < 1 << 40:
        raise ConfigError(f"{head.path}: config.json says {name} is {found!r:.40}; wanted a number above 0")
    return found


def integer(head: Head, config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """The same for a whole number."""
    found = number(head, config, name, default)
    if found != int(found):
        raise ConfigError(f"{head.path}: config.json says {name} is {found}; wanted a whole number")
    return int(found)


def layers(head: Head, ids: object, target: int) -> tuple[int, ...]:
    """Numbers of the target's layers. Raises ConfigError: they are none, or not all there."""
    if not isinstance(ids, Sequence) or not ids or not all(type(each) is int and each >= 0 for each in ids):
        raise ConfigError(f"{head.path}: config.json says its states are of layers {ids!r:.40}; wanted whole numbers")
    if max(ids) > target:
        raise ConfigError(f"{head.path} reads layer {max(ids)}, this target has {target}")
    return tuple(ids)


def fits(head: Head, width: int, target: int) -> None:
    """Raises ConfigError: the head is for states of another width."""
    if width != target:
        raise ConfigError(f"{head.path} is for states of {width:,} numbers, this target's have {target:,}")


def numbered(head: Head, pattern: str) -> Iterator[int]:
    """0, 1, ... as long as there is a tensor of that name."""
    number = 0
    while pattern.format(number) in head.tensors:
        yield number
        number += 1
