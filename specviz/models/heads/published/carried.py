"""Which checkpoints carry layers for multi-token prediction. Reads names only."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from huggingface_hub.errors import HFValidationError
from safetensors import SafetensorError, safe_open

from specviz.models.heads.published.reading import PublishedHead
from specviz.models.hub import repository

MTP = re.compile(r"(?:^|\.)mtp\.(?:.*\blayers\.(\d+)\.)?")
BEHIND = re.compile(r"^(?:model\.)?layers\.(\d+)\.")
"""DeepSeek and GLM number them on from the last layer, others have them under mtp."""


def layer(name: str, depth: int) -> int | None:
    """The number of the layer for multi-token prediction that a tensor belongs to, by its name; None for any other.

    Args:
        depth: how many layers the model has.
    """
    if found := MTP.search(name):
        return int(found[1] or 0)
    behind = BEHIND.match(name)
    return int(behind[1]) - depth if behind and int(behind[1]) >= depth else None


def count(names: Sequence[str], depth: int) -> int:
    """How many such layers there are."""
    return len({layer(name, depth) for name in names} - {None})


def names(folder: Path) -> Sequence[str]:
    """The names of all tensors in a folder's files."""
    found: list[str] = []
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, "np") as file:
            found += file.keys()
    return found


def read(folder: Path | None) -> PublishedHead | None:
    """What stands for the layers in a model's checkpoint, if it has any. Its weights are not read."""
    try:
        config = json.loads((folder / repository.CONFIG).read_bytes()) if folder else {}
        text = config.get("text_config") or config
        if folder and count(names(folder), int(text["num_hidden_layers"])):
            return PublishedHead(folder, config, {}, "mtp")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SafetensorError):
        return None
    return None


def lies_in(source: str) -> bool:
    """True if a model that is on this disk has such layers: a folder, or a repository that was fetched."""
    try:
        folder = Path(source) if Path(source).is_dir() else repository.cached(source, "main")
    except HFValidationError:  # a file, or nothing
        return False
    return read(folder) is not None
