"""Turns every error of a download into one sentence."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def explained(source: str, revision: str) -> Iterator[None]:
    """A context in which every error about a source becomes a ConfigError of one sentence."""
    try:
        yield
    except ConfigError:
        raise
    except (OSError, ValueError, EntryNotFoundError, httpx.HTTPError) as error:
        reason = _reason(error).format(revision=revision, hub=constants.ENDPOINT, cache=constants.HF_HUB_CACHE)
        raise ConfigError(f"{source!r} cannot be loaded: {reason}") from None


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (GatedRepoError, "it is gated; accept its terms on {hub}, then log in with `hf auth login` or set HF_TOKEN"),
    (
        RepositoryNotFoundError,
        "there is no such folder here and no such repository on {hub}, or it is private; check the name, or log in "
        "with `hf auth login`",
    ),
    (RevisionNotFoundError, "it has no revision {revision!r}; choose another"),
    (RemoteEntryNotFoundError, "the hub lists a file that it does not have; choose another model"),
    (HFValidationError, "this is neither a folder here nor the name of a repository; write it as owner/name"),
    (
        LocalEntryNotFoundError,
        "the hub ({hub}) does not answer and not all of it is in the cache; connect and try again",
    ),
    (httpx.TransportError, "the hub ({hub}) went away half-way; try again, files that came whole are kept"),
)


def _reason(error: BaseException) -> str:
    if isinstance(error, LocalEntryNotFoundError) and isinstance(error.__cause__, HfHubHTTPError):
        error = error.__cause__
    if isinstance(error, LocalEntryNotFoundError) and constants.is_offline_mode():
        return "HF_HUB_OFFLINE is set and not all of it is in the cache; unset it and try again"
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return reason
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        do = "log in with `hf auth login` or set HF_TOKEN" if status in (401, 403) else "try again later"
        return f"the hub ({{hub}}) answered {status}; {do}"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk of {cache} is full; free some, or set HF_HOME to another disk"
    if "Consistency check failed" in str(error):
        return "a file did not arrive with the bytes announced; try again"
    return " ".join(str(error).split()).replace("{", "{{").replace("}", "}}")
