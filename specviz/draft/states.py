"""What drafters share that read the target's hidden states."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.config import ConfigError
from specviz.draft import shapes
from specviz.draft.base import Committed, Resources
from specviz.draft.shapes import Plan, Rates
from specviz.models.heads.files import Head
from specviz.models.heads.published import RATES, PublishedHead
from specviz.trace.round import Imagined
from specviz.verify import HeadedModel, Scores

SHOWN = 8
"""Numbers of a state that are recorded."""


def opened(resources: Resources) -> HeadedModel:
    """The target. Raises ConfigError: it does not show its states."""
    if not isinstance(resources.target, HeadedModel):
        raise ConfigError("this target does not show its hidden states; choose another drafter")
    return resources.target


def of_prompt(seen: Scores | None, layers: Sequence[int]) -> Tensor | None:
    """[n, layers, width] behind all tokens of a prompt but the last; None if there are none."""
    return None if seen is None else torch.stack([seen.hidden[layer] for layer in layers], 1)


def of_round(step: Committed, layers: Sequence[int]) -> Tensor:
    """The same behind all tokens that a round read and that stand: the pending one, and the accepted guesses."""
    assert step.scores is not None, "these layers were asked for"
    rows = [0, *(node + 1 for node in step.path)][: len(step.tokens)]
    return torch.stack([step.scores.hidden[layer][rows] for layer in layers], 1)


def compared(nodes: Sequence[int], own: Tensor, true: Tensor) -> list[Imagined]:
    """States that were imagined behind these nodes and the target's own, [n, width] each."""
    cosines = torch.cosine_similarity(own.double(), true.double(), dim=-1).tolist()
    likeness = [round(max(-1.0, min(1.0, each)), 6) for each in cosines]
    places = torch.linspace(0, own.shape[-1] - 1, min(SHOWN, own.shape[-1])).long()
    few = [[tuple(float(f"{x:.2g}") for x in row) for row in each[:, places].tolist()] for each in (own, true)]
    return [Imagined(*each) for each in zip(nodes, likeness, *few, strict=True)]


def rates(head: Head, how: str) -> tuple[Rates, ...]:
    """How often the first, the second ... guess at a place is accepted, by depth, as the training measured it.

    Args:
        how: drawn, or top for the likeliest at temperature 0.

    Raises:
        ConfigError: the file does not say it.
    """
    if isinstance(head, PublishedHead):
        return RATES
    noted = head.facts.get("rates")
    found = noted.get(how) if isinstance(noted, dict) else None
    try:
        measured = tuple(tuple(float(rate) for rate in place) for place in found or ())
    except (TypeError, ValueError):
        measured = ()
    if not measured or not all(measured) or any(not 0 <= rate <= 1 for place in measured for rate in place):
        raise ConfigError(f"{head.path} does not say how often its guesses are accepted; make it with specviz train")
    return measured


def shape(nodes: int, depth: int, by_depth: Sequence[Rates], width: int) -> Plan:
    """The tree with the most expected tokens; below the deepest measured place all are like that one."""
    deeper = [by_depth[min(level, len(by_depth) - 1)][:width] for level in range(depth)]
    return shapes.grown(nodes, deeper)
