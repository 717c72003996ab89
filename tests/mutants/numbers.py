"""Bugs in the random numbers: used twice, not the seed's, or looked at from the wrong side."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import specviz.accept.batch
import specviz.sampling.chance
from specviz.accept.rejection import Rejection
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Noise, Purpose, Seeded
from tests.battery.numbers import impossible_tokens_never_stand, numbers_are_fresh, seeds_and_positions_share_nothing
from tests.battery.rounds import the_seed_decides
from tests.mutants.registry import Mutants

MUTANTS = Mutants()


def bend_uniform(patch: pytest.MonkeyPatch, bend: Callable[[dict[Any, Any], At, Callable[[], float]], float]) -> None:
    """bend may keep things in a dict of the chance's own."""
    true = Seeded.uniform

    def uniform(self: Seeded, at: At) -> float:
        kept = self.__dict__.setdefault("kept", {})
        return bend(kept, at, lambda: true(self, at))

    patch.setattr(Seeded, "uniform", uniform)


@MUTANTS.put(21, "one number for the whole round", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT:
            kept.clear()
        return fresh() if at.purpose is not Purpose.ACCEPT else kept.setdefault("u", fresh())

    bend_uniform(patch, bend)


@MUTANTS.put(22, "the test shares its number with the draft", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT:
            kept[at.position] = fresh()
        return kept[at.position] if at.purpose in (Purpose.DRAFT, Purpose.ACCEPT) else fresh()

    bend_uniform(patch, bend)


@MUTANTS.put(23, "the same numbers every round", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT and kept.get("last") is not Purpose.DRAFT:
            kept["count"] = 0
        kept["last"] = at.purpose
        kept["count"] += 1
        return kept.setdefault(kept["count"], fresh())

    bend_uniform(patch, bend)


@MUTANTS.put(31, "a test won at u q = p", impossible_tokens_never_stand, "accepted")
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (specviz.sampling.chance, specviz.accept.batch):
        patch.setattr(module, "falls_below", lambda u, weight, scale: u * scale <= weight)


@MUTANTS.put(39, "seed ignored", the_seed_decides, "another seed")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Rejection, "chance", lambda self, seed: Seeded(0))


@MUTANTS.put(None, "a number comes back when its position does", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    bend_uniform(patch, lambda kept, at, fresh: kept.setdefault(at, fresh()))


@MUTANTS.put(None, "every block of positions has the same numbers", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    true = Seeded._block
    patch.setattr(Seeded, "_block", lambda self, start, *name: true(self, 0, *name))


@MUTANTS.put(None, "seeds 2^32 apart share their noise", seeds_and_positions_share_nothing, "noise of seed 4294967296")
def _(patch: pytest.MonkeyPatch) -> None:
    true = Noise.__init__
    patch.setattr(Noise, "__init__", lambda self, seed: true(self, seed % 2**32))


@MUTANTS.put(None, "the next seed has this one's noise, moved", seeds_and_positions_share_nothing, "noise of seed 1")
def _(patch: pytest.MonkeyPatch) -> None:
    def vector(self: Noise, position: int, size: int) -> Floats:
        bits = np.random.Philox(key=self._seed + position, counter=[0, 0, Purpose.NOISE << 32, 0])
        return np.random.Generator(bits).gumbel(size=size)

    patch.setattr(Noise, "_vector", vector)


@MUTANTS.put(None, "a segment that holds its end", impossible_tokens_never_stand, "drawn")
def _(patch: pytest.MonkeyPatch) -> None:
    def invert(probs: Floats, u: float) -> int:
        return int(probs.cumsum().searchsorted(u * probs.sum()))

    patch.setattr(specviz.sampling.chance, "invert", invert)


@MUTANTS.put(None, "numbers from a global generator", the_seed_decides, "the same seed")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Seeded, "uniform", lambda self, at: float(np.random.random()))
