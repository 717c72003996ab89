"""What the newer methods bring to the page: inner guesses, passes by places, guesses without a length to choose."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.hand import part
from tests.browser.names import Open

if TYPE_CHECKING:
    pass

TRACES = Path(__file__).parents[2] / "assets" / "traces"


def rounds_of(name: str) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))["rounds"]
    return rounds


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
