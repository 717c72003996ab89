"""Between two vocabularies: which tokens a target and a draft of another tokenizer both have, and one's text in the
other's tokens.

Source: token-level intersection, Timor et al., arXiv:2502.05202, algorithm 4.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from specviz.config.settings import ConfigError
from specviz.models.tokenizer import Tokenizer
from specviz.sampling.arrays import Bools, Ids, Reals


class Translation:
    """A map between the tokens of two vocabularies that read the same.

    Args:
        target, draft: each model's tokenizer, and how many rows its output has.

    Raises:
        ConfigError: they have no token in common.
    """

    def __init__(self, target: tuple[Tokenizer, int], draft: tuple[Tokenizer, int]) -> None:
        (self._target, self.size), (self._draft, self.draft_size) = target, draft
        known: dict[str, int] = {}
        for token in sorted(self._draft.vocabulary().values()):
            if token < self.draft_size:
                known.setdefault(self._draft.piece(token), token)
        pairs = [
            (token, known[piece])
            for token in sorted(self._target.vocabulary().values())
            if token < self.size and (piece := self._target.piece(token)) in known
        ]
        if not pairs:
            raise ConfigError("cannot pair: the draft's tokens and the target's have no text in common")
        self._ours, self._theirs = np.array(pairs, dtype=np.int64).T

    @property
    def shared(self) -> int:
        """Tokens that both have."""
        return len(self._ours)

    @cached_property
    def covered(self) -> Bools:
        """bool[V]: the target's tokens that the draft can guess."""
        covered = np.zeros(self.size, dtype=bool)
        covered[self._ours] = True
        return covered

    @cached_property
    def _draft_ids(self) -> Ids:
        ids = np.full(self.size, -1, dtype=np.int64)
        ids[self._ours] = self._theirs
        return ids

    def of(self, logits: Reals) -> Reals:
        """The draft's logits[..., its V] over the target's vocabulary; tokens that it lacks get no probability."""
        found = np.full((*logits.shape[:-1], self.size), -np.inf, dtype=logits.dtype)
        found[..., self._ours] = logits[..., self._theirs]
        return found

    def guess(self, token: int) -> int:
        """A shared token of the target's as the draft's."""
        return int(self._draft_ids[token])

    def read(self, text: Sequence[int]) -> list[int]:
        """A text of the target's tokens in the draft's own, with what its tokenizer puts before a text.

        Bytes at the end that are no whole character yet are left out.
        """
        whole = self._target.decode(text).rstrip("\ufffd")
        return [*self._before, *self._draft.encode(whole)]

    @cached_property
    def _before(self) -> list[int]:
        bare, whole = self._draft.encode("a"), self._draft.prompt("a", chat=False)
        place = next((at for at in range(len(whole)) if whole[at : at + len(bare)] == bare), 0)
        return whole[:place]
