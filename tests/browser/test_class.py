"""A server that strangers share, as one of them meets it: a turn to wait for, a full queue, a run made before."""

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.browser.conftest import serving
from tests.browser.hand import details, part
from tests.browser.names import Browser, Open, Page
from tests.browser.test_policy import framed
from tests.ui.over_http import data


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")  # a class of many addresses, as behind a proxy
        yield from serving("shared", "few")


def ask(web: httpx.Client, who: str, prompt: str, seed: int = 0, at: str = "127.0.0.1") -> httpx.Response:
    body = {"data": data(prompt, seed), "session_hash": who}
    return web.post("gradio_api/call/run", json=body, headers={"X-Forwarded-For": at})


def run(page: "Page", prompt: str) -> None:
    page.locator("#sv-prompt textarea").fill(prompt)
    page.get_by_role("button", name="Run", exact=True).click()


def says(page: "Page", text: str) -> None:
    page.locator("[data-sv=who] [data-sv=pill]", has_text=re.compile(text)).wait_for()


def test_whoever_waits_knows_how_long_and_plays_meanwhile_and_a_full_queue_says_so(visit: Open, address: str) -> None:
    page = visit()
    run(page, "mine")
    says(page, "Live run, finished")
    with (
        httpx.Client(base_url=address, timeout=60) as web,
        web.stream("GET", f"gradio_api/call/run/{ask(web, 'busy', 'endless').json()['event_id']}") as busy,
    ):
        lines = busy.iter_lines()  # once let go of, it would leave
        next(lines)
        ask(web, "before me", "waits")
        run(page, "another")
        says(page, "2 of 2 in the queue, about 1 s")
        if page.get_by_role("button", name="Pause").is_visible():
            page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Play this one meanwhile").click()
        page.get_by_role("button", name="Pause").wait_for()
        assert not part(page, "meanwhile").is_visible()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("button", name="Run", exact=True).wait_for()

        assert {ask(web, f"one of {n}", "fills", n, f"10.0.0.{n}").status_code for n in range(59)} == {200}
        run(page, "one too many")
        page.get_by_role("alert").get_by_text("Not run: 60 runs are already waiting").wait_for()
        assert page.locator(".toast-body:visible").count() == 0
        run(page, "mine")
        says(page, "recorded here at .*: the same settings make the same run")
        assert not page.get_by_role("alert").is_visible()
        details(page)
        page.locator("[data-sv=run-chart][role=img]").nth(1).wait_for()
    other = visit()
    other.locator("[data-sv=pair]").get_by_text("embedded").first.wait_for(state="attached")


def test_another_site_does_not_show_the_page_unless_wanted(browser: "Browser", address: str) -> None:
    trouble: list[str] = []
    with framed(browser, address, trouble) as page:
        page.wait_for_function("document.querySelector('iframe').contentDocument === null")
        assert page.frame_locator("iframe").locator("[data-sv=stage]").count() == 0
    assert any("frame-ancestors 'self'" in line for line in trouble)
