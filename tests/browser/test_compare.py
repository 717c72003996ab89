"""The Compare tab in a real browser, over a made-up engine: one journey, by hand and by keys, on one page."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from specviz import draft, gamma
from tests.browser.hand import part, pick, press

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
PHONE = {"width": 390, "height": 844}


def compared(page: "Page", *verdicts: str) -> "Locator":
    """Presses Compare; what is said of the texts once the last lane is there."""
    press(page, "Compare")
    page.locator("[data-lab=compare] [data-busy]").wait_for()
    page.locator(
        "[data-lab=compare] [data-sv=lab-part]:not([data-busy]) [data-sv=compare-found][data-ended]"
    ).wait_for()
    said = part(page, "compare-said")
    found = said.locator("[data-verdict]").evaluate_all("all => all.map((node) => node.dataset.verdict)")
    assert found == [*verdicts]
    return said


def written(page: "Page", lane: str) -> list[str]:
    """Ids of the tokens in a lane's ribbon."""
    row = page.locator(f"[data-sv=compare-ribbons] tr[data-lane={lane}] td[data-position]")
    ids: list[str] = row.evaluate_all("all => all.map((cell) => cell.dataset.tokenId)")
    return ids


def lit(page: "Page") -> list[tuple[str, str]]:
    """Lane and position of every token that is highlighted."""
    cells = page.locator("td[data-lit]").evaluate_all(
        "all => all.map((cell) => [cell.parentElement.dataset.lane, cell.dataset.position])"
    )
    return [(lane, position) for lane, position in cells]


def test_lanes_are_set_up_refused_compared_read_cancelled_and_kept(visit: Open) -> None:
    page = visit()
    opens_on_what_was_recorded(page)
    takes_the_prompt_as_text(page)
    refuses_one_lane_and_compares_the_others(page)
    finds_equal_texts_and_where_others_differ(page)
    is_read_by_keys_and_pointer(page)
    measures_strategies_and_fits_a_phone(page)
    keeps_what_was_ready_when_cancelled(page)


def opens_on_what_was_recorded(page: "Page") -> None:
    page.get_by_role("tab", name="Compare").click()
    page.locator("[data-sv=compare-found][data-ended]").wait_for()
    recorded = page.locator("[data-lab=compare] [data-sv=lab-origin]").inner_text()
    assert recorded.startswith("Recorded")
    assert "Not the run on stage" in recorded
    assert len(written(page, "A")) == len(written(page, "C")) == 64
    assert re.fullmatch(r"[\d.]+×", part(page, "lab-answer").locator("visible=true").locator("b").inner_text())
    drafters = page.locator("[data-field=drafter]").evaluate_all("all => all.map((select) => select.value)")
    assert drafters == [entry.name for entry in draft.ENTRIES[:3]], "the run on stage, once with each of the first"
    rules = page.locator("[data-field=gamma_rule]").first.locator("option")
    assert rules.evaluate_all("all => all.map(({ value }) => value)") == [entry.name for entry in gamma.ENTRIES]


def takes_the_prompt_as_text(page: "Page") -> None:
    prompt = part(page, "compare-prompt")
    assert (prompt.input_value(), part(page, "compare-seed").input_value()) == ("made up", "3")
    press(page, "JSON")
    assert prompt.input_value().startswith('{"name": "Alice"')
    prompt.press("ControlOrMeta+a")
    page.keyboard.type("Fair, decent run? [1] 7.")
    prompt.press("Home")
    page.keyboard.type("A ")
    assert prompt.input_value() == "A Fair, decent run? [1] 7.", "keys that mean something to the player are text here"
    assert page.locator("header [data-sv=who] [data-sv=pill]").inner_text() == "Recorded example", "and start no run"
    press(page, "The run on stage")
    assert prompt.input_value() == "made up"


def refuses_one_lane_and_compares_the_others(page: "Page") -> None:
    part(page, "compare-length").fill("12")
    lane = page.get_by_role("group", name="Lane B")
    lane.get_by_label("T", exact=True).fill("3")
    said = compared(page, "same")
    assert "A and C: same distribution" in said.inner_text()
    assert "T needs 0, or a number from 0.05 to 2." in page.locator("[data-lane=B] td").inner_text()
    assert len(written(page, "A")) == len(written(page, "C")) == 12
    assert part(page, "compare-table").locator("tbody tr").count() == 2
    page.locator("[data-chart=compare] .main-svg").first.wait_for()


def finds_equal_texts_and_where_others_differ(page: "Page") -> None:
    press(page, "Remove lane B")
    assert page.get_by_role("button", name="Remove lane A").is_disabled(), "no fewer than two"
    for name in "AB":
        page.get_by_role("group", name=f"Lane {name}").get_by_label("T", exact=True).fill("0")
    assert "A and B wrote the same 12 tokens: at T = 0" in compared(page, "equal").inner_text()
    page.get_by_role("group", name="Lane B").get_by_label("γ", exact=True).fill("2")
    said = compared(page, "different")
    first = next(
        at for at, (one, other) in enumerate(zip(written(page, "A"), written(page, "B"), strict=True)) if one != other
    )
    assert f"A and B differ from token {first + 1} on" in said.inner_text()
    marks = page.locator("td[data-differs]").evaluate_all("all => all.map((cell) => Number(cell.dataset.position))")
    assert marks == [first, first]


def is_read_by_keys_and_pointer(page: "Page") -> None:
    step = part(page, "stage").get_attribute("data-step")
    page.locator("tr[data-lane=A] td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert lit(page) == [("A", "1"), ("B", "1")]
    assert page.evaluate("document.activeElement.closest('tr').dataset.lane") == "B"
    assert part(page, "compare-reading").inner_text().startswith("Position 2: A ")
    assert part(page, "stage").get_attribute("data-step") == step, "the run on stage stands still"
    page.locator("tr[data-lane=A] td[data-position='4']").hover()
    assert lit(page) == [("A", "4"), ("B", "4")]


def measures_strategies_and_fits_a_phone(page: "Page") -> None:
    part(page, "strategy-start").click()
    page.locator("[data-chart=strategies] .main-svg").first.wait_for()
    page.get_by_text("Measured here, just now.").wait_for()
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="Compare").click()
    assert page.locator("td[data-position]").count() == 24, "results survive another tab"
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.wait_for_function(
        """() => [...document.querySelectorAll('[data-lab=compare] [data-sv=chart-picture]')]
          .every((room) => room.clientWidth === room.querySelector('svg').clientWidth)"""
    )
    page.set_viewport_size({"width": 1280, "height": 720})


def keeps_what_was_ready_when_cancelled(page: "Page") -> None:
    part(page, "compare-length").fill("64")
    press(page, "Compare")
    page.get_by_text("1 of 2 lanes done").wait_for()
    assert part(page, "compare-said").is_hidden() or part(page, "compare-said").inner_text() == "", "no verdict yet"
    assert page.get_by_text("The verdict comes once every lane is measured.").first.is_visible()
    press(page, "Cancel")
    page.get_by_text("Cancelled; finished lanes stay.").wait_for()
    assert len(written(page, "A")) == 64
    assert page.locator("[data-lane=B] td").inner_text() == "Not decoded."
    pick(page, "greedy-ngram")
    page.locator("[data-lab=compare] [data-kind=recorded]").wait_for()
    assert len(written(page, "C")) == 64, "another run on stage: what was recorded is back"
    assert page.locator("[data-field=temperature]").first.input_value() == "0"
