"""The guided first minute: it never starts by itself, one part is bright, and Esc leaves it wherever it is."""

import pytest

from tests.browser.hand import box
from tests.browser.names import Open, Page

SAYS = "[data-sv=guide-says]"
FOCUS = "document.activeElement.closest('[data-sv=guide]') ? 'guide' : document.activeElement.tagName"


def phase(page: "Page") -> str | None:
    return page.get_attribute("[data-sv=stage]", "data-phase")


def bright(page: "Page") -> list[str]:
    """Parts that are not dimmed, by their names, once they have stopped changing."""
    page.wait_for_function(
        "document.getAnimations().every((each) => !(each instanceof CSSTransition) || each.playState === 'finished')"
    )
    return page.evaluate(
        """() => ['head', 'tape', 'lane', 'figure', 'ruler', 'foot'].filter((name) => {
          const node = document.querySelector(`[data-sv=${name}]`);
          return node.checkVisibility() && Number(getComputedStyle(node).opacity) > .5;
        }).concat(['plain', 'spec'].filter((name) => {
          const node = document.querySelector(`[data-sv=clocks] [data-lane=${name}]`);
          return node.checkVisibility() && Number(getComputedStyle(node).opacity) > .5;
        }))"""
    )


def test_stills_each_with_one_part_bright_and_the_end_is_the_free_stage(visit: Open) -> None:
    page = visit()
    assert not page.locator(SAYS).is_visible()
    page.locator("[data-sv=show-me]").click()
    wanted = [
        ("rest", ["plain"]),
        ("draft", ["lane"]),
        ("verify", ["lane"]),
        ("dart", ["lane", "ruler"]),
        ("replace", ["lane", "figure", "ruler"]),
        ("trim", ["foot"]),
        ("rest", ["plain", "spec"]),
    ]
    seen = []
    for number, (kind, parts) in enumerate(wanted, 1):
        assert phase(page) in (kind, "bonus"), number
        assert bright(page) == parts, number
        assert page.locator("[data-sv=guide-count]").inner_text() == f"{number} of 7"
        assert page.locator("[data-sv=guide-dots] [data-on]").count() == number
        seen.append(page.locator(SAYS).inner_text())
        assert page.locator("[data-sv=guide-under]").inner_text()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight || scrollY === 0")
        if number < 7:
            page.keyboard.press(["ArrowRight", "PageDown"][number % 2])
    assert len(set(seen)) == 7
    page.locator("[data-sv=guide-next]", has_text="Step through it yourself").click()
    assert phase(page) == "draft"
    assert not page.locator(SAYS).is_visible()
    assert page.locator("[data-sv=headline]").is_visible()
    step = int(page.get_attribute("[data-sv=stage]", "data-step") or 0)
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("[data-sv=stage]", "data-step") == str(step + 1), "the stage has the keys"


def test_back_forth_and_away(visit: Open) -> None:
    page = visit()
    page.locator("[data-sv=stage]").focus()
    page.locator("[data-sv=play]").focus()
    page.keyboard.press("g")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    first = page.locator(SAYS).inner_text()
    page.keyboard.press("ArrowLeft")
    assert phase(page) == "draft"
    page.keyboard.press("ArrowRight")
    assert page.locator(SAYS).inner_text() == first
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert page.locator("[data-sv=guide-count]").inner_text() == "1 of 7"
    page.keyboard.press("n")  # the stage's own keys wait
    page.keyboard.press("Escape")
    assert not page.locator(SAYS).is_visible()
    assert page.evaluate("document.querySelectorAll('[inert]').length") == 0
    assert page.evaluate("document.activeElement.dataset.sv") == "play"
    assert bright(page)[:3] == ["head", "tape", "lane"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("phone", [False, True])
def test_each_word_and_button_is_in_sight_and_what_is_dimmed_out_of_reach(visit: Open, phone: bool) -> None:
    page = visit(phone=phone)
    page.locator("[data-sv=show-me]").click()
    height = 844 if phone else 720
    for number in range(1, 8):
        for name in ("guide-says", "guide-under", "guide-next"):
            at = box(page.locator(f"[data-sv={name}]"))
            assert min(at["x"], at["y"]) >= 0
            assert at["bottom"] <= height
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if number == 2:
            reached = set()
            for _ in range(6):
                page.keyboard.press("Tab")
                reached.add(page.evaluate(FOCUS))
            assert reached <= {"guide", "BODY", "HTML"}
        if number < 7:
            page.locator("[data-sv=guide-next]").click()
