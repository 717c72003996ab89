"""Offers pairs, and loads one into memory while runs with the present one continue.

Every report is JSON text, because Gradio searches any other value for files. It repeats the name of its question, or ""
if there was none.
"""

import json
import logging
import math
import time
from collections.abc import Callable, Iterator
from typing import TypedDict

from specviz.config.pairs import Offer
from specviz.config.settings import ConfigError, wrong
from specviz.config.words import Sentence
from specviz.ui import words
from specviz.ui.answers.base import Answers, Content, refusing
from specviz.ui.backend import Backend
from specviz.ui.limits import LINE, NAME

EVERY = 0.3
"""Seconds between two reports of the same step."""


class PairReport(TypedDict):
    """What travels to the pair's control."""

    j: str


class Pairs(Answers):
    """Offers pairs, and loads one."""

    def __init__(self, backend: Backend, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._backend = backend
        self._clock = clock

    def offers(self) -> PairReport:
        """The pairs to choose from, or the error that broke the engine in one line. The log has all of the error."""
        try:
            return _report("", {"offers": self._backend.offers()})
        except Exception as error:
            logging.getLogger(__name__).exception("the pairs could not be listed")
            return _report("", {"error": words.broke(error)})

    def answer(self, request: object) -> Iterator[PairReport]:
        """Reports the progress of loading a pair; then that it is in use, or in one line why not.

        A request without a pair and a name is not answered.

        Raises:
            Exception: whatever broke the engine. The page has been told before.
        """
        match request:
            case {"name": str(name), "ask": str(ask)} if max(len(name), len(ask)) <= NAME:
                for content in refusing(self.until_cancelled(ask, self._loaded(name))):
                    # The offers may have changed, because a failed load can have removed the pair that was in memory.
                    more = {"offers": self._backend.offers()} if "error" in content else {}
                    yield _report(ask, content | more)

    def _loaded(self, name: str) -> Iterator[Content]:
        offered(self._backend, name)
        what: Sentence = ""
        reported = -math.inf
        for step in self._backend.ready(name):
            now = self._clock()
            if step.what != what or now - reported >= EVERY:
                what, reported = step.what, now
                counted = {"done": step.done, "total": step.total, "seconds": step.seconds}
                yield {**counted, "what": words.cut(what, LINE)}
        yield {"pair": name, "offers": self._backend.offers()}


def usable(backend: Backend, name: str) -> None:
    """Checks that the pair is in memory, because loading it would keep everybody else waiting.

    Raises:
        ConfigError: there is no such pair, or it is not in memory.
    """
    offer = offered(backend, name)
    if not offer.ready:
        raise ConfigError("absent", pair=offer.label)


def offered(backend: Backend, name: str) -> Offer:
    """The offer of that name.

    Raises:
        ConfigError: there is none, or this machine cannot run it.
    """
    offers = backend.offers()
    for offer in offers:
        if offer.name == name:
            if offer.refusal:
                raise ConfigError("unfit", pair=offer.label, reason=offer.refusal)
            return offer
    raise wrong("pair", name, "one", names=", ".join(offer.name for offer in offers))


def _report(ask: str, content: Content) -> PairReport:
    return {"j": json.dumps({"ask": ask, **content})}
