"""All runs that the page can show: those that came with the project, and live ones.

Safe to use from several threads.
"""

import threading
import uuid
from collections import OrderedDict
from collections.abc import Mapping

from specviz.config.settings import RunConfig
from specviz.ui.runs.recording import Recording

LATE = 8
"""How many recent runs are used to predict how long the next one takes."""


class Recordings:
    """Keeps all shipped recordings, and the newest live ones, each owned by one browser session.

    room: bytes that the live ones may take together; what they share counts once.
    """

    def __init__(self, shipped: Mapping[str, Recording], capacity: int = 1024, room: int = 16_000_000) -> None:
        self._shipped = dict(shipped)
        self._capacity = capacity
        self._room = room
        self._live: OrderedDict[str, tuple[str | None, Recording]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def shipped(self) -> tuple[str, ...]:
        """Names of the recordings that came with the project."""
        return tuple(self._shipped)

    def begin(self, owner: str | None, repeats: Recording | None = None) -> Recording:
        """A session's new live recording, its newest from now on; forgets the oldest of which there is no room for.

        Args:
            repeats: the finished recording that it repeats.
        """
        recording = Recording(uuid.uuid4().hex, live=True, repeats=repeats)
        with self._lock:
            self._live[recording.run] = (owner, recording)
            while len(self._live) > 1 and (len(self._live) > self._capacity or self._held() > self._room):
                self._live.popitem(last=False)
        return recording

    def like(self, config: RunConfig) -> Recording | None:
        """The newest whole run that was made here with that config, None when there is none."""
        with self._lock:
            made = [recording for _, recording in reversed(self._live.values())]
        return next((each for each in made if _whole(each) and each.info and each.info.config == config), None)

    def pace(self) -> float | None:
        """Seconds that recent whole runs took, None if there were none."""
        with self._lock:
            made = {each.source.run: each.source for _, each in reversed(self._live.values()) if _whole(each)}
        late = [each.seconds for each in [*made.values()][:LATE]]
        return sum(late) / len(late) if late else None

    def get(self, run: str) -> Recording | None:
        """The recording of that name, None when unknown or forgotten."""
        if run in self._shipped:
            return self._shipped[run]
        with self._lock:
            return self._live[run][1] if run in self._live else None

    def newest(self, owner: str | None) -> Recording | None:
        """The live recording a session began last, None when it has none or it was forgotten."""
        with self._lock:
            owned = (each for who, each in reversed(self._live.values()) if who is not None and who == owner)
            return next(owned, None)

    def _held(self) -> int:
        kept = {id(each): each for _, live in self._live.values() for each in (live, live.source)}
        return sum(each.size for each in kept.values())


def _whole(recording: Recording) -> bool:
    return recording.stop is not None and recording.stop.whole
