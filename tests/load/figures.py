"""Small statistics of load: quantiles, fairness, slopes. Pure, standard library only."""

import math
from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of them do not exceed.

    Raises:
        ValueError: there are none.
    """
    if not values:
        raise ValueError("no values to take a quantile of")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def jain(values: Sequence[float]) -> float:
    """Jain's fairness index, (sum x)**2 / (n sum x**2): 1 when all got the same, 1/n when one got everything.

    Source: Jain, Chiu and Hawe, DEC-TR-301, 1984.
    """
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the least-squares line through points (x, y); 0 where all x are the same."""
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * y for x, y in points) / spread if spread else 0.0
