"""The laws once more, written down without the engine: what it is compared with."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from specviz.sampling.chance import Noise
from specviz.sampling.distribution import Sampling
from tests.tiny import TableModel

Row = tuple[float, ...]
Outcome = tuple[tuple[int, ...], str, int]
"""One round: what was accepted, where the last token came from, the last token."""


def softmax(logits: Sequence[float], sampling: Sampling) -> Row:
    """Temperature, then top-k, then top-p, one token after the other. Rows without ties only."""
    ids = range(len(logits))
    order = sorted(ids, key=lambda token: (-logits[token], token))
    if sampling.temperature == 0:
        return tuple(float(token == order[0]) for token in ids)
    weights = [math.exp((logits[token] - logits[order[0]]) / sampling.temperature) for token in ids]
    kept = order[: sampling.top_k or None]
    total = sum(weights[token] for token in kept)
    nucleus: list[int] = []
    while len(nucleus) < len(kept) and sum(weights[token] for token in nucleus) < sampling.top_p * total:
        nucleus.append(kept[len(nucleus)])
    total = sum(weights[token] for token in nucleus)
    return tuple(weights[token] / total if token in nucleus else 0.0 for token in ids)


@lru_cache(maxsize=4096)
def _law(seed: int, vocab_size: int, order: int, spread: float, tail: tuple[int, ...], sampling: Sampling) -> Row:
    return softmax(TableModel(vocab_size, seed, order, spread=spread).law(tail).tolist(), sampling)


def law(model: TableModel, text: Sequence[int], sampling: Sampling) -> Row:
    """What a table model says after `text`."""
    tail = tuple(text[-model.order :])
    return _law(model.seed, model.vocab_size, model.order, model.spread, tail, sampling)


def texts(model: TableModel, prompt: Sequence[int], sampling: Sampling, length: int) -> dict[tuple[int, ...], float]:
    """The law of the model's own next `length` tokens."""
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(length):
        found = {
            (*text, token): weight * share
            for text, weight in found.items()
            for token, share in enumerate(law(model, [*prompt, *text], sampling))
        }
    return found


def plain(model: TableModel, prompt: Sequence[int], sampling: Sampling, limit: int, seed: int = 0) -> list[int]:
    """A text up to that length, token by token: the likeliest, or the largest of log p plus its place's noise."""
    text = list(prompt)
    while len(text) < limit:
        shares = softmax(model.law(text).tolist(), sampling)
        noise = Noise(seed).vector(len(text), len(shares)) if sampling.temperature else [0.0] * len(shares)
        scores = {token: math.log(p) + g for token, (p, g) in enumerate(zip(shares, noise, strict=True)) if p}
        text.append(max(scores, key=scores.__getitem__))
    return text


def rounds(
    target: TableModel, draft: TableModel, prompt: Sequence[int], sampling: Sampling, gamma: int
) -> dict[Outcome, float]:
    """The law of one whole round: token x is accepted with min(p, q)(x), resampled with max(0, p - q)(x)."""
    return dict(_rounds(target, draft, tuple(prompt), sampling, gamma, (), 1.0))


def _rounds(
    target: TableModel,
    draft: TableModel,
    prompt: tuple[int, ...],
    sampling: Sampling,
    gamma: int,
    accepted: tuple[int, ...],
    weight: float,
) -> Iterator[tuple[Outcome, float]]:
    p = law(target, prompt + accepted, sampling)
    if len(accepted) == gamma:
        yield from (((accepted, "bonus", token), weight * share) for token, share in enumerate(p))
        return
    q = law(draft, prompt + accepted, sampling)
    for token, (wanted, proposed) in enumerate(zip(p, q, strict=True)):
        yield (accepted, "resampled", token), weight * max(0.0, wanted - proposed)
        both = weight * min(wanted, proposed)
        if both:
            yield from _rounds(target, draft, prompt, sampling, gamma, (*accepted, token), both)
