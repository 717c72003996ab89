"""What the parts of a round cost on one machine, as plain data. Standard library only."""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

WIDTHS = 64
"""How many widths one Costs may list."""
LEAST, MOST = 1e-6, 1e9
"""The least and the most milliseconds a pass may take."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds, measured once before a run.

    Attributes:
        draft: one guess.
        rest: what a round takes besides drafting and verifying.
        widths, passes: a target pass over widths[i] tokens takes passes[i]. Widths increase and begin with 1.
    """

    draft: float
    rest: float
    widths: tuple[int, ...]
    passes: tuple[float, ...]

    @property
    def is_sound(self) -> bool:
        """True if the numbers can be used, wherever they come from."""
        return (
            all(isinstance(width, int) for width in self.widths)
            and self.widths[:1] == (1,)
            and all(width < wider for width, wider in pairwise(self.widths))
            and len(self.widths) == len(self.passes) <= WIDTHS
            and all(LEAST <= each <= MOST for each in self.passes)
            and all(0 <= each <= MOST for each in (self.draft, self.rest))
        )

    @property
    def c(self) -> float:
        """One guess, in steps of plain decoding."""
        return self.draft / self.passes[0]

    @property
    def overhead(self) -> float:
        """The rest of a round, in steps of plain decoding."""
        return self.rest / self.passes[0]

    def v(self, width: int) -> float:
        """A target pass over `width` tokens, in steps of plain decoding.

        Interpolates between two measured widths, and extends the last line beyond them.
        """
        if len(self.widths) == 1:
            return 1.0
        above = min(max(1, bisect_left(self.widths, width)), len(self.widths) - 1)
        (low, high), (cheap, dear) = self.widths[above - 1 : above + 1], self.passes[above - 1 : above + 1]
        return (cheap + (dear - cheap) * (width - low) / (high - low)) / self.passes[0]
