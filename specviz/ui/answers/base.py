"""What all answers share: a question has a name, may be cancelled, and is refused in one line."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from specviz.config.settings import ConfigError, RunConfig
from specviz.ui import words
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.limits import GIVEN_UP, NAME
from specviz.ui.runs.recording import Delta, Recording, remark
from specviz.ui.runs.recordings import Recordings

Content = dict[str, object]


class Answers:
    """Answers one kind of question. Each question has a name, by which the page may cancel it."""

    def __init__(self) -> None:
        self._given_up: deque[str] = deque(maxlen=GIVEN_UP)

    def leave(self, ask: object) -> None:
        """Cancels a question, whether its answer has begun or it still waits in the queue."""
        if isinstance(ask, str) and len(ask) <= NAME:
            self._given_up.append(ask)

    def until_cancelled(self, ask: str, contents: Iterator[Content]) -> Iterator[Content]:
        """An answer up to where it was cancelled. To let go of the iterator closes it, which stops the engine."""
        while ask not in self._given_up and (content := next(contents, None)):
            if ask not in self._given_up:
                yield content


class RunAnswers(Answers, ABC):
    """Answers one kind of question about a run."""

    kind: ClassVar[Remark]

    def __init__(self, backend: Backend, recordings: Recordings, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._backend = backend
        self._recordings = recordings
        self._clock = clock

    def answer(self, request: object) -> Iterator[Delta]:
        """Remarks with the question's name. An error is one line. A request without a run and a name is not answered.

        Raises:
            Exception: whatever broke the engine. The page has been told before.
        """
        match request:
            case {"run": str(run), "ask": str(ask), **wanted} if max(len(run), len(ask)) <= NAME:
                for content in refusing(self.until_cancelled(ask, self._contents(run, wanted))):
                    yield remark(run, self.kind, json.dumps({"ask": ask, **content}))

    def _contents(self, run: str, wanted: Mapping[Any, object]) -> Iterator[Content]:
        recording, config = known(self._recordings, run)
        yield from self._about(recording, config, wanted)

    @abstractmethod
    def _about(self, recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """The answer about a run, in parts. Raises ConfigError: there is none."""


def refusing(contents: Iterator[Content]) -> Iterator[Content]:
    """An answer; an error in it becomes its last part.

    Raises:
        Exception: whatever broke the engine, for the log.
    """
    try:
        yield from contents
    except ConfigError as error:
        yield {"error": words.cut(error.sentence)}
    except Exception as error:
        yield {"error": words.broke(error)}
        raise


def known(recordings: Recordings, run: str) -> tuple[Recording, RunConfig]:
    """A run that was opened, and its config.

    Raises:
        ConfigError: it is forgotten, or a loop that others wrote.
    """
    recording = recordings.get(run)
    if recording is None or recording.info is None:
        raise ConfigError("forgotten")
    if recording.info.loop:
        raise ConfigError("loop", loop=recording.info.loop)
    return recording, recording.info.config


def shortened(text: str, most: int) -> str:
    """The text with at most that many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def six(value: float) -> float | None:
    """Six digits; None for what JSON has no number for."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
