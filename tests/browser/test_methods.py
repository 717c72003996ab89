"""The Methods tab in a real browser, over a made-up engine: one journey on one page."""

from tests.browser.hand import box, part, pill, press
from tests.browser.names import Open, Page

LAB = "[data-lab=methods]"
CANCELS_AT_THE_FIRST_ROW = """(lab) => new MutationObserver((_, seen) => {
    const cancel = [...document.querySelectorAll(lab + ' button')].find(({ textContent }) => textContent === 'Cancel');
    if (!document.querySelector(lab + ' [data-methods=here]') || !cancel) return;
    seen.disconnect();
    cancel.click();
}).observe(document.querySelector(lab), { childList: true, subtree: true, attributes: true })"""


def names(page: "Page") -> list[str]:
    return part(page, "methods-run").all_inner_texts()


def test_methods_open_on_a_record_are_sorted_measured_stopped_and_run(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="Methods").click()
    page.locator(f"{LAB} [data-methods=recorded]").wait_for()
    assert names(page)[0] == "small model", "the fastest first"
    chart, table = (box(page.locator(each).first) for each in ("[data-chart=methods]", ".s-methods-table"))
    assert chart["y"] < table["y"], "it opens on the picture"
    says_why_a_method_loses_and_where_it_would_win(page)
    assert set(names(page)) == {"bigram", "n-gram", "small model", "lookahead", "plain decoding"}
    page.locator("[data-chart=methods] .main-svg").first.wait_for()
    is_sorted_by_keys_and_kind(page)
    compares_chosen_rows_lane_by_lane(page)
    says_whether_to_speculate_on_prompts_of_ones_own(page)
    fills_row_by_row_and_keeps_what_it_has_when_stopped(page)
    runs_the_method_of_a_row(page)


def says_why_a_method_loses_and_where_it_would_win(page: "Page") -> None:
    rows = page.locator("[data-sv=methods-row]:not([data-missing]):not([data-plain])")
    for row in rows.all():
        loses = row.get_attribute("data-slower") is not None
        said = row.locator("td[data-column=why]").inner_text()
        assert (" wins " in said) or not loses, said


def compares_chosen_rows_lane_by_lane(page: "Page") -> None:
    start = part(page, "compare-start")
    assert start.get_attribute("aria-disabled") == "true"
    assert page.locator("[data-card=comparison]").is_hidden(), "no empty table"
    for method in ("n-gram", "bigram"):
        page.get_by_role("checkbox", name=f"Compare {method} lane by lane").check()
    start.click()
    lanes = page.locator("[data-card=comparison][data-ended] .s-compare-table tbody tr")
    lanes.nth(1).wait_for()
    assert [lane.inner_text().split("\t")[0] for lane in lanes.all()] == ["A n-gram", "B bigram"]
    page.get_by_text("A and B: the texts differ because each draws its own random numbers").wait_for()


def is_sorted_by_keys_and_kind(page: "Page") -> None:
    before = names(page)
    page.get_by_role("button", name="Sort by speed-up").press("Enter")
    assert page.locator("th[data-column=speedup]").get_attribute("aria-sort") == "ascending"
    assert names(page) != before
    page.get_by_role("button", name="Sort by method").press("Enter")
    assert names(page)[0] == "bigram"
    answer = part(page, "lab-answer").locator("visible=true")
    all_three = answer.inner_text()
    page.locator(LAB).get_by_role("radio", name="code").check()
    assert "on code" in answer.inner_text()
    assert answer.inner_text() != all_three


def says_whether_to_speculate_on_prompts_of_ones_own(page: "Page") -> None:
    page.get_by_text("Would it pay off on my own prompts?").click()
    page.get_by_text("Each is run once with").wait_for()
    start, said = page.get_by_role("button", name="Should I?"), part(page, "should-said")
    start.press("Enter")
    assert said.inner_text() == "Write at least one prompt."
    field = page.get_by_label("Prompts, one per line")
    field.fill("Once upon a time\ndef add(a, b):")
    field.press("ArrowLeft")
    assert page.get_by_role("tab", name="Methods").get_attribute("aria-selected") == "true", "its keys are its own"
    start.press("Enter")
    said.filter(has_text="Use small model with γ 3: 1.31 to 1.53 times as fast.").wait_for()
    rows = part(page, "should-table").locator("tbody tr")
    assert rows.first.inner_text().split("\t")[:3] == ["small model", "3 (2 to 4)", "1.42× (1.31× to 1.53×)"]


def fills_row_by_row_and_keeps_what_it_has_when_stopped(page: "Page") -> None:
    page.evaluate(CANCELS_AT_THE_FIRST_ROW, LAB)
    press(page, "Measure here")
    page.get_by_text("Stopped. What was measured stays.").wait_for()
    measured = page.locator("[data-sv=methods-row]:not([data-missing]):not([data-plain])").count()
    assert 1 <= measured < 4, "the rest was given up"


def runs_the_method_of_a_row(page: "Page") -> None:
    part(page, "methods-run").filter(has_text="n-gram").click()
    pill(page).get_by_text("Live run, finished").wait_for()
    assert page.get_by_role("tab", name="Round").get_attribute("aria-selected") == "true"
    assert page.evaluate("document.querySelector('#sv-drafter input:checked').value") == "ngram"
