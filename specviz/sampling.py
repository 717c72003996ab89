"""Logits to probabilities, and the residual of a rejection. Pure tensors.

One function serves target and drafter, in the order temperature, top-k, top-p.
p is what the target would really be sampled from; q is what the drafted token
really was drawn from.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import torch
from torch import Tensor

from specviz.arrays import Bools, Floats
from specviz.config import RunConfig

NUMPY = torch.float32, torch.float64
LEAST = 1e-12
"""A residual with no more mass than this counts as empty."""
SMALL = 32.0
"""Scores up to this size go into exp directly, without subtracting the largest first."""
UNSOUND = "the model returned NaN or infinite logits; try another dtype or device"


@dataclass(frozen=True, slots=True)
class Sampling:
    """temperature 0 is greedy. top_k 0 and top_p 1 switch those filters off."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    @classmethod
    def of(cls, config: RunConfig) -> "Sampling":
        return cls(config.temperature, config.top_k, config.top_p)


def to_probs(logits: Tensor, sampling: Sampling) -> Tensor:
    """Probabilities, float64[..., V], from logits of any float type.

    Everything after the logits is float64. Temperature 0 gives a one-hot row at the
    largest logit, lowest id on ties. Top-k keeps every token tied with the k-th.
    Top-p keeps the most probable tokens whose predecessors sum to less than top_p,
    ties by id. The work is done on the logits' device and copied to main memory once.

    Raises:
        ValueError: a row holds NaN or no finite logit.
    """
    probs = probabilities(logits, sampling).cpu()
    check(probs.numpy()[..., 0].ravel().tolist())
    return probs


def on_gpu(rows: Tensor) -> bool:
    """Whether reading them means waiting for a device."""
    return rows.is_cuda


def row(logits: Tensor, sampling: Sampling) -> Floats:
    """`to_probs` of logits[V], with NumPy where that is possible, because it is faster. Raises ValueError likewise."""
    if _for_torch(logits, sampling):
        return to_probs(logits, sampling).numpy()
    return _probs(logits.numpy(), sampling.temperature)


def rows(logits: Tensor, sampling: Sampling) -> Sequence[Floats]:
    """`row` for each of logits[n, V], each in an array of its own.

    Raises:
        ValueError: see `to_probs`; perhaps only when that row is used.
    """
    if _for_torch(logits, sampling):
        return list(to_probs(logits, sampling).numpy())
    return _LazyRows(logits.numpy(), sampling.temperature)


def _for_torch(logits: Tensor, sampling: Sampling) -> bool:
    return sampling.top_k > 0 or sampling.top_p < 1 or logits.dtype not in NUMPY or not logits.is_cpu


class _LazyRows(Sequence[Floats]):
    """Makes each row when it is first used: many rounds end before the last row."""

    def __init__(self, logits: Floats, temperature: float) -> None:
        self._logits, self._temperature = logits, temperature
        self._made: dict[int, Floats] = {}

    def __len__(self) -> int:
        return len(self._logits)

    def __getitem__(self, row: Any) -> Any:
        probs = self._made.get(row)
        if probs is None:
            probs = self._made[row] = _probs(self._logits[row], self._temperature)
        return probs


def _probs(logits: Floats, temperature: float) -> Floats:
    probs = logits.astype(np.float64)
    best = probs.argmax()
    largest = probs.item(best)
    if not math.isfinite(largest):
        raise ValueError(UNSOUND)
    if not temperature:
        probs.fill(0.0)
        probs[best] = 1.0
        return probs
    scale = 1 / temperature
    if abs(largest) * scale > SMALL:
        probs -= largest
    probs *= scale
    np.exp(probs, probs)
    probs *= 1 / np.add.reduce(probs).item()
    return probs


def check(firsts: Iterable[float]) -> None:
    """Checks the first number of each row that `probabilities` gave. Raises ValueError: see `to_probs`."""
    if not all(map(math.isfinite, firsts)):
        raise ValueError(UNSOUND)


def probabilities(logits: Tensor, sampling: Sampling) -> Tensor:
    """`to_probs` without waiting for the device. Rows stay there.

    A row of unsound logits is NaN throughout.
    """
    scores = (logits.cpu() if logits.is_mps else logits).double()  # Apple's GPUs have no float64
    if sampling.temperature == 0:
        best = scores.max(-1, keepdim=True)
        return torch.zeros_like(scores).scatter_(-1, best.indices, 1.0).add_(best.values * 0)
    scores = scores / sampling.temperature
    if 0 < sampling.top_k < scores.shape[-1]:
        smallest = scores.topk(sampling.top_k).values[..., -1:]
        scores = scores.masked_fill(scores < smallest, -torch.inf)
    probs = scores.softmax(-1)
    if sampling.top_p < 1:
        ordered, ids = torch.sort(probs, dim=-1, descending=True, stable=True)
        dropped = ordered.cumsum(-1) - ordered >= sampling.top_p
        dropped[..., 0] = False
        probs = probs.masked_fill(torch.zeros_like(dropped).scatter_(-1, ids, dropped), 0.0)
        probs = probs / probs.sum(-1, keepdim=True)
    return probs


@overload
def residual(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]: ...
@overload
def residual(p: Floats, q: Floats) -> tuple[Floats, Bools | bool]: ...
def residual(p: Any, q: Any) -> tuple[Any, Any]:
    """What a rejection draws from: norm(max(0, p - q)).

    Args:
        p, q: float64[..., V], each summing to 1. Both are tensors or both NumPy arrays; the result is of the same kind.
            No device is waited for.

    Returns:
        The distribution, float64[..., V], and bool[...], a plain bool for one NumPy row. True where p and q agree to
        1e-12: nothing is left to subtract, so the distribution is p itself.

    Source: arXiv:2211.17192, section 2.3.
    """
    excess, in_numpy = p - q, not isinstance(p, Tensor)
    excess = np.maximum(excess, 0, out=excess) if in_numpy else excess.clamp_(min=0)
    if in_numpy and p.ndim == 1:
        mass = excess.sum()
        if mass <= LEAST:
            return p, True
        excess *= 1 / mass
        return excess, False
    mass = excess.sum(-1, keepdims=True)
    empty = mass <= LEAST
    if in_numpy and not empty.any():
        excess *= 1 / mass
    else:
        excess = (np if in_numpy else torch).where(empty, p, excess / (mass + empty))
    return excess, empty[..., 0]


def stacked(rows: Sequence[Floats] | Tensor, size: int) -> Tensor:
    """Rows as one float64[n, size]."""
    if isinstance(rows, Tensor):
        return rows
    return torch.from_numpy(np.array([*rows], dtype=np.float64).reshape(-1, size))


def entropy(probs: Tensor) -> Tensor:
    """Shannon entropy in nats, float64[...] from float64[..., V]."""
    total: Tensor = torch.special.entr(probs).sum(-1)
    return total
