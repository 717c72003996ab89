"""What a statistical test needs: fresh seeds, and one chi-square.

Never retry a failure. The seed changes from run to run and is printed; SPECVIZ_SEED repeats one.
"""

import os

import numpy as np
from scipy.stats import chi2

from specviz.sampling.arrays import Floats

SEED = int(os.environ["SPECVIZ_SEED"])
FALSE_ALARM = 1e-6
"""How often a correct build may fail a statistical test file, all its tests together."""
ENOUGH = 10
"""Observations a cell must expect."""


def p_value(found: Floats, expected: Floats) -> float:
    """Pearson's chi-square of counts, float64[contexts, outcomes]; 0 if something impossible was found.

    A context's total is given, so its cells sum to the same on both sides. Cells that expect too
    little are merged within their context, smallest first.
    """
    if found[expected <= 0].any():
        return 0.0
    order = expected.argsort(-1)
    wanted = np.take_along_axis(expected, order, -1)
    rare = wanted < ENOUGH
    merged = rare.sum(-1) + ((wanted * rare).sum(-1) < ENOUGH)
    bins = np.maximum(np.arange(expected.shape[-1]) - merged[:, None] + 1, 0)
    contexts = np.arange(len(expected))[:, None]
    seen, due = np.zeros_like(expected), np.zeros_like(expected)
    np.add.at(seen, (contexts, bins), np.take_along_axis(found, order, -1))
    np.add.at(due, (contexts, bins), wanted)
    some = due > 0
    freedom = int(np.maximum(expected.shape[-1] - merged, 0).sum())
    return float(chi2.sf(((seen - due)[some] ** 2 / due[some]).sum(), max(1, freedom)))
