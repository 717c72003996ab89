"""Checks the numbers of a person's own file, when the person asks for it.

Gradio has no part in it: it would keep the file. The file is read by its own process, which ends in time whatever
the file holds, and nothing of it is kept.
"""

import asyncio
import sys
import zlib
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from specviz.ui.limits import CHECKING, UNPACKED

CHECK = "/gradio_api/check"
"""Where a file is posted, as gzip."""
CHECKER, HOME = "specviz.check.of_file", Path(__file__).parents[3]
"""The module of that process, and the folder to find it from."""


class Checks:
    """Answers what is posted to CHECK, one file at a time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != CHECK:
            await self._app(scope, receive, send)
            return
        packed = await Request(scope, receive).body()
        async with self._turn:
            result = await checked(packed)
        answer: Response = Response(result, media_type="application/json")
        if result is None:
            answer = JSONResponse({"detail": "it cannot be checked here"}, 422)
        await answer(scope, receive, send)


async def checked(packed: bytes, seconds: float = CHECKING) -> bytes | None:
    """The checker's answer about a file; None if it is no gzip, too large unpacked, or takes too long."""
    unpacking = zlib.decompressobj(wbits=31)
    try:
        content = unpacking.decompress(packed, UNPACKED)
    except zlib.error:
        return None
    if not unpacking.eof:
        return None
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", CHECKER, cwd=HOME, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        answer, _ = await asyncio.wait_for(process.communicate(content), seconds)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return answer if process.returncode == 0 else None
