"""The tab When is it faster? in a real browser, over a made-up engine: one visit, to another run on stage."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.hand import pick

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
ALL = ["passes", "roofline", "batch", "textbook", "temperature", "genre"]


def chart(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-chart={name}]")


def ask(page: "Page", name: str) -> None:
    page.locator("[data-lab=why]").get_by_role("button", name=name, exact=True).click()
    page.locator("[data-lab=why] [data-sv=lab-part]:not([data-busy])").wait_for()


def charts(page: "Page") -> list[str]:
    """Those that are shown, each with a picture by now; the tab draws once its data has come."""
    chart(page, ALL[0]).wait_for()
    names: list[str] = page.locator("[data-chart]:visible").evaluate_all(
        "all => all.map(({ dataset }) => dataset.chart)"
    )
    for name in names:
        chart(page, name).locator(".main-svg").first.wait_for()
    return names


def result(page: "Page", what: str) -> str:
    """What a worked example's line comes to, as a screen reader reads it."""
    row = page.locator("[data-sv=worked-line]").filter(has=page.get_by_role("rowheader", name=what, exact=True))
    return " ".join(row.locator("td").last.inner_text().split())


def test_the_machine_is_measured_sweeps_are_run_and_examples_recomputed(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="When is it faster?").click()
    assert charts(page) == ALL, "the tab opens on what was recorded"
    lab = page.locator("[data-lab=why] [data-sv=lab-part]")
    shown = "node => ['machine', 'temperature', 'genre'].map((name) => node.dataset[name])"
    assert lab.evaluate(shown) == ["recorded"] * 3
    assert "Not the run on stage: “Once upon a time a mille…”" in page.locator("[data-lab=why] header").inner_text()
    assert "140 GB / 2 TB/s = 70 ms" in chart(page, "textbook").inner_text()

    ask(page, "Measure here")
    assert lab.evaluate(shown) == ["here", "recorded", "recorded"]
    assert re.match(r"[\d.]+×", page.locator("[data-lab=why] [data-sv=lab-answer]").inner_text())
    assert "80 % of it is reading weights" in chart(page, "roofline").inner_text()
    assert "Flat up to k = 8" in chart(page, "passes").inner_text()
    assert "With B texts at once, a pass over 5 tokens each costs 1.67× at B = 1" in chart(page, "batch").inner_text()

    grey = page.evaluate(
        """() => {
          const lab = document.querySelector('[data-lab=why]');
          lab.querySelector('[data-job=temperature]').click();
          const grey = [...lab.querySelectorAll('[data-stale]')].map(({ dataset }) => dataset.chart);
          lab.querySelector('[data-sv=lab-cancel]').click();
          return grey;
        }"""
    )
    assert grey == ["temperature"]
    assert page.locator("[data-lab=why] [data-sv=lab-note]").inner_text() == "Cancelled; what was measured stays."
    ask(page, "Compare text types here")
    assert lab.evaluate(shown) == ["here", "recorded", "here"]
    assert "Easiest to guess:" in chart(page, "genre").inner_text()
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="When is it faster?").click()
    assert lab.evaluate(shown) == ["here", "recorded", "here"], "what was measured outlives a look at another tab"

    page.get_by_role("button", name="Tokens per pass for K guesses").click()
    assert result(page, "α = 0.7") == "2.94 original figure 3.16"
    guesses = page.get_by_label("guesses, K")
    guesses.press("ControlOrMeta+a")
    page.keyboard.type("1")
    assert result(page, "α = 0.7") == "1.70"
    assert guesses.is_visible(), "a digit typed is no way to another tab"
    page.get_by_label("guesses, K").fill("")
    assert "missing or out of range" in page.locator("[data-sv=worked-wrong]").inner_text()
    page.get_by_role("button", name="The best K").click()
    assert result(page, "α = 0.8") == "K = 6, 2.47× original figure K = 8, 2.71×"

    pick(page, "tale-bigram")
    page.locator("[data-lab=why] [data-machine=recorded][data-genre=recorded]").wait_for()
    assert charts(page) == ALL, "another run: what was recorded is back"
