"""A recorded run: what the page, the plots, the command line and the tests read.

Plain data, standard library only. p is the target's probability, q the
drafter's, both after temperature, top-k and top-p. Times are milliseconds,
entropies nats, cache lengths slots. Numbers inside a View are rounded to six
significant digits. p, q, u, weight, mass and entropy of a verdict are exact, so
that every decision can be recomputed from the trace.
"""

from dataclasses import dataclass
from enum import StrEnum

from specviz.trace.info import RunInfo
from specviz.trace.round import Round, Timing

SCHEMA = 8


class Stop(StrEnum):
    """Why a run ended.

    Eos: by a token that ends texts. String: by a stop string. Deadline: it took longer than allowed. Failed: the engine
    broke. What was recorded before is kept.
    """

    LENGTH = "length"
    EOS = "eos"
    STRING = "string"
    CONTEXT = "context"
    STOPPED = "stopped"
    DEADLINE = "deadline"
    FAILED = "failed"

    @property
    def whole(self) -> bool:
        """True if the run came to its own end, so that its config alone determines it."""
        return self in (Stop.LENGTH, Stop.EOS, Stop.STRING, Stop.CONTEXT)


@dataclass(frozen=True, slots=True)
class Race:
    """A run and plain decoding with the same target, timed in turns after a warm-up. Nothing is shown or recorded
    meanwhile.

    Milliseconds. Reading the prompt is not timed.

    Attributes:
        rounds: where the time of the run's median lap went, round by round.
        passes: how long each token of plain decoding took, in its median lap.
        tokens, texts: what plain decoding wrote, as many tokens as the run. They differ unless greedy or coupled.
        laps, plain_laps: every lap of each, in order.
    """

    rounds: tuple[Timing, ...]
    passes: tuple[float, ...]
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    laps: tuple[float, ...]
    plain_laps: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run. prompt holds token ids, prompt_texts their texts, text everything after the prompt.

    race is None until the run was timed against plain decoding.
    """

    info: RunInfo
    prompt: tuple[int, ...]
    prompt_texts: tuple[str, ...]
    prefill: float
    rounds: tuple[Round, ...]
    stop: Stop
    text: str
    race: Race | None = None
    schema: int = SCHEMA

    @property
    def tokens(self) -> tuple[int, ...]:
        """The generated tokens, prompt excluded."""
        return tuple(token for step in self.rounds for token in step.tokens)

    def to_html(self, address: str = "", language: str = "en") -> str:
        """One HTML page that plays the run without a network.

        Args:
            address: of a specviz page, where links copied from this one lead.
            language: en, de or zh, which the page speaks, beside English, to browsers that ask for it.
        """
        from specviz.trace import standalone  # not at the top, because it reads traces itself

        return standalone.page(self, address, language)

    def _repr_html_(self) -> str:
        """The same page in a frame, as a notebook shows a run."""
        from specviz.trace import standalone

        return standalone.frame(self)
