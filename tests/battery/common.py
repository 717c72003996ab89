"""What several checks stand on: two small models, a target that watches its positions, a tokenizer of bytes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from specviz.models.pair import Pair
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests.tiny import TableModel

PROMPT = (0, 1)
WARM = Sampling(0.7)
CUT = Sampling(0.8, top_k=3)
Check = Callable[[], Iterator[str]]


def models(vocab_size: int = 4) -> tuple[TableModel, TableModel]:
    return TableModel(vocab_size, 1), TableModel(vocab_size, 2)


def differences(found: dict[Any, float], wanted: dict[Any, float]) -> Iterator[str]:
    for outcome in sorted({*found, *wanted}):
        if abs(found.get(outcome, 0.0) - wanted.get(outcome, 0.0)) > 1e-9:
            yield f"{outcome}: {found.get(outcome, 0.0):.6f}, wanted {wanted.get(outcome, 0.0):.6f}"


class Placed(TableModel):
    """Refuses a token whose position is not the number of tokens it can see."""

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any) -> Floats:
        n = len(tokens)
        masks = np.tri(n, dtype=bool) if mask is None else mask
        seen = (cache.length + n - masks.shape[1] + masks.sum(1) - 1).tolist()
        assert list(positions) == seen, f"positions {list(positions)}, but {seen} tokens stand before"
        return super().forward(tokens, positions, mask, cache)


def branch_to(step: Round, node: int) -> list[int]:
    return [*branch_to(step, step.verdicts[node].parent), step.verdicts[node].token] if node >= 0 else []


class Bytes:
    """A tokenizer whose tokens are a, b and the two bytes of é: no é without two tokens."""

    _pieces = (b"a", b"b", b"\xc3", b"\xa9")

    def encode(self, text: str) -> list[int]:
        return [self._pieces.index(text.encode()[at : at + 1]) for at in range(len(text.encode()))]

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return self.encode(text)

    def marks(self, turns: Sequence[str], ids: Sequence[int], *, chat: bool) -> Any:
        return (), ()

    def decode(self, tokens: Sequence[int]) -> str:
        return b"".join(self._pieces[token] for token in tokens).decode(errors="replace")

    def piece(self, token: int) -> str:
        return self.decode([token])


class Labelled(TableModel):
    label = "table"


def tiny_pair() -> Pair:
    target: Any = Labelled(4, 1)
    draft: Any = Labelled(4, 2)
    tokenizer: Any = Bytes()
    return Pair("tiny", target, draft, tokenizer, frozenset(), None, "cpu", "float64")
