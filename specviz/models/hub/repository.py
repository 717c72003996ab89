"""The files of a model, from a local folder or a Hugging Face repository.

The hub's own library fetches and caches them. This module decides which files, how large, and the message on failure.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from huggingface_hub import HfApi, constants, get_cached_repo_tree, snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import (
    CachedRepoTreeNotFoundError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
)
from huggingface_hub.hf_api import ModelInfo
from huggingface_hub.utils import httpx  # type: ignore[attr-defined]  # the version that the hub uses
from tqdm import tqdm

from specviz.config.settings import ConfigError
from specviz.models.hub import gguf_files
from specviz.models.hub.download import MOST, Progress, check, fetch
from specviz.models.hub.errors import explained
from specviz.models.hub.fits import gigabytes

CONFIG = "config.json"
ADAPTER = "adapter_config.json"
SINGLE = "model.safetensors"
SINGLES = (SINGLE, "medusa_lm_head.safetensors")
"""What the only file of weights may be called; Medusa's heads have their own name."""
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
INDEX = "model.safetensors.index.json"
SMALL = (
    CONFIG,
    INDEX,
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "merges.txt",
    "added_tokens.json",
    "tokenizer.model",
    "chat_template.jinja",
)
SMALL_MOST = 64 * 10**6
"""Bytes one file that is no weights may have."""


def small(source: str, revision: str = "main") -> Path:
    """The folder with all of a model but its weights.

    Args:
        source: a folder, or a repository of the hub.
        revision: a branch, tag or commit; means nothing to a folder.

    Raises:
        ConfigError: it cannot be had; says why and what to do.
    """
    with explained(source, revision):
        return _find(source, revision).folder


def size(source: str, revision: str = "main") -> int:
    """Bytes of the weights, cached or not. None of them is downloaded to find out.

    Args:
        source, revision: as for small.

    Raises:
        ConfigError: it cannot be had, or its weights are not safetensors.
    """
    with explained(source, revision):
        return sum(_weights(source, _find(source, revision)).values())


def weights(
    source: str,
    revision: str = "main",
    tell: Callable[[int, int], None] = lambda done, total: None,
    stop: Callable[[], bool] = lambda: False,
    most: int = MOST,
) -> Path:
    """The folder of a model once its weights lie there too.

    Args:
        source, revision: as for small.
        tell: called with the bytes that are there and those wanted, as they arrive; the first never falls.
        stop: asked between two chunks; True calls the download off.
        most: bytes of a repository's weights above which none is downloaded.

    Raises:
        Cancelled: stop said so.
        ConfigError: it cannot be had, its weights are not safetensors, too many, or too many for this disk.
    """
    with explained(source, revision):
        located = _find(source, revision)
        wanted = _weights(source, located)
        if located.remote:
            progress = Progress(sum(wanted.values()), tell, stop)
            fetch(source, located.folder, wanted, progress, most, reachable=located.reachable)
        else:
            tell(sum(wanted.values()), sum(wanted.values()))
        return located.folder


def cached(source: str, revision: str) -> Path | None:
    """The folder of a repository whose weights were all fetched before, None if not. The hub is not asked."""
    path = try_to_load_from_cache(source, CONFIG, revision=revision)
    if not isinstance(path, str):
        return None
    folder = Path(path).parent
    try:
        _weights(source, _Located(folder, _lying_in(folder)))
    except ConfigError:
        return None
    return folder


@dataclass(frozen=True, slots=True)
class _Located:
    """A model whose small files are in place.

    Attributes:
        folder: a cached one is named after its commit.
        sizes: bytes of every file it has, there already or not.
        remote: it is a repository; reachable: and the hub answers.
    """

    folder: Path
    sizes: Mapping[str, int]
    remote: bool = False
    reachable: bool = False


def weight_files(source: str, folder: Path) -> list[Path]:
    """The files with the weights in a folder that `weights` gave. Raises ConfigError: as `weights`."""
    return [folder / name for name in _weights(source, _Located(folder, _lying_in(folder)))]


def _find(source: str, revision: str) -> _Located:
    if converted := gguf_files.located(source, revision):
        return _Located(converted, _lying_in(converted))
    folder = Path(source).expanduser() if source.startswith("~/") else Path(source)
    if source and folder.is_dir():
        located = _Located(folder, _lying_in(folder))
    elif source.startswith((".", "/", "~")) or source.count("/") > 1:
        raise ConfigError(f"there is no folder {source!r}; give one that exists, or a repository as owner/name")
    else:
        located = _cached(source, revision)
    if ADAPTER in located.sizes:
        raise ConfigError(
            f"{source!r} is an adapter ({ADAPTER}), and specviz reads whole models; merge it into its model first"
            " (peft's merge_and_unload), and give the folder where that is saved"
        )
    if CONFIG not in located.sizes:
        raise ConfigError(f"{source!r} has no {CONFIG}; give a model in the format of transformers")
    return located


def _cached(source: str, revision: str) -> _Located:
    """A repository with its small files fetched; from the cache if the hub cannot be asked."""
    info = _ask(source, revision)
    sizes = {} if info is None else {file.rfilename: file.size for file in info.siblings or () if file.size is not None}
    for name in SMALL:
        if sizes.get(name, 0) > SMALL_MOST:
            raise ConfigError(
                f"{name} of {source!r} has {gigabytes(sizes[name])}, more than the {gigabytes(SMALL_MOST)} allowed; "
                "choose another model"
            )
    folder = Path(
        snapshot_download(
            source,
            revision=revision,
            allow_patterns=list(SMALL),
            local_files_only=info is None,
            tqdm_class=cast(Any, partial(tqdm, disable=True)),
        )
    )
    if info is None:
        sizes = _remembered(source, folder)
    elif folder.name != info.sha:
        raise ConfigError(f"{source!r} was changed on the hub this moment; try again")
    for name in SMALL:
        if name in sizes:
            check(source, folder / name, sizes[name])
    return _Located(folder, sizes, remote=True, reachable=info is not None)


def _ask(source: str, revision: str) -> ModelInfo | None:
    """The hub's answer about a repository; None if the hub cannot be asked."""
    try:
        info = HfApi().model_info(source, revision=revision, files_metadata=True)
    except (httpx.TransportError, OfflineModeIsEnabled):
        return None
    except HfHubHTTPError as error:
        if error.response.status_code < 500 and error.response.status_code != 429:
            raise
        return None
    except (json.JSONDecodeError, KeyError, TypeError):
        info = None
    if info is None or info.sha is None:
        raise ConfigError(f"{constants.ENDPOINT} does not answer as a Hugging Face hub does; check HF_ENDPOINT")
    return info


def _remembered(source: str, folder: Path) -> dict[str, int]:
    """The sizes the hub gave when it was last asked."""
    try:
        return {file.path: file.size for file in get_cached_repo_tree(source, revision=folder.name)}
    except CachedRepoTreeNotFoundError:  # an older huggingface_hub cached the files
        return _lying_in(folder)


def _lying_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}


def _weights(source: str, located: _Located) -> dict[str, int]:
    """The files with the weights and their bytes."""
    for name in SINGLES:
        if name in located.sizes:
            return {name: located.sizes[name]}
    if INDEX not in located.sizes:
        pickled = next((name for name in sorted(located.sizes) if name.endswith(PICKLES)), None)
        why = f", and {pickled} is a pickle, which may run code when it is opened" if pickled else ""
        raise ConfigError(
            f"{source!r} has no {SINGLE} and no {INDEX}{why}; choose a model that is saved as safetensors"
        )
    names = _shards(source, located.folder / INDEX)
    missing = [name for name in names if name not in located.sizes]
    if missing:
        raise ConfigError(f"the index of {source!r} names {missing[0]}, which is not there; choose another model")
    return {name: located.sizes[name] for name in names}


def _shards(source: str, index: Path) -> list[str]:
    try:
        names = sorted(set(json.loads(index.read_bytes())["weight_map"].values()))
        shards = [name for name in names if name == Path(name).name and name.endswith(".safetensors")]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{INDEX} of {source!r} cannot be read; choose another model") from None
    if not names or shards != names:
        raise ConfigError(f"{INDEX} of {source!r} names files that are not safetensors beside it; choose another model")
    return shards
