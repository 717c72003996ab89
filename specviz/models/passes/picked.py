"""What timing picks when a model is loaded: how its passes over a few rows are computed. Every trace records it.

SPECVIZ_PASSES=trace.json gives the models of that trace's pair the same passes and threads again, so that a run repeats
to the bit with the same build on the same kind of CPU. The variable is read when a pair is loaded.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from specviz.config import ConfigError
from specviz.trace.codec import TraceError, from_json
from specviz.trace.info import Forward

PASSES = "SPECVIZ_PASSES"
NOTHING: tuple[None, None] = (None, None)
_TEXT = re.compile(r"rows (\d)((?:, \d+x\d+ (?:turned|packed|padded)/(?:packed|padded))*)")
Ways = Mapping[str, tuple[str, str]]
"""For each shape of a model's linear layers, how one row and a few rows are computed (see packed.Packed)."""


class Picked(NamedTuple):
    """How a model computes a few rows.

    Attributes:
        singly: up to so many rows are computed one after the other, in NumPy; 0: none.
        ways: of its linear layers.
    """

    singly: int
    ways: Ways

    def __str__(self) -> str:
        return f"rows {self.singly}" + "".join(f", {shape} {one}/{few}" for shape, (one, few) in self.ways.items())


def parse(text: str) -> Picked | None:
    """The Picked that str() wrote; None for other text."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    ways = {shape: (one, few) for shape, one, few in re.findall(r"(\w+) (\w+)/(\w+)", found[2])}
    return Picked(int(found[1]), ways)


def from_trace(pair: str) -> Sequence[Forward | None]:
    """The passes of a pair's target and draft in the trace that SPECVIZ_PASSES names; None where it does not say.

    Raises:
        ConfigError: there is no such trace, or it cannot be read.
    """
    name = os.environ.get(PASSES)
    if not name:
        return NOTHING
    try:
        info = from_json(Path(name).read_text(encoding="utf-8")).info
    except (OSError, UnicodeDecodeError, TraceError) as error:
        raise ConfigError(f"{PASSES}={name}: {error}") from None
    return (
        (info.target_forward, info.draft_caches[0].forward if info.draft_caches else None)
        if info.config.pair == pair
        else NOTHING
    )
