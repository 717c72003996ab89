"""What the first screen asks of a newcomer: few controls, and what they do."""

import pytest

from tests.browser.hand import part
from tests.browser.names import Browser, Open, Route

MOST = 18
CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((node) => {
    const { bottom, right, top, left, width, height } = node.getBoundingClientRect();
    const inSight = width && height && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return inSight && !node.closest('[inert]') && node.checkVisibility({ visibilityProperty: true });
  }).map((node) => node.getAttribute('aria-label') || node.textContent || node.value || node.id)"""
SEEN = """(node) => [...node.querySelectorAll('*')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === 3))
  .map(({ data }) => data.trim()).filter(Boolean)"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_it_has_eighteen_controls_at_most_until_the_run_is_stepped_through(visit: Open, phone: bool) -> None:
    page = visit(phone=phone)
    for width, height in [(390, 844)] if phone else [(1920, 1080), (1280, 720)]:
        page.set_viewport_size({"width": width, "height": height})
        controls = page.evaluate(CONTROLS)
        assert len(controls) <= MOST, controls
        assert not part(page, "details").is_visible()
    part(page, "play").focus()
    page.keyboard.press("ArrowRight")
    for name in ("forward", "details", "offer-predict"):
        part(page, name).wait_for()
    assert page.evaluate("document.activeElement.dataset.sv") == "play", "nothing moved under the hand"
    page.keyboard.press("Home")
    assert part(page, "forward").is_visible(), "what was there stays"


def test_until_its_recording_is_there_a_line_says_so_and_nothing_else_is_on_stage(
    browser: "Browser", address: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    held: list[Route] = []
    page.route("**/gradio_api/recorded/*", lambda route: held.append(route))
    page.goto(address)
    part(page, "headline").get_by_text("Opening the recording").wait_for()
    assert part(page, "round").evaluate(SEEN) == ["Opening the recording …"]
    held.pop().continue_()
    page.locator("[data-sv=stage][data-ready]").wait_for()
    assert len(part(page, "round").evaluate(SEEN)) > 20
    page.close()
