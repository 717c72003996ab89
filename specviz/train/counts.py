"""Fits the smoothing parameters of a count table on held-out text."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from specviz.models.counts.table import NOBODY, ORDER, CountTable, Floats, Ints, Online, Parameters, keep

WINDOW = 256
SWEEPS = 2


def fit_parameters(table: CountTable, held_out: Iterable[Ints]) -> Parameters:
    """The parameters that make the held-out text likeliest. Every stream has the same weight.

    Each stream is cut into runs of WINDOW tokens. A run starts with no text of its own, as it does in the app. First k
    is fitted, to the bigram probabilities; then the discounts and weights, one at a time, to the n-gram probabilities.

    Raises:
        ValueError: no stream has two tokens.
    """
    streams = [np.asarray(stream, np.int64) for stream in held_out if len(stream) > 1]
    if not streams:
        raise ValueError("held-out text needs at least one stream of two tokens")
    trials = _Trials(table, streams)
    k = math.exp(_golden(lambda log: trials.bigram_loss(math.exp(log)), math.log(1e-4), math.log(10)))
    discounts = [list(row) for row in Parameters().discounts]
    log_weights = [math.log(weight) for weight in Parameters().weights]

    def parameters() -> Parameters:
        return Parameters(k, tuple(map(tuple, discounts)), tuple(map(math.exp, log_weights)))

    def fit(row: list[float], place: int, low: float, high: float) -> None:
        def loss(value: float) -> float:
            row[place] = value
            return trials.loss(parameters())

        row[place] = _golden(loss, low, high)

    for _ in range(SWEEPS):
        for row in discounts:
            for place in range(3):
                fit(row, place, 0, place + 1)
        for place in range(ORDER):
            fit(log_weights, place, -3, 9)
    return parameters().check()


def _golden(loss: Callable[[float], float], low: float, high: float) -> float:
    """A minimum of a one-dimensional loss, by golden-section search. The span ends about 200 times narrower."""
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(11):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = loss(right)
    return left if at_left < at_right else right


class _Lookup(NamedTuple):
    """The counts behind each held-out token, for contexts of one length.

    seen, own_seen: how often the context occurred, in the corpus and in the run's own text, float[tokens].
    hits, own_hits: how often the held-out token followed it, float[tokens].
    rest: the corpus counts of the followers that the own text lacks, summed, float[tokens].
    classes: how many of those counts are 1, 2, and 3 or more, float[tokens, 3].
    pairs: for each follower in the own text, its corpus count and its own count, float[pairs, 2].
    row: the number of the held-out token that each pair belongs to, int[pairs].
    """

    seen: Floats
    own_seen: Floats
    hits: Floats
    own_hits: Floats
    rest: Floats
    classes: Floats
    pairs: Floats
    row: NDArray[np.int64]


def _look_up(table: CountTable, runs: Sequence[list[int]], length: int) -> _Lookup:
    numbers, pairs = [], []
    for run in runs:
        online = Online(table)
        for place, token in enumerate(run[1:], 1):
            online.extend(run[place - 1 : place])
            corpus = own = NOBODY
            if place >= length:
                context = run[place - length : place]
                corpus, own = table.followers(context), online.followers(context)
            counts, own_counts = np.zeros((2, table.vocab_size), np.int64)
            counts[corpus.tokens], own_counts[own.tokens] = corpus.counts, own.counts
            rest = np.where(own_counts, 0, counts)[corpus.tokens]
            classes = np.bincount(np.minimum(rest, 3), minlength=4)[1:]
            numbers.append([corpus.seen, own.seen, counts[token], own_counts[token], rest.sum(), *classes])
            pairs.append(np.stack([counts[own.tokens], own.counts], 1))
    seen, own_seen, hits, own_hits, rests, *per_class = np.array(numbers, float).T
    row = np.repeat(np.arange(len(pairs)), [len(one) for one in pairs])
    return _Lookup(
        seen, own_seen, hits, own_hits, rests, np.stack(per_class, 1), np.concatenate(pairs).astype(float), row
    )


class _Trials:
    """All counts that the losses need, looked up once, so that each trial is only arithmetic.

    share: the weight of each token in the loss, float[tokens]. It sums to 1.
    start: each token's corpus count and own count, and the length of the own text so far, float[tokens] each.
    lookups: the counts after contexts of 1 to 4 tokens.
    """

    def __init__(self, table: CountTable, streams: Sequence[Ints]) -> None:
        self.table = table
        runs = [one[at : at + WINDOW + 1].tolist() for one in streams for at in range(0, len(one) - 1, WINDOW)]
        self.share = np.concatenate([np.full(len(one) - 1, 1 / (len(one) - 1) / len(streams)) for one in streams])
        frequency = table.levels[0].counts
        self.start = np.array(
            [
                (frequency[token], run[:place].count(token), place)
                for run in runs
                for place, token in enumerate(run[1:], 1)
            ],
            float,
        ).T
        self.lookups = [_look_up(table, runs, length) for length in range(1, ORDER)]

    def bigram_loss(self, k: float) -> float:
        """Mean nats per token of the bigram probabilities."""
        bigrams, added = self.lookups[0], k * self.table.vocab_size
        unigram = (self.start[0] + k) / (self.table.size + added)
        return self._mean(np.where(bigrams.seen > 0, (bigrams.hits + k) / (bigrams.seen + added), unigram))

    def loss(self, parameters: Parameters) -> float:
        """Mean nats per token of the n-gram probabilities."""
        k, discounts, weights = parameters
        frequency, own_frequency, own_size = self.start
        total = self.table.size + weights[0] * own_size + k * self.table.vocab_size
        probs = (frequency + weights[0] * own_frequency + k) / total
        for counts, discount, weight in zip(self.lookups, discounts, weights[1:], strict=True):
            total = counts.seen + weight * counts.own_seen
            shared = np.bincount(counts.row, keep(counts.pairs @ (1, weight), discount), len(total))
            mass = counts.rest - counts.classes @ discount + shared
            used = keep(counts.hits + weight * counts.own_hits, discount) + (total - mass) * probs
            probs = np.where(total > 0, used / np.maximum(total, 1e-300), probs)
        return self._mean(probs)

    def _mean(self, probs: Floats) -> float:
        return float(-(self.share * np.log(probs)).sum())
