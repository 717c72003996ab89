"""The same draft length every round."""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.config import Budget
from specviz.trace import Round


@dataclass(frozen=True, slots=True)
class Fixed:
    """gamma tokens a round, whatever happened. Source: arXiv:2211.17192."""

    gamma: int
    name: str = "fixed"

    def budget(self, past: Sequence[Round]) -> Budget:
        return Budget.chain(self.gamma, f"always {self.gamma}")
