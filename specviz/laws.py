"""p and q over the whole vocabulary at one slot: what a view keeps only the largest rows of. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Laws:
    """Place t of each belongs to token t; p and q sum to 1.

    Attributes:
        q: None in the row after the last draft, where nothing was guessed.
        texts: each token's own text.
    """

    p: Sequence[float]
    q: Sequence[float] | None
    texts: Sequence[str]
