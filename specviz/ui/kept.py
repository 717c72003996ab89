"""What the server sends every visitor alike is made once: the page itself, and what programs ask about it.

Gradio makes all of it anew each time, 15 to 30 ms of the one processor it has, and a class opens the page at once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALIKE = frozenset(("/", "/config", "/config/", "/gradio_api/info", "/gradio_api/info/"))
MOST = 32
"""Answers that are kept, about 200 kB each: a server has few names, and what a query adds is the sender's choice."""
ADDRESS = ("host", "x-forwarded-host", "x-forwarded-proto", "x-gradio-server", "origin")
"""Headers by which Gradio tells where it was reached, which is in the answer."""


class _Answer(NamedTuple):
    start: Message
    body: bytes


class Kept:
    """Answers what does not change from its first answer. There is no login here: nobody sees another page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] not in ALIKE:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = (
            *(scope.get(name) for name in ("scheme", "root_path", "path", "query_string")),
            *map(headers.get, ADDRESS),
        )
        answer = self._answers.get(key)
        if answer is None:
            async with self._making:  # of those who ask at once, one has it made
                answer = self._answers.get(key) or await self._made(scope, receive)
                if answer.start["status"] == 200:
                    self._answers[key] = answer
                while len(self._answers) > MOST:
                    self._answers.popitem(last=False)
        else:
            self._answers.move_to_end(key)
        await send({**answer.start, "headers": [*answer.start["headers"]]})  # which the Guard adds to
        await send({"type": "http.response.body", "body": answer.body})

    async def _made(self, scope: Scope, receive: Receive) -> _Answer:
        messages: list[Message] = []

        async def hear(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, hear)
        return _Answer(messages[0], b"".join(message.get("body", b"") for message in messages[1:]))
