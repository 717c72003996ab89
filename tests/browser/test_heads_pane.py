"""Heads on the target: what their guesses are read off, and how they learned."""

import re

import pytest

from tests.browser.conftest import Open
from tests.browser.hand import part, pick, serious, width
from tests.browser.test_newer_methods import end_of, rounds_of, seen

ROWS = """() => [...document.querySelector('[data-sv=origin-rows]').children].map((row) => ({
  guess: row.querySelector('[data-sv=tile]').textContent, state: row.dataset.state,
  fit: row.lastElementChild.textContent, imagined: row.querySelectorAll('[data-mark=imagined]').length,
}))"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_every_step_of_eagle_tells_how_near_its_state_came_to_the_targets(visit: Open, *, phone: bool) -> None:
    page = visit(still=True, phone=phone)
    pick(page, "tale-eagle")
    part(page, "scrub").focus()
    page.keyboard.press("i")
    end_of(page, 0)
    step = rounds_of("tale-eagle")[0]
    rows = page.evaluate(ROWS)
    assert [row["guess"] for row in rows] == [seen(each["text"]) for each in step["verdicts"]]
    assert [row["state"] for row in rows] == [each["verdict"] for each in step["verdicts"]]
    assert [float(row["fit"]) for row in rows] == [
        pytest.approx(each["likeness"], abs=0.006) for each in step["imagined"]
    ]
    assert [row["imagined"] for row in rows] == [1, *[2] * (len(rows) - 1)], "only the first begins from a true state"

    slider = part(page, "origin-rows")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert slider.get_attribute("aria-valuenow") == "1"
    told = slider.get_attribute("aria-valuetext") or ""
    assert re.match(
        r"step 2 reads an imagined state and “.*”, for position \d+: guesses “.*”, q 0?.*, likeness 0\.\d+", told
    )
    assert part(page, "origin-pair").is_visible()
    assert width(page) <= page.viewport_size["width"]
    assert serious(page, "[data-sv=dock]") == []


def test_acceptance_shows_how_the_heads_of_the_run_learned(visit: Open) -> None:
    page = visit(still=True)
    pick(page, "tale-eagle")
    page.get_by_role("tab", name="Acceptance").click()
    card = page.locator("[data-card=training]")
    card.get_by_text("EAGLE with and without feedback").wait_for()
    card.get_by_role("button", name="medusa", exact=True).click()
    card.get_by_text("medusa: acceptance by place").wait_for()
    assert serious(page, "[data-card=training]") == []
    page.get_by_role("tab", name="Round").click()
    pick(page, "tale-small-model")
    page.get_by_role("tab", name="Acceptance").click()
    card.wait_for(state="hidden")
