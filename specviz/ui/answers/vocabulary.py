"""Searches a slot's distributions over the whole vocabulary, for the figure's last row. One message holds the answer.

A trace keeps only the largest rows, so the engine decodes the run again. That takes seconds, and a search asks for the
same slot letter by letter, so the newest distributions are kept.
"""

import heapq
import json
import uuid
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from specviz.proof.slot import SlotDistributions
from specviz.ui.answers import pairs
from specviz.ui.answers.base import Content, known, refusing, shortened, six
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.limits import NAME, SEARCH
from specviz.ui.runs.recording import Delta, remark
from specviz.ui.runs.recordings import Recordings

ROWS = 200
KEPT = 8
POINTS = 60
TEXT = 80
"""Letters of a token's text that are sent."""
ROOM = 15_000
"""Bytes the rows of one table may take. A message has up to two tables, filtered and raw, and its session keeps it."""


class Vocabulary:
    """Answers the player's questions about whole rows."""

    def __init__(self, backend: Backend, recordings: Recordings) -> None:
        self._backend = backend
        self._recordings = recordings
        self._distributions = lru_cache(KEPT)(self._compute)

    def answer(self, request: object) -> Iterator[Delta]:
        """One remark: the rows whose tokens contain a text and rank points, filtered and raw, or why there are none.

        It repeats the question, which the player compares. A request that makes no sense is not answered.

        Raises:
            Exception: whatever broke the engine. The page has been told before.
        """
        match request:
            case {"run": str(run), "round": int(index), "slot": int(slot), "find": str(find)}:
                recording = self._recordings.get(run)
                rounds = () if recording is None else recording.rounds
                numbers = not isinstance(index, bool) and not isinstance(slot, bool)
                there = recording is None or (0 <= index < len(rounds) and 0 <= slot <= len(rounds[index].verdicts))
                if numbers and there and len(run) <= NAME and len(find) <= SEARCH:
                    # The mark makes it new: Gradio drops a repeated value.
                    question = {"round": index, "slot": slot, "find": find, "mark": uuid.uuid4().hex}
                    for content in refusing(self._contents(run, index, slot, find)):
                        yield remark(run, Remark.ROW, json.dumps(question | content))

    def _contents(self, run: str, index: int, slot: int, find: str) -> Iterator[Content]:
        full = self._distributions(run, index, slot)
        matches = matching(full.texts, find)
        raw = None if full.raw_p is None else _shown(full.texts, matches, full.raw_p, full.raw_q)
        yield {"count": len(matches), **_shown(full.texts, matches, full.p, full.q), "raw": raw}

    def _compute(self, run: str, index: int, slot: int) -> SlotDistributions:
        recording, config = known(self._recordings, run)
        pairs.usable(self._backend, config.pair)
        return self._backend.distributions(config, index, slot, recording.rounds[: index + 1])


def matching(texts: Sequence[str], find: str) -> list[int]:
    """The tokens that contain a text, whatever its case."""
    sought = find.casefold()
    return [token for token, text in enumerate(texts) if sought in text.casefold()]


def _shown(
    texts: Sequence[str], matches: Sequence[int], p: Sequence[float], q: Sequence[float] | None
) -> dict[str, object]:
    """The first matches, largest max(p, q) first, ties by id, and both distributions' rank points."""
    height = p if q is None else [max(pair) for pair in zip(p, q, strict=True)]
    largest = heapq.nsmallest(ROWS, matches, key=lambda token: (-height[token], token))
    rows = [
        (token, shortened(texts[token], TEXT), six(p[token]), None if q is None else six(q[token])) for token in largest
    ]
    sizes = accumulate(len(json.dumps(json.dumps(row))) for row in rows)
    return {
        "rows": [row for row, size in zip(rows, sizes, strict=True) if size <= ROOM],
        "ranks": {"p": ranked(p), "q": None if q is None else ranked(q)},
    }


def ranked(probs: Sequence[float]) -> list[tuple[int, float | None]]:
    """A distribution as (rank, value), largest value first, at about POINTS ranks evenly spaced in log(rank)."""
    falling = sorted(probs, reverse=True)
    ranks = sorted({round(len(probs) ** (step / (POINTS - 1))) for step in range(POINTS)})
    return [(rank, six(falling[rank - 1])) for rank in ranks]
