"""p and q over the whole vocabulary at one slot: what a view keeps only the largest rows of. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SlotDistributions:
    """Place t of each belongs to token t; each law sums to 1.

    Attributes:
        q: None in the row after the last draft, where nothing was guessed.
        texts: each token's own text.
        raw_p, raw_q: both before temperature, top-k and top-p; None where those change nothing, raw_q also where q is.
    """

    p: Sequence[float]
    q: Sequence[float] | None
    texts: Sequence[str]
    raw_p: Sequence[float] | None = None
    raw_q: Sequence[float] | None = None
