"""What changes logits before the temperature, by the text they follow: penalties, bans, masks. In transformers' order.

The text of a guess's row has the guesses before it, so p at the third place depends on the first two guesses. Drafter
and target pass through the same function. transformers' processors say what each does, but for the frequency and the
presence penalty, which it lacks: they count as OpenAI's do, what was written and not the prompt.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from specviz.sampling.arrays import Bools, Floats, Ids, Reals
from specviz.trace.guess import Change, Processor

Sequences = tuple[tuple[int, ...], ...]
PLACES = 6
"""The most tokens that a change names, the last ones."""


class Mask(Protocol):
    """What restricts a text, such as a grammar."""

    def allowed(self, written: Sequence[int], /) -> Bools:
        """bool[V]: what may follow these tokens, the first that were written after the prompt."""
        ...


@dataclass(frozen=True, slots=True)
class Processors:
    """Their defaults switch them off.

    Attributes:
        biases: what is added to the last token of a sequence after its others.
        repetition: divides the positive scores of tokens in the text, and multiplies the negative ones.
        frequency: is taken from a token's score each time it was written. presence: once.
        no_repeat: no sequence of that many tokens occurs twice; 0 for any.
        banned: sequences that must not be written.
        suppressed: tokens that must not be written. suppressed_first: not as the first one.
        min_length, min_new: the text, and what is written, have at least that many tokens before one of `ends`.
        prompt: the tokens of the text that were not written.
    """

    biases: tuple[tuple[tuple[int, ...], float], ...] = ()
    repetition: float = 1.0
    frequency: float = 0.0
    presence: float = 0.0
    no_repeat: int = 0
    banned: Sequences = ()
    min_length: int = 0
    min_new: int = 0
    mask: Mask | None = None
    suppressed: tuple[int, ...] = ()
    suppressed_first: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    prompt: int = 0

    def processed(self, logits: Reals, text: Sequence[int]) -> Floats:
        """The scores float64[V] of what follows a text, prompt and guesses included, from its logits[V]."""
        scores = logits.astype(np.float64)
        ids = np.array(text, dtype=np.int64)
        for sequence, bias in self.biases:
            if _follows(text, sequence):
                scores[sequence[-1]] += bias
        if self.repetition != 1:
            seen = np.unique(ids[ids < len(scores)])
            scores[seen] *= np.where(scores[seen] < 0, self.repetition, 1 / self.repetition)
        if self.frequency or self.presence:
            tokens, times = np.unique(ids[self.prompt :], return_counts=True)
            scores[tokens] -= self.frequency * times + self.presence
        scores[[token for _, token, _ in self._barred(ids, text)]] = -math.inf
        if self.mask:
            scores[~self.mask.allowed(text[self.prompt :])] = -math.inf
        return scores

    def changes(self, tokens: Sequence[int], text: Sequence[int]) -> tuple[Change, ...]:
        """Which of these tokens' scores `processed` changes after a text, and for what."""
        penalties = (
            (Processor.REPETITION, self.repetition != 1, 0),
            (Processor.FREQUENCY, bool(self.frequency), self.prompt),
            (Processor.PRESENCE, bool(self.presence), self.prompt),
        )
        allowed = self.mask.allowed(text[self.prompt :]) if self.mask else None
        made: list[tuple[Processor, int, Sequence[int]]] = [
            *((Processor.BIAS, each[-1], _last(text, each)) for each, _ in self.biases if _follows(text, each)),
            *(
                (by, each, (place,))
                for by, on, first in penalties
                if on
                for place, each in enumerate(text)
                if place >= first
            ),
            *self._barred(np.array(text, dtype=np.int64), text),
            *((Processor.MASK, each, ()) for each in tokens if allowed is not None and not allowed[each]),
        ]
        found = {(token, by): set[int]() for by, token, _ in made if token in tokens}
        for by, token, places in made:
            if token in tokens:
                found[token, by].update(places)
        return tuple(Change(token, by, tuple(sorted(places)[-PLACES:])) for (token, by), places in found.items())

    def _barred(self, ids: Ids, text: Sequence[int]) -> Iterator[tuple[Processor, int, Sequence[int]]]:
        """Each token that must not follow, what bars it, and the places in the text that it does so for."""
        for sequence in self.banned:
            if _follows(text, sequence):
                yield Processor.BANNED, sequence[-1], _last(text, sequence)
        size, length = self.no_repeat, len(ids)
        if size and length >= size:
            windows = np.lib.stride_tricks.sliding_window_view(ids, size)
            for first in (windows[:, :-1] == ids[length + 1 - size :]).all(-1).nonzero()[0].tolist():
                places = (*range(first, first + size), *range(length + 1 - size, length))
                yield Processor.NO_REPEAT, ids.item(first + size - 1), places
        written = length - self.prompt
        if length < self.min_length or written < self.min_new:
            yield from ((Processor.LENGTH, end, ()) for end in self.ends)
        yield from ((Processor.SUPPRESSED, each, ()) for each in self.suppressed)
        yield from ((Processor.SUPPRESSED, each, ()) for each in self.suppressed_first if not written)


def _follows(text: Sequence[int], sequence: Sequence[int]) -> bool:
    """True if a text ends with a sequence's tokens but the last."""
    before = len(sequence) - 1
    return before <= len(text) and [*text[len(text) - before :]] == [*sequence[:-1]]


def _last(text: Sequence[int], sequence: Sequence[int]) -> range:
    """Where its tokens but the last are, if the text ends with them."""
    return range(len(text) + 1 - len(sequence), len(text))
