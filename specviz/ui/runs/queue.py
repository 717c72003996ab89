"""Decides who may wait for the models. A session may have one run and a few questions waiting, an address a third of
the places. The last places are for addresses where nobody waits yet.

The counts are read from Gradio's own queue, so whoever cancelled or left is not counted.
"""

from typing import Any

import gradio as gr

from specviz.ui import words
from specviz.ui.limits import ADDRESS_WAITING, LAST, QUESTIONS, WAITING
from specviz.ui.server.addresses import address

LANE = "model"
"""The queue of whatever needs the models, which take one at a time."""
PACE = 0.02
"""Seconds between two looks at what waits. Gradio's own thousand looks a second would slow a run on the clock."""


class ModelQueue:
    """The queue of the models as a visitor meets it."""

    def __init__(self, demo: gr.Blocks) -> None:
        self._demo = demo

    def pace(self) -> None:
        """Has the queue, once there is one, look at PACE for what waits."""
        self._demo._queue.sleep_when_free = self._demo._queue.progress_update_sleep_when_free = PACE

    def why_full(self, request: gr.Request, *, instead: bool = True) -> str:
        """Why nobody can wait any more; "" while there is room. instead: the session's waiting run gives up its
        place."""
        mine = owner(request) if instead else None
        others = [each for each in self._all() if _owner(each) != mine or each.fn.api_name != "run"]
        near = sum(address(each.request) == address(request) for each in others)
        if near >= ADDRESS_WAITING:
            return words.address_full(ADDRESS_WAITING)
        return words.queue_full(len(others)) if len(others) >= WAITING - (LAST if near else 0) else ""

    def why_not(self, request: gr.Request) -> str:
        """Why this run may not wait, "" if it may. Where the models are free, the first of two is about to begin."""
        mine = [each for each in self._waiting() if _owner(each) == owner(request) and each.fn.api_name == "run"]
        lane = self._lane()
        free = lane is not None and lane.current_concurrency == 0
        return words.WAITS_ALREADY if len(mine) > free else self.why_full(request, instead=False)

    def served(self, request: gr.Request) -> None:
        """Moves the next run of whoever has just had one behind all others, so that nobody waits for two runs of one
        visitor."""
        queue = self._queue()
        for event in [each for each in self._waiting() if _owner(each) == owner(request) and each.fn.api_name == "run"]:
            queue.append(event)
            queue.remove(event)  # its older place, second, so that other threads always see it in the queue

    def question(self, request: gr.Request) -> list[Any]:
        """Lets one more question wait. A validator of a listener without inputs: there is no verdict, it can but raise.

        Raises:
            gr.Error: the session has too many waiting, or the address, or everybody.
        """
        mine = sum(_owner(each) == owner(request) and each.fn.api_name != "run" for each in self._all())
        if reason := words.TOO_MANY if mine >= QUESTIONS else self.why_full(request, instead=False):
            raise gr.Error(reason, print_exception=False)
        return []

    def _all(self) -> list[Any]:
        """What waits for the models, or for a pair to be brought into memory."""
        return [each for lane in [*self._demo._queue.event_queue_per_concurrency_id.values()] for each in [*lane.queue]]

    def _waiting(self) -> list[Any]:
        return [*self._queue()]

    def _queue(self) -> list[Any]:
        lane = self._lane()
        return [] if lane is None else lane.queue

    def _lane(self) -> Any:
        return self._demo._queue.event_queue_per_concurrency_id.get(LANE)


def owner(request: gr.Request) -> str:
    """Whose request it is: a session, or the address of an API client that has none."""
    return request.session_hash or address(request)


def _owner(event: Any) -> str:
    if event.session_hash != event._id:
        return str(event.session_hash)
    return address(event.request)
