"""Tokens per target pass of trees, and of what the target itself says: means over prompts, with standard errors."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from specviz.models.pair import Pair
from tests.acceptance.floors import decoded, tokens_per_pass

WAYS: Mapping[str, Mapping[str, object]] = {
    "chain, γ 4": {"gamma": 4},
    "chain, γ 6": {"gamma": 6},
    "chain, γ 6, `block`": {"gamma": 6, "rule": "block"},
    "`small-tree`, 12 drawn": {"drafter": "small-tree", "gamma": 6},
    "the same, `traversal`": {"drafter": "small-tree", "gamma": 6, "rule": "traversal"},
    "`small-tree`, 16 drawn": {"drafter": "small-tree", "gamma": 8, "params": {"nodes": 16}},
    "the same, `traversal`, γ 8": {"drafter": "small-tree", "gamma": 8, "params": {"nodes": 16}, "rule": "traversal"},
    "`small-tree`, 16 drawn, broad": {
        "drafter": "small-tree",
        "gamma": 4,
        "params": {"shape": "(4)(2,2,1)(2,1,1)(1,1,1)"},
    },
    "`small-tree`, the 12 likeliest": {"drafter": "small-tree", "gamma": 6, "params": {"draw": "top"}},
    "`ensemble`, γ 4": {"drafter": "ensemble", "gamma": 4},
    "the same, `traversal`, γ 4": {"drafter": "ensemble", "gamma": 4, "rule": "traversal"},
    "`lookahead`": {"drafter": "lookahead"},
    "T = 0, `lookahead`": {"drafter": "lookahead", "temperature": 0},
    "T = 0, `jacobi`, γ 8": {"drafter": "jacobi", "gamma": 8, "temperature": 0},
    "`jacobi`, γ 8, `coupled`": {"drafter": "jacobi", "gamma": 8, "rule": "coupled"},
    "`recycling`, 24 guesses": {"drafter": "recycling", "gamma": 8},
    "`quantized`, γ 4": {"drafter": "quantized", "gamma": 4},
    "T = 0, chain, γ 6": {"gamma": 6, "temperature": 0},
    "T = 0, `small-tree`, 12": {"drafter": "small-tree", "gamma": 6, "temperature": 0},
    "T = 0, `recycling`, 24 guesses": {"drafter": "recycling", "gamma": 8, "temperature": 0},
}
"""The settings that differ from the defaults, by name."""


def table(pair: Pair, prompts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The table in Markdown, line by line."""
    yield f"| T = 0.8 where nothing is said | all | {' | '.join(prompts)} |"
    yield "|---|---|" + "---|" * len(prompts)
    for name, way in WAYS.items():
        rates = [[*map(tokens_per_pass, decoded(pair, texts, way))] for texts in prompts.values()]
        every = [each for genre in rates for each in genre]
        error = statistics.stdev(every) / len(every) ** 0.5
        means = " | ".join(f"{statistics.mean(genre):.2f}" for genre in rates)
        yield f"| {name} | {statistics.mean(every):.2f} ± {error:.2f} | {means} |"
