"""Closed forms to hold measurements against. Standard library only.

alpha is taken as one chance for every guess, whatever came before. Real guesses come in runs of easy and hard text, so
expect a gap.
"""


def expected_tokens(alpha: float, gamma: int) -> float:
    """Mean tokens a round adds, the target's own included: (1 - alpha**(gamma + 1)) / (1 - alpha).

    Args:
        alpha: chance that one guess is accepted, in [0, 1]; gamma + 1 tokens at 1.
        gamma: guesses a round, >= 0.

    Raises:
        ValueError: alpha outside [0, 1] or gamma negative.

    Source: arXiv:2211.17192, equation 1.
    """
    if not 0 <= alpha <= 1 or gamma < 0:
        raise ValueError(f"alpha {alpha}, gamma {gamma}; wanted alpha in [0, 1] and gamma >= 0")
    return float(sum(alpha**guesses for guesses in range(gamma + 1)))


def round_cost(gamma: int, c: float, v: float, overhead: float = 0.0) -> float:
    """What a round takes, in plain steps of the target: gamma c + v + overhead.

    Args:
        c: time of a draft step over that of a plain step.
        v: time of a verify pass over gamma + 1 tokens over that of a plain step; 1 if more rows cost nothing.
        overhead: everything else in a round, over a plain step.

    Source: arXiv:2211.17192, theorem 3.8, where v is 1.
    """
    return gamma * c + v + overhead


def speedup(alpha: float, gamma: int, c: float, v: float, overhead: float = 0.0) -> float:
    """Tokens per plain step's time: expected_tokens / round_cost; plain decoding is 1."""
    return expected_tokens(alpha, gamma) / round_cost(gamma, c, v, overhead)


def break_even(gamma: int, c: float, v: float, overhead: float = 0.0) -> float | None:
    """The alpha from which on a round pays, in [0, 1]; None if not even 1 does."""
    cost = round_cost(gamma, c, v, overhead)
    if cost > gamma + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if expected_tokens(middle, gamma) < cost:
            low = middle
        else:
            high = middle
    return high if low else 0.0


def best_gamma(alpha: float, c: float, v: float = 1.0, longest: int = 20) -> int:
    """The shortest gamma of 0 to `longest` whose speed-up none exceeds, if every pass costs v and gamma 0 one step."""
    return max(range(longest + 1), key=lambda gamma: speedup(alpha, gamma, c, v if gamma else 1.0))
