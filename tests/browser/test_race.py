"""The Race tab in a real browser: recorded races recomputed from their traces, live runs raced by a made-up engine."""

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.hand import finish, part, pick, press, run, scrub, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).parents[2]
TRACES = {"tale · small model": "tale-small-model", "tale · bigram": "tale-bigram"}
# A race played so many times slower, ten pictures of 7 ms by a clock of the test's own: what the page shows in each.
SHOWN = """(factor) => {
  const one = (name) => document.querySelector(`[data-sv=${name}]`);
  const frames = window.requestAnimationFrame;
  let [time, picture, at] = [performance.now(), null, []];
  performance.now = () => time;
  window.requestAnimationFrame = (react) => { picture = react; return 0; };
  one('race-speed').value = factor;
  one('race-speed').dispatchEvent(new Event('change'));
  one('race-restart').click();
  if (one('race').dataset.playing !== 'true') one('race-play').click();
  for (let count = 0; count < 10; count += 1) {
    time += 7;
    picture(time);
    at.push(Number(one('race').dataset.at));
  }
  one('race-play').click();
  delete performance.now;
  window.requestAnimationFrame = frames;
  return at;
}"""


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
    page.get_by_role("button", name="The run on stage").click()
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


def told(step: dict[str, Any]) -> list[tuple[int, str]]:
    """The tokens of a round with their states."""
    kept = [(step["verdicts"][node]["token"], "accepted") for node in step["path"]]
    return kept + ([(step["extra"]["token"], step["extra"]["emission"])] if step["extra"] else [])


def spent(timing: dict[str, Any]) -> float:
    return drafting(timing) + sum(timing[name] for name in ("verify", "accept", "trim", "overhead"))


def shown(page: "Page", name: str) -> list[tuple[int, str]]:
    found = lane(page, name, "race-token").evaluate_all(
        "all => all.map(({ dataset }) => [Number(dataset.tokenId), dataset.state])"
    )
    return [(token, state) for token, state in found]


@pytest.mark.parametrize("name", TRACES)
def test_what_the_tab_shows_recomputes_from_the_trace(visit: Open, name: str) -> None:
    page = open_tab(visit, name)
    trace = json.loads((ROOT / "assets" / "traces" / f"{TRACES[name]}.json").read_text(encoding="utf-8"))
    race, rounds = trace["race"], trace["rounds"]
    result(page, trace)
    costs(page, trace)
    bars(page, race)
    ends = [sum(map(spent, race["rounds"][: index + 1])) for index in range(len(rounds))]
    passes = [sum(race["passes"][: index + 1]) for index in range(len(race["passes"]))]
    for which, end in (("speculative", ends[-1]), ("plain", passes[-1])):
        assert float(lane(page, which).get_attribute("data-end") or 0) == pytest.approx(end, abs=0.05)
    written = [token for step in rounds for token in told(step)]
    plain = [(token, "plain") for token in race["tokens"]]
    assert shown(page, "speculative") == written
    assert shown(page, "plain") == plain
    for share in (0.0, 0.11, 0.5, 0.83):
        at = scrub(page, share, "race-scrub")
        steps = sum(end <= at for end in ends)
        assert shown(page, "speculative") == [token for step in rounds[:steps] for token in told(step)]
        assert shown(page, "plain") == plain[: sum(end <= at for end in passes)]
        assert lane(page, "speculative").get_attribute("data-passes") == str(steps)


def bars(page: "Page", race: dict[str, Any]) -> None:
    """They stand where their times say, on one axis."""
    drawn = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-sv=race-lane] path')].map((path) => [
          path.dataset.kind, path.getAttribute('d').split('M').slice(1).map((bar) => bar.split(/[ VHZ]/).map(Number)),
        ]))"""
    )
    clock, verifies = 0.0, []
    for timing in race["rounds"]:
        verifies.append((clock + drafting(timing), timing["verify"]))
        clock += spent(timing)
    assert len(drawn["drafting"]) == sum(len(timing["draft"]) for timing in race["rounds"])
    for bar, (start, length) in zip(drawn["verify"], verifies, strict=True):
        assert bar[0] == pytest.approx(start, abs=0.05)
        assert 0.84 * length - 0.01 <= bar[3] - bar[0] <= length
    widths = page.evaluate(
        "[...document.querySelectorAll('[data-sv=race-lane] svg')].map((s) => [s.viewBox.baseVal.width, s.clientWidth])"
    )
    assert widths[0] == widths[1]
    assert widths[0][0] == pytest.approx(max(clock, sum(race["passes"])), abs=0.05)
    ticks = page.locator("[data-sv=race-axis] span").evaluate_all(
        "all => all.map((tick) => [Number(tick.dataset.at), parseFloat(tick.style.left)])"
    )
    for at, left in ticks:
        assert left == pytest.approx(100 * at / widths[0][0], abs=0.01)


def result(page: "Page", trace: dict[str, Any]) -> None:
    race, tokens = trace["race"], len(trace["race"]["tokens"])
    data = part(page, "race-result").evaluate("node => ({ ...node.dataset })")
    speedup = statistics.median(race["plain_laps"]) / statistics.median(race["laps"])
    ratios = [plain / lap for plain, lap in zip(race["plain_laps"], race["laps"], strict=True)]
    for field, wanted in (("speedup", speedup), ("low", min(ratios)), ("high", max(ratios))):
        assert float(data[field]) == pytest.approx(wanted, rel=1e-4), field
    text = part(page, "race-verdict").inner_text()
    assert f"{speedup:.2f}×{': slower' if speedup < 1 else ' faster'}" in text or "too close to call" in text
    assert f"{min(ratios):.2f} to {max(ratios):.2f} over 3 runs" in text
    assert bool(re.search(r"Slower here: one pass over \d+ tokens", text)) == (speedup < 1)
    falls(page, speedup)
    for name, laps, passes in (
        ("speculative", race["laps"], sum(step["calls"]["target"] for step in trace["rounds"])),
        ("plain", race["plain_laps"], tokens),
    ):
        row = page.locator(f"[data-sv=race-result] tr[data-lane={name}]")
        assert row.get_attribute("data-tokens") == str(tokens)
        assert row.get_attribute("data-passes") == str(passes)
        rate = 1000 * tokens / statistics.median(laps)
        assert float(row.get_attribute("data-rate") or 0) == pytest.approx(rate, rel=1e-4)
        low, high = (f"{1000 * tokens / lap:.3g}" for lap in (max(laps), min(laps)))
        assert f"{low} to {high}" in row.inner_text()


def falls(page: "Page", speedup: float) -> None:
    """The waterfall ends at the measured speed-up, each loss beginning where the one before ended."""
    steps = page.locator("[data-sv=fall-steps] li").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.step, Number(dataset.low), Number(dataset.high)])"
    )
    assert [name for name, _, _ in steps] == ["start", "rejections", "drafting", "wider", "own", "end"]
    told = page.locator("[data-sv=fall-value]").all_inner_texts()
    start, *changes, end = (round(100 * float(text.replace("−", "-").rstrip("×"))) for text in told)
    assert start + sum(changes) == end, "what is printed adds up"
    level = steps[0][2]
    for name, low, high in steps[1:-1]:
        assert level in (pytest.approx(low), pytest.approx(high)), name
        level = low if level == pytest.approx(high) else high
    assert level == pytest.approx(steps[-1][2]) == pytest.approx(speedup, rel=1e-6)


def drafting(timing: dict[str, Any]) -> float:
    """Milliseconds of all draft calls of a round."""
    return sum(call["ms"] for call in timing["draft"])


def costs(page: "Page", trace: dict[str, Any]) -> None:
    race = trace["race"]
    step = statistics.median(race["passes"])
    lengths = [len(timing["draft"]) for timing in race["rounds"]]
    gamma = max(lengths, key=lambda length: (lengths.count(length), length))
    verify = statistics.median(each["verify"] for each in race["rounds"] if len(each["draft"]) == gamma)
    rest = statistics.median(each["accept"] + each["trim"] + each["overhead"] for each in race["rounds"])
    verdicts = [each["verdict"] for step in trace["rounds"] for each in step["verdicts"]]
    tested = len(verdicts) - verdicts.count("untested")
    alpha = verdicts.count("accepted") / tested
    c = statistics.median(call["ms"] for timing in race["rounds"] for call in timing["draft"]) / step
    expected = (1 - alpha ** (gamma + 1)) / (1 - alpha)
    wanted = {
        "c": c,
        "v": verify / step,
        "overhead": rest / step,
        "alpha": alpha,
        "expected": expected,
        "predicted": expected / (gamma * c + verify / step),
        "measured": statistics.median(race["plain_laps"]) / statistics.median(race["laps"]),
    }
    found = {
        row["name"]: row
        for row in part(page, "cost").evaluate_all(
            "all => all.map((row) => ({ ...row.dataset, cells: [...row.cells].map((cell) => cell.innerText) }))"
        )
    }
    for name, value in wanted.items():
        assert float(found[name]["value"]) == pytest.approx(value, rel=2e-3), name
        assert float(found[name]["cells"][2].rstrip("×")) == pytest.approx(value, rel=0.01), name
    assert f"v({gamma + 1})" in found["v"]["cells"][0]
    least = float(found["break-even"]["value"])
    needed = gamma * c + verify / step + rest / step
    assert (1 - least ** (gamma + 1)) / (1 - least) == pytest.approx(needed, rel=2e-3)
    assert f"Measured is {100 * wanted['measured'] / wanted['predicted']:.0f} %" in part(page, "cost-gap").inner_text()
    where = part(page, "race-where").inner_text()
    info = trace["info"]
    for text in (
        info["device"],
        info["dtype"],
        f"{info['target_forward']['threads']} thread",
        info["target_forward"]["name"],
    ):
        assert text in where


def test_a_live_run_is_raced_played_and_timed_again(visit: Open) -> None:
    page = open_tab(visit)
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


def test_a_race_is_there_at_every_later_look_and_brings_no_other_run_back(visit: Open) -> None:
    page = open_tab(visit, "tale · bigram")
    before = part(page, "race-result").get_attribute("data-speedup")
    press(page, "Measure here")
    part(page, "race-where").get_by_text("float64, 1 thread").wait_for()  # timed anew on this machine, and it says so
    after = part(page, "race-result").get_attribute("data-speedup")
    assert after != before
    part(page, "race-fall").get_by_role("button", name="Keep this chart").click()
    with page.expect_download() as kept:
        page.get_by_role("menuitem", name="Save as CSV").click()
    head, *steps = kept.value.path().read_text(encoding="utf-8").splitlines()
    assert (head, [step.split(",")[0] for step in steps]) == (
        "step,from,to",
        ["rejections", "drafting", "wider", "own"],
    )
    assert steps[-1].split(",")[2] == after, "the last one ends at the measured speed-up"
    other = open_tab(visit, "tale · bigram")
    assert part(other, "race-result").get_attribute("data-speedup") == after


def test_the_tab_opens_on_two_lanes_that_write_the_same_text_and_says_who_won_at_the_finish(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="Race").click()
    state(page, "ready")
    assert part(page, "race").get_attribute("data-source") == "same"
    scrub(page, 0.3, "race-scrub")
    assert "faster" not in part(page, "race-verdict").inner_text()
    over(page)
    assert [token for token, _ in shown(page, "speculative")] == [token for token, _ in shown(page, "plain")]
    assert len(shown(page, "plain")) == 64
    assert part(page, "race-verdict").inner_text()[0].isdigit()


def test_tokens_are_text_told_apart_without_colour_and_what_cannot_be_timed_is_one_line(visit: Open) -> None:
    page = open_tab(visit, "hostile · small model")
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
    page = open_tab(visit, "tale · small model")
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
    page.keyboard.press("1")
    assert part(page, "round").is_visible()
    page.keyboard.press("2")
    assert part(page, "race").is_visible()
    for factor in (1, 10):
        assert page.evaluate(SHOWN, factor) == pytest.approx([7 * count / factor for count in range(1, 11)])


def test_where_nothing_may_move_a_race_shows_its_end_and_goes_from_still_to_still(visit: Open) -> None:
    page = open_tab(visit, "tale · small model", still=True)
    assert len(shown(page, "speculative")) == 64
    half = scrub(page, 0.5, "race-scrub")
    assert float(part(page, "race").get_attribute("data-at") or 0) == half
    assert 0 < len(shown(page, "plain")) < 64
    finish(page, seed=3, Length=12)
    race_tab(page)
    press(page, "Measure here")
    state(page, "ready")
    assert part(page, "race").get_attribute("data-playing") == "false"
    assert len(shown(page, "plain")) == 12


def test_the_finish_flag_covers_no_bar_and_one_labs_style_leaves_the_others_alone(visit: Open) -> None:
    for phone in (False, True):
        page = visit(phone=phone)
        page.get_by_role("tab", name="Race").click()
        state(page, "ready")
        over(page)
        flags = page.locator("[data-sv=race-ahead]:visible")
        assert flags.count() == 1
        box = flags.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width(page)
        ends = page.locator("[data-sv=race-track]").evaluate_all(
            "all => all.map((node) => node.getBoundingClientRect().top)"
        )
        inside = box["y"] > ends[1]
        assert inside != phone, "on a phone it stands over the lane"
        page.get_by_role("tab", name="Acceptance").click()
        head = page.locator("[data-lab=alpha] [data-sv=lab-head]").first
        assert head.evaluate("node => getComputedStyle(node).display") == "grid"


def test_a_phone_scrolls_down_only_and_every_target_is_large(visit: Open) -> None:
    page = open_tab(visit, "tale · bigram", phone=True)
    assert width(page) == 390
    assert small(page, "[data-sv=stage] :is(button, input, select)") == []
    finish(page, seed=3, Length=12)
    race_tab(page)
    state(page, "none")
    assert width(page) == 390
    assert small(page, "[data-sv=stage] :is(button, input, select)") == []


def test_poster_answer_and_clock_are_in_sight_and_presenting_is_large(visit: Open) -> None:
    page = open_tab(visit, "tale · small model")
    for each in ("race-poster", "race-verdict", "race-bar"):
        box = part(page, each).bounding_box()
        assert box is not None, each
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 720, each
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the tab alone scrolls"
    assert part(page, "foot").is_hidden()
    press(page, "Present")
    page.locator("[data-sv=stage][data-present]").wait_for()
    sizes = part(page, "race-token").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 24
    for tab in ("Is it exact?", "Acceptance", "Compare", "When is it faster?", "Race"):
        page.get_by_role("tab", name=tab).click()
        assert part(page, "stage").evaluate("node => node.scrollHeight <= node.clientHeight"), f"{tab} has one scroll"
        columns = page.locator("[data-sv=lab-body]:visible > figure").evaluate_all(
            "all => all.map((node) => node.getBoundingClientRect().left)"
        )
        assert len(set(columns)) <= 1, f"{tab} shows one large thing at a time"
        if tab == "Acceptance":
            at = part(page, "stage").get_attribute("data-step")
            page.keyboard.press("PageDown")
            page.wait_for_function("document.querySelector('#sv-panel-alpha').scrollTop > 100")
            assert part(page, "stage").get_attribute("data-step") == at, "the stage out of sight stays"
    for each in ("race-poster", "race-bar"):
        box = part(page, each).bounding_box()
        assert box is not None, each
        assert box["y"] + box["height"] <= 720, each
    part(page, "race-play").focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    assert len(shown(page, "plain")) == 1
    page.keyboard.press("Escape")
    page.locator("[data-sv=stage]:not([data-present])").wait_for()
