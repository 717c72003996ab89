"""Gamma rules: how many tokens a round drafts, as a pure function of the rounds so far. One file a rule.

The registry; standard library only. Whatever a rule looks at, it cannot bias the text: no random number is used twice.
"""

from collections.abc import Mapping
from types import ModuleType

from specviz.config.costs import Costs
from specviz.config.settings import entry_of, numbers
from specviz.gamma import acceptance_product, confidence, dual_signal, ema, entropy_stop, fixed, heuristic, throughput
from specviz.gamma.base import GammaRule
from specviz.gamma.fixed import Fixed, NoLength

__all__ = ["ENTRIES", "Fixed", "GammaRule", "NoLength", "load", "wants_costs"]

_RULES: tuple[ModuleType, ...] = (
    fixed,
    heuristic,
    confidence,
    dual_signal,
    ema,
    entropy_stop,
    acceptance_product,
    throughput,
)
ENTRIES = tuple(rule.ENTRY for rule in _RULES)


def load(name: str, gamma: int, params: Mapping[str, float], costs: Costs | None = None) -> GammaRule:
    """The rule with that name.

    Args:
        gamma: the draft length it begins with, or always has.
        costs: only for a rule that `wants_costs`.

    Raises:
        ConfigError: no such rule, a parameter it does not have or that is out of range, or missing costs.
    """
    entry = entry_of("gamma_rule", name, ENTRIES)
    rule: GammaRule = _RULES[ENTRIES.index(entry)].build(gamma, numbers(entry, params), costs)
    return rule


def wants_costs(name: str) -> bool:
    """True if the rule uses what passes cost on this machine."""
    return name == throughput.ENTRY.name
