"""The methods that are compared: each drafter with the rule and the γ it is known by. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.config.settings import DraftEntry, RuleEntry, Shape, entry_of


@dataclass(frozen=True, slots=True)
class Method:
    """A way to guess and to judge. gamma: of chains, or how deep trees may go; no say in drafts that have no length."""

    name: str
    drafter: str
    rule: str
    gamma: int


DEPTH = {Shape.CHAIN: 4, Shape.TREE: 6}
BESIDE = (("small-model", "block", 6), ("small-tree", "traversal", 6), ("medusa", "typical", 6))
"""Rules that judge a round's guesses together, or otherwise than min(1, p/q), each with a drafter that shows what it
does."""


def methods(drafters: Sequence[DraftEntry], rules: Sequence[RuleEntry]) -> tuple[Method, ...]:
    """Each drafter under the first rule, then the rules worth a row of their own.

    A drafter that guesses only where the text is plain decoding's own gets such a rule.
    """
    settling = next((rule for rule in rules if rule.plain_text), rules[0])
    usual = (
        Method(entry.name, entry.name, (settling if entry.settles else rules[0]).name, DEPTH[entry.shape])
        for entry in drafters
    )
    known = {entry.name for entry in (*drafters, *rules)}
    more = (Method(f"{drafter}, {rule}", drafter, rule, gamma) for drafter, rule, gamma in BESIDE)
    return *usual, *(each for each in more if {each.drafter, each.rule} <= known)


def methods_named(
    names: Sequence[str], drafters: Sequence[DraftEntry], rules: Sequence[RuleEntry]
) -> tuple[Method, ...]:
    """The methods named, each DRAFTER or DRAFTER:RULE, in that order.

    Raises:
        ConfigError: no such drafter, or no such rule.
    """
    known, result = methods(drafters, rules), []
    for name in dict.fromkeys(names):
        drafter, _, rule = name.partition(":")
        entry = entry_of("drafter", drafter, drafters)
        if rule:
            entry_of("rule", rule, rules)
        unlisted = Method(f"{drafter}, {rule}", drafter, rule, DEPTH[entry.shape])
        result.append(next((each for each in known if each.drafter == drafter and rule in ("", each.rule)), unlisted))
    return tuple(result)
