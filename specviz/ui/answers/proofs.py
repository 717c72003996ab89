"""Passes the Losslessness tab's questions to the engine, and its progress and findings back."""

import dataclasses
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from specviz.config.settings import ConfigError
from specviz.proof import findings
from specviz.proof.findings import BUGS, FEWEST, MOST, Equality, Finding, Question, SampledToken
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.answers.base import Answers
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.limits import LINE, LONGEST, NAME
from specviz.ui.runs.recording import Delta, Recording, remark
from specviz.ui.runs.recordings import Recordings

CHOICES: dict[str, object] = {
    "fewest": FEWEST,
    "most": MOST,
    "bugs": [{"name": bug.name, "title": bug.title, "law": bug.token, "n": bug.n} for bug in BUGS],
}
"""What the player offers to ask."""
EVERY = 0.1
"""Seconds between two reports of progress."""
TEXT = 16
"""Letters of a token's text that are sent."""
AROUND = 8
"""Tokens shown on either side of the first difference."""

Content = dict[str, object]


class Proofs(Answers):
    """Answers the player's questions about losslessness."""

    def __init__(self, backend: Backend, recordings: Recordings, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._backend = backend
        self._recordings = recordings
        self._clock = clock

    def answer(self, request: object) -> Iterator[Delta]:
        """Remarks with the question's name: the number of samples so far, then the finding, or an error in one line.

        A request without a run and a name is not answered.
        """
        match request:
            case {"run": str(run), "ask": str(ask), **wanted} if max(len(run), len(ask)) <= NAME:
                try:
                    for content in self._contents(run, ask, wanted):
                        yield remark(run, Remark.PROOF, json.dumps({"ask": ask, **content}))
                except ConfigError as error:
                    yield remark(run, Remark.PROOF, json.dumps({"ask": ask, "error": str(error)[:LINE]}))

    def _contents(self, run: str, ask: str, wanted: Mapping[Any, object]) -> Iterator[Content]:
        recording = self._recordings.get(run)
        if recording is None or recording.info is None:
            raise ConfigError(words.FORGOTTEN)
        if ask in self._given_up:
            return
        pairs.usable(self._backend, recording.info.config.pair)
        if wanted.get("whole") is True:
            yield {"equality": _equality(self._backend.equal(recording.info.config))}
        else:
            yield from self._sampled(ask, _question(recording, wanted))

    def _sampled(self, ask: str, question: Question) -> Iterator[Content]:
        start = reported = self._clock()
        longest = min(LONGEST, self._backend.limits.seconds)
        for item in self._backend.prove(question):
            now = self._clock()
            if ask in self._given_up:
                return
            if isinstance(item, Finding):
                yield {"finding": _finding(item)}
            elif now - start > longest:
                raise ConfigError(words.too_slow(item, question.n, longest))
            elif now - reported >= EVERY:
                reported = now
                yield {"done": item, "of": question.n}


def _question(recording: Recording, wanted: Mapping[Any, object]) -> Question:
    """Raises ConfigError when it cannot be asked."""
    assert recording.info is not None
    position, law, n, seed, bug = (wanted.get(name) for name in ("position", "law", "n", "seed", "bug"))
    text = tuple(token for step in recording.rounds for token in step.tokens)
    if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= len(text):
        raise ConfigError(f"position is {position!r}; wanted a whole number from 0 to {len(text):,}")
    if not isinstance(bug, str):
        raise ConfigError(f"bug is {bug!r}; wanted text")
    asked = (cast(SampledToken, law), cast(int, n), cast(int, seed), bug)
    question = Question(recording.info.config, text[:position], *asked)
    findings.check(question)
    return dataclasses.replace(question, token=SampledToken(question.token))


def _finding(found: Finding) -> Content:
    question = found.question
    return {
        "position": len(question.text),
        "law": question.token,
        "n": question.n,
        "seed": question.seed,
        "bug": question.bug,
        "why": "".join(bug.why for bug in BUGS if bug.name == question.bug),
        "given": _short(found.previous),
        "cells": [
            (cell.token, _short(cell.text), *map(_six, (cell.p, cell.share, cell.low, cell.high)))
            for cell in found.cells
        ],
        "rounds": found.rounds,
        "accepted": _six(found.accepted),
        "overlap": _six(found.overlap),
        "tvd": _six(found.tvd),
        "tvd_median": _six(found.tvd_median),
        "tvd_high": _six(found.tvd_high),
        "chi2": _six(found.chi2),
        "bins": found.bins,
        "p_value": _six(found.p_value),
        "impossible": found.impossible,
        "different": found.different,
    }


def _equality(found: Equality) -> Content:
    """The tokens around the first difference, or the first tokens, and both logits at that difference."""
    start = max(0, (found.differs or 0) - AROUND)
    shown = slice(start, start + 2 * AROUND + 1)
    return {
        "start": start,
        "tokens": len(found.plain),
        "speculative": [*map(_short, found.speculative[shown])],
        "plain": [*map(_short, found.plain[shown])],
        "differs": found.differs,
        "logits": [[*map(_six, pair)] for pair in found.logits],
        "error": _six(found.error),
        "gap": _six(found.gap),
        "tie": found.tie,
    }


def _short(text: str) -> str:
    return text if len(text) <= TEXT else text[: TEXT - 1] + "…"


def _six(value: float) -> float | None:
    """Six digits; None for what JSON has no number for."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
