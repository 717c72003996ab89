"""Acceptance rules: which guesses are accepted. One file a rule, ending in `RULE`."""

import importlib
from typing import TYPE_CHECKING

from specviz.config.settings import Rolls, RuleEntry, entry_of

if TYPE_CHECKING:
    from specviz.accept.base import AcceptRule

ENTRIES = (
    RuleEntry(
        name="rejection",
        source="Leviathan et al., arXiv:2211.17192; Chen et al., arXiv:2302.01318",
    ),
    RuleEntry(
        name="block",
        source="Sun et al., arXiv:2403.10444",
        weighs=True,
    ),
    RuleEntry(
        name="traversal",
        source="Weng et al., arXiv:2505.12398",
        weighs=True,
    ),
    RuleEntry(
        name="coupled",
        source="Daliri, Musco and Suresh, arXiv:2408.07978",
        rolls=Rolls.NOISE,
        plain_text=True,
    ),
    RuleEntry(
        name="typical",
        source="Cai et al., Medusa, arXiv:2401.10774",
        rolls=Rolls.THRESHOLD,
        lossless=False,
    ),
)


def entry(name: str) -> RuleEntry:
    """The entry of the rule with that name.

    Raises:
        ConfigError: no such rule.
    """
    return entry_of("rule", name, ENTRIES)


def load(name: str) -> "AcceptRule":
    """The rule with that name.

    Raises:
        ConfigError: no such rule.
    """
    entry(name)
    rule: AcceptRule = importlib.import_module(f"specviz.accept.{name}").RULE
    return rule
