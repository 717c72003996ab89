"""One walk through all of the page with an axe: at a desk in the light, and by finger in the dark."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.hand import finish, part, pick, press, scrub, serious, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
STAGE = "[data-sv=stage]"
PAIR = "#sv-pairs"


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visit: Open, theme: str, phone: bool) -> None:
    page = visit(f"?__theme={theme}", phone=phone, still=True)
    page.locator("[data-sv=run-chart][role=img]").nth(1).wait_for()
    assert serious(page, "html") == []
    seen = set()
    for _ in range(14):  # a round and more
        part(page, "scrub").press("ArrowRight")
        phase = page.get_attribute(STAGE, "data-phase")
        assert phase in seen or serious(page, STAGE) == []
        seen.add(phase)
    assert len(seen) > 5, "every kind of beat"
    page.locator("[data-sv=slot]").first.click()
    assert serious(page, "html") == []
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Is it exact?").click()
    for bug, verdict in (("accept-always", "different"), ("", "same")):
        page.get_by_label("Sabotage").select_option(bug)
        page.locator(f"[data-sv=finding][data-verdict={verdict}]:visible").wait_for()
        assert serious(page, STAGE) == []
    page.get_by_role("tab", name="Race").click()
    pick(page, "tale · bigram")
    page.get_by_role("button", name="The run on stage").click()
    assert serious(page, STAGE) == []
    scrub(page, 0.4, "race-scrub")
    assert serious(page, STAGE) == []
    finish(page, seed=5, Length=12)
    page.get_by_role("tab", name="Race").click()
    page.locator("[data-sv=race][data-state=none]").wait_for()
    assert serious(page, STAGE) == []
    press(page, "Measure here")
    page.locator("[data-sv=race][data-state=refused]").wait_for()
    assert serious(page, STAGE) == []

    if phone:
        press(page, "More")
    press(page, "Settings")
    part(page, "pair-choice").locator("summary").click()
    pair_is_fine(page, phone)
    offered(page, "endless").click()
    page.get_by_role("progressbar").wait_for()
    pair_is_fine(page, phone)
    part(page, "pair-cancel").click()
    part(page, "pair-choice").locator("summary").click()
    offered(page, "broken").click()
    page.get_by_role("alert").wait_for()
    pair_is_fine(page, phone)


def offered(page: "Page", name: str) -> "Locator":
    return part(page, "pair-choice").get_by_role("button", name=re.compile(f"^{name}\\b"))


def pair_is_fine(page: "Page", phone: bool) -> None:
    assert serious(page, PAIR, "#sv-chat") == []
    if phone:
        assert width(page) == 390
        assert small(page, f"{PAIR} :is(button, summary), #sv-chat label") == []
