"""Compresses what carries rounds: answers of component functions, and events as they happen.

Gradio compresses only what is named like a file, and Starlette's middleware leaves events as they are.
"""

import re
import zlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROUNDS = re.compile(r"/gradio_api/(queue/data|call/.*|component_server/?)")
WINDOW, MEMORY = 31, 6
"""A gzip stream, with the widest window, because a round resembles the one before. It takes 200 kB."""


class Gzipped:
    """Compresses the answers of some paths for clients that accept it, each part at once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepts = scope["type"] == "http" and "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if not (accepts and ROUNDS.fullmatch(scope["path"])):
            await self._app(scope, receive, send)
            return
        stream = zlib.compressobj(wbits=WINDOW, memLevel=MEMORY)

        async def pack(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Encoding"] = "gzip"
                headers.add_vary_header("Accept-Encoding")
                del headers["Content-Length"]
            elif message["type"] == "http.response.body":
                end = zlib.Z_SYNC_FLUSH if message.get("more_body", False) else zlib.Z_FINISH
                message["body"] = stream.compress(message.get("body", b"")) + stream.flush(end)
            await send(message)

        await self._app(scope, receive, pack)
