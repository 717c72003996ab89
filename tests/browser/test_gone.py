"""A server that has no chat model yet, and dies under a page: both are said, and Run is back when a server is."""

import re
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import DESK, PATIENCE, SECONDS_PER_ROUND
from tests.browser.hand import part, pill, press, settings
from tests.browser.names import Browser, BrowserContext
from tests.ui import over_http


@pytest.fixture(scope="module")
def server() -> "Iterator[subprocess.Popen[str]]":
    with over_http.serving(SECONDS_PER_ROUND, "few", "small") as process:
        yield process


@pytest.fixture(scope="module")
def unfetched(server: "subprocess.Popen[str]") -> str:
    """The page of a machine whose chat model is not fetched yet."""
    return over_http.address(server)


def test_whoever_turns_to_the_prompt_reads_that_the_built_in_model_runs_it_in_a_line_that_fetches_the_chat_model(
    context: "BrowserContext", unfetched: str
) -> None:
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    line = part(page, "small")

    def opened() -> None:
        page.goto(unfetched)
        page.locator("[data-sv=stage][data-ready]").wait_for()
        part(page, "pair-choice").get_by_text("SmolLM2").wait_for(state="attached")
        assert line.is_hidden(), "recorded runs are none of a prompt"
        page.locator("#sv-prompt textarea").focus()
        line.get_by_text("SmolLM2 answers questions.").wait_for()

    opened()
    line.get_by_role("button", name="Fetch it").click()
    page.locator("[data-sv=pair][data-pair=smollm2]:not([data-loading])").wait_for(state="attached")
    assert line.is_hidden()
    opened()
    line.get_by_role("button", name="Close").click()
    assert page.evaluate("document.activeElement.dataset.sv") == "stage", "the focus does not fall back to the page"
    press(page, "Run")
    pill(page).get_by_text("Live run, finished").wait_for()
    assert line.is_hidden()
    page.close()


class Door(socketserver.ThreadingTCPServer):
    """An address of its own that leads to one server after another, as a machine that is started again has."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: str) -> None:
        super().__init__(("127.0.0.1", 0), Through)
        self.leads_to(address)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def leads_to(self, address: str) -> None:
        there = urlsplit(address)
        assert there.hostname
        assert there.port
        self.there = (there.hostname, there.port)


class Through(socketserver.BaseRequestHandler):
    """One connection; it ends at once where no server is."""

    server: Door

    def handle(self) -> None:
        with suppress(ConnectionRefusedError), socket.create_connection(self.server.there) as there:
            threading.Thread(target=pour, args=(there, self.request), daemon=True).start()
            pour(self.request, there)


def pour(source: socket.socket, into: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(1 << 16):
            into.sendall(part)
    with suppress(OSError):
        into.shutdown(socket.SHUT_WR)


@pytest.fixture
def door(unfetched: str) -> Iterator[Door]:
    with Door(unfetched) as door:
        threading.Thread(target=door.serve_forever, daemon=True).start()
        yield door
        door.shutdown()


def test_a_server_that_dies_is_told_of_and_run_comes_back_with_one(
    browser: "Browser", server: "subprocess.Popen[str]", door: Door, address: str
) -> None:
    """The last test here: there is no server after it."""
    page = browser.new_page(viewport=DESK, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(door.address)
    page.locator("[data-sv=stage][data-ready]").wait_for()
    settings(page, Length=400, Seed=9)
    press(page, "Run")
    pill(page).get_by_text(re.compile("^Live")).wait_for()
    page.wait_for_function("Number(document.querySelector('[data-sv=stage]').dataset.steps) > 20")
    server.kill()
    alert = page.get_by_role("alert")
    alert.get_by_text(re.compile(r"The server does not answer\. What you see is complete up to round \d+\.")).wait_for()
    assert page.locator("#sv-run").is_disabled()
    assert page.locator(".toast-body:visible").count() == 0
    assert int(part(page, "stage").get_attribute("data-steps") or 0) > 20, "what was on stage stays"
    page.locator("#sv-prompt textarea").fill("still here")
    with page.expect_event("load"):  # Gradio's own doing
        door.leads_to(address)
    page.locator("[data-sv=stage][data-ready]").wait_for()
    page.wait_for_function("document.querySelector('#sv-prompt textarea').value === 'still here'")
    assert not alert.is_visible()
    assert page.locator("#sv-run").is_enabled()
    settings(page, Length=8, Seed=10)
    press(page, "Run")
    pill(page).get_by_text("Live run, finished").wait_for()
    page.close()
