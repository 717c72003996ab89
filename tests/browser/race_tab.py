"""The Race tab as a test reads it."""

from typing import Any

from tests.browser.hand import part, pick, scrub
from tests.browser.names import Locator, Open, Page


def lane(page: "Page", name: str, part_: str = "race-lane") -> "Locator":
    return page.locator(f"[data-sv={part_}][data-lane={name}]")


def state(page: "Page", name: str) -> "Locator":
    """The tab, once it is in that state."""
    race = page.locator(f"[data-sv=race][data-state={name}]")
    race.wait_for()
    return race


def open_tab(visit: Open, recording: str = "", **options: Any) -> "Page":
    """The race of the run on stage, at its end."""
    page = visit(**options)
    if recording:
        pick(page, recording)
    page.get_by_role("tab", name="Race").click()
    if recording:
        state(page, "ready")
        over(page)
    return page


def race_tab(page: "Page") -> None:
    """A run takes the page to its own tab."""
    page.get_by_role("tab", name="Race").click()


def over(page: "Page") -> None:
    """The race played to its end, where the answer is said."""
    part(page, "race-play").evaluate("node => node.dataset.shows === 'pause' && node.click()")
    scrub(page, 1, "race-scrub")
    page.locator("[data-sv=race-answer][data-over]").wait_for()


def shown(page: "Page", name: str) -> list[tuple[int, str]]:
    found = lane(page, name, "race-token").evaluate_all(
        "all => all.map(({ dataset }) => [Number(dataset.tokenId), dataset.state])"
    )
    return [(token, state) for token, state in found]
