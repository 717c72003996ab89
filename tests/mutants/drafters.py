"""Bugs of single drafters, which no law shows: their guesses are worse than they should be, or spoil the target."""

from collections.abc import Sequence

import numpy as np
import pytest
from torch import Tensor

from specviz import loop
from specviz.draft.base import Committed
from specviz.draft.recycling import Recycling
from specviz.models.passes import int8
from specviz.models.passes.int8 import Int8Linear
from specviz.sampling.arrays import Reals
from specviz.trim import KVCache
from specviz.verify import verify
from tests.battery.drafters import (
    a_copy_in_8_bits_is_near_and_leaves_the_model_alone,
    an_early_exit_reads_no_layer_twice,
    recycling_remembers_the_last_row_of_every_token,
)
from tests.mutants.registry import Mutants
from tests.tiny import Slots

MUTANTS = Mutants()


@MUTANTS.put(None, "recycling takes the row before", recycling_remembers_the_last_row_of_every_token)
def _(patch: pytest.MonkeyPatch) -> None:
    learn = Recycling._learn

    def bent(self: Recycling, tokens: Sequence[int], logits: Reals, rejected: Sequence[bool]) -> None:
        learn(self, tokens, np.roll(logits, 1, 0), rejected)

    patch.setattr(Recycling, "_learn", bent)


@MUTANTS.put(None, "rejected guesses teach recycling nothing", recycling_remembers_the_last_row_of_every_token)
def _(patch: pytest.MonkeyPatch) -> None:
    learn = Recycling._learn

    def bent(self: Recycling, tokens: Sequence[int], logits: Reals, rejected: Sequence[bool]) -> None:
        kept = [place for place, lost in enumerate(rejected) if not lost]
        learn(self, [tokens[place] for place in kept], logits[kept], [False] * len(kept))

    patch.setattr(Recycling, "_learn", bent)


@MUTANTS.put(None, "recycling keeps the first row of a token", recycling_remembers_the_last_row_of_every_token)
def _(patch: pytest.MonkeyPatch) -> None:
    learn = Recycling._learn

    def bent(self: Recycling, tokens: Sequence[int], logits: Reals, rejected: Sequence[bool]) -> None:
        known = dict(self._rows)
        learn(self, tokens, logits, rejected)
        self._rows.update(known)

    patch.setattr(Recycling, "_learn", bent)


@MUTANTS.put(None, "recycling forgets its prompt", recycling_remembers_the_last_row_of_every_token)
def _(patch: pytest.MonkeyPatch) -> None:
    commit = Recycling.commit

    def bent(self: Recycling, step: Committed) -> None:
        if not self._passes:
            self._rows.clear()
        commit(self, step)

    patch.setattr(Recycling, "commit", bent)


@MUTANTS.put(None, "the check of an early exit starts over", an_early_exit_reads_no_layer_twice, "twice")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(loop, "verify", lambda model, cache, unread, tree, *_: verify(model, cache, unread, tree))


@MUTANTS.put(None, "an early exit spoils the last slot", an_early_exit_reads_no_layer_twice, "hold the same")
def _(patch: pytest.MonkeyPatch) -> None:
    first = KVCache.first

    def bent(self: Slots, layers: int) -> Slots:
        found = first(self, layers)
        found.slots[..., max(0, self.length - 1), :] = 0
        return found

    patch.setattr(KVCache, "first", bent)


@MUTANTS.put(None, "the copy rounds the target itself", a_copy_in_8_bits_is_near_and_leaves_the_model_alone, "itself")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(int8, "twin", lambda model: model)


@MUTANTS.put(None, "a copy without its scales", a_copy_in_8_bits_is_near_and_leaves_the_model_alone, "off by")
def _(patch: pytest.MonkeyPatch) -> None:
    true = Int8Linear.__init__

    def bent(self: Int8Linear, weight: Tensor, bias: Tensor | None) -> None:
        true(self, weight, bias)
        self.scale.data.fill_(float(self.scale.mean()))

    patch.setattr(Int8Linear, "__init__", bent)
