"""What a statistical test needs: fresh seeds, and one chi-square.

Never retry a failure. The seed changes from run to run and is printed; SPECVIZ_SEED repeats one.
"""

import os

import torch
from scipy.stats import chi2
from torch import Tensor

SEED = int(os.environ["SPECVIZ_SEED"])
FALSE_ALARM = 1e-6
"""How often a correct build may fail a statistical test file, all its tests together."""
ENOUGH = 10
"""Observations a cell must expect."""


def p_value(found: Tensor, expected: Tensor) -> float:
    """Pearson's chi-square of counts, float64[contexts, outcomes]; 0 if something impossible was found.

    A context's total is given, so its cells sum to the same on both sides. Cells that expect too
    little are merged within their context, smallest first.
    """
    if found[expected <= 0].any():
        return 0.0
    wanted, order = expected.sort(-1)
    rare = wanted < ENOUGH
    merged = rare.sum(-1) + ((wanted * rare).sum(-1) < ENOUGH)
    rank = torch.arange(expected.shape[-1])
    bins = (rank - merged[:, None] + 1).clamp(min=0)
    seen = torch.zeros_like(found).scatter_add_(-1, bins, found.gather(-1, order))
    due = torch.zeros_like(expected).scatter_add_(-1, bins, wanted)
    statistic = torch.where(due > 0, (seen - due) ** 2 / due, 0.0).sum()
    freedom = int((expected.shape[-1] - merged).clamp(min=0).sum())
    return float(chi2.sf(float(statistic), max(1, freedom)))
