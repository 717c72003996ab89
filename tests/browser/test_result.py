"""How a run ends, in a real browser: its result, its whole text, and the band that shows it in whole lines."""

from tests.browser.hand import finish, part, pick, serious
from tests.browser.names import Open, Page


def phase(page: "Page") -> str | None:
    return part(page, "stage").get_attribute("data-phase")


def test_end_leads_to_the_result_and_space_plays_from_the_start(visit: Open) -> None:
    page = visit()
    pick(page, "tale-small-model")
    page.keyboard.press("End")
    assert phase(page) == "result"
    assert part(page, "headline").inner_text().startswith("64 tokens in ")
    assert part(page, "whole").first.inner_text().startswith("Once upon a time")
    assert part(page, "tape").is_hidden()
    assert part(page, "clocks").is_visible()
    assert serious(page, "[data-sv=stage]") == []
    page.keyboard.press("ArrowLeft")
    assert phase(page) == "trim"
    assert part(page, "tape").is_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert (phase(page), part(page, "stage").get_attribute("data-round")) == ("draft", "0")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.locator("[data-sv=beats] [data-name=result]").click()
    assert phase(page) == "result"
    page.keyboard.press("ArrowLeft")
    the_band_has_whole_lines_and_opens_the_whole_text(page)


def the_band_has_whole_lines_and_opens_the_whole_text(page: "Page") -> None:
    height, line, box = page.evaluate(
        """() => {
          const [ribbon, lines] = ['ribbon', 'lines'].map((name) => document.querySelector(`[data-sv=${name}]`));
          const { lineHeight } = getComputedStyle(ribbon);
          return [ribbon.scrollHeight, parseFloat(lineHeight), lines.clientHeight]; }"""
    )
    assert abs(box - 2 * line) < 1
    assert abs(height / line - round(height / line)) < 0.05, "a line that is higher than others cuts the first"
    reader = part(page, "reader")
    part(page, "lines").click(position={"x": 1150, "y": 50})
    assert "daughters" in reader.inner_text()
    assert serious(page, "[data-sv=reader]") == []
    page.keyboard.press("Escape")
    reader.wait_for(state="hidden")
    part(page, "ribbon").focus()
    page.keyboard.press("Enter")
    reader.wait_for()
    page.keyboard.press("Escape")


def test_a_live_run_is_timed_at_its_result_and_a_click_puts_another_drafter_beside_it(visit: Open) -> None:
    """The race shows the very number that the result says."""
    page = visit()
    finish(page, seed=3, Length=12)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    pace = part(page, "under")
    pace.get_by_text("×").wait_for()
    assert part(page, "closing").locator("progress").is_hidden()
    assert part(page, "closing").get_by_text("Measure").is_hidden()
    page.locator("[data-act=race]").click()
    speedup = float(part(page, "race-result").get_attribute("data-speedup") or 0)
    low, high = (part(page, "race-result").get_attribute(f"data-{end}") for end in ("low", "high"))
    said = pace.text_content() or ""
    assert f"({float(low or 0):.2f} to {float(high or 0):.2f}×)" in said
    assert ("no clear gain" in said) == (float(low or 0) <= 1 <= float(high or 0)), speedup
    page.get_by_role("tab", name="Round").click()
    page.locator("[data-act=drafter]").click()
    lanes = page.locator("[data-card=comparison][data-ended] .s-compare-table tbody tr")
    lanes.nth(1).wait_for()
    names = [lane.inner_text().split("\t")[0] for lane in lanes.all()]
    assert [name[:2] for name in names] == ["A ", "B "]
    assert names[0][2:] != names[1][2:]
