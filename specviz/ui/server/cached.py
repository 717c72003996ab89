"""Stores the answers that are the same for every visitor: the page, its styles and scripts, and the API description.

Gradio would make each of them again for every visitor. That takes 15 to 30 ms for the page, and 100 files are opened
and read, on one processor, while a class waits. Gradio still compresses every answer.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALIKE = re.compile(
    r"/(config/?|theme\.css|(assets|static|svelte)/.*)?"
    r"|/gradio_api/(info/?|theme\.css)"
)
ROOM = 32_000_000
"""Bytes of stored answers. The oldest are dropped, because a visitor may add any query to an address."""
ADDRESS = ("host", "x-forwarded-host", "x-forwarded-proto", "x-gradio-server", "origin", "accept-encoding")
"""Headers that change an answer: those by which Gradio finds its own address, and the accepted compressions."""
PARTIAL = ("range", "if-none-match", "if-modified-since")
"""Headers that ask for less than the whole answer."""


class _Answer(NamedTuple):
    start: Message
    body: bytes


class Cached:
    """Repeats the first answer to a request whose answer does not change. Without a login, all visitors see one page.

    known: what makes the answers that no visitor changes, by path; each is made when it is first asked for.
    """

    def __init__(self, app: ASGIApp, known: Mapping[str, Callable[[], Response]] = MappingProxyType({})) -> None:
        self._app = app
        self._known, self._made = known, dict[str, _Answer]()
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._held = 0
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if headers is not None and scope["path"] in self._known:
            await _send(await self._once(scope["path"]), send)
            return
        if headers is None or not ALIKE.fullmatch(scope["path"]) or any(name in headers for name in PARTIAL):
            await self._app(scope, receive, send)
            return
        key = (
            *(scope.get(name) for name in ("scheme", "root_path", "path", "query_string")),
            *map(headers.get, ADDRESS),
        )
        answer = self._answers.get(key)
        if answer is None:
            async with self._making:  # of simultaneous requests, only the first reaches Gradio
                answer = self._answers.get(key) or await self._fetched(scope, receive)
                if answer.start["status"] == 200 and key not in self._answers:
                    self._answers[key] = answer
                    self._held += len(answer.body)
                while self._held > ROOM:
                    self._held -= len(self._answers.popitem(last=False)[1].body)
        else:
            self._answers.move_to_end(key)
        await _send(answer, send)

    async def _once(self, path: str) -> _Answer:
        if path not in self._made:
            async with self._making:
                if path not in self._made:
                    answer = await to_thread.run_sync(self._known[path])  # others are answered meanwhile
                    self._made[path] = _Answer(_start(answer), bytes(answer.body))
        return self._made[path]

    async def _fetched(self, scope: Scope, receive: Receive) -> _Answer:
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, collect)
        return _Answer(messages[0], b"".join(message.get("body", b"") for message in messages[1:]))


def _start(answer: Response) -> Message:
    return {"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers}


async def _send(answer: _Answer, send: Send) -> None:
    await send({**answer.start, "headers": [*answer.start["headers"]]})  # a copy, because the Guard adds headers
    await send({"type": "http.response.body", "body": answer.body})
