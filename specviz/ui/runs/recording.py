"""One run as the page gets it, a numbered list of messages: head, rounds, end and, once it was timed, its race.

A message is JSON text. The player gets them one by one and may ask for any
range again, so a delta that got lost on the way is never missing for long.
Safe to use from several threads.
"""

import dataclasses
import json
import pickle
import threading
import zlib
from typing import TypedDict

from specviz.config.words import Sentence
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


def remark(run: str, kind: Remark, text: Sentence) -> Delta:
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
            recording._race = trace.race
        return recording

    @property
    def info(self) -> RunInfo | None:
        """How the run is made, None before it was opened."""
        return self._info

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds so far."""
        if self._source is not self:
            return self._source.rounds
        with self._lock:
            if self._packed:
                return tuple(pickle.loads(zlib.decompress(self._packed)))  # noqa: S301 - pickled below
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
            state = (kept._source, kept._info, kept._known, kept._stop, kept._raced, kept._race)
        with self._lock:
            self._messages = messages
            self._source, self._info, self._known, self._stop, self._raced, self._race = state
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
        """Compresses the rounds of a finished recording to a tenth. They are rarely needed again."""
        with self._lock:
            if self._finished and not self._packed:
                self._spent = self._seconds()
                self._packed = zlib.compress(pickle.dumps(self._rounds), 1)
                self._rounds = []

    def keep(self, race: Race, info: RunInfo) -> int:
        """Appends a race of the finished run and returns its message number. An older race becomes empty; its number
        stays. The trace of a run that was not made here keeps its own race, because it tells of one machine.

        Args:
            info: of a run on the machine and with the passes that the race was timed with.
        """
        with self._lock:
            if self._raced is not None:
                self._messages[self._raced] = "{}"
            if self._live:
                self._race = race
            self._known = {*self._known}  # a copy, because repeats share the set
            self._raced = self._append(wire.pack_race(race, info, self._known))["n"]
            return self._raced

    @property
    def source(self) -> "Recording":
        """The recording that was made: this one, or the one it repeats."""
        return self._source

    def trace(self) -> Trace | None:
        """The whole run as a trace, None before it has ended."""
        if self._source is not self:
            made = self._source.trace()
            return made and dataclasses.replace(made, race=self._race)
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
        """The number of letters in its messages."""
        with self._lock:
            return sum(map(len, self._messages))

    @property
    def seconds(self) -> float:
        """Seconds that the models have taken for it so far."""
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
        """All messages so far."""
        with self._lock:
            return [{"run": self.run, "n": n, "j": message} for n, message in enumerate(self._messages)]

    def messages(self, start: int, stop: int) -> list[str]:
        """Messages start..stop-1, as far as they exist."""
        with self._lock:
            return self._messages[max(0, start) : max(0, stop)]

    def _append(self, message: str) -> Delta:
        self._messages.append(message)
        return {"run": self.run, "n": len(self._messages) - 1, "j": message}
