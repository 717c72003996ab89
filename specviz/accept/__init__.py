"""Acceptance rules: which guesses are accepted. One file a rule, ending in `RULE`."""

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from specviz.config.settings import Param, Rolls, RuleEntry, Text, entry_of, resolve_params

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
    RuleEntry(
        name="static-ensemble",
        source="arXiv:2604.07622; transformers, assistant_ensemble_weight",
        params=(Param("w", 0, 1, 0.5),),
        lossless=False,
        cold=False,
    ),
    RuleEntry(
        name="relaxed",
        source="TensorRT-LLM, relaxed acceptance for DeepSeek-R1",
        params=(
            Param("top", 1, 1_000, 10, whole=True),
            Param("delta", 0, 1, 0.6),
            Text("opens", r"(?s).{1,40}"),
            Text("closes", r"(?s).{1,40}"),
        ),
        lossless=False,
    ),
)


def entry(name: str) -> RuleEntry:
    """The entry of the rule with that name.

    Raises:
        ConfigError: no such rule.
    """
    return entry_of("rule", name, ENTRIES)


def load(name: str, params: Mapping[str, float | str] | None = None) -> "AcceptRule":
    """The rule with that name and these parameters; those that are missing have their defaults.

    Raises:
        ConfigError: no such rule, or a parameter that it does not take.
    """
    resolved = resolve_params(entry(name), params or {})
    rule: AcceptRule = importlib.import_module(f"specviz.accept.{name.replace('-', '_')}").RULE
    return rule.tuned(resolved) if params else rule
