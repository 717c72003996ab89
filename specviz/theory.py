"""Closed forms to compare measurements with. Standard library only.

alpha is taken as one probability for every guess, independent of the others. Real text has easy and hard stretches,
so expect a gap.
"""


def expected_tokens(alpha: float, gamma: int) -> float:
    """Expected tokens a round adds, the target's own included: (1 - alpha**(gamma + 1)) / (1 - alpha).

    Args:
        alpha: probability that one guess is accepted, in [0, 1]; gamma + 1 tokens at 1.
        gamma: guesses a round, >= 0.

    Raises:
        ValueError: alpha outside [0, 1] or gamma negative.

    Source: arXiv:2211.17192, equation 1.
    """
    if not 0 <= alpha <= 1 or gamma < 0:
        raise ValueError(f"alpha {alpha}, gamma {gamma}; wanted alpha in [0, 1] and gamma >= 0")
    return float(sum(alpha**guesses for guesses in range(gamma + 1)))


def round_cost(gamma: int, c: float, v: float, overhead: float = 0.0) -> float:
    """What a round takes, in steps of plain decoding: gamma c + v + overhead.

    Args:
        c: time of a draft step, in such steps.
        v: time of a verify pass over gamma + 1 tokens, in such steps; 1 if more rows cost nothing.
        overhead: everything else in a round, in such steps.

    Source: arXiv:2211.17192, theorem 3.8, where v is 1.
    """
    return gamma * c + v + overhead


def speedup(alpha: float, gamma: int, c: float, v: float, overhead: float = 0.0) -> float:
    """expected_tokens / round_cost: tokens in the time of one step of plain decoding, whose speed-up is 1."""
    return expected_tokens(alpha, gamma) / round_cost(gamma, c, v, overhead)
