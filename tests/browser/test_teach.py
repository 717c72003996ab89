"""Predict, then reveal: by keyboard alone, never by itself, and nothing gives an answer away."""

from tests.browser.hand import box, part, serious, small, tab_to
from tests.browser.names import Open, Page

# The numbers in sight that belong to guesses behind the one asked about.
LATER = """[...document.querySelectorAll('[data-sv=node][aria-selected=true] + [role=group] [data-sv=node]')]
  .flatMap((node) => [...node.querySelectorAll('[data-sv=numbers], [data-sv=strip]')])
  .filter((part) => part.checkVisibility({ visibilityProperty: true })).map((part) => part.textContent)"""


def text(page: "Page", name: str) -> str:
    return part(page, name).inner_text()


def test_a_set_of_questions_is_answered_and_scored_by_keyboard_alone(visit: Open) -> None:
    page = visit()
    assert not part(page, "quiz").is_visible()
    assert part(page, "offer-predict").is_hidden(), "not on the first screen"
    page.keyboard.press("ArrowRight")
    tab_to(page, "[data-sv=offer-predict]")
    page.keyboard.press("Enter")
    asked = []
    for number in range(1, 9):
        assert f"question {number} of 8" in text(page, "quiz-count")
        asked.append(text(page, "quiz-says"))
        assert part(page, "foot").is_hidden(), "the run's γ would tell how many are accepted"
        page.keyboard.press("ArrowRight")
        page.keyboard.press(["2", "Enter"][number % 2])
        assert page.locator("[data-sv=quiz-options] [aria-pressed=true]").count() == 1
        assert page.locator("[data-sv=quiz-options] [data-right]").count() == 1
        assert page.evaluate(LATER) == [], "the numbers of later guesses answer what is asked next"
        page.keyboard.press("Enter")
    assert len(set(asked)) == 8
    assert "mean squared error" in text(page, "quiz-says")
    assert part(page, "quiz-score").locator("li").count() >= 1
    page.keyboard.press("Enter")
    assert "question 1 of" in text(page, "quiz-count"), "five more"
    page.keyboard.press("Escape")
    assert page.evaluate("document.querySelectorAll('[inert]').length") == 0
    assert part(page, "headline").is_visible()


def test_in_a_room_nothing_is_revealed_until_enter(visit: Open) -> None:
    page = visit("#v=1&run=tale-small-model&quiz=room&at=1.dart.1")
    part(page, "quiz").wait_for()
    question = text(page, "quiz-says")
    page.keyboard.press("4")
    assert text(page, "quiz-says") == question
    assert page.locator("[data-sv=quiz-options] [data-right]").count() == 0
    assert page.locator("[data-sv=figure] [data-p]").count() == 0
    assert serious(page, "[data-sv=stage]") == []
    page.keyboard.press("f")
    page.locator("[data-sv=stage][data-present]").wait_for()
    page.keyboard.press("Enter")
    assert "accepted" in text(page, "quiz-says")
    assert page.locator("[data-sv=quiz-options] [data-right]").count() == 1


def test_on_a_phone_answers_and_ways_on_are_large_and_in_sight(visit: Open) -> None:
    page = visit(phone=True)
    part(page, "forward").evaluate("(button) => button.click()")
    part(page, "offer-predict").click()
    for name in ("quiz-options", "quiz-nav"):
        assert box(part(page, name))["bottom"] <= 844
    assert small(page, "[data-sv=quiz] button") == []
    page.locator("[data-sv=quiz-options] button").nth(3).click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    part(page, "quiz-leave").click()
    part(page, "play").focus()
    page.keyboard.press("g")
    assert small(page, "[data-sv=guide] button") == []
    assert box(part(page, "guide-next"))["y"] < 844


def test_a_class_gets_a_code_a_locked_link_and_a_second_screen(visit: Open) -> None:
    page = visit("#v=1&run=tale-small-model&at=1.dart.3")
    page.locator("[data-sv=stage][data-phase=dart]").wait_for()
    page.keyboard.press("l")
    page.get_by_role("menuitem", name="For a class").click()
    dialog = part(page, "lesson")
    dialog.get_by_role("img", name="QR code").wait_for()
    assert "network address" in text(page, "lesson-local"), "127.0.0.1 would lead a student to their own phone"
    dialog.get_by_label("Lock the settings").check()
    dialog.get_by_label("The link opens").select_option("room")
    field = dialog.get_by_label("Link for the class")
    page.wait_for_function("document.querySelector('[data-sv=lesson] textarea').value.includes('settings')")
    address = field.input_value()
    assert "quiz=room" in address
    assert serious(page, "[data-sv=lesson]") == []
    with page.expect_popup() as popup:
        dialog.get_by_role("button", name="Open a second screen").click()
    second = popup.value
    second.locator("[data-sv=stage][data-present][data-phase=dart]").wait_for()
    assert not part(second, "buttons").is_visible(), "it is led by the first"
    page.bring_to_front()
    page.keyboard.press("Escape")
    part(page, "scrub").focus()
    page.keyboard.press("ArrowRight")
    second.locator("[data-sv=stage][data-phase=verdict]").wait_for()
    page.keyboard.press("q")
    second.get_by_text(text(page, "quiz-says")).wait_for()
    assert second.locator("[data-sv=quiz-options] [data-right]").count() == 0
    page.keyboard.press("2")
    second.locator("[data-sv=quiz-options] [data-right]").wait_for()
    assert text(second, "quiz-says") == text(page, "quiz-says")
    page.keyboard.press("Escape")
    part(second, "quiz").wait_for(state="hidden")
    second.close()
    locked = visit("#" + address.partition("#")[2])
    part(locked, "quiz").wait_for()
    for control in ("sv-settings", "sv-gamma", "sv-drafter"):
        assert not locked.locator(f"#{control}").is_visible()
    assert locked.locator("#sv-run").is_visible()
