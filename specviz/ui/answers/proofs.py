"""Passes the Losslessness tab's questions to the engine, and its progress and findings back."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, cast

from specviz.config.entry import Range
from specviz.config.settings import ConfigError, RunConfig, check_whole, wrong
from specviz.proof import findings
from specviz.proof.findings import BUGS, FEWEST, MOST, Checked, Equality, Finding, Question, SampledToken, TokenShare
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.answers.base import Content, RunAnswers, shortened, six
from specviz.ui.events import Remark
from specviz.ui.limits import LONGEST
from specviz.ui.runs.recording import Recording

CHOICES: dict[str, object] = {
    "fewest": FEWEST,
    "most": MOST,
    "bugs": [{"name": bug.name, "law": bug.token, "n": bug.n, "harmless": bug.harmless} for bug in BUGS],
}
"""What the player offers to ask."""
EVERY = 0.05
"""Seconds between two reports of progress."""
TEXT = 16
"""Letters of a token's text that are sent."""
LINE = 160
"""Letters of a text in a line about a model."""
AROUND = 8
"""Tokens shown on either side of the first difference."""


class Proofs(RunAnswers):
    """Answers the player's questions about losslessness: what the samples so far say, then the finding."""

    kind = Remark.PROOF

    def _about(self, recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Iterator[Content]:
        pairs.usable(self._backend, config.pair)
        if wanted.get("whole") is True:
            yield {"equality": _equality(self._backend.equal(config))}
            return
        if wanted.get("model") is True:
            yield from self._model(config)
            return
        question = _question(recording, config, wanted)
        start = reported = self._clock()
        longest = self._longest()
        for item in self._backend.prove(question):
            now = self._clock()
            if isinstance(item, Finding):
                yield {"finding": _finding(item)}
            elif now - start > longest:
                raise ConfigError("too_slow", done=f"{item.done:,}", samples=f"{question.n:,}", seconds=f"{longest:g}")
            elif now - reported >= EVERY:
                reported = now
                yield {"done": item.done, "of": question.n, "cells": _cells(item.cells)}

    def _model(self, config: RunConfig) -> Iterator[Content]:
        """How many texts are compared and the lines of the table so far; at last all lines."""
        lines: list[Content] = []
        start, longest = self._clock(), self._longest()
        for item in self._backend.model(config):
            if isinstance(item, Checked):
                lines.append(_line(item))
                continue
            done, of = item
            if self._clock() - start > longest:
                raise ConfigError("check_slow", done=str(done), of=str(of), seconds=f"{longest:g}")
            yield {"done": done, "of": of, "checked": lines}
        yield {"checked": lines}

    def _longest(self) -> float:
        """Seconds that an answer may take."""
        return min(LONGEST, self._backend.limits.seconds)


def _question(recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Question:
    """Raises ConfigError when it cannot be asked."""
    position, law, n, seed, bug = (wanted.get(name) for name in ("position", "law", "n", "seed", "bug"))
    text = tuple(token for step in recording.rounds for token in step.tokens)
    check_whole("position", position, Range(0, len(text), whole=True))
    if not isinstance(bug, str):
        raise wrong("bug", bug, "text")
    chosen = (cast(SampledToken, law), cast(int, n), cast(int, seed), bug)
    question = Question(config, text[: cast(int, position)], *chosen)
    findings.check(question)
    return dataclasses.replace(question, token=SampledToken(question.token))


def _finding(finding: Finding) -> Content:
    question = finding.question
    return {
        "position": len(question.text),
        "law": question.token,
        "n": question.n,
        "seed": question.seed,
        "bug": question.bug,
        "given": shortened(finding.previous, TEXT),
        "cells": _cells(finding.cells),
        "rounds": finding.rounds,
        "accepted": six(finding.accepted),
        "overlap": six(finding.overlap),
        "tvd": six(finding.tvd),
        "tvd_median": six(finding.tvd_median),
        "tvd_high": six(finding.tvd_high),
        "chi2": six(finding.chi2),
        "bins": finding.bins,
        "p_value": six(finding.p_value),
        "impossible": finding.impossible,
        "different": finding.different,
        **({} if finding.distance is None else {"distance": six(finding.distance)}),
    }


def _cells(shares: tuple[TokenShare, ...]) -> list[object]:
    return [
        (cell.token, shortened(cell.text, TEXT), *map(six, (cell.p, cell.share, cell.low, cell.high)))
        for cell in shares
    ]


def _line(checked: Checked) -> Content:
    what, detail = (words.cut(said, LINE) for said in (checked.what, checked.detail))
    return {"what": what, "verdict": checked.verdict, "detail": detail}


def _equality(equality: Equality) -> Content:
    """The tokens around the first difference, or the first tokens, and both logits at that difference."""
    start = max(0, (equality.differs or 0) - AROUND)
    shown = slice(start, start + 2 * AROUND + 1)
    return {
        "start": start,
        "tokens": len(equality.plain),
        "speculative": [shortened(text, TEXT) for text in equality.speculative[shown]],
        "plain": [shortened(text, TEXT) for text in equality.plain[shown]],
        "differs": equality.differs,
        "logits": [[*map(six, pair)] for pair in equality.logits],
        "error": six(equality.error),
        "rounding": six(equality.rounding),
        "gap": six(equality.gap),
        "tie": equality.tie,
    }
