"""The Losslessness tab in a real browser, over a made-up engine: asked by hand and by keys, broken, cancelled."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from specviz.findings import BUGS
from tests.browser.hand import finish, part, pick, press, scrub, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def found(page: "Page", verdict: str, **numbers: object) -> dict[str, str]:
    """Waits for a verdict, and for data-* of those values; returns all of them."""
    wanted = "".join(f"[data-{name.replace('_', '-')}='{value}']" for name, value in numbers.items())
    finding = page.locator(f"[data-sv=finding][data-verdict={verdict}]{wanted}:visible")
    finding.wait_for()
    data: dict[str, str] = finding.evaluate("node => ({ ...node.dataset })")
    return data


def open_tab(visit: Open, **options: Any) -> "Page":
    page = visit(**options)
    page.get_by_role("tab", name="Losslessness").click()
    return page


def test_the_rule_shows_no_difference_every_planted_bug_turns_the_verdict_and_tokens_stay_text(
    visit: Open,
) -> None:
    page = open_tab(visit)
    press(page, "Draw")
    data = found(page, "same", n=2000, law="first", bug="", seed=0)
    assert 0 < float(data["tvd"]) < 0.1
    assert data["pValue"] == "0.41"
    said = part(page, "judgement").locator("visible=true")
    assert "no evidence of difference at N = 2,000 (p = .41)" in said.inner_text()
    cells = part(page, "cell").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.tokenId, Number(dataset.p), Number(dataset.share)])"
    )
    assert len(cells) == 13
    assert [cell[0] is None for cell in cells] == [False] * 12 + [True]
    assert sum(cell[1] for cell in cells) == pytest.approx(1, abs=1e-4)
    stand_where_their_numbers_say(page)
    for bug in BUGS:
        page.get_by_label("Break it").select_option(bug.name)
        found(page, "different", bug=bug.name, law=bug.law, n=bug.n)
        assert re.search(r"different \(p < \.001\): χ² = .+ came up in .+ of the samples, p is", said.inner_text())
        assert len(part(page, "bias").inner_text()) > 30
    assert "proved" not in part(page, "losslessness").inner_text().split("Why nothing is lost")[1]
    pick(page, "hostile · small model")
    page.get_by_label("Break it").select_option("")
    found(page, "same", bug="")
    texts = part(page, "cell").locator("th").all_inner_texts()
    assert any("<img·src=x" in text for text in texts)
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert part(page, "losslessness").locator("img, script, iframe").count() == 0
    assert width(page) == 1280


def stand_where_their_numbers_say(page: "Page") -> None:
    """Bars, dots and whiskers."""
    drawn = part(page, "cell").evaluate_all(
        """all => all.map((row) => {
          const box = row.querySelector('td > div').getBoundingClientRect();
          const [bar, whisker, dot] = [...row.querySelectorAll('i')].map((node) => node.getBoundingClientRect());
          const [from, to, at] = [whisker.left, whisker.right, (dot.left + dot.right) / 2].map((x) => x - bar.left);
          const numbers = ['p', 'share', 'low', 'high'].map((name) => [name, Number(row.dataset[name])]);
          return { ...Object.fromEntries(numbers), room: box.width, bar: bar.width, dot: at, from, to };
        })"""
    )
    scale = max(drawn, key=lambda row: row["p"])
    pixels = scale["bar"] / scale["p"]
    for row in drawn:
        assert row["bar"] == pytest.approx(pixels * row["p"], abs=0.6)
        assert row["dot"] == pytest.approx(pixels * row["share"], abs=1)
        assert row["from"] == pytest.approx(pixels * row["low"], abs=1)
        assert row["to"] == pytest.approx(max(pixels * row["high"], row["from"] + 4), abs=1)
        assert row["to"] <= row["room"] + 1


def test_the_place_law_size_and_seed_that_are_asked_about_are_those_answered(visit: Open) -> None:
    page = open_tab(visit)
    scrub(page, 1)
    page.get_by_text(re.compile("^here: token")).click()
    found(page, "same", law="first")
    assert re.search(r"The first token after token \d+ of this run", part(page, "subject").first.inner_text())
    page.get_by_text("second", exact=True).click()
    found(page, "same", law="second")
    assert "behind “" in part(page, "subject").first.inner_text()
    part(page, "n").focus()
    page.keyboard.press("ArrowRight")
    found(page, "same", law="second", n=2500)
    part(page, "proof-seed").fill("7")
    page.keyboard.press("Tab")
    found(page, "same", law="second", n=2500, seed=7)


def test_the_keyboard_alone_asks_breaks_and_comes_back(visit: Open) -> None:
    page = visit()
    part(page, "scrub").focus()
    page.keyboard.press("3")
    assert part(page, "losslessness").is_visible()
    assert not part(page, "main").is_visible()
    page.keyboard.press("1")
    assert part(page, "main").is_visible()
    page.get_by_role("tab", name="Round").focus()
    step = part(page, "stage").get_attribute("data-step")
    for _ in ("Race", "Losslessness"):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Losslessness"
    assert part(page, "stage").get_attribute("data-step") == step, "arrows between tabs do not step the run"

    def tab_to(name: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.sv") == name:
                return
        pytest.fail(f"Tab never reaches {name}")

    tab_to("bug")
    page.keyboard.press("ArrowDown")
    found(page, "different", bug="accept-always")
    assert part(page, "stage").get_attribute("data-step") == step
    assert page.evaluate("document.activeElement.dataset.sv") == "bug", "the focus stays where it was"
    page.keyboard.press("Home")
    found(page, "same", bug="")
    tab_to("proof-draw")
    page.keyboard.press("Enter")
    found(page, "same")


def test_a_long_question_tells_how_far_it_is_and_gives_way_and_what_cannot_be_asked_is_one_line(visit: Open) -> None:
    page = open_tab(visit)
    part(page, "proof-seed").fill("-1")
    page.keyboard.press("Tab")
    page.get_by_text("Nothing drawn: seed is -1; wanted a whole number from 0").wait_for()
    assert not part(page, "finding").is_visible()
    part(page, "losslessness").evaluate(
        """(tab) => {
          tab.querySelector('[data-sv=proof-seed]').value = 0;
          window.answers = [];
          new MutationObserver(() => window.answers.push(tab.querySelector('[data-sv=finding]').dataset.n))
            .observe(tab, { subtree: true, attributeFilter: ['data-n'] });
        }"""
    )
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text(re.compile(r"^\d+,000 of 200,000$")).wait_for()
    assert 0 < float(page.get_by_role("progressbar").get_attribute("value") or 0) <= 1
    press(page, "Cancel")
    page.get_by_text("Cancelled.").wait_for()
    assert not part(page, "finding").is_visible()
    assert not page.get_by_role("progressbar").is_visible()
    part(page, "n").evaluate("n => { n.value = 10; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    found(page, "same", n=2000)
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text("of 200,000").wait_for()
    page.get_by_label("Break it").select_option("accept-always")
    assert found(page, "different")["n"] == "2000"
    assert set(page.evaluate("window.answers")) == {"2000"}, "an older answer never comes, as answers come in order"


def test_a_greedy_run_is_compared_with_plain_decoding(visit: Open) -> None:
    page = open_tab(visit)
    assert not page.get_by_role("button", name="Compare with plain decoding").is_visible()
    pick(page, "greedy · n-gram")
    press(page, "Compare with plain decoding")
    equality = part(page, "equality").locator("visible=true")
    equality.wait_for()
    assert equality.get_attribute("data-equal") == "true"
    assert "equal: all 24 tokens" in equality.inner_text()
    page.locator("#sv-temperature input").fill("0")
    finish(page, seed=3, Length=24)
    assert part(page, "no-finding").is_visible(), "another run, another question"
    press(page, "Compare with plain decoding")
    page.locator("[data-sv=equality][data-equal=false]").wait_for()
    assert "first difference at token 13: a bug, as the gap of .250" in equality.inner_text()
    rows = equality.locator("[data-sv=aligned] tr").evaluate_all(
        "all => all.map((row) => [...row.cells].findIndex((cell) => 'differs' in cell.dataset))"
    )
    assert rows == [9, 9], "the first difference is marked in both rows"
    assert len(equality.locator("[data-sv=logits] tbody tr").all()) == 2


def test_nothing_essential_is_below_the_fold_of_a_projector(visit: Open) -> None:
    page = open_tab(visit)
    page.get_by_label("Break it").select_option("resample-from-p")
    found(page, "different")
    fits(page)
    press(page, "Dark")
    fits(page)


def fits(page: "Page") -> None:
    for name in ("tabs", "asks", "n", "bug", "proof-draw", "judgement", "odds", "bias", "numbers", "caches", "toolbar"):
        box = part(page, name).locator("visible=true").first.bounding_box()
        assert box is not None, name
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 720, f"{name} ends at {box['y'] + box['height']}"
    whole = part(page, "whole").bounding_box()
    odds = part(page, "odds").bounding_box()
    assert whole is not None
    assert odds is not None
    assert odds["y"] + odds["height"] <= whole["y"], "the chart is not cut off"
    assert part(page, "stage").evaluate("stage => stage.scrollHeight <= stage.clientHeight")


def test_a_phone_scrolls_down_only_and_every_target_is_large(visit: Open) -> None:
    page = open_tab(visit, phone=True)
    for bug, verdict in (("", "same"), ("accept-always", "different")):
        page.get_by_label("Break it").select_option(bug)
        if not bug:
            press(page, "Draw")
        found(page, verdict)
        assert width(page) == 390
    inside = ":is(button, input, select, [role=radiogroup] label)"
    assert small(page, f"[data-sv=stage] {inside}") == []
