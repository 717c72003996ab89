"""Decides who may wait for the models.

A session may have one run and a few questions waiting, and an address may have a third of the places. The last places
are for addresses that have nothing waiting. The counts are read from Gradio's own queue, so cancelled requests and
visitors who left are not counted.
"""

from typing import Any

import gradio as gr

from specviz.config.settings import ConfigError
from specviz.ui.limits import ADDRESS_WAITING, LAST, QUESTIONS, WAITING
from specviz.ui.server.addresses import address

LANE = "model"
"""The queue of whatever needs the models, which take one at a time."""
PACE = 0.02
"""Seconds between two looks at the queue. Gradio's default of a thousand looks a second would slow a timed run."""


class ModelQueue:
    """The queue of the models, as far as visitors notice it."""

    def __init__(self, demo: gr.Blocks) -> None:
        self._demo = demo

    def pace(self) -> None:
        """Makes Gradio look at its queue every PACE seconds. The queue must exist."""
        self._demo._queue.sleep_when_free = self._demo._queue.progress_update_sleep_when_free = PACE

    def why_full(self, request: gr.Request, *, instead: bool = True) -> ConfigError | None:
        """Why no request can be queued, None if one can.

        Args:
            instead: the request takes the place of the session's waiting run.
        """
        mine = owner(request) if instead else None
        others = [each for each in self._all() if _owner(each) != mine or each.fn.api_name != "run"]
        near = sum(address(each.request) == address(request) for each in others)
        if near >= ADDRESS_WAITING:
            return ConfigError("address_full", waiting=ADDRESS_WAITING)
        full = len(others) >= WAITING - (LAST if near else 0)
        return ConfigError("queue_full", waiting=len(others)) if full else None

    def why_not(self, request: gr.Request) -> ConfigError | None:
        """Why this run may not be queued, None if it may.

        While the models are free, the first of two waiting runs is about to begin and does not count.
        """
        mine = [each for each in self._waiting() if _owner(each) == owner(request) and each.fn.api_name == "run"]
        lane = self._lane()
        free = lane is not None and lane.current_concurrency == 0
        return ConfigError("waits_already") if len(mine) > free else self.why_full(request, instead=False)

    def served(self, request: gr.Request) -> None:
        """Moves the visitor's next run to the end of the queue, so that nobody waits for two runs of one visitor."""
        queue = self._queue()
        for event in [each for each in self._waiting() if _owner(each) == owner(request) and each.fn.api_name == "run"]:
            queue.append(event)
            queue.remove(event)  # its older place, second, so that other threads always see it in the queue

    def question(self, request: gr.Request) -> list[Any]:
        """Allows one more question in the queue. It validates a listener without inputs, so it can only raise an error.

        Raises:
            gr.Error: too many requests of the session, of the address, or of all visitors are waiting.
        """
        mine = sum(_owner(each) == owner(request) and each.fn.api_name != "run" for each in self._all())
        if full := ConfigError("too_many") if mine >= QUESTIONS else self.why_full(request, instead=False):
            raise gr.Error(str(full), print_exception=False)
        return []

    def _all(self) -> list[Any]:
        """All requests that wait for the models, or for a pair to be loaded."""
        return [each for lane in [*self._demo._queue.event_queue_per_concurrency_id.values()] for each in [*lane.queue]]

    def _waiting(self) -> list[Any]:
        return [*self._queue()]

    def _queue(self) -> list[Any]:
        lane = self._lane()
        return [] if lane is None else lane.queue

    def _lane(self) -> Any:
        return self._demo._queue.event_queue_per_concurrency_id.get(LANE)


def owner(request: gr.Request) -> str:
    """Who sent the request: a session, or the address of an API client that has no session."""
    return request.session_hash or address(request)


def _owner(event: Any) -> str:
    if event.session_hash != event._id:
        return str(event.session_hash)
    return address(event.request)
