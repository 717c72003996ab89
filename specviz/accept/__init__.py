"""Acceptance rules: who decides which guesses stand. One file each, ending in `RULE`."""

import importlib
from typing import TYPE_CHECKING

from specviz.config import ConfigError

if TYPE_CHECKING:
    from specviz.accept.base import AcceptRule

NAMES = ("rejection",)


def load(name: str) -> "AcceptRule":
    """The rule of that name.

    Raises:
        ConfigError: no such rule.
    """
    if name not in NAMES:
        raise ConfigError(f"no acceptance rule {name!r}; there are: {', '.join(NAMES)}")
    rule: AcceptRule = importlib.import_module(f"specviz.accept.{name}").RULE
    return rule
