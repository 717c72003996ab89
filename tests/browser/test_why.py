"""The Why tab in a real browser, over a made-up engine: one visit from the first look to another run on stage."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.hand import pick, serious, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]


def chart(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-chart={name}]")


def ask(page: "Page", name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.locator("[data-sv=reason]:not([data-busy])").wait_for()


def charts(page: "Page") -> list[str]:
    """Those that are shown, each with a picture by now."""
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
    page.get_by_role("tab", name="Why").click()
    assert charts(page) == ["textbook"]
    assert "= 70 ms of weight traffic against" in chart(page, "textbook").inner_text()
    assert page.locator("[data-sv=reason-none]:visible").count() == 3

    ask(page, "Measure this machine")
    assert charts(page) == ["roofline", "textbook", "passes", "batch"]
    assert "80 % of it is weight traffic" in chart(page, "roofline").inner_text()
    assert "Flat up to k = 8" in chart(page, "passes").inner_text()
    assert "v_B, a pass over B × 5 tokens in passes over B × 1, is 1.67 at B = 1" in chart(page, "batch").inner_text()

    page.evaluate("['temperature', 'cancel'].forEach((job) => document.querySelector(`[data-job=${job}]`).click())")
    assert page.locator("[data-sv=reason-note]").inner_text() == "Cancelled. What was measured is kept."
    ask(page, "Sweep genres")
    assert charts(page) == ["roofline", "textbook", "passes", "batch", "genre"]
    assert "Easiest to guess is" in chart(page, "genre").inner_text()
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="Why").click()
    assert "genre" in charts(page), "what was measured outlives a look at another tab"

    page.get_by_role("button", name="E[tokens] for K guesses").click()
    assert result(page, "α = .7") == "2.94 printed as 3.16"
    guesses = page.get_by_label("guesses, K")
    guesses.press("ControlOrMeta+a")
    page.keyboard.type("1")
    assert result(page, "α = .7") == "1.70"
    assert guesses.is_visible(), "a digit typed is no way to another tab"
    page.get_by_label("guesses, K").fill("")
    assert "missing or out of its range" in page.locator("[data-sv=worked-wrong]").inner_text()
    page.get_by_role("button", name="The best K").click()
    assert result(page, "α = .8") == "K = 6, 2.47× printed as K = 8, 2.71×"

    assert serious(page, "[data-sv=stage]") == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert width(page) == 390
    assert small(page, "[data-sv=reason] :is(button, input)") == []
    page.set_viewport_size({"width": 1280, "height": 720})

    pick(page, "tale · bigram")
    page.locator("[data-sv=reason-none]:visible >> nth=2").wait_for()
    assert charts(page) == ["textbook"], "another run's tab is empty again"
