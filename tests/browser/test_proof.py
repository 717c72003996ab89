"""The Losslessness tab in a real browser, over a made-up engine: asked by hand and by keys, broken, cancelled."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specviz.findings import BUGS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
AXE = Path(__file__).with_name("axe.min.js")
PHONE = {"width": 390, "height": 844}


def part(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-sv={name}]")


def press(page: "Page", name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def found(page: "Page", verdict: str, **numbers: object) -> dict[str, str]:
    """Waits for a verdict, and for data-* of those values; returns all of them."""
    wanted = "".join(f"[data-{name.replace('_', '-')}='{value}']" for name, value in numbers.items())
    finding = page.locator(f"[data-sv=finding][data-verdict={verdict}]{wanted}:visible")
    finding.wait_for()
    data: dict[str, str] = finding.evaluate("node => ({ ...node.dataset })")
    return data


def pick_recording(page: "Page", name: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.locator("#sv-recorded input").click()
    page.get_by_role("option", name=name).click()
    page.get_by_role("button", name="Settings").click()


def open_tab(visit: Open, **options: Any) -> "Page":
    page = visit(**options)
    page.get_by_role("tab", name="Losslessness").click()
    return page


def test_the_rule_as_it_is_shows_no_difference_and_every_planted_bug_turns_the_verdict(visit: Open) -> None:
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
    for bug in BUGS:
        page.get_by_label("Break it").select_option(bug.name)
        found(page, "different", bug=bug.name, law=bug.law, n=bug.n)
        assert re.search(r"different \(p < \.001\): χ² = .+ came up in .+ of the samples, p is", said.inner_text())
        assert len(part(page, "bias").inner_text()) > 30
    assert "proved" not in part(page, "losslessness").inner_text().split("Why nothing is lost")[1]


def test_bars_dots_and_whiskers_stand_where_their_numbers_say(visit: Open) -> None:
    page = open_tab(visit)
    press(page, "Draw")
    found(page, "same")
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
    part(page, "scrub").evaluate("(scrub) => { scrub.value = scrub.max; scrub.dispatchEvent(new Event('input')); }")
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


def test_many_samples_report_how_far_they_got_and_can_be_cancelled(visit: Open) -> None:
    page = open_tab(visit)
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text(re.compile(r"^\d+,000 of 200,000$")).wait_for()
    assert 0 < float(page.get_by_role("progressbar").get_attribute("value") or 0) <= 1
    press(page, "Cancel")
    page.get_by_text("Cancelled.").wait_for()
    assert not part(page, "finding").is_visible()
    assert not page.get_by_role("progressbar").is_visible()
    part(page, "n").evaluate("n => { n.value = 10; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    found(page, "same", n=2000)


def test_a_newer_question_takes_the_place_of_the_one_under_way(visit: Open) -> None:
    page = open_tab(visit)
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text("of 200,000").wait_for()
    page.get_by_label("Break it").select_option("accept-always")
    assert found(page, "different")["n"] == "2000"
    page.wait_for_timeout(1000)
    assert found(page, "different")["n"] == "2000", "the older answer never comes"


def test_what_cannot_be_asked_is_one_line(visit: Open) -> None:
    page = open_tab(visit)
    part(page, "proof-seed").fill("-1")
    page.keyboard.press("Tab")
    page.get_by_text("Nothing drawn: seed is -1; wanted a whole number from 0").wait_for()
    assert not part(page, "finding").is_visible()


def test_a_greedy_run_is_compared_with_plain_decoding(visit: Open) -> None:
    page = open_tab(visit)
    assert not page.get_by_role("button", name="Compare with plain decoding").is_visible()
    pick_recording(page, "greedy")
    press(page, "Compare with plain decoding")
    equality = part(page, "equality").locator("visible=true")
    equality.wait_for()
    assert equality.get_attribute("data-equal") == "true"
    assert "equal: all 24 tokens" in equality.inner_text()
    page.locator("#sv-temperature input").fill("0")
    page.get_by_role("button", name="Settings").click()
    page.locator("#sv-drawer").get_by_label("Seed").fill("3")
    page.locator("#sv-drawer").get_by_label("New tokens").fill("24")
    page.get_by_role("button", name="Settings").click()
    press(page, "Run")
    page.get_by_text("live run, finished").wait_for()
    assert part(page, "no-finding").is_visible(), "another run, another question"
    press(page, "Compare with plain decoding")
    page.locator("[data-sv=equality][data-equal=false]").wait_for()
    assert "first difference at token 13: a bug, as the gap of .250" in equality.inner_text()
    rows = equality.locator("[data-sv=aligned] tr").evaluate_all(
        "all => all.map((row) => [...row.cells].findIndex((cell) => 'differs' in cell.dataset))"
    )
    assert rows == [9, 9], "the first difference is marked in both rows"
    assert len(equality.locator("[data-sv=logits] tbody tr").all()) == 2


def test_hostile_tokens_stay_text_in_a_finding(visit: Open) -> None:
    page = open_tab(visit)
    pick_recording(page, "hostile")
    press(page, "Draw")
    found(page, "same")
    texts = part(page, "cell").locator("th").all_inner_texts()
    assert any("<img·src=x" in text for text in texts)
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert part(page, "losslessness").locator("img, script, iframe").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_essential_is_below_the_fold_of_a_projector(visit: Open, theme: str) -> None:
    page = open_tab(visit, query=f"?__theme={theme}")
    page.get_by_label("Break it").select_option("resample-from-p")
    found(page, "different")
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
    page = open_tab(visit, viewport=PHONE, has_touch=True)
    for bug, verdict in (("", "same"), ("accept-always", "different")):
        page.get_by_label("Break it").select_option(bug)
        if not bug:
            press(page, "Draw")
        found(page, verdict)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        """() => [...document.querySelectorAll('[data-sv=stage] :is(button, input, select, [role=radiogroup] label)')]
          .filter((node) => node.checkVisibility() && node.type !== 'radio')
          .map((node) => [node.getBoundingClientRect(), node])
          .filter(([{ width, height }]) => Math.min(width, height) < 44)
          .map(([{ width, height }, node]) => `${node.outerHTML.slice(0, 80)}: ${width} by ${height}`)"""
    )
    assert small == []


@pytest.mark.parametrize(("theme", "options"), [("light", {}), ("dark", {"viewport": PHONE})])
def test_axe_finds_nothing_serious(visit: Open, theme: str, options: dict[str, Any]) -> None:
    page = open_tab(visit, query=f"?__theme={theme}", reduced_motion="reduce", **options)
    page.add_script_tag(path=AXE)
    for bug, verdict in (("accept-always", "different"), ("", "same")):
        page.get_by_label("Break it").select_option(bug)
        found(page, verdict)
        serious = page.evaluate(
            """async () => (await axe.run('[data-sv=stage]')).violations
              .filter(({ impact }) => ['serious', 'critical'].includes(impact))
              .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).slice(0, 4).join(' | ')}`)"""
        )
        assert serious == []
