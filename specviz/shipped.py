"""Where the files lie that ship with specviz: the pair, recorded runs, the player, colours and figures."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "assets"

ASSETS = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent / "assets"
"""Inside the package where it is installed, beside it in a checkout."""


def user_cache() -> Path:
    """Where what was made once is kept for the user's next run."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "specviz"
    except RuntimeError:  # the user has no home folder
        return Path(os.environ.get("TMPDIR", "/tmp")) / "specviz"  # noqa: S108 - there or not, and writable or not
