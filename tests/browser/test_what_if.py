"""A hand on the random number: the page shows what would have been, says so, and goes back to what was."""

from tests.browser.hand import part, press, serious
from tests.browser.names import Open, Page

REJECTED = "#v=1&run=tale-small-model&at=1.dart.3"


def states(page: "Page") -> list[str | None]:
    """Of the guesses, then of what the target put in the place of one."""
    found: list[str | None] = page.locator("[data-sv=node]").evaluate_all(
        """(all) => all.sort((one, other) => one.dataset.node - other.dataset.node)
          .map((slot) => slot.dataset.state ?? null)"""
    )
    return found


def test_a_hand_moves_the_number_or_rolls_a_thousand_and_the_recorded_round_is_back_once_it_lets_go(
    visit: Open,
) -> None:
    page = visit(REJECTED)
    page.locator("[data-sv=stage][data-phase=dart]").wait_for()
    hand, title = part(page, "hand"), part(page, "ruler-title")
    recorded = states(page), title.inner_text(), part(page, "bars").inner_text()
    box = part(page, "rail").bounding_box()
    assert box
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    assert states(page) == ["accepted", "accepted", "rejected", "untested", "resampled", None]
    assert "not the recorded run" in title.inner_text()
    assert abs(float(part(page, "dart").get_attribute("data-u") or 0) - 0.9) < 0.01, "it is where the hand is"
    page.mouse.move(box["x"] + 0.01 * box["width"], box["y"] + box["height"] / 2)
    assert states(page) == ["accepted", "accepted", "accepted", "draft", None]
    page.mouse.up()
    assert (states(page), title.inner_text(), part(page, "bars").inner_text()) == recorded

    hand.press("End")
    assert states(page)[2] == "rejected"
    hand.press("Home")
    assert states(page)[2] == "accepted"
    assert "would be accepted" in (hand.get_attribute("aria-valuetext") or "")
    assert serious(page, "[data-sv=round]") == []
    hand.press("Escape")
    assert (states(page), title.inner_text(), part(page, "bars").inner_text()) == recorded

    press(page, "Roll 1,000 times")
    assert "of 1,000 accepted" in part(page, "headline").inner_text()
    shares = page.locator("[data-sv=row]").evaluate_all(
        "(rows) => rows.map(({ dataset: { p, before } }) => [Number(p), Number(before)])"
    )
    assert abs(sum(rolled for rolled, _ in shares) - 1) < 1e-6
    assert all(abs(rolled - p) < 0.08 for rolled, p in shares)
    page.keyboard.press("Escape")
    assert (states(page), title.inner_text(), part(page, "bars").inner_text()) == recorded
