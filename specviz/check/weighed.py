"""Finds contradictions in a round whose guesses were weighed together. Standard library only; see `problems`."""

import math
from collections.abc import Iterator, Sequence, Set

from specviz.check.view import CLOSE
from specviz.trace.guess import TokenVerdict, Verdict, View
from specviz.trace.round import Round

EXACT, SIX = 1e-9, 1e-4
"""How far a number may be off that comes from exact ones, or from a view's, which have six digits."""


def walk(step: Round, ends: Set[int]) -> Iterator[str]:
    """Repeats the walk from the recorded numbers and checks that it gives the path."""
    chain = all(verdict.parent == verdict.node - 1 for verdict in step.verdicts)
    yield from _block(step, ends) if chain else _Tree(step, ends).walk()


def before(verdict: TokenVerdict, step: Round) -> float:
    """The weight of a guess's place when it was reached: its parent's, less what its rejected elder siblings took."""
    weight = 1.0 if verdict.parent < 0 else step.verdicts[verdict.parent].weight or 0.0
    for sibling in step.verdicts[: verdict.node]:
        if sibling.parent == verdict.parent:
            weight = _lightened(weight, _mass(sibling.view))
    return weight


def held(verdict: TokenVerdict, step: Round) -> bool:
    """True if a guess is accepted because one below it is, without its own test. Only in a tree."""
    tree = any(sibling.parent != sibling.node - 1 for sibling in step.verdicts)
    return tree and verdict.weight is not None and verdict.node in step.path[:-1]


def left(before: TokenVerdict, verdict: TokenVerdict, *, noise: bool) -> Iterator[str]:
    """Checks that a sibling was tested against what the one before it left of p. Shared noise takes nothing away."""
    residual = {bar.token: bar.p if noise else bar.residual for bar in before.view.bars}
    mass = 1.0 if noise else sum(residual.values()) + before.view.rest.residual
    for bar in verdict.view.bars:
        left = residual.get(bar.token)
        if left is not None and not math.isclose(bar.p * mass, left, rel_tol=1e-3, abs_tol=CLOSE):
            yield f"node {verdict.node} was tested against p = {bar.p}, where {left / mass} was left"
            return


def _block(step: Round, ends: Set[int]) -> Iterator[str]:
    """Block verification, arXiv:2403.10444. A guess that ends the text is the block's last."""
    size = min(ends, default=len(step.verdicts) - 1) + 1
    real, behind = step.verdicts[:size], step.verdicts[size:]
    if any(verdict.weight is not None or verdict.verdict is not Verdict.UNTESTED for verdict in behind):
        yield "a guess behind the end of the text was judged"
    elif any(None in (verdict.u, verdict.weight, verdict.accept_prob) for verdict in real):
        yield "a guess of a block was not tested"
    else:
        yield from _weights(real)
        accepted = max((place + 1 for place, each in enumerate(real) if _stands(each)), default=0)
        if [each.verdict is Verdict.ACCEPTED for each in real] != [place < accepted for place in range(size)]:
            yield f"the last number below its chance is that of guess {accepted}"


class _Tree:
    """Traversal verification, arXiv:2505.12398: leaf by leaf, until one is accepted."""

    def __init__(self, step: Round, ends: Set[int]) -> None:
        self.step, self.ends = step, ends
        self.weights = {-1: 1.0}
        self.masses: dict[int, float] = {}
        self.stands: int | None = None
        self.reached: set[int] = set()

    def walk(self) -> Iterator[str]:
        yield from self._below(-1)
        for verdict in self.step.verdicts:
            if (verdict.weight is None) == (verdict.node in self.reached):
                yield f"node {verdict.node} weighs {verdict.weight} where the walk says otherwise"
            left = self.masses.get(verdict.node)
            if (left is None) != (verdict.mass is None) or abs((left or 0.0) - (verdict.mass or 0.0)) > 30 * CLOSE:
                yield f"node {verdict.node} has a mass of {verdict.mass}, but what fell below it leaves {left}"
        end = self.step.path[-1] if self.step.path else None
        if self.stands != end:
            yield f"the first number below its chance is that of node {self.stands}, but the path ends at {end}"

    def _below(self, parent: int) -> Iterator[str]:
        elder: TokenVerdict | None = None
        for verdict in self.step.verdicts:
            if verdict.parent != parent or self.stands is not None:
                continue
            if verdict.weight is None:
                yield f"node {verdict.node} was not reached where the walk says otherwise"
                return
            self.reached.add(verdict.node)
            if elder:
                yield from left(elder, verdict, noise=False)
            weight = min(1.0, self.weights[parent] * verdict.p / verdict.q)
            if not math.isclose(verdict.weight, weight, rel_tol=SIX if elder else EXACT, abs_tol=1e-300):
                yield f"node {verdict.node} weighs {verdict.weight}; p and q say {weight}"
            self.weights[verdict.node] = verdict.weight
            if verdict.node not in self.ends:
                yield from self._below(verdict.node)
            if self.stands is None:
                yield from self._test(verdict)
            elif verdict.accept_prob != verdict.weight or verdict.u is not None:
                yield f"node {verdict.node} stands by one below it, but had {verdict.u} against {verdict.accept_prob}"
            elder = verdict

    def _test(self, verdict: TokenVerdict) -> Iterator[str]:
        """Checks a guess that has no guess below it, or none left."""
        chance = self.weights[verdict.node]
        if verdict.u is None or verdict.accept_prob is None:
            yield f"node {verdict.node} was not tested where the walk says otherwise"
            return
        if not math.isclose(verdict.accept_prob, chance, rel_tol=SIX, abs_tol=CLOSE):
            yield f"node {verdict.node} had the chance {verdict.accept_prob}; its weight and what fell say {chance}"
        if verdict.u < verdict.accept_prob:
            self.stands = verdict.node
            return
        mass = _mass(verdict.view)
        self.weights[verdict.parent] = _lightened(self.weights[verdict.parent], mass)
        if verdict.parent >= 0:
            self.masses[verdict.parent] = mass


def _mass(view: View) -> float:
    """What a row leaves of its place's weight."""
    return sum(bar.residual for bar in view.bars) + view.rest.residual


def _lightened(weight: float, mass: float) -> float:
    """A place's weight after a guess was rejected there; 0/0 is 1."""
    total = mass + (1 - weight)
    return mass / total if total > 0 else 1.0


def _odds(verdict: TokenVerdict) -> tuple[float, float]:
    """The probability that the prefix up to this guess is accepted, as numerator and denominator; 0/0 is 1."""
    weight = verdict.weight or 0.0
    if verdict.mass is None:
        return weight, 1.0
    total = verdict.mass + (1 - weight)
    return (verdict.mass, total) if total > 0 else (1.0, 1.0)


def _stands(verdict: TokenVerdict) -> bool:
    part, total = _odds(verdict)
    return (verdict.u or 0.0) * total < part


def _weights(real: Sequence[TokenVerdict]) -> Iterator[str]:
    """Checks weights against p and q, masses against the next guess's row, and probabilities against both."""
    weight = 1.0
    for verdict, after in zip(real, (*real[1:], None), strict=True):
        weight = min(1.0, weight * verdict.p / verdict.q)
        if not math.isclose(verdict.weight or 0.0, weight, rel_tol=1e-9, abs_tol=1e-300):
            yield f"node {verdict.node} weighs {verdict.weight}; p and q say {weight}"
        part, total = _odds(verdict)
        if not math.isclose(verdict.accept_prob or 0.0, part / total, rel_tol=1e-9, abs_tol=1e-12):
            yield f"node {verdict.node} had the chance {verdict.accept_prob}; its weight and mass say {part / total}"
        left = None if after is None else _mass(after.view)
        if (left is None) != (verdict.mass is None) or abs((left or 0.0) - (verdict.mass or 0.0)) > 30 * CLOSE:
            yield f"node {verdict.node} has a mass of {verdict.mass}, but the next row leaves {left}"
