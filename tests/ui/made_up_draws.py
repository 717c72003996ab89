"""How made-up rounds draw, agree and are shown, over plain lists of probabilities."""

import math

from specviz.proof.findings import TokenShare


def cell(token: int | None, text: str, p: float, share: float, n: int) -> TokenShare:
    reach = 1.96 * (p * (1 - p) / n) ** 0.5
    return TokenShare(token, text, p, share, max(0.0, p - reach), p + reach)


def raw(probs: list[float], temperature: float) -> list[float]:
    """What the probabilities were before temperature; level if that was 0."""
    weights = [each**temperature for each in probs]
    return [weight / sum(weights) for weight in weights]


def order(probs: list[float]) -> list[int]:
    return sorted(range(len(probs)), key=lambda token: (-probs[token], token))


def pick(probs: list[float], noise: list[float]) -> int:
    return max(
        range(len(probs)), key=lambda token: math.log(probs[token]) + noise[token] if probs[token] else -math.inf
    )


def agree(p: list[float], q: list[float], token: int) -> float:
    """How often shared noise has the target pick the token that the draft model picked."""
    if not p[token]:
        return 0.0
    return 1 / sum(max(a * q[token] / p[token], b) for a, b in zip(p, q, strict=True))


def drawn(probs: list[float], u: float) -> int:
    """Inverse CDF over the row's own order: most probable first, ties by id."""
    return next((token for token in order(probs) if u < place(probs, token)[1]), order(probs)[0])


def place(probs: list[float], token: int) -> tuple[float, float]:
    ranked = order(probs)
    low = sum(probs[each] for each in ranked[: ranked.index(token)])
    return low, low + probs[token]
