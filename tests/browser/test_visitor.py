"""What a visitor sees and can do, in a real browser, over a made-up engine."""

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.hand import called, finish, part, pick, press, run, scrub, settings, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
STATES = {"prompt", "draft", "accepted", "rejected", "resampled", "bonus", "untested"}


def states(page: "Page") -> list[str]:
    found: list[str] = part(page, "token").evaluate_all("all => all.map((token) => token.dataset.state)")
    return found


def picture(page: "Page") -> str:
    """Every visible element of the stage with its attributes and text."""
    text: str = part(page, "stage").evaluate(
        """(stage) => {
          const look = (node) => (node.hidden ? [] : [
            node.localName, [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
            node.childElementCount ? [...node.children].map(look) : node.textContent]);
          const parts = ['ribbon', 'main', 'whole', 'caption'];
          return JSON.stringify(parts.map((name) => look(stage.querySelector(`[data-sv=${name}]`))));
        }"""
    )
    return text


def test_a_recorded_refusal_is_on_screen_explains_itself_resamples_and_trims(visit: Open) -> None:
    page = visit()
    assert {"prompt", "rejected"} <= set(states(page)) <= STATES
    assert "is refused" in part(page, "caption").inner_text()
    assert part(page, "play").get_attribute("aria-label") == "Play", "nothing moves before somebody asks"
    assert "recorded 2026-01-01" in part(page, "note").inner_text()
    lit = page.locator("[data-sv=algorithm] li[data-lit]")
    assert "min" in lit.inner_text()
    lit.hover()
    assert "≥" in lit.inner_text()
    press(page, "Algorithm 1")
    assert not part(page, "algorithm").is_visible()
    press(page, "Next step")
    assert states(page)[-1] == "resampled"
    press(page, "Next step")
    assert part(page, "phase").inner_text() == "trim"
    assert set(states(page)) <= {"prompt", "accepted", "resampled", "bonus"}
    assert page.locator("[data-cell=rolled-back]").count() > 0
    assert re.search(r"\d+ → \d+", part(page, "length").first.inner_text())
    page.locator(".sv-chart .js-plotly-plot").nth(1).wait_for()
    scrub(page, 1)
    page.wait_for_function(
        """() => {
          const round = Number(document.querySelector('[data-sv=stage]').dataset.round);
          const plots = [...document.querySelectorAll('.js-plotly-plot')];
          return plots.every(({ layout }) => layout.shapes[0].x0 === round + 1);
        }"""
    )


def test_the_keyboard_alone_plays_steps_jumps_and_walks_the_slots_and_letters_can_be_switched_off(visit: Open) -> None:
    page = visit()
    part(page, "scrub").focus()
    page.keyboard.press("Home")
    assert part(page, "scrub").input_value() == "0"
    page.keyboard.press("ArrowRight")
    assert part(page, "scrub").input_value() == "1"
    page.keyboard.press("Shift+ArrowRight")
    assert part(page, "scrub").get_attribute("aria-valuetext").startswith("Round 2 of")
    page.keyboard.press("End")
    assert "The run ends here" in part(page, "caption").inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.wait_for_function("document.querySelector('[data-sv=scrub]').value > 1")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()
    page.keyboard.press("Home")
    slots = page.get_by_role("option", name=re.compile("^Slot"))
    slots.nth(1).click()
    page.keyboard.press("ArrowRight")
    assert slots.nth(2).get_attribute("aria-selected") == "true"
    assert page.evaluate("document.activeElement.lastElementChild.textContent").startswith("Slot 3")
    press(page, "Help")
    looks = page.locator("[data-sv=help-states] [data-look]").evaluate_all(
        """all => all.map((node) => {
          const [own, before] = [getComputedStyle(node), getComputedStyle(node, '::before')];
          const border = own.borderTopColor === 'rgba(0, 0, 0, 0)' ? 'none' : own.borderTopStyle;
          return [border, own.borderTopWidth, before.content].join(' ');
        })"""
    )
    assert len(looks) == len(set(looks)) == len(STATES), "states are told apart without colour"
    page.get_by_label("Letters and signs act as keys").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    before = part(page, "stage").get_attribute("data-algorithm")
    part(page, "scrub").focus()
    page.keyboard.press("a")
    assert part(page, "stage").get_attribute("data-algorithm") == before
    page.keyboard.press("Home")
    assert part(page, "stage").get_attribute("data-step") == "0"


def test_another_recording_takes_the_stage_every_blank_says_why_and_hostile_tokens_are_text(visit: Open) -> None:
    page = visit()
    pick(page, "other · bigram")
    assert "bigram" in part(page, "source").inner_text()
    assert "no cache" in part(page, "caches").inner_text()
    pick(page, "plain · small model")
    assert "γ 0" in part(page, "source").inner_text()
    assert "γ is 0: the target writes this token alone" in part(page, "lane").inner_text()
    assert len(part(page, "equation").inner_text()) > 3
    pick(page, "greedy · n-gram")
    assert "greedy" in part(page, "source").inner_text()
    assert "greedy, no dice" in part(page, "equation").inner_text()
    pick(page, "hostile · small model")
    scrub(page, 1)
    texts = part(page, "token").all_inner_texts()
    assert "<img·src=x·onerror=alert(1)>" in texts
    assert "${alert(1)}" in texts
    assert part(page, "stage").locator("img, script, iframe").count() == 0
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert width(page) == 1280
    labels = part(page, "token").evaluate_all("all => all.map((token) => token.ariaLabel)")
    assert "<img src=x onerror=alert(1)>, accepted" in labels


def test_run_plays_to_its_end_and_another_drafter_runs_again_from_the_same_prompt_and_seed(visit: Open) -> None:
    page = visit()
    finish(page, seed=11, New_tokens=12)
    scrub(page, 1)
    assert len([state for state in states(page) if state != "prompt"]) == 12
    assert "length reached, 12 tokens" in part(page, "end").inner_text()
    assert "the length asked for is reached" in part(page, "caption").inner_text()
    page.get_by_role("radio", name="n-gram").check()
    part(page, "source").get_by_text("ngram → made-up target").wait_for()
    assert "seed 11" in part(page, "source").inner_text()
    page.get_by_text("live run, finished").wait_for()
    press(page, "Settings")
    press(page, "Verse")
    page.wait_for_function("document.querySelector('#sv-prompt textarea').value.startsWith('ROMEO:')")
    assert not page.get_by_label("k, 0 to 10").is_visible()
    page.get_by_role("radio", name="bigram").check()
    page.get_by_label("k, 0 to 10").wait_for()


def test_what_cannot_run_is_one_line_and_leaves_the_stage_and_stop_keeps_what_was_recorded(visit: Open) -> None:
    page = visit()
    before = picture(page)
    run(page, New_tokens=9999)
    page.get_by_role("alert").get_by_text("Not run: max_new_tokens is 9999; wanted 1 to 1,024.").wait_for()
    assert picture(page) == before
    assert page.locator(".toast-body").count() == 0
    page.locator("#sv-prompt textarea").fill("break")
    run(page, New_tokens=400)
    page.get_by_role("alert").get_by_text("the made-up engine broke").wait_for()
    assert picture(page) == before, "it broke before its first round, so the stage keeps what it showed"
    assert page.get_by_role("button", name="Try again").is_visible()
    page.locator("#sv-prompt textarea").fill("go on")
    press(page, "Run")
    page.get_by_text("rounds ahead").wait_for()
    assert page.get_by_role("button", name="Pause").is_visible(), "a live run plays"
    assert page.get_by_role("alert").count() == 0
    press(page, "Stop")
    page.get_by_text("live run, stopped").wait_for()
    scrub(page, 1)
    assert "the run was stopped" in part(page, "caption").inner_text()
    assert 0 < len(states(page)) < 200
    finish(page, seed=5, New_tokens=4)
    assert int(part(page, "scrub").get_attribute("max")) < 60


def test_stop_before_the_turn_to_wait_is_told_calls_the_run_off(visit: Open) -> None:
    page = visit()
    before, held, joined = picture(page), [], []
    page.route("**/gradio_api/run/predict*", lambda route: held.append(route) if not held else route.continue_())
    page.on("request", lambda sent: joined.append(sent.url) if "/queue/join" in sent.url else None)
    settings(page, Seed=77)
    with page.expect_request("**/gradio_api/run/predict*"):
        press(page, "Run")
    (asked,) = held
    press(page, "Stop")
    page.get_by_role("button", name="Run", exact=True).wait_for()
    with page.expect_response("**/gradio_api/run/predict*"):
        asked.continue_()
    page.unroute_all()
    assert page.get_by_role("button", name="Run", exact=True).is_visible()
    assert picture(page) == before
    finish(page, seed=78, New_tokens=4)
    assert len(joined) == 1, "the run that was called off never joined the queue"


def test_behind_a_proxy_that_hides_the_scheme_the_stage_is_there(browser: "Browser", address: str) -> None:
    """Gradio then names another root than the page came from, and mends only its own."""
    page = browser.new_page()
    page.add_init_script(
        "let given; Object.defineProperty(window, 'gradio_config', { get: () => given, set: (value) => {"
        " given = { ...value, root: value.root.replace('http:', 'https:').replace(/:[0-9]+/, '') }; } });"
    )
    page.goto(address)
    page.locator("[data-sv=stage][data-ready]").wait_for()
    page.close()


def test_the_whole_stage_fits_a_projector_and_the_charts_follow_its_theme(visit: Open) -> None:
    page = visit()
    ink = "document.querySelector('.js-plotly-plot')?.layout?.font?.color"
    page.locator(".sv-chart .js-plotly-plot").nth(1).wait_for()
    light = page.evaluate(ink)
    fits(page)
    press(page, "Dark")
    page.wait_for_function(f"(light) => {ink} && {ink} !== light", arg=light)
    assert part(page, "stage").evaluate("(stage) => getComputedStyle(stage).backgroundColor") == "rgb(20, 23, 27)"
    fits(page)


def fits(page: "Page") -> None:
    scrub(page, 1)
    for name in ("tape", "lane", "bars", "algorithm", "caches", "lanes", "caption", "toolbar"):
        box = part(page, name).bounding_box()
        assert box is not None, name
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= 720, f"{name} ends at {box['y'] + box['height']}"
    assert part(page, "stage").evaluate("stage => stage.scrollHeight <= stage.clientHeight"), "nothing is cut off"
    for name in ("Run", "Settings", "Present"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 60, name


def test_a_phone_scrolls_down_only_keeps_the_transport_in_reach_and_brings_a_refusal(visit: Open) -> None:
    from playwright.sync_api import expect

    page = visit(phone=True)
    for share in (0, 0.1, 1):
        scrub(page, share)
        assert width(page) == 390
        box = part(page, "toolbar").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 844
        slot = page.locator("[data-sv=slot][aria-selected=true]").bounding_box()
        assert slot is not None
        assert slot["x"] >= 0
        assert slot["x"] + slot["width"] <= 390
    assert small(page, "button, input, select, #sv-drafter label") == []
    controls = part(page, "toolbar").locator("button:visible, select, input").all()
    boxes = [control.bounding_box() for control in controls]
    assert len(boxes) == 8
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes), "nothing need be scrolled to"
    run(page, New_tokens=9999)
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_the_api_yields_the_deltas_of_a_run(address: str) -> None:
    sent = called(address, "call/v2/run", {"prompt": "hello", "drafter": "ngram", "max_new_tokens": 8, "seed": 3})
    numbers = [delta["n"] for delta in sent if delta["n"] >= 0]
    assert sorted(set(numbers)) == list(range(max(numbers) + 1))
    assert json.loads(sent[-1]["j"]) == {"end": {"stop": "length"}}


def test_the_keyboard_alone_runs_finds_a_rejection_reads_why_and_switches_the_drafter(visit: Open) -> None:
    page = visit()

    def tab_to(name: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()") == name:
                return
        pytest.fail(f"Tab never reaches {name}")

    tab_to("Run")
    page.keyboard.press("Enter")
    page.get_by_text("live run, finished").wait_for()
    tab_to("Position")
    page.keyboard.press("Home")
    for _ in range(400):
        page.keyboard.press("ArrowRight")
        if page.locator("[data-sv=stage][data-phase=verdict] [data-sv=token][data-state=rejected]").count():
            break
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.dataset.sv") == "slot":
            break
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog", name=re.compile("Why rejected"))
    card.wait_for()
    assert re.search(r"min\(1, p/q\) = .*; u = ", card.inner_text())
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert page.evaluate("document.activeElement.dataset.sv") == "slot", "the focus is where it was"
    page.keyboard.press("d")
    part(page, "source").get_by_text("bigram").wait_for()


def test_a_click_on_a_lane_jumps_to_its_round_and_on_a_token_says_why(visit: Open) -> None:
    page = visit()
    track = part(page, "track").first
    box = track.bounding_box()
    assert box is not None
    track.click(position={"x": box["width"] - 3, "y": 5})
    rounds = int(re.findall(r"of (\d+)", part(page, "title").inner_text())[0])
    assert part(page, "stage").get_attribute("data-round") == str(rounds - 1)
    page.locator("[data-sv=token][data-state=accepted]").first.click()
    page.get_by_role("dialog", name=re.compile("Why accepted")).wait_for()
    page.get_by_role("button", name="Show in figure").click()
    assert part(page, "stage").get_attribute("data-round") in ("0", "1", "2")


def test_present_is_large_light_and_leaves_as_it_came(visit: Open) -> None:
    page = visit("?__theme=dark")
    page.get_by_role("button", name="Present").click()
    stage = part(page, "stage")
    stage.locator("xpath=self::*[@data-present]").wait_for()
    sizes = page.evaluate(
        """() => ['token', 'number', 'caption', 'equation'].map((name) =>
          parseFloat(getComputedStyle(document.querySelector(`[data-sv=${name}]`)).fontSize))"""
    )
    assert sizes[0] >= 28
    assert min(sizes) >= 20
    assert not page.evaluate("document.body.classList.contains('dark')")
    before = stage.get_attribute("data-step")
    page.keyboard.press("PageDown")
    assert stage.get_attribute("data-step") != before
    page.keyboard.press("b")
    assert stage.get_attribute("data-blank") is not None
    page.keyboard.press("b")
    page.get_by_role("button", name="Leave Present").click()
    assert stage.get_attribute("data-present") is None
    assert page.evaluate("document.body.classList.contains('dark')")


def test_side_by_side_the_residual_stretches_and_where_nothing_may_move_nothing_does(
    visit: Open,
) -> None:
    page = visit(still=True)
    durations = part(page, "stage").evaluate(
        "stage => [...stage.querySelectorAll('*')].map((node) => getComputedStyle(node).transitionDuration)"
    )
    assert set(durations) == {"0s"}
    page.get_by_role("button", name="Side by side").click()
    bar = "[data-sv=row][data-residual]:not([data-residual='0']) td[data-kind=residual] i"
    before = page.locator(bar).first.evaluate("bar => bar.getBoundingClientRect().width")
    page.get_by_role("button", name="Next step").click()
    after = page.locator(bar).first.evaluate("bar => bar.getBoundingClientRect().width")
    left = float(part(page, "leftover").get_attribute("data-value"))
    assert after == pytest.approx(before / left, rel=0.05, abs=1.0)
    page.get_by_role("button", name="×10").click()
    assert page.locator(bar).first.evaluate("bar => bar.getBoundingClientRect().width") > 9 * after


def test_whoever_waits_sees_their_place_in_the_queue(visit: Open) -> None:
    first = visit()
    run(first, New_tokens=400)
    second = visit()
    press(second, "Run")
    second.locator("[data-sv=note]", has_text="waiting for a turn: 1 of 1 in the queue").wait_for()
    for page in (second, first):
        page.bring_to_front()
        press(page, "Stop")
        page.locator("[data-sv=note]", has_text=re.compile("stopped|recorded")).wait_for()
