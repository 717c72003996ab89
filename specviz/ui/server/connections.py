"""What a launched page allows a connection, where Gradio has no setting for it.

A connection may take only so long to send its request. And no other site may have a browser send the visitor's cookies.
"""

import asyncio
from typing import Any

import gradio as gr
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.ui.limits import SENDING

CREDENTIALS = "access-control-allow-credentials"


def harden(demo: gr.Blocks, seconds: float = SENDING) -> None:
    """Makes a launched page close connections that take longer than `seconds` to send a request.

    uvicorn reads the protocol and the app from its configuration at every new connection, so a running server changes.
    """
    config = demo.server.config
    config.http_protocol_class = type("Timed", (RequestTimeout, config.http_protocol_class), {"seconds": seconds})
    config.loaded_app = NoCredentials(config.loaded_app)


class NoCredentials:
    """Removes the header by which Gradio lets every site send a visitor's cookies.

    This page has no login, but another service on the same host may have one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def without(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if CREDENTIALS in headers:
                    del headers[CREDENTIALS]
            await send(message)

        await self._app(scope, receive, without)


class RequestTimeout:
    """A base class put in front of uvicorn's protocol, whichever is installed.

    cycle: the newest request and its answer, in all of uvicorn's protocols.
    """

    seconds: float
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)  # type: ignore[misc]  # uvicorn's
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)  # type: ignore[misc]
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def _watch(self) -> None:
        if not self._client_is_next():
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self.transport.close)

    def _client_is_next(self) -> bool:
        """True if the server waits for the client. Between two requests uvicorn's own limit is shorter."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
