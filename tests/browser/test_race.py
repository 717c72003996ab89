"""The Race tab in a real browser, over a made-up engine: live runs are raced, played and timed again."""

import json
import re
import statistics
from pathlib import Path
from typing import Any

import pytest

from tests.browser.hand import box, finish, part, pick, press, run, scrub
from tests.browser.names import Locator, Open, Page

TRACES = Path(__file__).parents[2] / "assets" / "traces"


def lane(page: "Page", name: str, part_: str = "race-lane") -> "Locator":
    return page.locator(f"[data-sv={part_}][data-lane={name}]")


def state(page: "Page", name: str) -> "Locator":
    """The tab, once it is in that state."""
    race = page.locator(f"[data-sv=race][data-state={name}]")
    race.wait_for()
    return race


def open_tab(visit: Open, recording: str = "", **options: Any) -> "Page":
    """The race of the run on stage, at its end."""
    page = visit(**options)
    if recording:
        pick(page, recording)
    page.get_by_role("tab", name="Race").click()
    if recording:
        state(page, "ready")
        over(page)
    return page


def race_tab(page: "Page") -> None:
    """A run takes the page to its own tab."""
    page.get_by_role("tab", name="Race").click()


def over(page: "Page") -> None:
    """The race played to its end, where the answer is said."""
    part(page, "race-play").evaluate("node => node.dataset.shows === 'pause' && node.click()")
    scrub(page, 1, "race-scrub")
    page.locator("[data-sv=race-answer][data-over]").wait_for()


def shown(page: "Page", name: str) -> list[tuple[int, str]]:
    found = lane(page, name, "race-token").evaluate_all(
        "all => all.map(({ dataset }) => [Number(dataset.tokenId), dataset.state])"
    )
    return [(token, state) for token, state in found]


def test_a_live_run_is_raced_played_and_timed_again(visit: Open) -> None:
    page = open_tab(visit, moves=True)
    finish(page, seed=3, Length=12)
    race_tab(page)
    state(page, "none")
    part(page, "race").evaluate(
        """(race) => {
          window.played = [];
          new MutationObserver(() => window.played.push(race.dataset.playing)).observe(
            race, { attributeFilter: ['data-playing'] });
        }"""
    )
    press(page, "Measure here")
    state(page, "ready")
    page.wait_for_function("window.played.join() === 'true,false'")  # who asked for a race sees it run
    assert part(page, "race-play").evaluate("node => node === document.activeElement")
    assert len(shown(page, "speculative")) == len(shown(page, "plain")) == 12
    assert part(page, "race-result").get_attribute("data-speedup")
    part(page, "race-speed").evaluate("node => { node.value = 50; node.dispatchEvent(new Event('change')); }")
    press(page, "Measure here")
    page.wait_for_function("window.played.length > 2")
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="Race").click()
    state(page, "ready")
    assert part(page, "race").get_attribute("data-playing") == "false", "leaving the tab stops the clock"


def test_the_bars_answer_in_words_before_they_open_and_only_an_open_one_is_drawn(visit: Open) -> None:
    page = open_tab(visit, "tale-small-model")
    speedup = part(page, "race-result").get_attribute("data-speedup")
    bars = page.locator("[data-sv=opens]")
    folds = bars.evaluate_all("all => all.map(({ dataset }) => dataset.fold)")
    assert folds == ["fall", "slots", "sweep", "passes", "lengths", "load"]
    answers = [bar.locator("[data-sv=opens-answer]").inner_text() for bar in bars.all()]
    told = re.match(r"(?:Yes|No|No clear gain), ([\d.]+)×: a round yields ([\d.]+) tokens for ([\d.]+)", answers[0])
    assert told, answers[0]
    times, tokens, steps = map(float, told.groups())
    assert tokens / steps == pytest.approx(times, rel=0.01), "what is printed divides to itself"
    assert f"{float(speedup or 0):.2f}" == f"{times:.2f}"
    assert answers[1].endswith("(α).")
    assert "γ = " in answers[2]
    assert "A pass over 5 tokens" in answers[3]
    assert answers[4] == "Not measured yet.", "what a long text costs is measured when somebody asks"
    for bar in (*bars.all()[1:4], bars.last):
        assert bar.locator(".main-svg").count() == 0
        bar.locator("summary").focus()
        page.keyboard.press("Space")
        bar.locator(".main-svg").first.wait_for()
    assert part(page, "race").get_attribute("data-playing") == "false", "a bar takes its own keys"


def test_tokens_are_text_told_apart_without_colour_and_what_cannot_be_timed_is_one_line(visit: Open) -> None:
    page = open_tab(visit, "hostile-small-model")
    texts = lane(page, "plain", "race-token").all_inner_texts()
    assert any("<img·src=x" in text for text in texts)
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert part(page, "race").locator("img, script, iframe").count() == 0
    looks = part(page, "race-token").evaluate_all(
        """all => Object.fromEntries(all.map((node) => [node.dataset.state, ['borderBottomStyle', 'borderBottomWidth']
          .map((side) => getComputedStyle(node.lastElementChild)[side]).join(' ')]))"""
    )
    assert set(looks) == {"accepted", "resampled", "bonus", "plain"}
    assert len(set(looks.values())) == 4
    heights = page.locator("[data-sv=race-lane] path").evaluate_all(
        "all => all.map((path) => [path.dataset.kind, path.getBBox().height.toFixed(2)])"
    )
    assert len({height for kind, height in heights if kind != "plain"}) == 3
    finish(page, seed=5, Length=12)
    race_tab(page)
    press(page, "Measure here")
    state(page, "refused")
    page.get_by_text("Not measured: this machine decodes the run differently").wait_for()
    assert page.get_by_role("button", name="Measure here").is_enabled()
    run(page, Length=400)
    race_tab(page)
    page.get_by_text("This run is not finished yet.").wait_for()
    part(page, "race-start").wait_for(state="hidden")
    press(page, "Stop")
    state(page, "refused")
    page.get_by_text("This run was stopped, and only a finished run can be measured. Press Run").wait_for()
    part(page, "race-start").wait_for(state="hidden")


def test_the_keyboard_alone_plays_steps_and_scrubs_and_real_time_is_the_races_own(visit: Open) -> None:
    page = open_tab(visit, "tale-small-model", moves=True)
    step = part(page, "stage").get_attribute("data-step")

    def at() -> float:
        return float(part(page, "race").get_attribute("data-at") or 0)

    part(page, "race-play").focus()
    page.keyboard.press("Home")
    assert at() == 0
    page.keyboard.press("ArrowRight")
    assert len(shown(page, "plain")) == 1
    page.keyboard.press("Shift+ArrowRight")
    assert len(shown(page, "speculative")) > 0
    page.keyboard.press("ArrowLeft")
    assert shown(page, "speculative") == []
    page.keyboard.press("End")
    assert at() == float(part(page, "race-scrub").get_attribute("max") or 0)
    page.keyboard.press(",")
    assert part(page, "race-speed").input_value() == "50"
    for _ in range(2):
        page.keyboard.press(".")
    assert part(page, "race-speed").input_value() == "1"
    for _ in range(2):
        page.keyboard.press(",")
    page.keyboard.press("Space")
    page.wait_for_function("() => 0 < document.querySelector('[data-sv=race][data-playing=true]')?.dataset.at")
    page.keyboard.press("Space")
    page.locator("[data-sv=race][data-playing=false]").wait_for()
    paused = at()
    assert 0 < paused < 400
    for name in ("race-restart", "race-scrub", "race-speed"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.sv") == name
    assert part(page, "stage").get_attribute("data-step") == step, "the run on the other tab stays where it was"
    part(page, "race-scrub").focus()
    page.keyboard.press("ArrowRight")
    assert at() > paused
    assert re.match(
        r"[\d.]+ ms: with guesses \d+ tokens?, alone \d+ tokens?",
        part(page, "race-scrub").get_attribute("aria-valuetext") or "",
    )


def test_poster_answer_and_clock_are_in_sight_and_presenting_is_large(visit: Open) -> None:
    page = open_tab(visit, "tale-small-model")
    race = json.loads((TRACES / "tale-small-model.json").read_text(encoding="utf-8"))["race"]
    speedup = statistics.median(race["plain_laps"]) / statistics.median(race["laps"])
    assert f"{speedup:.2f}×" in part(page, "race-verdict").inner_text(), "the answer is that of the trace"
    assert [token for token, _ in shown(page, "plain")] == race["tokens"]
    for each in ("race-poster", "race-verdict", "race-bar"):
        where = box(part(page, each))
        assert 0 <= where["y"] <= where["bottom"] <= 720, each
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the tab alone scrolls"
    assert part(page, "foot").is_hidden()
    page.keyboard.press("f")
    page.locator("[data-sv=stage][data-present]").wait_for()
    sizes = part(page, "race-token").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 24
    for tab in ("Is it exact?", "Methods", "Race"):
        page.get_by_role("tab", name=tab).click()
        assert part(page, "stage").evaluate("node => node.scrollHeight <= node.clientHeight"), f"{tab} has one scroll"
        columns = page.locator("[data-sv=lab-body]:visible > figure").evaluate_all(
            "all => all.map((node) => node.getBoundingClientRect().left)"
        )
        assert len(set(columns)) <= 1, f"{tab} shows one large thing at a time"
        if tab == "Methods":
            at = part(page, "stage").get_attribute("data-step")
            scrolls = "((panel) => panel.scrollHeight > panel.clientHeight + 100)"
            page.wait_for_function(f"{scrolls}(document.querySelector('#sv-panel-methods'))")
            page.keyboard.press("PageDown")
            page.wait_for_function("document.querySelector('#sv-panel-methods').scrollTop > 100")
            assert part(page, "stage").get_attribute("data-step") == at, "the stage out of sight stays"
    for each in ("race-poster", "race-bar"):
        assert box(part(page, each))["bottom"] <= 720, each
    part(page, "race-play").focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    assert len(shown(page, "plain")) == 1
    page.keyboard.press("Escape")
    page.locator("[data-sv=stage]:not([data-present])").wait_for()
