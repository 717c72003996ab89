"""A chat model on the page: what its template put into the prompt is folded."""

from typing import TYPE_CHECKING

from tests.browser.conftest import Open
from tests.browser.hand import part, scrub, serious, small, width
from tests.browser.test_pair_choice import choose, loaded, open_drawer, run

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROMPT = "[data-sv=token][data-state=prompt]"


def asked(visit: Open, **options: bool) -> "Page":
    """A run of the chat pair, at its first beat."""
    page = open_drawer(visit, still=True, **options)
    choose(page, "chatty")
    loaded(page, "chatty")
    run(page)
    page.keyboard.press("Escape")
    scrub(page, 0)
    part(page, "scrub").press("ArrowRight")
    return page


def test_the_template_is_folded_and_opens_and_closes_under_the_keyboard(visit: Open) -> None:
    page = asked(visit)
    folds, prompt = page.get_by_role("button", name="template ·"), page.locator(PROMPT)
    assert folds.all_inner_texts() == ["template · 3", "template · 1"]
    assert prompt.count() == 2, "what the person said"
    assert page.locator("[data-sv=kv-count]").inner_text() == "5", "all of the prompt but its last token"
    part(page, "ribbon").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "template · 3"
    page.keyboard.press("Enter")
    assert folds.first.get_attribute("aria-expanded") == "true"
    assert [each.get_attribute("data-template") is not None for each in prompt.all()] == [True] * 3 + [False] * 2
    assert serious(page, "[data-sv=stage]") == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "chat template: nobody wrote or guessed it" in part(page, "why").inner_text()
    page.keyboard.press("Escape")
    folds.first.focus()
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.textContent") == "template · 3", "the keys stay where they are"
    assert folds.first.get_attribute("aria-expanded") == "false"
    assert prompt.count() == 2


def test_on_a_phone_what_was_said_stands_beside_the_fold(visit: Open) -> None:
    page = asked(visit, phone=True)
    home, said = part(page, "lines").bounding_box(), page.locator(PROMPT).first.bounding_box()
    assert home
    assert said
    assert home["y"] <= said["y"] < said["y"] + said["height"] <= home["y"] + home["height"]
    assert part(page, "tape").get_attribute("data-cut") is None, "no line is faded"
    assert small(page, "[data-sv=fold] button") == []
    page.locator("[data-sv=fold] button").first.click()
    assert page.locator(PROMPT).count() == 5
    assert width(page) == 390
    assert serious(page, "[data-sv=stage]") == []
