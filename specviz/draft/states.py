"""What drafters share that read the target's hidden states."""

from collections.abc import Sequence

import numpy as np

from specviz.config.settings import ConfigError
from specviz.draft import shapes
from specviz.draft.base import Committed, Resources
from specviz.draft.shapes import Plan, Rates
from specviz.sampling.arrays import Reals
from specviz.trace.round import Imagined
from specviz.verify import HeadedModel, Scores

SHOWN = 8
"""Numbers of a state that are recorded."""


def opened(resources: Resources) -> HeadedModel:
    """The target. Raises ConfigError: it does not show its states."""
    if not isinstance(resources.target, HeadedModel):
        raise ConfigError("no_states")
    return resources.target


def of_prompt(seen: Scores | None, layers: Sequence[int]) -> Reals | None:
    """[n, layers, width] after all tokens of a prompt but the last; None if there are none."""
    return None if seen is None else np.stack([seen.hidden[layer] for layer in layers], 1)


def of_round(step: Committed, layers: Sequence[int]) -> Reals:
    """The same after all tokens that a round read and that remain: the pending one, and the accepted guesses."""
    assert step.scores is not None, "these layers were asked for"
    rows = [0, *(node + 1 for node in step.path)][: len(step.tokens)]
    return np.stack([step.scores.hidden[layer][rows] for layer in layers], 1)


def compared(nodes: Sequence[int], guessed: Reals, true: Reals) -> list[Imagined]:
    """States that were imagined after these nodes and the target's own, [n, width] each."""
    one, other = guessed.astype(np.float64), true.astype(np.float64)
    sizes = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    cosines = (one * other).sum(-1) / np.maximum(sizes, np.finfo(np.float64).tiny)
    likeness = [round(max(-1.0, min(1.0, each)), 6) for each in cosines.tolist()]
    places = np.linspace(0, guessed.shape[-1] - 1, min(SHOWN, guessed.shape[-1])).astype(int)
    few = [[tuple(float(f"{x:.2g}") for x in row) for row in each[:, places].tolist()] for each in (guessed, true)]
    return [Imagined(*each) for each in zip(nodes, likeness, *few, strict=True)]


def shape(nodes: int, depth: int, by_depth: Sequence[Rates], width: int) -> Plan:
    """The tree with the most expected tokens; below the deepest measured place all are like that one."""
    deeper = [by_depth[min(level, len(by_depth) - 1)][:width] for level in range(depth)]
    return shapes.grown(nodes, deeper)
