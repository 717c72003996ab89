"""The Race tab in a real browser: recorded races recomputed from their traces, live runs raced by a made-up engine."""

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).parents[2]
AXE = Path(__file__).with_name("axe.min.js")
PHONE = {"width": 390, "height": 844}
TRACES = {"tale · small model": "tale-small-model", "tale · bigram": "tale-bigram"}


def part(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-sv={name}]")


def lane(page: "Page", name: str, part_: str = "race-lane") -> "Locator":
    return page.locator(f"[data-sv={part_}][data-lane={name}]")


def state(page: "Page", name: str) -> "Locator":
    """The tab, once it is in that state."""
    race = page.locator(f"[data-sv=race][data-state={name}]")
    race.wait_for()
    return race


def open_tab(visit: Open, recording: str = "", **options: Any) -> "Page":
    page = visit(**options)
    page.get_by_role("tab", name="Race").click()
    if recording:
        before = part(page, "race-result").get_attribute("data-speedup")
        page.get_by_role("button", name="Settings").click()
        page.locator("#sv-recorded input").click()
        page.get_by_role("option", name=recording, exact=True).click()
        page.get_by_role("button", name="Settings").click()
        page.locator(f"[data-sv=race-result]:not([data-speedup='{before}'])").wait_for()
    return page


def run(page: "Page", **settings: str) -> None:
    """Makes a live run, in the drawer's words."""
    page.get_by_role("button", name="Settings").click()
    for label, value in settings.items():
        page.locator("#sv-drawer").get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Run", exact=True).click()


def finish(page: "Page", **settings: str) -> None:
    run(page, **settings)
    page.get_by_text("live run, finished").wait_for()


def seek(page: "Page", share: float) -> float:
    """Scrubs to a share of the race; returns where that is, in ms."""
    at: float = part(page, "race-scrub").evaluate(
        "(scrub, share) => { scrub.value = scrub.max * share; scrub.dispatchEvent(new Event('input'));"
        " return Number(scrub.value); }",
        share,
    )
    return at


def told(step: dict[str, Any]) -> list[tuple[int, str]]:
    """The tokens of a round with their states."""
    kept = [(step["verdicts"][node]["token"], "accepted") for node in step["path"]]
    return kept + ([(step["extra"]["token"], step["extra"]["emission"])] if step["extra"] else [])


def spent(timing: dict[str, Any]) -> float:
    return sum(timing["draft"]) + sum(timing[name] for name in ("verify", "accept", "trim", "overhead"))


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
    ends = [sum(map(spent, race["rounds"][: index + 1])) for index in range(len(rounds))]
    passes = [sum(race["passes"][: index + 1]) for index in range(len(race["passes"]))]
    for which, end in (("speculative", ends[-1]), ("plain", passes[-1])):
        assert float(lane(page, which).get_attribute("data-end") or 0) == pytest.approx(end, abs=0.05)
    written = [token for step in rounds for token in told(step)]
    plain = [(token, "plain") for token in race["tokens"]]
    assert shown(page, "speculative") == written
    assert shown(page, "plain") == plain
    for share in (0.0, 0.11, 0.5, 0.83):
        at = seek(page, share)
        steps = sum(end <= at for end in ends)
        assert shown(page, "speculative") == [token for step in rounds[:steps] for token in told(step)]
        assert shown(page, "plain") == plain[: sum(end <= at for end in passes)]
        assert lane(page, "speculative").get_attribute("data-passes") == str(steps)


def result(page: "Page", trace: dict[str, Any]) -> None:
    race, tokens = trace["race"], len(trace["race"]["tokens"])
    data = part(page, "race-result").evaluate("node => ({ ...node.dataset })")
    speedup = statistics.median(race["plain_laps"]) / statistics.median(race["laps"])
    ratios = [plain / lap for plain, lap in zip(race["plain_laps"], race["laps"], strict=True)]
    for field, wanted in (("speedup", speedup), ("low", min(ratios)), ("high", max(ratios))):
        assert float(data[field]) == pytest.approx(wanted, rel=1e-4), field
    text = part(page, "race-result").inner_text()
    assert f"{speedup:.2f}×" in text
    assert f"{min(ratios):.2f} to {max(ratios):.2f} over 3 laps" in text
    assert ("slower than plain decoding" if speedup < 1 else "faster than plain decoding") in text
    assert bool(re.search(r"Slower here: verify of \d+ costs [\d.]+ plain steps?; α̂ = \.\d+", text)) == (speedup < 1)
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
    c = statistics.median(each for timing in race["rounds"] for each in timing["draft"]) / step
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


def test_the_bars_stand_where_their_times_say_on_one_axis(visit: Open) -> None:
    page = open_tab(visit, "tale · small model")
    race = json.loads((ROOT / "assets/traces/tale-small-model.json").read_text(encoding="utf-8"))["race"]
    drawn = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-sv=race-lane] path')].map((path) => [
          path.dataset.kind, path.getAttribute('d').split('M').slice(1).map((bar) => bar.split(/[ VHZ]/).map(Number)),
        ]))"""
    )
    clock, verifies = 0.0, []
    for timing in race["rounds"]:
        verifies.append((clock + sum(timing["draft"]), timing["verify"]))
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


def test_a_live_run_is_raced_played_and_timed_again(visit: Open) -> None:
    page = open_tab(visit)
    run(page, New_tokens="12", Seed="3")
    page.get_by_text("This run is still being made.").wait_for()
    part(page, "race-start").wait_for(state="hidden")
    page.get_by_text("live run, finished").wait_for()
    state(page, "none")
    part(page, "race-speed").evaluate("node => { node.value = 50; node.dispatchEvent(new Event('change')); }")
    page.get_by_role("button", name="Race it").click()
    state(page, "ready")
    assert part(page, "race").get_attribute("data-playing") == "true", "who asked for a race sees it run"
    assert part(page, "race-play").evaluate("node => node === document.activeElement")
    page.locator("[data-sv=race][data-playing=false]").wait_for()
    assert len(shown(page, "speculative")) == len(shown(page, "plain")) == 12
    assert part(page, "race-result").get_attribute("data-speedup")
    page.get_by_role("button", name="Time it again").click()
    page.locator("[data-sv=race][data-playing=true]").wait_for()
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="Race").click()
    state(page, "ready")
    assert part(page, "race").get_attribute("data-playing") == "false", "leaving the tab stops the clock"


def test_a_race_is_there_at_every_later_look_and_brings_no_other_run_back(visit: Open) -> None:
    page = open_tab(visit, "tale · bigram")
    before = part(page, "race-result").get_attribute("data-speedup")
    page.get_by_role("button", name="Time it again").click()
    page.locator("[data-sv=race][data-playing=true]").wait_for()
    timed = part(page, "race-where").inner_text()
    assert "float64, 1 thread" in timed, "timed anew on this machine, and it says so"
    after = part(page, "race-result").get_attribute("data-speedup")
    assert after != before
    other = open_tab(visit, "tale · bigram")
    assert part(other, "race-result").get_attribute("data-speedup") == after


def test_what_cannot_be_timed_is_one_line_and_what_to_do(visit: Open) -> None:
    page = open_tab(visit)
    finish(page, New_tokens="12", Seed="5")
    page.get_by_role("button", name="Race it").click()
    state(page, "refused")
    page.get_by_text("Not timed: this machine decodes the run differently").wait_for()
    assert page.get_by_role("button", name="Race it").is_enabled()
    run(page, New_tokens="64")
    page.get_by_text("This run is still being made").wait_for()
    page.get_by_role("button", name="Stop", exact=True).click()
    state(page, "refused")
    page.get_by_text("This run was stopped, and only a whole run can be raced. Press Run").wait_for()
    part(page, "race-start").wait_for(state="hidden")


def test_the_keyboard_alone_plays_steps_and_scrubs(visit: Open) -> None:
    page = open_tab(visit, "tale · small model", reduced_motion="no-preference")
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
    page.keyboard.press(",")
    page.keyboard.press("Space")
    page.locator("[data-sv=race][data-playing=true]").wait_for()
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
        r"[\d.]+ ms: speculative \d+ tokens?, plain \d+ tokens?",
        part(page, "race-scrub").get_attribute("aria-valuetext") or "",
    )
    page.keyboard.press("1")
    assert part(page, "main").is_visible()
    page.keyboard.press("2")
    assert part(page, "race").is_visible()


def test_real_time_is_the_races_own_time_and_slower_is_as_stated(visit: Open) -> None:
    page = open_tab(visit, "tale · small model")
    total = float(part(page, "race-scrub").get_attribute("max") or 0)
    for factor in (1, 10):
        took = page.evaluate(
            """(factor) => new Promise((done) => {
              const one = (name) => document.querySelector(`[data-sv=${name}]`);
              one('race-speed').value = factor;
              one('race-speed').dispatchEvent(new Event('change'));
              const from = performance.now();
              new MutationObserver((_, watch) => {
                if (one('race').dataset.playing === 'true') return;
                watch.disconnect();
                done(performance.now() - from);
              }).observe(one('race'), { attributeFilter: ['data-playing'] });
              one('race-play').click();
            })""",
            factor,
        )
        assert factor * total - 20 <= took <= factor * total + 600


def test_where_nothing_may_move_a_race_shows_its_end_and_goes_from_still_to_still(visit: Open) -> None:
    page = open_tab(visit, "tale · small model", reduced_motion="reduce")
    assert len(shown(page, "speculative")) == 64
    half = seek(page, 0.5)
    assert float(part(page, "race").get_attribute("data-at") or 0) == half
    assert 0 < len(shown(page, "plain")) < 64
    finish(page, New_tokens="12", Seed="3")
    page.get_by_role("button", name="Race it").click()
    state(page, "ready")
    assert part(page, "race").get_attribute("data-playing") == "false"
    assert len(shown(page, "plain")) == 12


def test_tokens_are_nothing_but_text_and_told_apart_without_colour(visit: Open) -> None:
    page = open_tab(visit, "hostile · small model")
    texts = lane(page, "plain", "race-token").all_inner_texts()
    assert any("<img·src=x" in text for text in texts)
    assert not re.search("[\u200b\u202e\x1b]", "".join(texts))
    assert part(page, "race").locator("img, script, iframe").count() == 0
    looks = part(page, "race-token").evaluate_all(
        """all => Object.fromEntries(all.map((node) => [node.dataset.state, [getComputedStyle(node).borderTopStyle,
          getComputedStyle(node).borderBottomWidth, getComputedStyle(node, '::before').content].join(' ')]))"""
    )
    assert set(looks) == {"accepted", "resampled", "bonus", "plain"}
    assert len(set(looks.values())) == 4
    heights = page.locator("[data-sv=race-lane] path").evaluate_all(
        "all => all.map((path) => [path.dataset.kind, path.getBBox().height.toFixed(2)])"
    )
    assert len({height for kind, height in heights if kind != "plain"}) == 3


def test_a_run_of_a_thousand_rounds_stays_light(visit: Open) -> None:
    page = open_tab(visit, "long · small model")
    assert "1,000" in part(page, "race-result").inner_text()
    times = part(page, "race-scrub").evaluate(
        """(scrub) => Array.from({ length: 100 }, (_, at) => {
          scrub.value = scrub.max * ((at * 37) % 100) / 100;
          const from = performance.now();
          scrub.dispatchEvent(new Event('input'));
          return performance.now() - from;
        })"""
    )
    assert statistics.median(times) < 50
    assert page.evaluate("document.querySelectorAll('[data-sv=race] *').length") < 1000
    assert part(page, "race-token").count() <= 2 * 160
    assert "earlier tokens" in page.locator("[data-card=race-text]").first.inner_text()


@pytest.mark.parametrize(("theme", "name"), [("light", "tale · small model"), ("dark", "tale · bigram")])
def test_nothing_essential_is_below_the_fold_of_a_projector(visit: Open, theme: str, name: str) -> None:
    page = open_tab(visit, name, query=f"?__theme={theme}")
    names = ("tabs", "race-result", "race-axis", "race-tokens", "cost-table", "cost-gap", "race-where", "race-start")
    for each in (*names, "race-bar"):
        box = part(page, each).locator("visible=true").first.bounding_box()
        assert box is not None, each
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 1280, each
    for card in page.locator("[data-sv=race] [data-sv=card]:visible").all():
        assert card.evaluate("node => node.scrollHeight <= node.clientHeight + 1"), card.get_attribute("data-card")
    assert part(page, "stage").evaluate("stage => stage.scrollHeight <= stage.clientHeight")
    small = page.evaluate(
        """() => [...document.querySelectorAll('[data-sv=race] *, [data-sv=race-bar] *')]
          .filter((node) => node.checkVisibility() && [...node.childNodes].some(({ data }) => data?.trim()))
          .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 14)
          .map(({ outerHTML }) => outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_presenting_a_race_is_large_fits_and_can_be_left(visit: Open) -> None:
    page = open_tab(visit, "tale · bigram")
    page.get_by_role("button", name="Present", exact=True).click()
    page.locator("[data-sv=stage][data-present]").wait_for()
    assert part(page, "stage").evaluate("stage => stage.scrollHeight <= stage.clientHeight")
    sizes = part(page, "race-token").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 24
    assert part(page, "race-bar").is_visible()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    assert len(shown(page, "plain")) == 1
    page.get_by_role("button", name="Leave Present").click()
    assert part(page, "stage").get_attribute("data-present") is None


def test_a_phone_scrolls_down_only_and_every_target_is_large(visit: Open) -> None:
    page = open_tab(visit, "tale · bigram", viewport=PHONE, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    targets(page)
    finish(page, New_tokens="12", Seed="3")
    state(page, "none")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    targets(page)


def targets(page: "Page") -> None:
    small = page.evaluate(
        """() => [...document.querySelectorAll('[data-sv=stage] :is(button, input, select)')]
          .filter((node) => node.checkVisibility())
          .map((node) => [node.getBoundingClientRect(), node])
          .filter(([{ width, height }]) => Math.min(width, height) < 44)
          .map(([{ width, height }, node]) => `${node.outerHTML.slice(0, 80)}: ${width} by ${height}`)"""
    )
    assert small == []


@pytest.mark.parametrize(("theme", "options"), [("light", {}), ("dark", {"viewport": PHONE})])
def test_axe_finds_nothing_serious(visit: Open, theme: str, options: dict[str, Any]) -> None:
    page = open_tab(visit, "tale · bigram", query=f"?__theme={theme}", reduced_motion="reduce", **options)
    page.add_script_tag(path=AXE)
    assert serious(page) == []
    seek(page, 0.4)
    assert serious(page) == []
    finish(page, New_tokens="12", Seed="5")
    state(page, "none")
    assert serious(page) == []
    page.get_by_role("button", name="Race it").click()
    state(page, "refused")
    assert serious(page) == []


def serious(page: "Page") -> list[str]:
    found: list[str] = page.evaluate(
        """async () => (await axe.run('[data-sv=stage]')).violations
          .filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).slice(0, 4).join(' | ')}`)"""
    )
    return found
