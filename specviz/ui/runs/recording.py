"""One run as the page gets it, a numbered list of messages: head, rounds, end and, once it was timed, its race.

A message is JSON text; a round's, the head's fields and a race are in it as in a file of the trace. The player gets
messages one by one and may ask for any range again, so a delta that got lost on the way is never missing for long.
Safe to use from several threads.
"""

import json
import threading
import zlib
from typing import TypedDict

from specviz.config.words import Sentence
from specviz.trace.codec import read, to_json
from specviz.trace.info import RunInfo
from specviz.trace.round import Round
from specviz.trace.run import SCHEMA, Race, Stop, Trace
from specviz.ui.events import Remark


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

    Args:
        live: somebody asked for it here. Its head says so, because a remark may be lost on the way.
        repeats: the finished recording that this one repeats. The two share all but their races.
    """

    def __init__(self, run: str, *, live: bool = False, repeats: "Recording | None" = None) -> None:
        self.run = run
        self._live = live
        self._source: Recording = repeats.source if repeats else self
        self._lock: threading.RLock = repeats._lock if repeats else threading.RLock()
        self._races: list[str] = [*repeats._races] if repeats else []
        self._race: str = repeats._race if repeats else "null"
        self._info: RunInfo | None = None
        self._head = ""
        self._rounds: list[str] = []
        self._packed = b""
        self._spent = 0.0
        self._text: str | None = None
        self._stop: Stop | None = None
        self._finished = False

    @classmethod
    def of(cls, run: str, trace: Trace) -> "Recording":
        """A finished trace as a recording."""
        recording = cls(run)
        recording.open(trace)
        for step in trace.rounds:
            recording.add(step)
        recording.finish(trace.stop, trace.text)
        if trace.race:
            recording.keep(trace.race, trace.info)
            recording._race = to_json(trace.race)
        return recording

    @property
    def source(self) -> "Recording":
        """The recording that was made: this one, or the one it repeats."""
        return self._source

    @property
    def info(self) -> RunInfo | None:
        """How the run is made, None before it was opened."""
        return self._source._info

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds so far, read from their JSON."""
        return tuple(read(Round, json.loads(text), "round") for text in self._texts())

    @property
    def finished(self) -> bool:
        """True if the recording is closed."""
        return self._source._finished

    @property
    def stop(self) -> Stop | None:
        """Why the run ended, None before it did."""
        return self._source._stop

    @property
    def raced(self) -> int | None:
        """The number of the message that holds its race, None before it was timed."""
        with self._lock:
            return self.last()["n"] if self._races else None

    @property
    def seconds(self) -> float:
        """Seconds that the models have taken for it so far."""
        return self._source._spent / 1e3

    @property
    def size(self) -> int:
        """Bytes it takes, without what it shares with the one it repeats: of a finished run its rounds, compressed."""
        with self._lock:
            return sum(map(len, (self._head, self._packed, *self._rounds, *self._races)))

    def open(self, trace: Trace) -> Delta | None:
        """The head of a run's trace. None when the recording was closed in the meantime: it stays empty."""
        head = to_json({name: getattr(trace, name) for name in ("info", "prompt", "prompt_texts", "prefill")})
        with self._lock:
            if self._finished:
                return None
            self._info, self._head, self._spent = trace.info, head, trace.prefill
            return self.last()

    def add(self, step: Round) -> Delta | None:
        """Appends a round. None when the recording was closed in the meantime: the round is not kept."""
        text = to_json(step)
        with self._lock:
            if self._finished:
                return None
            self._rounds.append(text)
            self._spent += step.timing.drafting + step.timing.verify + step.timing.overhead
            return {"run": self.run, "n": len(self._rounds), "j": _round(text)}

    def finish(self, stop: Stop, text: str | None = None) -> None:
        """Closes the recording and compresses its rounds; only the first call counts. One that was never opened stays
        empty.

        Args:
            text: everything after the prompt; None to put it together from the tokens' own texts.
        """
        with self._lock:
            if self._head and not self._finished:
                self._stop, self._text = stop, text
                if self._rounds:
                    self._packed = zlib.compress("\n".join(self._rounds).encode(errors="surrogatepass"))
                    self._rounds = []
            self._finished = True

    def keep(self, race: Race, info: RunInfo) -> int:
        """Appends a race of the finished run and returns its message number. An older race becomes empty; its number
        stays. The trace of a run that was not made here keeps its own race, because it tells of one machine.

        Args:
            info: of a run on the machine and with the passes that the race was timed with.
        """
        forward, text = info.target_forward, to_json(race)
        where = {"device": info.device, "dtype": info.dtype, "threads": forward.threads, "forward": forward.name}
        where |= {"reason": forward.reason, "recorded": info.recorded}
        with self._lock:
            if self._live:
                self._race = text
            self._races = [*("{}" for _ in self._races), f'{{"race":{text},"where":{to_json(where)}}}']
            return self.last()["n"]

    def json(self) -> str:
        """The whole run as the JSON of a trace; "" before it has ended."""
        if not self._source._head or self.stop is None:
            return ""
        text = self._source._text
        end = to_json({"stop": self.stop, "text": self._pieces() if text is None else text})
        rounds = ",".join(self._texts())
        return f'{self._source._head[:-1]},"rounds":[{rounds}],{end[1:-1]},"race":{self._race},"schema":{SCHEMA}}}'

    def last(self) -> Delta:
        """The newest message, or the remark that there is none. A player that misses earlier ones asks for them."""
        deltas = self.deltas()
        return deltas[-1] if deltas else remark(self.run, Remark.IDLE, "")

    def deltas(self) -> list[Delta]:
        """All messages so far."""
        with self._lock:
            made = self._source
            if not made._head:
                return []
            more = {"live": self._live, "repeats": made is not self}
            head = f'{{"head":{made._head},{to_json(more)[1:]}'
            said = {} if made._text is None else {"text": made._text}
            end = [] if made._stop is None else [to_json({"end": {"stop": made._stop, **said}})]
            messages = [head, *map(_round, self._texts()), *end, *self._races]
            return [{"run": self.run, "n": n, "j": message} for n, message in enumerate(messages)]

    def messages(self, start: int, stop: int) -> list[str]:
        """Messages start..stop-1, as far as they exist."""
        return [delta["j"] for delta in self.deltas()[max(0, start) : max(0, stop)]]

    def _texts(self) -> list[str]:
        """The JSON of each round so far."""
        with self._lock:
            packed = self._source._packed
            if packed:
                return zlib.decompress(packed).decode(errors="surrogatepass").split("\n")
            return [*self._source._rounds]

    def _pieces(self) -> str:
        """The text, put together from its tokens."""
        return "".join(
            each.text
            for step in self.rounds
            for each in (*(step.verdicts[node] for node in step.path), step.extra)
            if each
        )


def _round(text: str) -> str:
    return f'{{"round":{text}}}'
