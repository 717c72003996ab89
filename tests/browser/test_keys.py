"""Who has the keys after each click of a mouse: arrows step and Space plays, whatever was clicked last."""

from collections.abc import Callable

from tests.browser.hand import part, pill, press
from tests.browser.names import Open, Page


def opened_and_closed(page: "Page", name: str) -> None:
    press(page, name)
    page.keyboard.press("Escape")


CLICKS: dict[str, Callable[["Page"], object]] = {
    "one beat on": lambda page: part(page, "forward").click(),
    "one round on": lambda page: part(page, "roundForward").click(),
    "play and pause": lambda page: [part(page, "play").click() for _ in range(2)],
    "a menu closed by its button": lambda page: [press(page, "Share") for _ in range(2)],
    "a menu closed by Escape": lambda page: opened_and_closed(page, "Share"),
    "a menu closed beside it": lambda page: (press(page, "Share"), part(page, "headline").click()),
    "the settings closed": lambda page: [press(page, "Settings") for _ in range(2)],
    "a pane": lambda page: part(page, "details").click(),
    "a tab and back": lambda page: [page.get_by_role("tab").nth(at).click() for at in (1, 0)],
}


def test_after_every_click_arrows_step_the_round(visit: Open) -> None:
    page = visit()
    page.keyboard.press("ArrowRight")
    for what, click in CLICKS.items():
        click(page)
        at = int(part(page, "stage").get_attribute("data-step") or 0)
        for key, then in (("ArrowRight", at + 1), ("ArrowLeft", at)):
            page.keyboard.press(key)
            assert part(page, "stage").get_attribute("data-step") == str(then), f"{key} after {what}"
        assert page.get_by_role("tab", selected=True).inner_text() == "Round"


def test_fields_keep_the_keys_they_read_and_space_after_run_pauses_and_does_not_run_again(visit: Open) -> None:
    page = visit()
    prompt = page.locator("#sv-prompt textarea")
    prompt.click()
    page.keyboard.press("End")
    page.keyboard.press(" ")
    assert prompt.input_value().endswith(" ")
    assert part(page, "stage").get_attribute("data-step") == "0"
    page.keyboard.press("Enter")
    page.locator("[data-sv=stage][data-plays]").wait_for()
    page.keyboard.press(" ")
    page.locator("[data-sv=stage]:not([data-plays])").wait_for()
    pill(page).get_by_text("Live run, finished").wait_for()
    page.keyboard.press("ArrowRight")
    assert not page.locator("body.sv-running").count(), "Space did not run it again"
    page.keyboard.press(" ")
    page.locator("[data-sv=stage][data-plays]").wait_for()
