"""Draws the two charts, one request at a time, and stores the latest."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import gradio as gr
from starlette.concurrency import run_in_threadpool

from specviz.styles import PALETTE
from specviz.ui import plots
from specviz.ui.limits import NAME
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings
from specviz.ui.server.addresses import Allowance, address

ROOM = 64
"""Charts that are kept, 50 kB each."""

Key = tuple[str, int, object, bool]


class Charts:
    """Answers the player's request for charts."""

    def __init__(self, recordings: Recordings, allowance: Allowance) -> None:
        self._recordings = recordings
        self._allowance = allowance
        self._made: OrderedDict[Key, list[Any]] = OrderedDict()
        self._making = asyncio.Lock()

    async def answer(self, request: gr.Request, event: gr.EventData) -> Any:
        """Both charts. Skips requests that make no sense, a forgotten run, and an address that asks too often."""
        match event._data:
            case {"run": str(run), **wanted} if len(run) <= NAME:
                recording = self._recordings.get(run)
                if recording is not None:
                    return await self._figures(address(request), recording, wanted)
        return gr.skip()

    async def _figures(self, who: str, recording: Recording, wanted: Mapping[Any, object]) -> Any:
        at, dark, newest = wanted.get("round"), wanted.get("dark") is True, recording.last()["n"]
        key = (recording.source.run, newest, at if type(at) is int and 0 <= at < newest else 0, dark)
        if key not in self._made:
            if self._allowance.wait(who):
                return gr.skip()
            async with self._making:  # a coroutine waits without a thread; threads answer everything else
                if key not in self._made:
                    self._made[key] = await run_in_threadpool(_drawn, recording, key)
                    while len(self._made) > ROOM:
                        self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


def _drawn(recording: Recording, key: Key) -> list[Any]:
    colours = PALETTE["colours"]["dark" if key[3] else "light"]
    return plots.figures(recording.rounds, colours, key[2], recording.signal)
