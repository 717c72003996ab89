"""Acceptance rules: which guesses are accepted. One file a rule, ending in `RULE`."""

import importlib
from typing import TYPE_CHECKING

from specviz.config.settings import Rolls, RuleEntry, entry_of

if TYPE_CHECKING:
    from specviz.accept.base import AcceptRule

ENTRIES = (
    RuleEntry(
        name="rejection",
        summary="Accept a guess with probability min(1, p/q). After a rejection, draw from what q missed of p.",
        source="Leviathan et al., arXiv:2211.17192; Chen et al., arXiv:2302.01318",
    ),
    RuleEntry(
        name="block",
        summary="Weighs a round's guesses together and accepts the longest prefix that passes: on average as many"
        " tokens as rejection, or more.",
        source="Sun et al., arXiv:2403.10444",
        weighs=True,
    ),
    RuleEntry(
        name="traversal",
        summary="Weighs a tree of guesses together, leaf by leaf, and accepts the first path that passes: on average"
        " as many tokens as rejection, or more. On a chain it is block.",
        source="Weng et al., arXiv:2505.12398",
        weighs=True,
    ),
    RuleEntry(
        name="coupled",
        summary="Drafter and target use the same noise. A guess is accepted if the target picks the same token."
        " The text equals plain decoding's, token for token.",
        source="Daliri, Musco and Suresh, arXiv:2408.07978",
        rolls=Rolls.NOISE,
        plain_text=True,
    ),
    RuleEntry(
        name="typical",
        summary="Lossy: the text does not have the target's distribution. Accepts every guess that is not too"
        " improbable, p > min(0.09, 0.3 exp(-H)), H being the entropy of p.",
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
    return entry_of("acceptance rule", name, ENTRIES)


def load(name: str) -> "AcceptRule":
    """The rule with that name.

    Raises:
        ConfigError: no such rule.
    """
    entry(name)
    rule: AcceptRule = importlib.import_module(f"specviz.accept.{name}").RULE
    return rule
