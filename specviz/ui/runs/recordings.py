"""Runs the page can show, each a numbered list of messages: head, rounds, end and, once it was timed, its race.

A message is JSON text. The player gets them one by one and may ask for any
range again, so a delta that got lost on the way is never missing for long.
Safe to use from several threads.
"""

import json
import pickle
import threading
import uuid
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import TypedDict

from specviz.config import RunConfig
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.trace.codec import to_json
from specviz.trace.info import RunInfo
from specviz.trace.round import Round
from specviz.trace.run import Race, Stop, Trace
from specviz.ui.events import Remark
from specviz.ui.runs import wire


class Delta(TypedDict):
    """What travels to the player: message n of a run. A negative n is a remark, not part of the recording."""

    run: str
    n: int
    j: str


def remark(run: str, kind: Remark, text: str) -> Delta:
    """A line about a run that has no place in its recording."""
    return {"run": run, "n": -1, "j": json.dumps({kind: text})}


class Recording:
    """One run, from the moment it is asked for: opened, appended to while it is made, closed by the first finish().

    live: somebody asked for it here. Its head says so, because a remark may be lost on the way.
    """

    def __init__(self, run: str, *, live: bool = False) -> None:
        self.run = run
        self._live = live
        self._source = self
        self._info: RunInfo | None = None
        self._prefill = 0.0
        self._messages: list[str] = []
        self._rounds: list[Round] = []
        self._packed = b""
        self._spent = 0.0
        self._known: set[int] = set()
        self._finished = False
        self._stop: Stop | None = None
        self._raced: int | None = None
        self._race: Race | None = None
        self._head: tuple[tuple[int, ...], tuple[str, ...]] = ((), ())
        self._text: str | None = None
        self._lock = threading.Lock()

    @classmethod
    def of(cls, run: str, trace: Trace) -> "Recording":
        """A finished trace as a recording."""
        recording = cls(run)
        recording.open(trace.info, trace.prompt, trace.prompt_texts, trace.prefill)
        for step in trace.rounds:
            recording.add(step)
        recording.finish(trace.stop, trace.text)
        if trace.race:
            recording.keep(trace.race, trace.info)
        return recording

    @property
    def info(self) -> RunInfo | None:
        """How the run is made, None before it was opened."""
        return self._info

    @property
    def signal(self) -> str:
        """What the number is by which its gamma rule went, "" if it went by none."""
        rule = self._info.controller if self._info else ""
        return next((entry.signal for entry in GAMMA_RULES if entry.name == rule), "")

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds so far."""
        if self._source is not self:
            return self._source.rounds
        with self._lock:
            if self._packed:
                return tuple(pickle.loads(zlib.decompress(self._packed)))  # noqa: S301 - packed below
            return tuple(self._rounds)

    @property
    def finished(self) -> bool:
        """Whether the recording is closed."""
        return self._finished

    @property
    def stop(self) -> Stop | None:
        """Why the run ended, None before it did."""
        return self._stop

    @property
    def raced(self) -> int | None:
        """The number of the message that holds its race, None before it was timed."""
        return self._raced

    def open(
        self, info: RunInfo, prompt: tuple[int, ...], prompt_texts: tuple[str, ...], prefill: float
    ) -> Delta | None:
        """The head. None when the recording was closed in the meantime: it stays empty."""
        head = {"info": info, "prompt": prompt, "prompt_texts": prompt_texts, "prefill": prefill}
        with self._lock:
            if self._finished:
                return None
            self._info, self._prefill, self._head = info, prefill, (prompt, prompt_texts)
            return self._append(to_json({"head": head, "live": self._live}))

    def repeat(self, kept: "Recording") -> None:
        """Fills this one, still empty, with all of a finished run, whose messages it shares."""
        with kept._lock:
            head = {**json.loads(kept._messages[0]), "repeats": True}
            messages = [to_json(head), *kept._messages[1:]]
            state = (kept._source, kept._info, kept._known, kept._stop, kept._raced)
        with self._lock:
            self._messages = messages
            self._source, self._info, self._known, self._stop, self._raced = state
            self._finished = True

    def add(self, step: Round) -> Delta | None:
        """Appends a round. None when the recording was closed in the meantime: the round is not kept."""
        with self._lock:
            if self._finished:
                return None
            message = wire.pack(step, self._known)
            self._rounds.append(step)
            return self._append(message)

    def finish(self, stop: Stop, text: str | None = None) -> None:
        """Closes the recording; only the first call counts. One that was never opened stays empty.

        Args:
            text: everything after the prompt; None to put it together from the tokens' own texts.
        """
        with self._lock:
            if self._messages and not self._finished:
                self._stop, self._text = stop, text
                self._append(to_json({"end": {"stop": stop}}))
            self._finished = True

    def pack(self) -> None:
        """Makes the rounds of a finished recording, which may not be asked for again, a tenth of their size."""
        with self._lock:
            if self._finished and not self._packed:
                self._spent = self._seconds()
                self._packed = zlib.compress(pickle.dumps(self._rounds), 1)
                self._rounds = []

    def keep(self, race: Race, info: RunInfo) -> int:
        """Appends a race of the finished run, and returns its number; an older one is forgotten, its number is not.

        Args:
            info: of a run where and how the race was timed.
        """
        with self._lock:
            if self._raced is not None:
                self._messages[self._raced] = "{}"
            self._race = race
            self._known = {*self._known}  # which a repeat shares
            self._raced = self._append(wire.pack_race(race, info, self._known))["n"]
            return self._raced

    @property
    def source(self) -> "Recording":
        """The recording that was made: this one, or the one it repeats."""
        return self._source

    def trace(self) -> Trace | None:
        """All of it as a trace; None before it ended."""
        if self._source is not self:
            return self._source.trace()
        if self._info is None or self._stop is None:
            return None
        rounds = self.rounds
        pieces = [
            each.text for step in rounds for each in (*(step.verdicts[node] for node in step.path), step.extra) if each
        ]
        text = "".join(pieces) if self._text is None else self._text
        return Trace(self._info, *self._head, self._prefill, rounds, self._stop, text, self._race)

    @property
    def letters(self) -> int:
        """How much its messages hold."""
        with self._lock:
            return sum(map(len, self._messages))

    @property
    def seconds(self) -> float:
        """How long the models took for it so far."""
        if self._source is not self:
            return self._source.seconds
        with self._lock:
            return self._spent if self._packed else self._seconds()

    def _seconds(self) -> float:
        spent = (each.timing.drafting + each.timing.verify + each.timing.overhead for each in self._rounds)
        return (self._prefill + sum(spent)) / 1e3

    def last(self) -> Delta:
        """The newest message, or the remark that there is none. A player that misses earlier ones asks for them."""
        with self._lock:
            if not self._messages:
                return remark(self.run, Remark.IDLE, "")
            return {"run": self.run, "n": len(self._messages) - 1, "j": self._messages[-1]}

    def deltas(self) -> list[Delta]:
        """All of it so far."""
        with self._lock:
            return [{"run": self.run, "n": n, "j": message} for n, message in enumerate(self._messages)]

    def messages(self, start: int, stop: int) -> list[str]:
        """Messages start..stop-1, as far as they exist."""
        with self._lock:
            return self._messages[max(0, start) : max(0, stop)]

    def _append(self, message: str) -> Delta:
        self._messages.append(message)
        return {"run": self.run, "n": len(self._messages) - 1, "j": message}


LENT = 32
"""Runs that pages may still have to fetch, and live ones whose rounds are likely asked for."""
LATE = 8
"""Runs that tell how long the next one will take."""


class Recordings:
    """The shipped recordings for good, the newest live ones, each owned by one browser session, and the newest lent.

    letters: how much the messages of the live ones may hold together, what is shared counted once. The newest's rounds
    take ten times as many bytes.
    """

    def __init__(self, shipped: Mapping[str, Recording], capacity: int = 1024, letters: int = 6_000_000) -> None:
        self._shipped = dict(shipped)
        self._capacity = capacity
        self._letters = letters
        self._lent: OrderedDict[str, Recording] = OrderedDict()
        self._live: OrderedDict[str, tuple[str | None, Recording]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def shipped(self) -> tuple[str, ...]:
        """Names of the recordings that came with the project."""
        return tuple(self._shipped)

    def begin(self, owner: str | None, repeats: Recording | None = None) -> Recording:
        """A session's new live recording, its newest from now on; forgets the oldest of which there is no room for.

        Args:
            repeats: the finished recording it is to be one more time.
        """
        recording = Recording(uuid.uuid4().hex, live=True)
        if repeats is not None:
            recording.repeat(repeats)
        with self._lock:
            self._live[recording.run] = (owner, recording)
            while len(self._live) > 1 and (len(self._live) > self._capacity or self._held() > self._letters):
                self._live.popitem(last=False)
            older = [each for _, each in self._live.values()][:-LENT]
        for each in older:
            each.pack()
        return recording

    def like(self, config: RunConfig) -> Recording | None:
        """The newest whole run that was made here with that config, None when there is none."""
        with self._lock:
            made = [recording for _, recording in reversed(self._live.values())]
        return next((each for each in made if _whole(each) and each.info and each.info.config == config), None)

    def pace(self) -> float | None:
        """Seconds a whole run took of late, None when none was made."""
        with self._lock:
            made = {each.source.run: each.source for _, each in reversed(self._live.values()) if _whole(each)}
        late = [each.seconds for each in [*made.values()][:LATE]]
        return sum(late) / len(late) if late else None

    def lend(self, trace: Trace) -> Recording:
        """A finished run for a page that fetches it at once, and needs it no longer then. It stands apart, because
        somebody's live run may be asked about for as long as it is on stage and must not give way to it."""
        recording = Recording.of(uuid.uuid4().hex, trace)
        with self._lock:
            self._lent[recording.run] = recording
            while len(self._lent) > LENT:
                self._lent.popitem(last=False)
        return recording

    def get(self, run: str) -> Recording | None:
        """The recording of that name, None when unknown or forgotten."""
        if run in self._shipped:
            return self._shipped[run]
        with self._lock:
            return self._live[run][1] if run in self._live else self._lent.get(run)

    def newest(self, owner: str | None) -> Recording | None:
        """The live recording a session began last, None when it has none or it was forgotten."""
        with self._lock:
            owned = (each for who, each in reversed(self._live.values()) if who is not None and who == owner)
            return next(owned, None)

    def _held(self) -> int:
        made = {id(each.source): each.source for _, each in self._live.values()}
        return sum(each.letters for each in made.values())


def _whole(recording: Recording) -> bool:
    return recording.stop is not None and recording.stop.whole
