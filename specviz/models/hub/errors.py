"""Turns every error of a download into one sentence."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from huggingface_hub import constants
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import httpx  # type: ignore[attr-defined]  # the version that the hub uses

from specviz.config.settings import ConfigError
from specviz.config.words import Sentence, sentence


@contextmanager
def explained(source: str, revision: str) -> Iterator[None]:
    """A context in which every error about a source becomes a ConfigError of one sentence."""
    try:
        yield
    except ConfigError:
        raise
    except (OSError, ValueError, EntryNotFoundError, httpx.HTTPError) as error:
        raise ConfigError("unloaded", source=repr(source), reason=_reason(error, revision)) from None


@contextmanager
def kept(folder: Path) -> Iterator[None]:
    """A context in which a folder of the user's cache that cannot be written becomes a ConfigError of one sentence."""
    try:
        yield
    except OSError as error:
        raise ConfigError("unwritable", folder=str(folder), reason=error.strerror or str(error)) from None


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (GatedRepoError, "gated"),
    (RepositoryNotFoundError, "absent"),
    (RevisionNotFoundError, "revision"),
    (RemoteEntryNotFoundError, "listed"),
    (HFValidationError, "name"),
    (LocalEntryNotFoundError, "silent"),
    (httpx.TransportError, "gone"),
)
"""Messages of refusals.hub."""


def _reason(error: BaseException, revision: str) -> Sentence:
    if isinstance(error, LocalEntryNotFoundError) and isinstance(error.__cause__, HfHubHTTPError):
        error = error.__cause__
    if isinstance(error, LocalEntryNotFoundError) and constants.is_offline_mode():
        return sentence("refusals.hub.offline")
    for kind, code in _REASONS:
        if isinstance(error, kind):
            return sentence(f"refusals.hub.{code}", hub=constants.ENDPOINT, revision=revision)
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        code = "denied" if status in (401, 403) else "answered"
        return sentence(f"refusals.hub.{code}", hub=constants.ENDPOINT, status=status)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return sentence("refusals.hub.full", cache=constants.HF_HUB_CACHE)
    if isinstance(error, OSError) and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR):
        return sentence("refusals.hub.unwritable", cache=constants.HF_HUB_CACHE, reason=error.strerror)
    if "Consistency check failed" in str(error):
        return sentence("refusals.hub.short")
    return " ".join(str(error).split())
