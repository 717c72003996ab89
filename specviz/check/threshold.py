"""Finds contradictions in a round whose guesses passed a threshold or not. Standard library only; see `problems`."""

import math
from collections.abc import Iterator, Set

from specviz.check.view import CLOSE
from specviz.trace.guess import Verdict
from specviz.trace.round import Round
from specviz.trace.run import Trace


def walk(step: Round, trace: Trace, ends: Set[int]) -> Iterator[str]:
    """Repeats the search for the longest path of passing guesses and checks that it gives the path."""
    threshold = trace.info.threshold
    if threshold is None:
        yield "a threshold decides, but the trace has none"
        return
    passing = {-1: (0, 1.0)}  # the length of the path to here, and the product of its p
    for verdict in step.verdicts:
        tested = verdict.parent in passing and verdict.parent not in ends
        if (verdict.verdict is Verdict.UNTESTED) == tested:
            yield f"node {verdict.node} is {verdict.verdict.value} where the walk says otherwise"
            return
        if not tested:
            continue
        if abs(verdict.entropy - verdict.p_entropy) > 10 * CLOSE:
            yield f"node {verdict.node} was tested with an entropy of {verdict.entropy}, but p has {verdict.p_entropy}"
        needed = min(threshold.epsilon, threshold.delta * math.exp(-verdict.entropy))
        if verdict.accept_prob != (verdict.p > needed):
            yield f"node {verdict.node} passes by {verdict.accept_prob}, but p is {verdict.p}, the threshold {needed}"
        if verdict.accept_prob:
            length, product = passing[verdict.parent]
            passing[verdict.node] = length + 1, product * verdict.p
    end = step.path[-1] if step.path else -1
    longest = max(passing, key=passing.__getitem__)
    if longest != end:
        yield f"the longest path of passing guesses ends at node {longest}, but the path at {end}"
