"""What everybody is sent alike is made once, and nobody is sent what was made for another address or went wrong."""

from collections import Counter
from collections.abc import Awaitable, Callable

import anyio
import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from specviz.ui.server.cached import Cached


class Page:
    """Says which address it was asked at, after a while; counts the asking, and fails the first times."""

    def __init__(self, failures: int = 0) -> None:
        self.asked: Counter[str] = Counter()
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        text = f"{request.url} {request.headers.get('x-forwarded-proto')}"
        self.asked[text] += 1
        await anyio.sleep(0.01)
        failed = self.asked.total() <= self._failures
        await PlainTextResponse(text, 500 if failed else 200, {"X-Own": "kept"})(scope, receive, send)


def apart(work: Callable[[], Awaitable[None]]) -> None:
    """In a thread of its own: in this one playwright's loop may be running."""
    with start_blocking_portal() as portal:
        portal.call(work)


def get(page: Page, *asked: tuple[str, dict[str, str]]) -> list[httpx.Response]:
    """Answers to requests that are sent together."""
    answers: list[httpx.Response] = []

    async def run() -> None:
        transport = httpx.ASGITransport(Cached(page))
        async with httpx.AsyncClient(transport=transport) as web, anyio.create_task_group() as together:

            async def one(url: str, headers: dict[str, str]) -> None:
                answers.append(await web.get(url, headers=headers))

            for url, headers in asked:
                together.start_soon(one, url, headers)

    apart(run)
    return answers


def test_a_class_that_opens_the_page_at_once_has_it_made_once() -> None:
    page = Page()
    answers = get(page, *[("http://here/", {})] * 50)
    assert page.asked == {"http://here/ None": 1}
    assert {(answer.text, answer.headers["X-Own"], answer.status_code) for answer in answers} == {
        ("http://here/ None", "kept", 200)
    }


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http://there/", {}),
        ("https://here/", {}),
        ("http://here/?__theme=dark", {}),
        ("http://here/config", {}),
        ("http://here/", {"x-forwarded-proto": "https"}),
        ("http://here/", {"accept-encoding": "identity"}),
    ],
)
def test_another_address_or_compression_is_another_page(url: str, headers: dict[str, str]) -> None:
    page = Page()
    answers = get(page, ("http://here/", {}), (url, headers))
    assert page.asked.total() == len(answers) == 2


def test_what_is_not_alike_or_went_wrong_is_made_each_time() -> None:
    page = Page()
    get(page, *[("http://here/gradio_api/queue/data", {})] * 3, *[("http://here/", {"range": "bytes=0-3"})] * 2)
    assert page.asked.total() == 5
    page = Page(failures=2)
    assert sorted(answer.status_code for answer in get(page, *[("http://here/", {})] * 4)) == [200, 200, 500, 500]
    assert page.asked.total() == 3
