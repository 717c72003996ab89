"""The outermost layer of a launched page, of which Gradio leaves no choice: how long a connection may take to say what
it wants, and that no browser may send a visitor's cookies along from another site.
"""

import asyncio
from typing import Any

import gradio as gr
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.ui.limits import SENDING

CREDENTIALS = "access-control-allow-credentials"


def harden(demo: gr.Blocks, seconds: float = SENDING) -> None:
    """Has a launched page close what is silent, or trickles, for longer in the middle of a request.

    uvicorn asks its configuration anew, whenever somebody connects, for a protocol and what stands behind it.
    """
    config = demo.server.config
    config.http_protocol_class = type("Bounded", (Patience, config.http_protocol_class), {"seconds": seconds})
    config.loaded_app = NoCredentials(config.loaded_app)


class NoCredentials:
    """Takes back what Gradio promises every site. There is no login here, but what shares the host may have one."""

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


class Patience:
    """Before uvicorn's protocol, whichever is installed; each has a `cycle`, the newest request and its answer."""

    seconds: float
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any
    _bound: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)  # type: ignore[misc]  # the protocol's
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)  # type: ignore[misc]
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)  # type: ignore[misc]

    def _look(self) -> None:
        if not self._sending():
            self._forget()
        elif self._bound is None:
            self._bound = self.loop.call_later(self.seconds, self.transport.close)

    def _sending(self) -> bool:
        """Whether the next word is the client's: between requests, too, where uvicorn's own bound is shorter."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _forget(self) -> None:
        if self._bound is not None:
            self._bound.cancel()
            self._bound = None
