"""Downloads the weights of a model, telling how far it is, until they are all there or somebody calls it off."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self, cast

from huggingface_hub import constants, hf_hub_download

from specviz.config.settings import ConfigError
from specviz.models.hub.fits import gigabytes

MOST = 200 * 10**9
"""Bytes of weights that are downloaded unless another limit is given."""

# Xet prints and drops an exception raised in its progress callback, so an Xet download cannot be cancelled.
constants.HF_HUB_DISABLE_XET = True
# A download reports its progress, and can be cancelled, once in so many bytes. The default of 10 MB is too slow.
constants.DOWNLOAD_CHUNK_SIZE = 2**20


class Cancelled(Exception):  # noqa: N818 - not an error
    """A download was cancelled."""


class Progress:
    """Replaces tqdm: the library creates one for each file and updates it after every chunk."""

    def __init__(self, total: int, tell: Callable[[int, int], None], stop: Callable[[], bool]) -> None:
        self._done = 0
        self._total = total
        self._tell = tell
        self._stop = stop

    def __call__(self, **_: object) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, count: int) -> None:
        if count < 0:  # the library starts the file over, and would do so again and again
            raise ConnectionError("the hub broke off and would not go on where it stopped; try again")
        self.reach(self._done + count)

    def reach(self, done: int) -> None:
        if self._stop():
            raise Cancelled
        self._done = min(done, self._total)
        self._tell(self._done, self._total)


def fetch(
    source: str, folder: Path, wanted: Mapping[str, int], progress: Progress, most: int, *, reachable: bool
) -> None:
    """Downloads those of a repository's files that the cache does not have whole.

    Args:
        folder: where the cache keeps them, named after the commit.
        wanted: bytes by file.
        most: bytes of all of them above which none is downloaded.
        reachable: whether the hub answers.

    Raises:
        Cancelled: the download was called off.
        ConfigError: they are too many, for the disk too, or did not arrive whole.
    """
    total = sum(wanted.values())
    if total > most:
        raise ConfigError("too_heavy", source=repr(source), size=gigabytes(total), most=gigabytes(most))
    largest = max(wanted.values())
    if largest > (at_once := constants.MAX_HTTP_DOWNLOAD_SIZE):
        raise ConfigError("heavy_file", source=repr(source), size=gigabytes(largest), most=gigabytes(at_once))
    missing = sum(count for name, count in wanted.items() if not _is_whole(folder / name, count))
    free = shutil.disk_usage(folder).free
    if missing > free:
        sizes = {"size": gigabytes(missing), "free": gigabytes(free)}
        raise ConfigError("disk", source=repr(source), folder=str(folder), **sizes)
    done = 0
    progress.reach(done)
    for name, count in wanted.items():
        if not _is_whole(folder / name, count):
            hf_hub_download(
                source,
                name,
                revision=folder.name,
                local_files_only=not reachable,
                tqdm_class=cast(Any, progress),
            )
            check(source, folder / name, count)
        done += count
        progress.reach(done)


def check(source: str, path: Path, count: int) -> None:
    """Raises ConfigError: a file did not arrive whole."""
    if not _is_whole(path, count):
        raise ConfigError("incomplete", file=path.name, source=repr(source), bytes=f"{count:,}")


def _is_whole(path: Path, count: int) -> bool:
    """True if a cached file is there in full; one of another size is removed, for the library would return it."""
    if not path.is_file():
        return False
    if path.stat().st_size == count:
        return True
    blob = path.resolve()
    path.unlink()
    blob.unlink(missing_ok=True)
    return False
