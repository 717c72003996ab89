"""Stop strings in a real browser: what the stage says of the round that ends so, and that Settings take them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from specviz.law.chance import Seeded
from specviz.law.sampling import Sampling
from specviz.law.stops import Stops
from specviz.trace.codec import to_json
from specviz.trace.run import Trace
from tests.browser.hand import part, press, serious, staged
from tests.browser.test_import import drag
from tests.tiny import TableModel, traced

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def ended_inside() -> Trace:
    """A run whose third round or so ends the text inside its draft, with two guesses behind; tokens read as digits."""
    stops = Stops(("20",), lambda tokens: "".join(map(str, tokens)))
    for seed in range(400):
        models = TableModel(6, 1), TableModel(6, 2)
        trace = traced(
            models[0], (3, 1), 24, draft=models[1], gamma=4, sampling=Sampling(0.7), chance=Seeded(seed), stops=stops
        )
        *before, last = trace.rounds
        if before and last.stop_string and last.extra is None and len(last.path) == 2:
            return trace
    raise AssertionError("no run ends so")


@pytest.mark.long
def test_the_round_that_completes_a_string_says_which_and_drops_what_is_behind(visit: Open) -> None:
    page = visit()
    assert drag(page, "drop", ("stopped.json", to_json(ended_inside())))
    staged(page, "table")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert part(page, "ribbon").inner_text().count("stop string “20”") == 1
    assert page.locator("[data-sv=ribbon] [data-ending]").all_inner_texts() == ["2", "0"]
    said: dict[str | None, str] = {}
    while (phase := part(page, "stage").get_attribute("data-phase")) != "verdict":
        said[phase] = part(page, "headline").inner_text()
        page.keyboard.press("ArrowLeft")
    said[phase] = part(page, "headline").inner_text()
    verdict = "“0” is accepted: the stop string “20” ends the text; two guesses after it are never judged."
    assert said["verdict"] == verdict
    assert said["join"].endswith("the text, which ends with “20”; the two guesses behind it are dropped unjudged.")
    assert page.locator("[data-sv=lane] [data-state=untested]").count() == 2
    assert serious(page, "[data-sv=stage]") == []


def test_settings_take_strings_one_a_line_and_a_run_ends_where_one_is_complete(visit: Open) -> None:
    page = visit()
    press(page, "Settings")
    door = page.locator("[data-sv=rare]")
    door.click()
    field = page.get_by_label("Stop strings")
    field.fill("ox\n\\n\\n")
    page.locator("#sv-drawer").get_by_role("spinbutton", name="Seed").fill("7")
    assert serious(page, "#sv-drawer") == []
    press(page, "Settings")
    press(page, "Run")
    staged(page, r"seed 7\b")
    page.locator("[data-sv=who] [data-sv=pill]").get_by_text("Live run, finished").wait_for()
    page.keyboard.press("End")
    assert "stop string “ox”" in page.locator("[data-sv=stage]").inner_text()
    kept = page.evaluate("Object.values(localStorage).join()")
    assert r'"stop_strings":["ox","\n\n"]' in kept, "for the next visit"
