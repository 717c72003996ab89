"""Where the files lie that ship with specviz: the pair, recorded runs, the player, colours and figures."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "assets"

ASSETS = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent / "assets"
"""Inside the package where it is installed, beside it in a checkout."""
