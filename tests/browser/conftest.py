"""One server and one Chromium for the browser tests, and gates no page may trip: errors, outside requests."""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.names import Browser, BrowserContext, CDPSession, Open, Page, ViewportSize
from tests.ui import over_http

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
SECONDS_PER_ROUND = "0.02"
PATIENCE = 60_000
DESK: "ViewportSize" = {"width": 1280, "height": 720}
PHONE: "ViewportSize" = {"width": 390, "height": 844}
NO_BACKGROUND_MOVES = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    if ([frames].flat().some((frame) => 'background' in frame || 'backgroundColor' in frame))
      console.error('an animated background, which can end a tab of Chromium 156');
    return animate.call(this, frames, options);
  };
"""


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium of this machine; without it, or without playwright, the browser tests are skipped, but not in CI."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("google-chrome")
    missing = "chromium" if chromium is None else "playwright"
    if chromium is None or importlib.util.find_spec("playwright") is None:
        if os.environ.get("CI"):
            pytest.fail(f"there is no {missing} here, and CI must run the browser tests")
        pytest.skip(f"there is no {missing} here; install it to run the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The page served over a made-up engine, in a process of its own; other sites may show it."""
    yield from serving("embed")


def serving(*arguments: str) -> Iterator[str]:
    """The address of serve.py, run with these arguments beside its first."""
    with over_http.serving(SECONDS_PER_ROUND, *arguments) as server:
        yield f"{over_http.address(server)}/"


@pytest.fixture(scope="session")
def context(browser: "Browser") -> "BrowserContext":
    """One for all, since what it has read and compiled is a third of opening a page."""
    context = browser.new_context()
    context.add_init_script("delete Crypto.prototype.randomUUID")  # over plain HTTP, as in a classroom, there is none
    context.add_init_script(NO_BACKGROUND_MOVES)
    return context


@pytest.fixture
def loose(context: "BrowserContext") -> "Iterator[Page]":
    """A page that no gate watches, for what is meant to go wrong."""
    page = context.new_page()
    page.set_viewport_size(DESK)
    page.emulate_media(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    yield page
    page.evaluate("localStorage.clear()")
    page.close()


@pytest.fixture(scope="session")
def idle() -> "list[tuple[Page, CDPSession]]":
    """Pages earlier tests are done with, and their switches: a browser that knows the page opens it faster."""
    return []


@pytest.fixture
def visit(context: "BrowserContext", address: str, idle: "list[tuple[Page, CDPSession]]") -> Iterator[Open]:
    """Opens the page as for the first time; afterwards nothing may have gone wrong in it or left this machine.

    phone: a small screen under a finger. moves: its owner did not ask for stills, as else they did: motion takes time.
    """
    trouble: list[str] = []
    watching = gates(trouble)
    used: list[tuple[Page, CDPSession]] = []

    def open_page(query: str = "?__theme=light", phone: bool = False, moves: bool = False) -> "Page":
        if not idle:
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            idle.append((page, context.new_cdp_session(page)))
        page, switches = idle.pop()
        used.append((page, switches))
        page.bring_to_front()  # behind another one it would draw a picture a second
        page.set_viewport_size(PHONE if phone else DESK)
        page.emulate_media(reduced_motion="no-preference" if moves else "reduce")
        switches.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})
        for event, hear in watching.items():
            page.on(event, hear)
        page.goto(f"{address}{query}")
        page.locator("[data-sv=stage][data-ready]").wait_for()
        return page

    yield open_page
    for page, switches in used:
        for event, hear in watching.items():
            page.remove_listener(event, hear)
        page.mouse.move(0, 0)
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")
        idle.append((page, switches))
    assert trouble == []


def gates(trouble: list[str]) -> "dict[str, Callable[[Any], None]]":
    """What listens to a page for what may not happen, by event."""

    def log(kind: str, text: str, when: bool = True) -> None:
        if when:
            trouble.append(f"{kind}: {text}")

    return {
        "pageerror": lambda error: log("error", str(error)),
        "console": lambda line: log("console", line.text, line.type in ("error", "warning")),
        "request": lambda sent: log("outside", sent.url, outside(sent.url)),
    }


def outside(url: str) -> bool:
    """Whether a request left this machine."""
    return not url.startswith(("http://127.0.0.1", "data:", "blob:"))
