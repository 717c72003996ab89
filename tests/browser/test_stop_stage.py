"""Stop strings in a real browser: what the stage says of the round that ends so, and that Settings take them."""

from tests.browser.hand import press, serious, staged
from tests.browser.names import Open


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
