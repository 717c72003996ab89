"""Times a finished run against plain decoding for the Race tab. The race becomes one more message of the recording.

The answer only names that message. The player asks for it as for any other, if the run is still on stage.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from specviz.config.settings import ConfigError, RunConfig
from specviz.trace.run import Trace
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.answers.base import Content, RunAnswers
from specviz.ui.events import Remark
from specviz.ui.runs.recording import Recording

LAPS = 8
"""How often a race decodes, plain decoding included."""
RUNS = 2
"""How many times as long as the longest run a race may take."""


class Races(RunAnswers):
    """Answers the player's questions about time: that the run is being timed, then the number of the message with its
    race."""

    kind = Remark.RACE

    def _about(self, recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Iterator[Content]:
        timing: Content = {"done": 0, "note": words.TIMING}
        yield timing
        if recording.stop is None or not recording.stop.whole:
            raise ConfigError("unfinished")
        if recording.raced is not None and wanted.get("again") is not True:
            yield {"at": recording.raced}
            return
        pairs.usable(self._backend, config.pair)
        if LAPS * recording.seconds > RUNS * self._backend.limits.seconds:
            raise ConfigError("too_long", seconds=f"{recording.seconds:.2g}", laps=LAPS)
        for race in self._backend.race(config, recording.rounds):
            if race is None:
                yield timing
                continue
            # A shipped run was recorded on another machine. A run started here describes the one that timed it.
            started = next(self._backend.start(config))
            assert isinstance(started, Trace), "a run begins with what is known of it"
            yield {"at": recording.keep(race, started.info)}
