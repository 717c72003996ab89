"""README's first command as a newcomer meets it: real app, embedded pair, real run. Times are printed, not judged."""

import re
import time
from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import PATIENCE, gates
from tests.browser.hand import app
from tests.browser.names import Browser, Page


@pytest.fixture
def address() -> Iterator[str]:
    with app() as address:
        yield address


def test_a_recorded_run_is_at_hand_and_run_plays_a_live_one(
    browser: "Browser", request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    trouble: list[str] = []
    page: Page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(3 * PATIENCE)  # a newcomer waits for torch too
    for event, hear in gates(trouble).items():
        page.on(event, hear)

    start = time.perf_counter()
    address = request.getfixturevalue("address")
    page.goto(address)
    page.locator("[data-sv=stage][data-ready]").wait_for()
    ready = time.perf_counter() - start
    assert page.locator("[data-sv=who] [data-sv=pill]").inner_text() == "Recorded example"
    page.keyboard.press("ArrowRight")  # nothing was clicked yet
    page.locator("[data-sv=stage][data-step='1']").wait_for()

    start = time.perf_counter()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("[data-sv=who] [data-sv=pill]", has_text=re.compile("^Live")).wait_for()
    page.wait_for_function("Number(document.querySelector('[data-sv=stage]').dataset.step) > 2")  # it plays by itself
    page.locator("[data-sv=scrub]").press("End")
    page.locator("[data-sv=who] [data-sv=pill]", has_text="Live run, finished").wait_for()
    first = time.perf_counter() - start
    start = time.perf_counter()
    page.locator("[data-sv=scrub]").press("n")  # a new seed
    page.locator("[data-sv=who] [data-sv=pill]:not([title*='seed 0'])").wait_for()
    page.locator("[data-sv=who] [data-sv=pill]", has_text="Live run, finished").wait_for()
    live = time.perf_counter() - start
    page.locator("[data-sv=scrub]").press("End")
    assert "64 tokens" in page.locator("[data-sv=headline]").inner_text()
    page.get_by_role("button", name="More ways to guess").click()
    page.get_by_role("menuitemradio", name="suffix").click()
    page.get_by_role("button", name="Settings").click()
    block = page.locator("#sv-rule label", has_text="Block")
    block.get_by_text("rejection sampling, number for number").wait_for()  # on guesses that are not drawn
    assert block.locator("input").is_disabled()
    page.close()
    assert trouble == []
    told = f"app start to recorded trace on screen: {ready:.1f} s; 64 live tokens: {live:.1f} s, {first:.1f} s at once"
    record_property("told", told)
