"""The methods that are compared: each drafter with the rule and the γ it is known by. Standard library only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from specviz.config.settings import DraftEntry, RuleEntry, Shape, entry_of


@dataclass(frozen=True, slots=True)
class Method:
    """A way to guess and to judge.

    Attributes:
        gamma: of chains, or how deep trees may go; no say in drafts that have no length.
        params: of the drafter, where they are not its own.
    """

    name: str
    drafter: str
    rule: str
    gamma: int
    params: Mapping[str, float | str] = field(default_factory=dict, metadata={"sparse": True})


DEPTH = {Shape.CHAIN: 4, Shape.TREE: 6}
BESIDE = (("small-model", "block", 6), ("small-tree", "traversal", 6), ("medusa", "typical", 6))
"""Rules that judge a round's guesses together, or otherwise than min(1, p/q), each with a drafter that shows what it
does."""
CHAT = (
    *(Method(f"small-model, γ {gamma}", "small-model", "rejection", gamma) for gamma in (3, 5, 8)),
    Method("small-tree", "small-tree", "rejection", 5, {"nodes": 8}),
    Method("eagle", "eagle", "rejection", 5),
    Method("eagle, tree", "eagle", "rejection", 5, {"shape": "tree", "nodes": 8}),
    Method("ngram", "ngram", "rejection", 5),
    Method("suffix", "suffix", "rejection", 8),
    Method("copy-first", "copy-first", "rejection", 8),
    Method("prompt-lookup", "prompt-lookup", "rejection", 5),
    Method("recycling", "recycling", "rejection", 5, {"nodes": 8}),
    Method("lookahead", "lookahead", "rejection", 5),
)
"""For a chat model whose weights come from memory: a pass over nine tokens costs it little more than one over one."""
CHAT_DRAFTERS = tuple({each.drafter: each for each in CHAT[::-1]}.values())[::-1]
"""The first of them with each drafter."""


LONG = ("window",)
"""Drafters that gain on long texts alone; the texts that are compared are short."""


def methods(drafters: Sequence[DraftEntry], rules: Sequence[RuleEntry]) -> tuple[Method, ...]:
    """Each drafter under the first rule, then the rules worth their own row.

    A drafter that guesses only where the text is plain decoding's own gets such a rule. One that needs a grammar is not
    compared: the texts under a grammar are others. Neither is one of LONG.
    """
    settling = next((rule for rule in rules if rule.plain_text), rules[0])
    usual = (
        Method(entry.name, entry.name, (settling if entry.settles else rules[0]).name, DEPTH[entry.shape])
        for entry in drafters
        if not entry.constrained and entry.name not in LONG
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
