"""What each way to guess must reach, in counts that no machine changes, and reaches here; and means over trees."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from specviz import session
from specviz.config.settings import RunConfig
from specviz.models.pair import Pair
from specviz.trace.metrics import summarize
from specviz.trace.round import Round

LENGTH = 64
LONG = 512
"""Tokens of a run during which a drafter learns."""


def tokens_per_pass(rounds: Sequence[Round]) -> float:
    """Of the target."""
    return summarize(rounds).tokens_per_pass or 0.0


def alpha(rounds: Sequence[Round]) -> float:
    """accepted / tested."""
    return summarize(rounds).alpha or 0.0


def guesses_per_pass(rounds: Sequence[Round]) -> float:
    """Of the small model, whose guesses somebody guessed before."""
    return sum(len(step.verdicts) for step in rounds) / sum(step.calls.draft for step in rounds)


def rise(rounds: Sequence[Round]) -> float:
    """alpha in the last quarter of the text, less that in the first."""
    ends = [*accumulate(len(step.tokens) for step in rounds)]
    first = [step for step, end in zip(rounds, ends, strict=True) if end <= ends[-1] / 4]
    last = [step for step, end in zip(rounds, ends, strict=True) if end > ends[-1] * 3 / 4]
    return alpha(last) - alpha(first)


class Floor(NamedTuple):
    """What a drafter must reach in the mean over prompts. genre: "" for all."""

    name: str
    least: float
    figure: Callable[[Sequence[Round]], float]
    settings: Mapping[str, object]
    genre: str = ""


FLOORS = (
    Floor("`retrieval`, 16 nodes: tokens per pass", 1.5, tokens_per_pass,
          {"drafter": "retrieval", "gamma": 8, "params": {"nodes": 16}}),
    Floor("`recycling`: tokens per pass", 1.4, tokens_per_pass, {"drafter": "recycling", "gamma": 8}),
    Floor("`recycling`, T = 0: tokens per pass", 1.8, tokens_per_pass,
          {"drafter": "recycling", "gamma": 8, "temperature": 0}),
    Floor("`early-exit`, layer 9: α", 0.4, alpha, {"drafter": "early-exit"}),
    Floor("`quantized`: α", 0.97, alpha, {"drafter": "quantized"}),
    Floor("`staged`: guesses per pass of the small model", 1.7, guesses_per_pass, {"drafter": "staged", "gamma": 6}),
    Floor("`eagle`: α", 0.72, alpha, {"drafter": "eagle"}),
    Floor("`eagle`, γ 6, `block`: tokens per pass", 3.4, tokens_per_pass,
          {"drafter": "eagle", "gamma": 6, "rule": "block"}),
    Floor("`eagle`, tree of 12, T = 0: tokens per pass", 3.7, tokens_per_pass,
          {"drafter": "eagle", "gamma": 8, "temperature": 0, "params": {"shape": "tree"}}),
    Floor("`mtp`: α", 0.68, alpha, {"drafter": "mtp"}),
    Floor("`mtp`, γ 6, `block`: tokens per pass", 2.8, tokens_per_pass,
          {"drafter": "mtp", "gamma": 6, "rule": "block"}),
    Floor("`mtp`, tree of 12, T = 0: tokens per pass", 3.5, tokens_per_pass,
          {"drafter": "mtp", "gamma": 8, "temperature": 0, "params": {"shape": "tree"}}),
    Floor("`medusa`, tree of 12: tokens per pass", 1.8, tokens_per_pass, {"drafter": "medusa"}),
    Floor("`medusa`, tree of 16, T = 0: tokens per pass", 2.1, tokens_per_pass,
          {"drafter": "medusa", "temperature": 0, "params": {"nodes": 16}}),
    Floor("`hydra`, tree of 12: tokens per pass", 1.8, tokens_per_pass, {"drafter": "hydra"}),
    Floor("`hydra`, tree of 16, T = 0: tokens per pass", 2.1, tokens_per_pass,
          {"drafter": "hydra", "temperature": 0, "params": {"nodes": 16}}),
    Floor("`dflash`: tokens per pass", 1.9, tokens_per_pass, {"drafter": "dflash"}),
    Floor("`dflash`, tree of 16, T = 0: tokens per pass", 2.6, tokens_per_pass,
          {"drafter": "dflash", "gamma": 7, "temperature": 0, "params": {"shape": "tree"}}),
    Floor("`lookahead`, window 10, T = 0: tokens per pass", 1.8, tokens_per_pass,
          {"drafter": "lookahead", "temperature": 0, "params": {"window": 10, "candidates": 10}}),
    Floor("`online` from tales, on code: rise of α", 0.08, rise,
          {"drafter": "online", "params": {"start": "tales"}, "max_new_tokens": LONG}, "code"),
)  # fmt: skip
"""At temperature 0.8 and γ 4 unless said."""


def table(pair: Pair, prompts: Mapping[str, Sequence[str]], drafter: str = "") -> Iterator[str]:
    """The table in Markdown, line by line. drafter: only its floors."""
    yield f"| T = 0.8 where nothing is said | at least | mean | {' | '.join(prompts)} |"
    yield "|---|---|---|" + "---|" * len(prompts)
    for floor in FLOORS:
        if drafter not in ("", floor.settings["drafter"]):
            continue
        means = {
            genre: statistics.mean(map(floor.figure, decoded(pair, texts, floor.settings)))
            for genre, texts in prompts.items()
            if floor.genre in ("", genre)
        }
        cells = " | ".join(f"{means[genre]:.2f}" if genre in means else "" for genre in prompts)
        mean = statistics.mean(means.values())
        yield f"| {floor.name} | {floor.least} | {mean:.3f}{'' if mean >= floor.least else ' ✕'} | {cells} |"


def decoded(pair: Pair, prompts: Sequence[str], settings: Mapping[str, object]) -> Iterator[list[Round]]:
    """The rounds behind each prompt, with these settings."""
    for seed, prompt in enumerate(prompts):
        config = RunConfig(prompt, **{"seed": seed, "max_new_tokens": LENGTH, **settings})  # type: ignore[arg-type]
        yield list(session.start(config, pair, shown=False))


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


def trees(pair: Pair, prompts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The table in Markdown, line by line."""
    yield f"| T = 0.8 where nothing is said | all | {' | '.join(prompts)} |"
    yield "|---|---|" + "---|" * len(prompts)
    for name, way in WAYS.items():
        rates = [[*map(tokens_per_pass, decoded(pair, texts, way))] for texts in prompts.values()]
        every = [each for genre in rates for each in genre]
        error = statistics.stdev(every) / len(every) ** 0.5
        means = " | ".join(f"{statistics.mean(genre):.2f}" for genre in rates)
        yield f"| {name} | {statistics.mean(every):.2f} ± {error:.2f} | {means} |"
