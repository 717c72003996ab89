"""What the newer methods bring to the page: inner guesses, passes by places, guesses without a length to choose."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Open
from tests.browser.hand import part, pick, serious, width
from tests.browser.test_copies import scrub_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRACES = Path(__file__).parents[2] / "assets" / "traces"

ABOVE = """() => [...document.querySelectorAll('[data-sv=slot]:not([data-kind=own])')].map((slot) => {
  const [column, chip] = [slot.parentElement, slot.firstElementChild];
  const inner = column.querySelector('[data-sv=inner]');
  const mark = inner.firstElementChild;
  const [a, b, c] = [mark, chip, column].map((node) => node.getBoundingClientRect());
  return inner.checkVisibility() ? {
    text: mark.textContent, kept: mark.dataset.look === 'accepted', look: getComputedStyle(mark, '::before').content,
    fits: a.left >= c.left - 1 && a.right <= c.right + 1 && a.top >= c.top && a.bottom <= b.top + 1,
    said: slot.getAttribute('aria-label'),
  } : null;
})"""


def rounds_of(name: str) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))["rounds"]
    return rounds


def seen(text: str) -> str:
    return text.replace(" ", "·").replace("\n", "⏎")


def end_of(page: "Page", number: int) -> None:
    """The last beat of a round."""
    scrub_to(page, number + 1)
    page.keyboard.press("ArrowLeft")


@pytest.mark.long
def test_inner_guesses_stand_above_the_guesses_they_were_made_for_on_a_desk_and_on_a_phone(visit: Open) -> None:
    rounds = rounds_of("code-staged")
    for phone in (False, True):
        page = visit(still=True, phone=phone)
        pick(page, "code-staged")
        part(page, "scrub").focus()
        for number in (0, 2, 4):
            end_of(page, number)
            found = page.evaluate(ABOVE)
            for verdict, there in zip(rounds[number]["verdicts"], found, strict=False):
                inner = verdict["source"].get("inner")
                assert (there is None) == (inner is None)
                if not there:
                    continue
                kept = inner["token"] == verdict["token"]
                assert (there["text"], there["kept"]) == (seen(inner["text"]), kept)
                assert there["fits"], "above its guess and inside its column"
                assert ("n-gram guessed it" if kept else "by n-gram") in there["said"]
            assert {each["look"] for each in found if each and each["kept"]} != {
                each["look"] for each in found if each and not each["kept"]
            }, "told apart without colour"
        assert width(page) == (390 if phone else 1280)
        assert phone or serious(page, "[data-sv=stage]") == []


def test_a_method_without_a_length_is_named_in_the_bar_and_gamma_says_that_it_is_not_used(visit: Open) -> None:
    page = visit()
    opener, gamma = part(page, "method-more"), page.locator("#sv-gamma")
    said = gamma.locator("xpath=descendant-or-self::*/small").locator("visible=true")
    opener.click()
    page.locator("[data-method=lookahead]").click()
    opener.get_by_text("lookahead").wait_for()
    said.get_by_text("not used").wait_for()
    assert gamma.get_attribute("title") == "These guesses have no length to choose, so γ does nothing here."
    page.locator("#sv-drafter label", has_text="n-gram").click()
    opener.get_by_text("lookahead").wait_for(state="detached")
    one_tab_stop = "new Set(Array.from(document.querySelectorAll('#sv-drafter input'), ({ name }) => name)).size === 1"
    page.wait_for_function(one_tab_stop)  # Gradio draws the controls anew, each as a group of its own at first
    assert gamma.get_attribute("title") is None
