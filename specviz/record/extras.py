"""Extra rows for display: the target's row before penalties and bans; and where no random number decides, a
position's noise, and probabilities before temperature 0.

Only a recorded round asks for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from specviz.sampling.arrays import Bools, Floats, Reals
from specviz.sampling.chance import Chance, Noise
from specviz.sampling.distribution import Sampling, row, rows
from specviz.sampling.ruler import largest
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Bar, Change, Raw

SHOWN = 5
"""The most tokens of either row before the temperature."""
LEAST = 1e-6
"""Processors that take no more than this from any token count as changing nothing."""


class Before(NamedTuple):
    """Of a row that processors changed.

    Attributes:
        row: float64[V], the target's without them.
        lost: the token that they took most from.
        changes: which of some tokens' scores they changed.
    """

    row: Floats
    lost: int
    changes: Callable[[Sequence[int]], tuple[Change, ...]]

    def of(self, bars: Sequence[Bar]) -> tuple[tuple[float, ...], tuple[Change, ...]]:
        """What a view says of these bars."""
        return tuple(_digits(self.row.item(bar.token)) for bar in bars), self.changes([bar.token for bar in bars])


class Extras(NamedTuple):
    """Of one round.

    Attributes:
        noise: the noise of the position that many tokens after the pending one; None if numbers decide, or at
            temperature 0.
        raw: the target's rows before temperature 0; empty at others.
        allowed: how many tokens the grammar allows in each of the target's rows, 0 for all; empty without one.
        covered: bool[V], the tokens that the draft can guess; None for all.
        before: of the target's row at that place, which is given too; None if no processor is on.
        laws: what the rule puts in place of the target's rows, see `AcceptRule.laws`; empty where it tests those.
    """

    noise: Callable[[int], Floats] | None = None
    raw: Sequence[Floats] = ()
    allowed: Sequence[int] = ()
    covered: Bools | None = None
    before: Callable[[int, Floats], Before | None] | None = None
    laws: Sequence[Floats] = ()


def extras_of(chance: Chance, sampling: Sampling, logits: Reals, text: Sequence[int], tree: DraftTree) -> Extras:
    """The extras of a round after a text, whose target's rows have these logits."""
    allowed, before = _allowed(sampling, text, tree), _before(sampling, logits, text, tree)
    if not sampling.temperature:
        return Extras(raw=rows(logits, sampling.before_greedy(), text, tree), allowed=allowed, before=before)
    if not isinstance(chance, Noise):
        return Extras(allowed=allowed, before=before)
    vector = chance.vector
    return Extras(lambda depth: vector(len(text) + depth, logits.shape[-1]), allowed=allowed, before=before)


def _allowed(sampling: Sampling, text: Sequence[int], tree: DraftTree) -> tuple[int, ...]:
    processors = sampling.processors
    if processors is None or processors.mask is None:
        return ()
    masks = (
        processors.mask.allowed([*text, *tree.path_to(node)][processors.prompt :]) for node in range(ROOT, len(tree))
    )
    return tuple(0 if mask.all() else int(mask.sum()) for mask in masks)


def _before(
    sampling: Sampling, logits: Reals, text: Sequence[int], tree: DraftTree
) -> Callable[[int, Floats], Before | None] | None:
    processors = sampling.processors
    if processors is None:
        return None
    unprocessed = replace(sampling, processors=None)

    def before(place: int, p: Floats) -> Before | None:
        plain = row(logits[place], unprocessed)
        over = plain - p
        lost = int(over.argmax())
        if over[lost] <= LEAST:
            return None
        return Before(plain, lost, lambda tokens: processors.changes(tokens, [*text, *tree.path_to(place - 1)]))

    return before


def noise_of(bars: Sequence[Bar], noise: Floats | None) -> tuple[float, ...]:
    """One entry for each bar."""
    return () if noise is None else tuple(round(noise.item(bar.token), 6) for bar in bars)


def raw_of(
    both: tuple[Floats | None, Floats | None], must_show: Sequence[int], piece: Callable[[int], str]
) -> tuple[Raw, ...]:
    """The largest of p and q and the tokens that must be shown, largest first, ties by id. q: None if not known."""
    p, q = both
    if p is None:
        return ()
    known = [p] if q is None else [p, q]
    tokens = {*largest(np.array(known), SHOWN).ravel().tolist(), *must_show}
    made = (Raw(at, piece(at), _digits(p.item(at)), None if q is None else _digits(q.item(at))) for at in tokens)
    return tuple(sorted(made, key=lambda raw: (-max(raw.p, raw.q or 0.0), raw.token)))


def _digits(share: float) -> float:
    return float(f"{share:.6g}")
