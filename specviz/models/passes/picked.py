"""What timing picks when a model is read: how its passes over few rows go. Every trace notes it, and can settle it.

SPECVIZ_PASSES=trace.json makes the models of that trace's pair go as they went there, on as many threads, so that a run
of the same build on the same kind of CPU repeats to the bit. It is looked at when a pair is brought into memory.
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
"""For each shape of a model's linear layers, how one row goes through them and how few do (see packed.Packed)."""


class Picked(NamedTuple):
    """How few rows go through a model.

    Attributes:
        singly: so many rows at most go one after the other, through NumPy; 0: none.
        ways: of its linear layers.
    """

    singly: int
    ways: Ways

    def __str__(self) -> str:
        return f"rows {self.singly}" + "".join(f", {shape} {one}/{few}" for shape, (one, few) in self.ways.items())


def parse(text: str) -> Picked | None:
    """What str() of it says; None of anything else."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    ways = {shape: (one, few) for shape, one, few in re.findall(r"(\w+) (\w+)/(\w+)", found[2])}
    return Picked(int(found[1]), ways)


def from_trace(pair: str) -> Sequence[Forward | None]:
    """How target and draft of a pair went in the trace that SPECVIZ_PASSES names, None where that says nothing of them.

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
