"""What opens beside the figure, the charts in it, the foot that is the scrubber, and the two clocks."""

import re

from tests.browser.hand import box, part, width
from tests.browser.names import Open, Page


def to_step(page: "Page", at: int) -> None:
    page.evaluate(
        """at => {
          const scrub = document.querySelector('[data-sv=scrub]');
          scrub.value = at;
          scrub.dispatchEvent(new Event('input'));
        }""",
        at,
    )


def test_clocks_the_pane_of_details_its_charts_and_the_foot_at_a_desk(visit: Open) -> None:
    page = visit()
    two_clocks_stand_on_the_first_screen_and_say_who_is_done_first(page)
    details_is_one_pane_with_three_headings_beside_lane_and_figure(page)
    the_lanes_are_the_scrubber(page)
    part(page, "details").click()
    the_charts_are_named_have_one_stop_each(page)
    a_chart_tells_of_the_round_under_the_pointer_and_a_drag_shows_some_larger(page)


def details_is_one_pane_with_three_headings_beside_lane_and_figure(page: "Page") -> None:
    assert not part(page, "dock").is_visible(), "it does not open by itself"
    to_step(page, 8)
    button = part(page, "details")
    clear = button.evaluate("(n) => getComputedStyle(n).backgroundColor")
    assert clear != "rgba(0, 0, 0, 0)", "a button looks like one"
    button.click()
    headings = part(page, "dock").get_by_role("heading", level=2)
    assert [each.partition("\n")[0] for each in headings.all_inner_texts()] == ["Code", "Cache", "Clock"]
    assert "Algorithm 1" in headings.first.inner_text()
    dock, work, head = (box(part(page, name)) for name in ("dock", "work", "headline"))
    assert work["right"] <= dock["x"]
    assert head["bottom"] <= dock["y"] + 1, "the sentence keeps the full width"
    assert dock["bottom"] <= 720
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('[data-pane] *:not(sub, sub *)')]"
        ".filter((n) => n.textContent && !n.children.length && n.checkVisibility())"
        ".map((n) => parseFloat(getComputedStyle(n).fontSize)))"
    )
    assert smallest >= 12.5
    assert width(page) == 1280
    page.reload()
    page.locator("[data-sv=stage][data-ready]").wait_for()
    assert part(page, "dock").is_visible(), "what is open is remembered"
    part(page, "pane-close").click()
    assert not part(page, "dock").is_visible()
    assert page.evaluate("document.activeElement.dataset.sv") == "stage", "after a mouse the stage has the keys"
    page.keyboard.press("i")
    part(page, "pane-close").press("Enter")
    assert not part(page, "dock").is_visible()
    assert page.evaluate("document.activeElement.dataset.sv") == "details", "a key goes back to what opened it"
    part(page, "play").focus()
    page.keyboard.press("i")
    assert part(page, "dock").is_visible()
    page.keyboard.press("Escape")
    assert not part(page, "dock").is_visible()


def test_a_phones_sheet_leaves_the_transport_in_reach(visit: Open) -> None:
    page = visit(phone=True)
    to_step(page, 8)
    part(page, "details").click()
    sheet = box(part(page, "dock"))
    assert sheet["height"] <= 0.74 * 844 + 1
    assert (sheet["x"], sheet["width"], round(sheet["bottom"])) == (0, 390, 844)
    step = page.get_attribute("[data-sv=stage]", "data-step")
    page.locator("[data-sv=forward]").click()
    assert page.get_attribute("[data-sv=stage]", "data-step") != step
    part(page, "details").click()
    assert not part(page, "dock").is_visible()


def the_lanes_are_the_scrubber(page: "Page") -> None:
    mini = box(part(page, "mini"))
    steps = int(page.get_attribute("[data-sv=stage]", "data-steps") or 0)
    for share in (0.25, 0.8, 0.5):
        page.mouse.click(mini["x"] + share * mini["width"], mini["y"] + mini["height"] / 2)
        at = int(page.get_attribute("[data-sv=stage]", "data-step") or 0)
        assert abs(at - share * (steps - 1)) <= 1
        head = box(page.locator("[data-sv=mini] > [data-sv=playhead]"))
        off = head["x"] + head["width"] / 2 - mini["x"] - at / (steps - 1) * mini["width"]
        assert abs(off) < 2, "the line stands where one clicked"
    page.keyboard.press("ArrowRight")
    assert int(page.get_attribute("[data-sv=stage]", "data-step") or 0) == at + 1
    page.mouse.move(mini["x"] + 0.3 * mini["width"], mini["y"] + 5)
    assert "Why so many" in part(page, "mini-tip").inner_text()
    assert part(page, "mini").locator("svg").count() == 2


def two_clocks_stand_on_the_first_screen_and_say_who_is_done_first(page: "Page") -> None:
    lanes = page.locator("[data-sv=clocks] [data-sv=clock-lane]")
    assert lanes.evaluate_all("(all) => all.map((n) => n.dataset.lane)") == ["plain", "spec"]
    done = page.locator("[data-sv=clocks] [data-sv=done]:visible")
    assert done.count() == 1
    assert "faster" in done.inner_text()
    to_step(page, 3)
    assert not part(page, "clocks").is_visible()


def the_charts_are_named_have_one_stop_each(page: "Page") -> None:
    charts = page.locator("[data-sv=run-chart][role=img]")
    charts.nth(1).wait_for()
    names = charts.evaluate_all("(all) => all.map((n) => n.getAttribute('aria-label'))")
    assert names[0].startswith("KV entries above the committed text over")
    assert names[1].startswith("γ and accepted tokens over")
    assert charts.evaluate_all("(all) => all.map((n) => n.tabIndex)") == [0, 0]
    to_step(page, int(page.get_attribute("[data-sv=stage]", "data-steps") or 1) - 1)
    last = page.get_attribute("[data-sv=stage]", "data-round")
    assert charts.evaluate_all("(all) => all.map((n) => n.dataset.round)") == [last, last]


def a_chart_tells_of_the_round_under_the_pointer_and_a_drag_shows_some_larger(page: "Page") -> None:
    to_step(page, 0)
    chart = page.locator("[data-sv=run-chart][role=img]").nth(1)
    chart.scroll_into_view_if_needed()
    ticks = chart.locator("text[text-anchor=middle]")
    rounds = ticks.all_text_contents()
    panel = box(chart.locator("[data-sv=panels] svg").first)
    across = [panel["x"] + share * panel["width"] for share in (0.2, 0.4)]
    page.mouse.move(across[0], panel["y"] + 60)
    told = chart.locator("[data-sv=chart-tip]").inner_text()
    assert re.match(r"Round [23]\n", told)
    assert "accepted: " in told
    page.mouse.down()
    page.mouse.move(across[1], panel["y"] + 60)
    page.mouse.up()
    assert ticks.all_text_contents() != rounds, "some of them"
    page.mouse.dblclick(across[0], panel["y"] + 60)
    assert ticks.all_text_contents() == rounds
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert chart.locator("[data-sv=chart-tip]").inner_text().startswith("Round 1\n"), "of the round on stage"
