"""Which routes the server has, how large a request may be, from which sites it may come, and how often.

Gradio has far more routes than one page needs (uploads, a proxy for files of other hosts, run history, monitoring, deep
links). A route that is not listed here does not exist, so a later Gradio cannot add one unnoticed.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import gradio as gr
from gradio.server_messages import UnexpectedErrorMessage
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.ui.limits import BODY, CHECKINGS, PACKED, PATH, STARTS, WAITING
from specviz.ui.player import RECORDED, SCRIPTS, SHELL
from specviz.ui.server import bodies
from specviz.ui.server.addresses import Allowance, address
from specviz.ui.server.checks import CHECK

LAUNCH: dict[str, Any] = {
    "ssr_mode": False,
    "run_history": False,  # prompts would stay in the browsers of shared computers
    "enable_monitoring": False,
    "show_error": False,
    "share": False,
    "allowed_paths": [],
    "state_session_capacity": 300,  # 115 kB each; Recordings keeps the runs
    "max_file_size": "64kb",
    "footer_links": [],
}
# ModelQueue reaches its own limit first, which has its own messages. Gradio's limit is never reached.
QUEUE: dict[str, Any] = {"max_size": 2 * WAITING, "api_open": False, "status_update_rate": 5}
GONE = "nothing is under way by that name"
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
# The policy blocks every other host. Gradio compiles its templates and js= (unsafe-eval), and has inline scripts and
# styles, as Plotly has (unsafe-inline); none of these contain text of a visitor or a model. Charts and traces are saved
# through blob: and data:.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors "
)
SPACE = "'self' https://huggingface.co https://*.huggingface.co https://hf.co"
"""The sites that may show a Space in a frame."""

_API = "/gradio_api/"
_GET = re.compile(
    r"/(config/?|theme\.css|robots\.txt|favicon\.ico|manifest\.json|pwa_icon(/\d+)?|(static|assets|svelte)/.*)?"
    rf"|{_API}(info/?|app_id/?|startup-events|theme\.css|queue/(data|status)|(call|heartbeat)/.*)"
    rf"|{RECORDED}[^/]+|{SHELL}[a-z]+"
    rf"|/{SCRIPTS}([\w-]+/)*[\w-]+(\.min)?\.js(on)?"
)
_POST = re.compile(rf"{_API}(queue/join|call/(v2/)?run/?|run/predict/?|component_server/?|cancel|reset/?)|{CHECK}")
_LISTENS = re.compile(rf"{_API}(queue/data|call/(v2/)?[^/]*/(?P<event>.*))")
_STARTS = re.compile(rf"{_API}(queue/join|call/.*)|{CHECK}")


class Guard:
    """Lets through the requests that this page needs. Any other request gets an answer that names the broken limit.

    embed: whether pages of other sites may ask for runs, and show the page in a frame.
    """

    def __init__(self, app: ASGIApp, *, embed: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._embed = embed
        self._allowed = {limit: Allowance(limit, clock) for limit in (STARTS, CHECKINGS)}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        framed = "*" if embed else SPACE if os.environ.get("SPACE_ID") else "'self'"
        self._headers = {**HEADERS, "Content-Security-Policy": POLICY + framed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def mark(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        error = self._head_error(scope)
        if scope["method"] == "POST" and error is None:
            body = await _body(receive, _most(scope["path"]))
            error = _body_error(scope, body)
            receive = _replayed(body or b"", receive)
        elif error is None:
            error = _unknown_stream(scope)
        if error is None and scope["method"] == "POST" and _STARTS.fullmatch(scope["path"]):
            turn = f"{address(Request(scope))} {scope['path'] == CHECK}"  # a check may take seconds, a start may not
            async with self._locks.setdefault(turn, asyncio.Lock()):
                await self._app(scope, receive, mark)  # in turn, or all would count the same free places
        else:
            await (error or self._app)(scope, receive, mark)

    def _head_error(self, scope: Scope) -> Response | None:
        """The error for a request whose method, path or headers are wrong."""
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        routes = {"GET": _GET, "HEAD": _GET, "POST": _POST}.get(method)
        if routes is None or len(path.encode()) > PATH or not routes.fullmatch(path):
            return _error(404, "there is nothing here")
        if method != "POST":
            return None
        if not self._embed and _from_another_site(headers):
            return _error(403, "asked by a page of another site; app.py --embed would let it")
        wanted = "application/gzip" if path == CHECK else "application/json"
        if headers.get("content-type", "").partition(";")[0].strip() != wanted:
            return _error(415, f"the body is not {wanted}")
        if int(headers.get("content-length", "0")) > _most(path):
            return _too_large(path)
        limit = CHECKINGS if path == CHECK else STARTS
        wait = self._allowed[limit].wait(address(Request(scope))) if _STARTS.fullmatch(path) else 0.0
        if wait:
            line = f"more than {limit} starts a minute from one address; wait a little"
            return _error(429, line, {"Retry-After": f"{wait:.0f}"})
        return None


def _from_another_site(headers: Headers) -> bool:
    """True if a page of another site sent the request. Over plain HTTP, browsers say so only in Origin."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def _most(path: str) -> int:
    """Bytes that a body may have."""
    return PACKED if path == CHECK else BODY


async def _body(receive: Receive, most: int) -> bytes | None:
    """The whole body, None if it is too large or its sender has left."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or len(body) > most:
            return None
        more = message.get("more_body", False)
    return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body once more, as one message, then what the client really sends, such as its disconnect."""
    read = False

    async def receive_again() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _body_error(scope: Scope, body: bytes | None) -> JSONResponse | None:
    """The error for a request whose body is wrong."""
    if body is None:
        return _too_large(scope["path"])
    if scope["path"] == CHECK:
        return None
    call = scope["path"].removeprefix(_API).rstrip("/")
    wrong = bodies.wrong(call, body, scope["app"].get_blocks())
    if wrong is None:
        return None
    if wrong.status == bodies.UNFIT:
        return _error(wrong.status, [{**gr.validate(is_valid=False, message=wrong.line)}])
    return _error(*wrong)


def _unknown_stream(scope: Scope) -> Response | None:
    """The answer to a client that listens for an unknown event. Gradio's own would raise an error, again and again."""
    match = _LISTENS.fullmatch(scope["path"])
    if match is None:
        return None
    queue = scope["app"].get_blocks()._queue
    sessions, event = queue.pending_messages_per_session, match["event"]
    session = QueryParams(scope["query_string"]).get("session_hash") if event is None else event
    known = session in sessions or session in queue.event_ids_to_events
    if known or any(event in events for events in queue.pending_event_ids_session.values()):
        return None
    message = UnexpectedErrorMessage(message=GONE, session_not_found=True).model_dump(mode="json")
    kind, content = ("", message) if event is None else ("event: error\n", GONE)
    return Response(f"{kind}data: {json.dumps(content)}\n\n", 404, media_type="text/event-stream")


def _too_large(path: str) -> JSONResponse:
    return _error(413, f"the body has more than {_most(path):,} bytes; ask for less at once")


def _error(status: int, detail: object, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
