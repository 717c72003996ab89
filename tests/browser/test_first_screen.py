"""What the first screen asks of a newcomer: few controls, and what they do."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.hand import part

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
MOST = 18
CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((node) => {
    const { bottom, right, top, left, width, height } = node.getBoundingClientRect();
    const inSight = width && height && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return inSight && !node.closest('[inert]') && node.checkVisibility({ visibilityProperty: true });
  }).map((node) => node.getAttribute('aria-label') || node.textContent || node.value || node.id)"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)])
def test_it_has_eighteen_controls_at_most_until_the_run_is_stepped_through(visit: Open, size: tuple[int, int]) -> None:
    page = visit(phone=size[0] < 900)
    page.set_viewport_size({"width": size[0], "height": size[1]})
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
