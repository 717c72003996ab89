"""What a server shows the network: which routes there are, how large a request may be, from which sites, how often.

Gradio brings far more than one page needs (uploads, a proxy for files of other hosts, run history, monitoring, deep
links). What is not listed here does not exist, so that a later Gradio cannot open a door by itself.
"""

import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.ui.player import RECORDED, SCRIPTS, SERVED

LAUNCH: dict[str, Any] = {
    "ssr_mode": False,
    "run_history": False,  # would keep prompts in the browsers of shared machines
    "enable_monitoring": False,
    "show_error": False,
    "share": False,
    "allowed_paths": [],
    "state_session_capacity": 300,  # 115 kB each; all that is not made anew is kept in Recordings
    "max_file_size": "64kb",
    "footer_links": [],
}
WAITING = 60
"""Whatever may wait for the models, all visitors together; at three seconds a run, three minutes."""
QUEUE: dict[str, Any] = {"max_size": WAITING, "api_open": False, "status_update_rate": 5}
BODY = 64_000
"""Bytes of a request's body. Gradio keeps the last one of every session."""
STARTS = 600
"""What one address may ask of the models in a minute. Loose: a class, or all behind a proxy, have one address."""
ADDRESSES = 4_096
"""How many addresses are remembered."""
NAME = 64
"""Letters of a session's name."""
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}

_API = "/gradio_api/"
_GET = re.compile(
    r"/(config/?|theme\.css|robots\.txt|favicon\.ico|manifest\.json|pwa_icon(/\d+)?|(static|assets|svelte)/.*)?"
    rf"|{_API}(info/?|app_id/?|startup-events|theme\.css|queue/(data|status)|(call|heartbeat)/.*)"
    rf"|{RECORDED}[^/]+"
    rf"|/{SCRIPTS}([\w-]+/)*[\w-]+\.js"
)
_POST = re.compile(rf"{_API}(queue/join|call/(v2/)?run/?|run/predict/?|component_server/?|cancel|reset/?)")
_STARTS = re.compile(rf"{_API}(queue/join|call/.*)")


class Guard:
    """Lets through what this page needs, and says which bound a refused request broke.

    embed: whether pages of other sites may ask for runs. An address is the one uvicorn names: it believes
    X-Forwarded-For only of the proxies in FORWARDED_ALLOW_IPS, as anybody else could write there what they like.
    """

    def __init__(self, app: ASGIApp, *, embed: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._embed = embed
        self._starts = Allowance(STARTS, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def mark(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(scope)
        if scope["method"] == "POST" and refusal is None:
            body = await _body(receive)
            refusal = _unread(scope["path"], body)
            receive = _again(body or b"", receive)
        await (refusal or self._app)(scope, receive, mark)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        """What the head of a request alone is refused for."""
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        routes = {"GET": _GET, "HEAD": _GET, "POST": _POST}.get(method)
        if routes is None or not routes.fullmatch(path):
            return _no(404, "there is nothing here")
        if method != "POST":
            return None
        if not self._embed and _elsewhere(headers):
            return _no(403, "asked by a page of another site; app.py --embed would let it")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _no(415, "the body is not application/json")
        if int(headers.get("content-length", "0")) > BODY:
            return _too_large()
        wait = self._starts.wait((scope.get("client") or ("",))[0]) if _STARTS.fullmatch(path) else 0.0
        if wait:
            return _no(
                429,
                f"more than {STARTS} starts a minute from one address; wait a little",
                {"Retry-After": f"{wait:.0f}"},
            )
        return None


class Allowance:
    """So many a minute for each of whoever asks, the unused ones kept for at most that minute."""

    def __init__(self, minute: int, clock: Callable[[], float]) -> None:
        self._minute = minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Seconds until it may ask again, 0 when it may now; that is then counted."""
        now = self._clock()
        left, then = self._left.pop(who, (float(self._minute), now))
        left = min(self._minute, left + (now - then) * self._minute / 60)
        self._left[who] = (left - (left >= 1), now)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if left >= 1 else max(1.0, (1 - left) * 60 / self._minute)


def _elsewhere(headers: Headers) -> bool:
    """Whether a page of another site asks. Browsers say so themselves, but over plain HTTP only in Origin."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


async def _body(receive: Receive) -> bytes | None:
    """The whole of it, None when it is larger than it may be or its sender has left."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or len(body) > BODY:
            return None
        more = message.get("more_body", False)
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then what really comes: whether the client is still there."""
    read = False

    async def told() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return told


def _unread(path: str, body: bytes | None) -> JSONResponse | None:
    """What a body is refused for. Gradio would answer some of it with a traceback in the log."""
    if body is None:
        return _too_large()
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return _no(400, "the body is not JSON")
    session = asked.get("session_hash") if isinstance(asked, dict) else 0
    if not (session is None or (isinstance(session, str) and len(session) <= NAME)):
        return _no(400, f"wanted an object whose session_hash is text of at most {NAME} letters")
    if "component_server" in path and (asked.get("fn_name") not in SERVED or session is None):
        return _no(404, f"wanted fn_name as one of: {', '.join(SERVED)}, and a session_hash")
    return None


def _too_large() -> JSONResponse:
    return _no(413, f"the body has more than {BODY:,} bytes; ask for less at once")


def _no(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
