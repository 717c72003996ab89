"""The tab Is it exact? in a real browser, over a made-up engine: recorded, asked by hand and by keys, sabotaged."""

import re
from typing import Any

import pytest

from specviz.proof.findings import BUGS
from tests.browser.hand import finish, part, pick, press, serious, tab_to, width
from tests.browser.names import Open, Page


def found(page: "Page", verdict: str, **numbers: object) -> dict[str, str]:
    """Waits for a verdict, and for data-* of those values; returns all of them."""
    wanted = "".join(f"[data-{name.replace('_', '-')}='{value}']" for name, value in numbers.items())
    finding = page.locator(f"[data-sv=finding][data-verdict={verdict}]{wanted}:visible")
    finding.wait_for()
    data: dict[str, str] = finding.evaluate("node => ({ ...node.dataset })")
    return data


def open_tab(visit: Open, **options: Any) -> "Page":
    page = visit(**options)
    page.get_by_role("tab", name="Is it exact?").click()
    return page


def test_the_rule_shows_no_difference_every_planted_bug_turns_the_verdict_and_tokens_stay_text(visit: Open) -> None:
    page = open_tab(visit)
    opens_on_what_was_recorded(page)
    page.locator("[data-sv=n]").fill("10")
    data = found(page, "same", n=2000, law="first", bug="", seed=0)
    assert part(page, "lab-pill").locator("visible=true").inner_text() == "Measured here"
    assert 0 < float(data["tvd"]) < 0.1
    assert data["pValue"] == "0.41"
    said = part(page, "judgement").locator("visible=true")
    assert "No evidence of a difference at N = 2,000 (p-value = 0.41)." in said.inner_text()
    cells = part(page, "cell").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.tokenId, Number(dataset.p), Number(dataset.share)])"
    )
    assert len(cells) == 13
    assert [cell[0] is None for cell in cells] == [False] * 12 + [True]
    assert sum(cell[1] for cell in cells) == pytest.approx(1, abs=1e-4)
    asked = 2000
    for bug in BUGS:
        page.get_by_label("Sabotage").select_option(bug.name)
        asked = max(asked, bug.n)
        found(page, "same" if bug.harmless else "different", bug=bug.name, law=bug.token, n=asked)
        assert bug.harmless or re.search(
            r"Different \(p-value < 0\.001\): .+ came up in .+ of the samples, the target gives it", said.inner_text()
        )
        assert len(part(page, "bias").inner_text()) > 30
    assert "proved" not in page.locator("[data-lab=losslessness]").inner_text().split("Why nothing is lost")[1]
    pick(page, "hostile-small-model")
    page.get_by_role("tab", name="Is it exact?").click()
    page.get_by_role("tab", name="Is it exact?").click()
    page.locator("[data-kind=recorded]:visible").wait_for()
    press(page, "Draw")
    page.locator("[data-kind=here]:visible").wait_for()
    texts = part(page, "cell").locator("th").all_inner_texts()
    assert any("<img·src=x" in text for text in texts)
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert page.locator("[data-lab=losslessness]").locator("img, script, iframe").count() == 0
    assert width(page) == 1280


def opens_on_what_was_recorded(page: "Page") -> None:
    """The shipped tale's, with every sabotage at hand without the server."""
    data = found(page, "same", n=20_000, bug="")
    assert float(data["pValue"]) > 0.001
    origin = part(page, "lab-origin").locator("visible=true")
    told = origin.inner_text()
    assert told.startswith("Recorded")
    assert re.search(r"\d threads?, \d+ November 2026", told)
    assert "Not the run on stage: “Once upon a time a…”, small model" in told
    for bug in BUGS:
        page.get_by_label("Sabotage").select_option(bug.name)
        found(page, "same" if bug.harmless else "different", bug=bug.name, n=20_000)
        assert origin.inner_text() == told, "still what was recorded"
    page.get_by_label("Sabotage").select_option("")
    found(page, "same", n=20_000, bug="")


def test_the_keyboard_alone_asks_breaks_and_comes_back(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="Round").focus()
    step = part(page, "stage").get_attribute("data-step")
    for _ in ("Race", "Is it exact?"):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Is it exact?"
    assert not part(page, "round").is_visible()
    assert part(page, "stage").get_attribute("data-step") == step, "arrows between tabs do not step the run"

    tab_to(page, "[data-sv=bug]")
    page.keyboard.press("ArrowDown")
    found(page, "different", bug="accept-always")
    assert part(page, "stage").get_attribute("data-step") == step
    assert page.evaluate("document.activeElement.dataset.sv") == "bug", "the focus stays where it was"
    page.keyboard.press("Home")
    found(page, "same", bug="")
    tab_to(page, "[data-sv=proof-draw]")
    page.keyboard.press("Enter")
    found(page, "same")


def test_a_long_question_tells_how_far_it_is_and_gives_way_and_what_cannot_be_asked_is_one_line(visit: Open) -> None:
    page = open_tab(visit)
    part(page, "finding").wait_for()
    part(page, "proof-seed").fill("-1")
    page.keyboard.press("Tab")
    page.get_by_text("Seed needs a whole number from 0").wait_for()
    assert part(page, "finding").is_visible(), "what was there stays"
    part(page, "proof-seed").evaluate("seed => { seed.value = 0; }")
    page.locator("[data-lab=losslessness]").evaluate(
        """(tab) => {
          window.answers = [];
          new MutationObserver(() => window.answers.push(tab.querySelector('[data-sv=finding]').dataset.n))
            .observe(tab, { subtree: true, attributeFilter: ['data-n'] });
        }"""
    )
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text(re.compile(r"^\d+,000 of 200,000 samples$")).wait_for()
    assert 0 < float(page.get_by_role("progressbar").get_attribute("value") or 0) <= 1
    press(page, "Cancel")
    page.get_by_text("Cancelled.").wait_for()
    assert part(page, "finding").get_attribute("data-n") == "20000", "nothing newer was found"
    assert not page.get_by_role("progressbar").is_visible()
    part(page, "n").evaluate("n => { n.value = 10; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    found(page, "same", n=2000)
    part(page, "n").evaluate("n => { n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true })); }")
    page.get_by_text("of 200,000").wait_for()
    grey = part(page, "lab-part").locator("visible=true")
    assert grey.get_attribute("data-stale") == "", "the old answer is grey meanwhile"
    part(page, "n").evaluate("n => { n.value = 10; }")
    page.get_by_label("Sabotage").select_option("accept-always")
    assert found(page, "different")["n"] == "2000"
    assert grey.get_attribute("data-stale") is None
    assert set(page.evaluate("window.answers")) == {"2000"}, "an older answer never comes, as answers come in order"


def test_a_greedy_run_is_compared_with_plain_decoding(visit: Open) -> None:
    page = open_tab(visit)
    assert not page.get_by_role("button", name="Compare with plain decoding").is_visible()
    pick(page, "greedy-ngram")
    page.get_by_role("tab", name="Is it exact?").click()
    press(page, "Compare with plain decoding")
    equality = part(page, "equality").locator("visible=true")
    equality.wait_for()
    assert equality.get_attribute("data-equal") == "true"
    assert "Equal: all 24 tokens" in equality.inner_text()
    page.locator("#sv-temperature input").fill("0")
    finish(page, seed=3, Length=24)
    page.get_by_role("tab", name="Is it exact?").click()
    assert not equality.is_visible(), "another run, another question"
    assert "Not the run on stage" in part(page, "lab-run").locator("visible=true").inner_text()
    press(page, "Compare with plain decoding")
    page.locator("[data-sv=equality][data-equal=false]").wait_for()
    assert "First difference at token 13: a bug. The gap of 0.250" in equality.inner_text()
    rows = equality.locator("[data-sv=aligned] tr").evaluate_all(
        "all => all.map((row) => [...row.cells].findIndex((cell) => 'differs' in cell.dataset))"
    )
    assert rows == [9, 9], "the first difference is marked in both rows"
    assert len(equality.locator("[data-sv=logits] tbody tr").all()) == 2


def test_what_a_model_was_tried_for_is_told_and_it_is_checked_anew_on_demand(visit: Open) -> None:
    page = open_tab(visit)
    assert part(page, "tried").all_inner_texts() == ["", ""], "the built-in pair was not tried"
    pick(page, "hostile-small-model")
    page.get_by_role("tab", name="Is it exact?").click()
    lines = [
        "Target, compared with transformers: token by token; largest error 3e-7 of the largest logit.",
        "Target, refused: two branches of a tree, because <img src=x onerror=alert(1)>.",
        "Target: after 4,096 tokens positions change, so the text is read again there.",
    ]
    page.locator("[data-lab=losslessness] [data-sv=tried]").get_by_text(lines[0]).wait_for()
    assert part(page, "tried").all_text_contents() == ["\n".join(lines)] * 2
    assert part(page, "pair-tried").text_content() == "\n".join(lines)
    press(page, "Check this model")
    page.get_by_text("3 checks: 1 as in transformers, 1 tied, to rounding and 1 refused.").wait_for()
    assert part(page, "checked").locator("tbody tr").all_inner_texts() == [
        "token by token\tsame\tlogits off by 3e-07 of the largest, as rounding explains",
        "two branches of a tree\trefused\tits logits are off by 0.5 of the largest; rounding explains at most 0.0002",
        "greedy, small-model, γ 4\ttie\ttoken 3 after “<img src=x>”: generate’s token leads by 2e-05;"
        " the largest logit is 9.1",
    ]
    assert "1 / 3" in part(page, "lab-answer").locator("visible=true").inner_text()
    assert serious(page, "[data-lab=losslessness]") == []
