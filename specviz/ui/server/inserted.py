"""Markup of our own in the page that Gradio writes."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

APP = b"<gradio-app"


class Inserted:
    """Inserts markup before Gradio's app while the page is sent. Gradio's head= needs a script to take effect."""

    def __init__(self, app: ASGIApp, markup: str) -> None:
        self._app = app
        self._markup = markup.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)  # sent later, because its content-length changes
                return
            body = message["body"].replace(APP, self._markup + APP, 1)
            MutableHeaders(scope=start)["content-length"] = str(len(body))
            await send(start)
            await send({**message, "body": body})

        is_page = scope["type"] == "http" and scope["path"] == "/"
        await self._app(scope, receive, add if is_page else send)
