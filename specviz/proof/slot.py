"""p and q of one slot over the whole vocabulary. A view keeps only the largest of them. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SlotDistributions:
    """Index t of each list belongs to token t. Each distribution sums to 1.

    Attributes:
        q: None in the row behind the last guess, where nothing was guessed.
        texts: each token's own text.
        raw_p, raw_q: before temperature, top-k and top-p. None if those change nothing; raw_q also where q is None.
    """

    p: Sequence[float]
    q: Sequence[float] | None
    texts: Sequence[str]
    raw_p: Sequence[float] | None = None
    raw_q: Sequence[float] | None = None
