"""The page at other sizes and for other eyes: a projector, a phone, Present, no motion."""

import pytest

from tests.browser.hand import box, dark, details, part, picture, press, run, scrub, small, width
from tests.browser.names import Open, Page
from tests.statistic import SEED

PROMPT = "#sv-prompt textarea"
REACHED = """() => [...document.querySelectorAll('[data-sv=beats] button')].filter((button) => {
  const { left, width, top, height } = button.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return [-21, 21].some((by) => document.elementFromPoint(x, y + by)?.closest('button') !== button);
}).map(({ textContent }) => textContent)"""
"""Beats of the round that a finger would miss: they reach farther than they look."""
GAPS = """([first, every]) => {
  const scrub = document.querySelector('[data-sv=scrub]');
  const edges = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  return Array.from({ length: Math.floor((Number(scrub.max) - first) / every) }, (_, at) => {
    scrub.value = first + at * every;
    scrub.dispatchEvent(new Event('input'));
    return [...document.querySelectorAll('[data-sv=row]')]
      .map((row) => [...row.children].slice(-2).map(edges))
      .filter(([p, q]) => p.width && q.width)
      .map(([p, q]) => q.left - p.right);
  }).flat();
}"""
"""At every so many beats, the pixels between the last letter of p and the first of q, row by row."""


def test_the_whole_stage_fits_a_projector_and_the_charts_follow_its_theme(visit: Open) -> None:
    page = visit()
    details(page)
    kept = page.locator("[data-sv=run-chart] [data-look=kept-target]").first
    kept.wait_for(state="attached")
    light = kept.evaluate("(n) => getComputedStyle(n).fill")
    fits(page)
    dark(page)
    assert kept.evaluate("(n) => getComputedStyle(n).fill") != light
    assert part(page, "stage").evaluate("(stage) => getComputedStyle(stage).backgroundColor") == "rgb(15, 18, 22)"
    fits(page)


def fits(page: "Page") -> None:
    scrub(page, 0.5)
    for name in ("tape", "say", "lane", "balance", "foot"):
        at = box(part(page, name))
        assert at["y"] >= 0, name
        assert at["bottom"] <= 721, f"{name} ends at {at['bottom']}"
    assert part(page, "stage").evaluate("stage => stage.scrollHeight <= stage.clientHeight"), "nothing is cut off"
    for name in ("Run", "Settings", "Share"):
        assert box(page.get_by_role("button", name=name, exact=True))["bottom"] <= 46, name


def test_a_phone_scrolls_down_only_shows_a_token_early_and_keeps_the_transport_in_reach(visit: Open) -> None:
    from playwright.sync_api import expect

    page = visit(phone=True)
    assert box(page.locator("[data-sv=lane] [data-sv=node] > [data-sv=chip]").first)["y"] <= 0.4 * 844
    for share in (0, 0.1, 1):
        scrub(page, share)
        assert width(page) == 390
        assert box(part(page, "buttons"))["bottom"] <= 844
    touched = "#sv-top button, [data-sv=buttons] button, [data-sv=tab], [data-sv=details], [data-sv=foot] a"
    assert small(page, touched) == []
    assert page.evaluate(REACHED) == []
    asked = page.locator(PROMPT).input_value()
    page.locator(PROMPT).fill("")
    press(page, "Run")
    expect(page.get_by_role("alert")).to_contain_text("the prompt is empty")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    page.locator(PROMPT).fill(asked)
    run(page, Length=9999)
    expect(page.get_by_role("alert")).to_contain_text("Length needs")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_present_is_large_light_blanks_and_leaves_as_it_came(visit: Open) -> None:
    page = visit("?__theme=dark")
    scrub(page, 0.1)
    page.keyboard.press("f")
    stage = part(page, "stage")
    stage.locator("xpath=self::*[@data-present]").wait_for()
    tiny = stage.evaluate(
        """(stage) => [...stage.querySelectorAll('*')].filter((node) => node.checkVisibility({ checkOpacity: true })
          && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
          && !node.closest('[data-sv=said], svg, select') && parseFloat(getComputedStyle(node).fontSize) < 20)
          .map((node) => `${node.dataset.sv ?? node.localName}: ${node.textContent.slice(0, 20)}`)"""
    )
    assert tiny == []
    assert part(page, "tabs").is_hidden(), "one large thing at a time"
    assert not page.evaluate("document.body.classList.contains('dark')")
    before = stage.get_attribute("data-step")
    page.keyboard.press("PageDown")
    assert stage.get_attribute("data-step") == str(int(before or 0) + 1)
    for back in (lambda: page.keyboard.press("PageDown"), lambda: page.mouse.click(640, 300)):
        page.keyboard.press("b")
        assert stage.get_attribute("data-blank") is not None
        shown = picture(page)
        back()
        assert stage.get_attribute("data-blank") is None
        assert picture(page) == shown, "what ends the blank does nothing else"
    scrub(page, 0)
    lanes = part(page, "clock-lane").locator("visible=true")
    assert lanes.evaluate_all("all => all.map((n) => n.scrollHeight <= n.clientHeight + 1)") == [True, True]
    page.get_by_role("button", name="Leave Present").click()
    assert stage.get_attribute("data-present") is None
    assert page.evaluate("document.body.classList.contains('dark')")


def test_play_is_seen_under_the_pointer_and_where_nothing_may_move_nothing_does(visit: Open) -> None:
    page = visit()
    part(page, "play").hover()
    ink, ground = part(page, "play").evaluate(
        "(play) => [getComputedStyle(play.querySelector('svg')).fill, getComputedStyle(play).backgroundColor]"
    )
    assert ink != ground
    durations = part(page, "stage").evaluate(
        "stage => [...stage.querySelectorAll('*')].map((node) => getComputedStyle(node).transitionDuration)"
    )
    assert set(durations) == {"0s"}


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_p_and_q_stand_apart_on_a_phone_however_many_letters_they_have(visit: Open, every: int) -> None:
    page = visit(phone=True)
    gaps = page.evaluate(GAPS, [SEED % every, every])
    assert len(gaps) > 500 // every
    assert min(gaps) > 8
