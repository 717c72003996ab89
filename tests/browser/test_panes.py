"""What opens beside the figure, the foot that is the scrubber, the two clocks, and the charts under the stage."""

from typing import TYPE_CHECKING

from tests.browser.conftest import Open
from tests.browser.hand import part

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def pane(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-pane={name}]")


def toggle(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-dock={name}]")


def to_step(page: "Page", at: int) -> None:
    page.evaluate(
        """at => {
          const scrub = document.querySelector('[data-sv=scrub]');
          scrub.value = at;
          scrub.dispatchEvent(new Event('input'));
        }""",
        at,
    )


def test_one_pane_at_a_time_on_a_projector_beside_lane_and_figure(visit: Open) -> None:
    page = visit()
    assert page.locator("[data-pane]").count() == 0, "none opens by itself"
    clear = toggle(page, "code").evaluate("(n) => getComputedStyle(n).backgroundColor")
    assert clear != "rgba(0, 0, 0, 0)", "a button looks like one"
    to_step(page, 8)
    toggle(page, "code").click()
    assert pane(page, "code").locator("h2").inner_text().startswith("Algorithm 1")
    toggle(page, "cache").click()
    assert pane(page, "cache").is_visible()
    assert pane(page, "code").count() == 0
    assert [toggle(page, name).get_attribute("aria-pressed") for name in ("code", "cache", "clock")] == [
        "false",
        "true",
        "false",
    ]
    box, work, head = (part(page, name).bounding_box() for name in ("dock", "work", "headline"))
    assert box
    assert work
    assert head
    assert work["x"] + work["width"] <= box["x"]
    assert head["y"] + head["height"] <= box["y"] + 1, "the sentence keeps the full width"
    assert box["y"] + box["height"] <= 720
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('[data-pane] *:not(sub)')]"
        ".filter((n) => n.textContent && !n.children.length && n.checkVisibility())"
        ".map((n) => parseFloat(getComputedStyle(n).fontSize)))"
    )
    assert smallest >= 12.5
    page.keyboard.press("Escape")
    assert page.locator("[data-pane]").count() == 0


def test_what_is_open_is_remembered_and_several_fit_a_large_screen(visit: Open) -> None:
    page = visit()
    page.set_viewport_size({"width": 1920, "height": 1080})
    to_step(page, 8)
    for name in ("clock", "code", "cache"):
        toggle(page, name).click()
    assert page.locator("[data-pane]").evaluate_all("(all) => all.map((n) => n.dataset.pane)") == [
        "code",
        "cache",
        "clock",
    ]
    dock = part(page, "dock")
    assert dock.evaluate("(n) => n.scrollHeight <= n.clientHeight + 1"), "all three stand in it"
    page.reload()
    page.locator("[data-sv=stage][data-ready]").wait_for()
    assert page.locator("[data-pane]").count() == 3
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator("[data-pane]").nth(1).wait_for(state="detached")
    assert page.locator("[data-pane]").evaluate_all("(all) => all.map((n) => n.dataset.pane)") == ["cache"], (
        "the one asked for last"
    )


def test_a_phones_sheet_leaves_the_transport_in_reach(visit: Open) -> None:
    page = visit(phone=True)
    to_step(page, 8)
    toggle(page, "cache").click()
    box = part(page, "dock").bounding_box()
    assert box
    assert box["height"] <= 0.74 * 844 + 1
    assert (box["x"], box["width"], round(box["y"] + box["height"])) == (0, 390, 844)
    step = page.get_attribute("[data-sv=stage]", "data-step")
    page.locator("[data-sv=forward]").click()
    assert page.get_attribute("[data-sv=stage]", "data-step") != step
    toggle(page, "cache").click()
    assert part(page, "dock").locator("[data-pane]").count() == 0


def test_clocks_charts_and_the_foot_at_a_desk(visit: Open) -> None:
    page = visit()
    two_clocks_stand_on_the_first_screen_and_say_who_is_done_first(page)
    the_lanes_are_the_scrubber(page)
    the_charts_are_named_have_one_stop_each_and_large_type(page)
    a_chart_tells_of_the_round_under_the_pointer_and_a_drag_shows_some_larger(page)


def the_lanes_are_the_scrubber(page: "Page") -> None:
    box = part(page, "mini").bounding_box()
    assert box
    steps = int(page.get_attribute("[data-sv=stage]", "data-steps") or 0)
    for share in (0.25, 0.8, 0.5):
        page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        at = int(page.get_attribute("[data-sv=stage]", "data-step") or 0)
        assert abs(at - share * (steps - 1)) <= 1
        head = page.locator("[data-sv=mini] > [data-sv=playhead]").bounding_box()
        assert head
        assert abs(head["x"] + head["width"] / 2 - box["x"] - at / (steps - 1) * box["width"]) < 2, (
            "the line stands where one clicked"
        )
    page.keyboard.press("ArrowRight")
    assert int(page.get_attribute("[data-sv=stage]", "data-step") or 0) == at + 1
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 5)
    assert "Why so many" in part(page, "mini-tip").inner_text()
    assert part(page, "mini").locator("svg").count() == 2


def two_clocks_stand_on_the_first_screen_and_say_who_is_done_first(page: "Page") -> None:
    lanes = page.locator("[data-sv=clocks] [data-sv=clock-lane]")
    assert lanes.evaluate_all("(all) => all.map((n) => n.dataset.lane)") == ["plain", "spec"]
    done = page.locator("[data-sv=clocks] [data-sv=done]:visible")
    assert done.count() == 1
    assert "done" in done.inner_text()
    to_step(page, 3)
    assert not part(page, "clocks").is_visible()


def the_charts_are_named_have_one_stop_each_and_large_type(page: "Page") -> None:
    charts = page.locator("[data-sv=run-chart][role=img]")
    charts.nth(1).wait_for()
    names = charts.evaluate_all("(all) => all.map((n) => n.getAttribute('aria-label'))")
    assert names[0].startswith("KV entries above the committed text over")
    assert names[1].startswith("γ and accepted tokens over")
    stops = (
        "[...document.querySelectorAll('#sv-charts :is(a, button, input, [tabindex])')]"
        ".filter((n) => n.tabIndex >= 0 && n.checkVisibility()).length"
    )
    assert page.evaluate(stops) == 2
    small = (
        "Math.min(...[...document.querySelectorAll('#sv-charts *')].filter((n) => n.textContent)"
        ".map((n) => parseFloat(getComputedStyle(n).fontSize)))"
    )
    assert page.evaluate(small) >= 16
    to_step(page, int(page.get_attribute("[data-sv=stage]", "data-steps") or 1) - 1)
    last = page.get_attribute("[data-sv=stage]", "data-round")
    assert charts.evaluate_all("(all) => all.map((n) => n.dataset.round)") == [last, last]
    page.locator("[data-tab=race]").click()
    assert not page.locator("#sv-charts").is_visible()
    page.locator("[data-tab=round]").click()


def a_chart_tells_of_the_round_under_the_pointer_and_a_drag_shows_some_larger(page: "Page") -> None:
    to_step(page, 0)
    chart = page.locator("[data-sv=run-chart][role=img]").nth(1)
    chart.scroll_into_view_if_needed()
    ticks = chart.locator("text[text-anchor=middle]")
    rounds = ticks.all_text_contents()
    box = chart.locator("[data-sv=panels] svg").first.bounding_box()
    assert box
    across = [box["x"] + share * box["width"] for share in (0.2, 0.4)]
    page.mouse.move(across[0], box["y"] + 60)
    told = chart.locator("[data-sv=chart-tip]").inner_text()
    assert told.startswith("Round 3")
    assert "accepted: " in told
    page.mouse.down()
    page.mouse.move(across[1], box["y"] + 60)
    page.mouse.up()
    assert len(ticks.all_text_contents()) < len(rounds), "some of them"
    page.mouse.dblclick(across[0], box["y"] + 60)
    assert ticks.all_text_contents() == rounds
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert chart.locator("[data-sv=chart-tip]").inner_text().startswith("Round 1\n"), "of the round on stage"
