"""Logits to probabilities, and the residual of a rejection.

One function serves target and drafter, in the order of transformers: what depends on the text (`processors`), then
temperature, top-k, top-p, min-p, typical-p. p is what the target would really be sampled from; q is what the drafted
token really was drawn from.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from specviz.sampling.arrays import Bools, Floats, Reals
from specviz.sampling.processors import Processors
from specviz.sampling.tree import DraftTree

LEAST = 1e-12
"""A residual with no more mass than this counts as empty."""
SMALL = 32.0
"""Scores up to this size go into exp directly, without subtracting the largest first."""


class UnsoundLogitsError(ValueError):
    """The model returned logits that no distribution can be made of."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """temperature 0 is greedy. top_k 0, top_p 1, min_p 0 and typical_p 1 switch those filters off.

    processors: what depends on the text; None for nothing.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical_p: float = 1.0
    processors: Processors | None = None

    def before_greedy(self) -> "Sampling":
        """What a row is at temperature 1 and without filters: that which temperature 0 takes the largest of."""
        return Sampling(processors=self.processors)


def row(logits: Reals, sampling: Sampling, text: Sequence[int] = (), behind: Sequence[int] = ()) -> Floats:
    """Probabilities, float64[V], from logits[V]. Everything after the logits is float64.

    Temperature 0 gives a one-hot row at the largest logit, lowest id on ties. Top-k keeps every token tied with the
    k-th. Top-p keeps the most probable tokens whose predecessors sum to less than top_p, ties by id. Min-p keeps those
    with at least that share of the largest. Typical-p keeps those whose surprise is nearest to the row's entropy.

    Args:
        text: what the row follows, and the guesses after it. Only processors read them.

    Raises:
        UnsoundLogitsError: the row holds NaN or no finite logit, or the processors leave no token.
    """
    best = int(logits.argmax())
    largest = logits.item(best)
    if not math.isfinite(largest):
        raise UnsoundLogitsError("the model returned NaN or infinite logits; try another dtype or device")
    if sampling.processors:
        logits = sampling.processors.processed(logits, [*text, *behind])
        best = int(logits.argmax())
        largest = logits.item(best)
        if not math.isfinite(largest):
            raise UnsoundLogitsError("penalties, bans and the grammar leave no token to write here; loosen one of them")
    if not sampling.temperature:
        probs = np.zeros(len(logits))
        probs[best] = 1.0
        return probs
    probs = logits.astype(np.float64)
    scale = 1 / sampling.temperature
    if (
        sampling.top_k or sampling.processors or abs(largest) * scale > SMALL
    ):  # a token that is left alone has 1 exactly
        probs -= largest
    probs *= scale
    np.exp(probs, probs)
    if 0 < sampling.top_k < len(logits):
        probs[logits < np.partition(logits, -sampling.top_k)[-sampling.top_k]] = 0.0
    probs *= 1 / np.add.reduce(probs).item()
    if sampling.top_p < 1:
        probs = _nucleus(probs, sampling.top_p)
    if sampling.min_p:
        probs = _normalized(np.where(probs < sampling.min_p * probs.max(), 0.0, probs))
    if sampling.typical_p < 1:
        probs = _typical(probs, sampling.typical_p)
    return probs


def _nucleus(probs: Floats, top_p: float) -> Floats:
    ordered = np.sort(probs)[::-1]
    count = 1 + int(ordered[:-1].cumsum().searchsorted(top_p))
    least = ordered[count - 1]
    kept = np.where(probs > least, probs, 0.0)
    tied = (probs == least).nonzero()[0][: count - np.count_nonzero(kept)]
    kept[tied] = least
    return _normalized(kept)


def _typical(probs: Floats, mass: float) -> Floats:
    """Source: Meister et al., Locally typical sampling, arXiv:2202.00666."""
    with np.errstate(divide="ignore"):
        surprise = -np.log(probs)
    there = probs > 0
    distance = np.abs(surprise - (probs[there] * surprise[there]).sum())
    order = distance.argsort(kind="stable")
    last = min(int((probs[order].cumsum() < mass).sum()), len(order) - 1)
    return _normalized(np.where(distance > distance[order[last]], 0.0, probs))


def _normalized(kept: Floats) -> Floats:
    kept /= kept.sum()
    return kept


def to_probs(logits: Reals, sampling: Sampling, text: Sequence[int] = (), tree: DraftTree | None = None) -> Floats:
    """`rows`, all at once; without processors of logits[..., V] too. Raises UnsoundLogitsError likewise."""
    if sampling.processors:
        return np.stack([*rows(logits, sampling, text, tree)])
    return np.apply_along_axis(row, -1, logits, sampling)


def rows(
    logits: Reals, sampling: Sampling, text: Sequence[int] = (), tree: DraftTree | None = None
) -> Sequence[Floats]:
    """`row` of each of logits[n, V]. Raises UnsoundLogitsError likewise, perhaps only when that row is used.

    Args:
        text, tree: row 0 follows the text, row i + 1 node i of the guesses after it. Only processors read them.
    """
    return _LazyRows(logits, sampling, text, tree)


class _LazyRows(Sequence[Floats]):
    """Makes each row when it is first used: many rounds end before the last row."""

    def __init__(self, logits: Reals, sampling: Sampling, text: Sequence[int], tree: DraftTree | None) -> None:
        self._logits, self._sampling, self._text, self._tree = logits, sampling, text, tree
        self._made: dict[int, Floats] = {}

    def __len__(self) -> int:
        return len(self._logits)

    def __getitem__(self, place: Any) -> Any:
        probs = self._made.get(place)
        if probs is None:
            path = self._tree.path_to(place - 1) if self._tree and self._sampling.processors else ()
            probs = self._made[place] = row(self._logits[place], self._sampling, self._text, path)
        return probs


def residual(p: Floats, q: Floats) -> tuple[Floats, Bools]:
    """What a rejection draws from: norm(max(0, p - q)).

    Args:
        p, q: float64[..., V], each summing to 1.

    Returns:
        The distribution, float64[..., V], and bool[...]: whether p and q agree to 1e-12. Then nothing is left to
        subtract, so the distribution is p itself.

    Source: arXiv:2211.17192, section 2.3.
    """
    excess = p - np.minimum(p, q)
    mass = excess.sum(-1, keepdims=True)
    empty = mass <= LEAST
    if empty.any():
        excess = np.where(empty, p, excess / (mass + empty))
    else:
        excess *= 1 / mass
    return excess, empty[..., 0]


def entropy(probs: Reals) -> Reals:
    """Shannon entropy in nats, [...] from [..., V], of the same precision."""
    logs = np.log2(probs + np.finfo(probs.dtype).tiny)  # tokens of probability 0 add nothing
    logs *= probs
    found: Reals = 0 - math.log(2) * logs.sum(-1)
    return found
