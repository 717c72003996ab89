"""Times a finished run against plain decoding for the Race tab. The race becomes one more message of the recording.

The answer only names that message. The player asks for it as for any other, if the run is still on stage.
"""

import json
from collections.abc import Iterator

from specviz.config.settings import ConfigError
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.limits import LINE, NAME
from specviz.ui.runs.recording import Delta, remark
from specviz.ui.runs.recordings import Recordings

LAPS = 8
"""How often a race decodes, plain decoding included."""
RUNS = 2
"""How many times as long as the longest run a race may take."""


class Races:
    """Answers the player's questions about time."""

    def __init__(self, backend: Backend, recordings: Recordings) -> None:
        self._backend = backend
        self._recordings = recordings

    def answer(self, request: object) -> Iterator[Delta]:
        """Remarks with the question's name: that the run is being timed, then the number of the message with its race,
        or an error in one line.

        A request without a run and a name is not answered.

        Raises:
            Exception: whatever broke the engine. The page has been told before.
        """
        match request:
            case {"run": str(run), "ask": str(ask), **wanted} if max(len(run), len(ask)) <= NAME:
                yield _remark(run, ask, {"done": 0, "note": words.TIMING})
                try:
                    for at in self._raced(run, again=wanted.get("again") is True):
                        yield _remark(run, ask, {"done": 0, "note": words.TIMING} if at is None else {"at": at})
                except ConfigError as error:
                    yield _remark(run, ask, {"error": str(error)[:LINE]})
                except Exception as error:  # re-raised for the log; the page shows one line
                    yield _remark(run, ask, {"error": words.broke(error)})
                    raise

    def _raced(self, run: str, *, again: bool) -> Iterator[int | None]:
        """Yields None while the run is timed, then the number of the message with its race.

        Raises:
            ConfigError: the run cannot be timed.
        """
        recording = self._recordings.get(run)
        if recording is None or recording.info is None:
            raise ConfigError(words.FORGOTTEN)
        if recording.stop is None or not recording.stop.whole:
            raise ConfigError(words.UNFINISHED)
        if recording.raced is not None and not again:
            yield recording.raced
            return
        config = recording.info.config
        pairs.usable(self._backend, config.pair)
        if LAPS * recording.seconds > RUNS * self._backend.limits.seconds:
            raise ConfigError(words.too_long(recording.seconds, LAPS))
        for race in self._backend.race(config, recording.rounds):
            # A shipped run was recorded on another machine. A run started here describes the one that timed the race.
            yield None if race is None else recording.keep(race, self._backend.start(config).info)


def _remark(run: str, ask: str, content: dict[str, object]) -> Delta:
    return remark(run, Remark.RACE, json.dumps({"ask": ask, **content}))
