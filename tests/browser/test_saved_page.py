"""A run saved as one HTML file: opened from the disk, without a network, it shows what the page shows."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from specviz.trace.codec import from_json, to_json
from tests.browser.conftest import DESK, gates
from tests.browser.hand import AXE, details, part, press, serious, staged
from tests.browser.names import Browser, Open, Page

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "assets" / "traces" / "tale-small-model.json"
SHOWN = """() => {
  const root = document.querySelector('[data-sv=stage]');
  const parts = root.querySelectorAll('[data-sv=tape], [data-sv=say], [data-sv=scene]');
  const texts = [...parts].map((node) => node.textContent);
  const { round, phase, step, steps } = root.dataset;
  return [round, phase, step, steps, ...texts].join('|');
}"""


@pytest.fixture
def offline(browser: "Browser") -> "Iterator[Callable[[Path], Page]]":
    """Opens a file in a fresh profile that has no network; the file may ask for nothing and break nowhere."""
    trouble: list[str] = []
    context = browser.new_context(offline=True, viewport=DESK, color_scheme="light", reduced_motion="reduce")

    def open_file(path: Path) -> "Page":
        page = context.new_page()
        for event, hear in gates(trouble).items():
            page.on(event, hear)
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        page.goto(path.as_uri())
        page.locator("[data-sv=stage][data-ready]").wait_for()
        assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [path.as_uri()]
        return page

    yield open_file
    context.close()
    assert [line for line in trouble if "file://" not in line] == []


def walk(page: "Page", keys: list[str]) -> list[str]:
    """What is shown after each key."""
    page.evaluate("document.activeElement.blur()")
    shown = []
    for key in keys:
        page.keyboard.press(key)
        shown.append(page.evaluate(SHOWN))
    return shown


def test_the_saved_page_shows_what_the_page_shows_beat_by_beat(
    visit: Open, offline: "Callable[[Path], Page]", tmp_path: Path
) -> None:
    page = visit("#v=1&run=tale-small-model")
    staged(page, "seed 1\\b")
    press(page, "Share")
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Page").click()
    path = tmp_path / "run.html"
    saved.value.save_as(path)
    page.keyboard.press("Escape")
    alone = offline(path)
    for at in (alone, page):  # the page's own bar leaves room for fewer rows
        at.set_viewport_size({"width": 1280, "height": 960})
    keys = ["Home", *["ArrowRight"] * 14, "Shift+ArrowRight", "t", "ArrowRight", "End", "ArrowLeft"]
    assert walk(alone, keys) == walk(page, keys)
    charts = [at.locator("[data-sv=run-chart][role=img]") for at in (alone, page)]
    for at in (alone, page):
        details(at)
    for drawn in charts:
        drawn.nth(1).wait_for()
    assert charts[0].all_inner_texts() == charts[1].all_inner_texts()


def test_the_saved_page_stands_alone(offline: "Callable[[Path], Page]", tmp_path: Path) -> None:
    trace = from_json(TRACE.read_text(encoding="utf-8"))
    path = tmp_path / "run.html"
    path.write_text(trace.to_html("https://example.org/specviz"), encoding="utf-8")
    page = offline(path)
    assert part(page, "pill").inner_text().startswith("Run of 20")
    press(page, "Dark")
    assert page.locator("body.dark").count() == 1
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert serious(page, "body") == []
    part(page, "play").focus()
    page.keyboard.press("g")
    assert part(page, "guide").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    assert part(page, "quiz").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("r")  # there is nothing here to run
    press(page, "Share")
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name=re.compile("^Data")).click()
    assert saved.value.path().read_text(encoding="utf-8") == to_json(trace)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.get_by_role("menuitem", name="Copy link").click()
    field = part(page, "share").get_by_label("Copy this")
    field.wait_for()
    link: Any = field.input_value()
    assert link.startswith("https://example.org/specviz#v=1&")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_content('<iframe sandbox="allow-scripts"></iframe>')
    page.locator("iframe").evaluate("(frame, saved) => { frame.srcdoc = saved; }", path.read_text(encoding="utf-8"))
    page.frame_locator("iframe").locator("[data-sv=stage][data-ready]").wait_for()
