"""Compares a sample with a distribution: chi-square, total variation distance, and how far chance alone gets."""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from specviz.sampling.arrays import Floats

ENOUGH = 5.0
"""The fewest samples a chi-square bin must expect."""
NULLS = 200
"""How many samples of the distribution itself a distance is compared with."""


class Fit(NamedTuple):
    """Pearson's statistic, its bins (degrees of freedom: bins - 1) and its p-value."""

    chi2: float
    bins: int
    p_value: float


def chi_square(probs: Floats, counts: Floats) -> Fit:
    """True if counts, float64[V], look like draws from probs, float64[V].

    A token that expects ENOUGH samples is its own bin. All others form one bin. If that bin expects too few, it
    takes in the least of the former. The p-value is 0 if something of probability 0 was drawn.

    Source: Pearson 1900.
    """
    expected = probs * counts.sum()
    order = (-expected).argsort(kind="stable")
    single = int((expected >= ENOUGH).sum())
    while single and 0 < float(expected[order[single:]].sum()) < ENOUGH:
        single -= 1
    wanted, seen = (np.append(of[order[:single]], of[order[single:]].sum()) for of in (expected, counts))
    some = wanted > 0
    chi2, bins = float(((seen - wanted)[some] ** 2 / wanted[some]).sum()), int(some.sum())
    if counts[probs == 0].any():
        return Fit(chi2, bins, 0.0)
    return Fit(chi2, bins, p_value(chi2, bins - 1))


def p_value(chi2: float, freedom: int) -> float:
    """How often a sample of the distribution itself comes out as far off, by degrees of freedom.

    Source: Abramowitz and Stegun, 26.4.4 and 26.4.5: with x = chi2 / 2, the sum of x^s exp(-x) / s! over s = 0, 1 ...
    below freedom / 2; for odd degrees over s = 1/2, 3/2 ..., and erfc(sqrt(x)) besides.
    """
    if not freedom or chi2 <= 0:
        return 1.0
    x, odd = chi2 / 2, freedom % 2
    terms = [s * math.log(x) - x - math.lgamma(s + 1) for s in np.arange(odd / 2, freedom / 2).tolist()]
    return min(1.0, math.fsum(map(math.exp, terms)) + odd * math.erfc(math.sqrt(x)))


def distance(probs: Floats, counts: Floats) -> float:
    """Total variation distance between the shares and probs: half the sum of their differences."""
    return float(np.abs(counts / counts.sum() - probs).sum() / 2)


def null_distance(probs: Floats, n: int, seed: int) -> tuple[float, float]:
    """Median and 95 % point of that distance for n draws from probs itself, by NULLS samples."""
    normalized = probs / probs.sum()
    normalized[normalized.argmax()] -= max(0.0, normalized.sum() - 1)  # multinomial raises an error for a sum above 1
    samples = np.random.Generator(np.random.Philox(key=seed)).multinomial(n, normalized, NULLS) / n
    distances = np.abs(samples - normalized).sum(1) / 2
    return float(np.median(distances)), float(np.quantile(distances, 0.95))


def spread(p: float, n: int, looks: int) -> tuple[float, float]:
    """Between which shares n draws lie if the probability is p: the normal approximation, cut to [0, 1], so wide that
    of so many independent looks all lie within in 95 % of cases (Šidák)."""
    inside = 0.95 ** (1 / looks)
    reach = NormalDist().inv_cdf((1 + inside) / 2) * (p * (1 - p) / n) ** 0.5
    return max(0.0, p - reach), min(1.0, p + reach)
