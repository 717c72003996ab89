"""What every gamma controller is."""

from collections.abc import Sequence
from typing import Protocol

from specviz.config import Budget
from specviz.trace import Round


class GammaController(Protocol):
    """Pure: the same rounds give the same budget, so it can be asked about any recorded run."""

    @property
    def name(self) -> str: ...

    def budget(self, past: Sequence[Round]) -> Budget: ...
