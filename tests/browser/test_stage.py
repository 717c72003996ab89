"""What the stage draws, held against the trace it draws it from, at every step of real recorded runs."""

import json
import math
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.hand import part, pick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).parents[2]
TRACES = {"tale · small model": "tale-small-model", "code · n-gram": "code-ngram", "tale · bigram": "tale-bigram"}
STATES = {"prompt", "draft", "accepted", "rejected", "resampled", "bonus", "untested"}
# Walks every step by the button a person would press, and reads what is on screen; then scrubs to 200 places, and tells
# those where it is not the same.
AUDIT = """() => {
  const stage = document.querySelector('[data-sv=stage]');
  const all = (name, from = stage) => [...from.querySelectorAll(`[data-sv=${name}]`)];
  const one = (name) => all(name)[0];
  const number = (text) => (text === undefined ? null : Number(text));
  const box = (node) => { const { left, right } = node.getBoundingClientRect(); return [left, right]; };
  const aim = (dart) => ({
    at: Number(dart.dataset.u), box: box(dart), ruler: box(one('segments')),
    hit: [...one('segments').children].filter((node) => 'hit' in node.dataset).map(box) });
  const seen = [];
  const markup = () => ['main', 'whole', 'ribbon', 'caption'].map((name) => one(name).innerHTML).join();
  const stepped = [];
  const scrub = (at) => {
    one('scrub').value = at;
    one('scrub').dispatchEvent(new Event('input'));
    return markup();
  };
  scrub(0);
  for (;;) {
    stepped.push(markup());
    const d = stage.dataset;
    seen.push({
      step: Number(d.step), steps: Number(d.steps), round: Number(d.round), phase: d.phase,
      slots: all('slot').map(({ dataset: { state, p, q, a, u } }) => (
        { state, p: number(p), q: number(q), a: number(a), u: number(u) })),
      rows: all('row').map(({ dataset: { tokenId, p, q, overlap, residual, rest } }) => (
        { tokenId, p: number(p), q: number(q), overlap: number(overlap), residual: number(residual),
          rest: rest === 'true' })),
      equation: one('equation').textContent,
      states: [...new Set(all('token').map((token) => token.dataset.state))],
      dart: one('dart').hidden ? null : aim(one('dart')),
      caches: all('kv').map((kv) => ({
        length: number(kv.dataset.length),
        cells: [...kv.querySelectorAll('[data-cell]')].map((cell) => cell.dataset.cell),
        gap: [...kv.querySelectorAll('[data-gap]')].reduce((sum, cell) => sum + Number(cell.dataset.gap), 0) })),
    });
    if (Number(d.step) === Number(d.steps) - 1) {
      const ids = all('token').map((token) => Number(token.dataset.tokenId));
      const places = Array.from({ length: 200 }, (_, index) => (index * 7919) % seen.length);
      return { seen, ids, told: new Set(stepped).size, different: places.filter((at) => scrub(at) !== stepped[at]) };
    }
    one('forward').click();
  }
}"""


@pytest.fixture(params=TRACES)
def audit(request: pytest.FixtureRequest, visit: Open) -> tuple[dict[str, Any], dict[str, Any]]:
    """A recorded trace, and everything the stage showed of it, step by step. Stills: nothing may be in flight."""
    page = visit(still=True)
    trace = json.loads((ROOT / "assets" / "traces" / f"{TRACES[request.param]}.json").read_text(encoding="utf-8"))
    pick(page, request.param)
    return trace, page.evaluate(AUDIT)


def test_what_is_drawn_is_what_was_recorded_and_scrubbing_anywhere_is_stepping_there(
    audit: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    """The equation, mass, dart and cache audits; one walk through each trace serves them all."""
    trace, found = audit
    seen = found["seen"]
    assert [each["step"] for each in seen] == list(range(seen[0]["steps"]))
    assert {each["round"] for each in seen} == set(range(len(trace["rounds"])))
    for each in seen:
        step = trace["rounds"][each["round"]]
        equations(each, step)
        masses(each)
        darts(each)
        caches(each, step)
        assert set(each["states"]) <= STATES
    made = [token for step in trace["rounds"] for token in emitted(step)]
    assert found["ids"] == trace["prompt"] + made
    assert found["told"] == len(seen), "every step shows something of its own"
    assert found["different"] == []


def emitted(step: dict[str, Any]) -> list[int]:
    return [step["verdicts"][node]["token"] for node in step["path"]] + (
        [step["extra"]["token"]] if step["extra"] else []
    )


def equations(each: dict[str, Any], step: dict[str, Any]) -> None:
    """Printed numbers recompute, slots hold the trace's own numbers, verdicts agree with u against p/q."""
    found = re.search(r"min\(1, ([\d.e−]+)/([\d.e−]+)\) = ([\d.e−]+)", each["equation"])
    if found:
        p, q, ratio = (float(text.replace("−", "-")) for text in found.groups())
        assert math.isclose(min(1, p / q), ratio, rel_tol=0.011), each["equation"]
    for slot, verdict in zip(each["slots"], step["verdicts"], strict=False):
        for name in ("p", "q", "u"):
            assert slot[name] in (None, verdict[name]), f"{name} of a slot at step {each['step']}"
        if slot["u"] is not None and slot["state"] in ("accepted", "rejected"):
            assert math.isclose(slot["a"], min(1, slot["p"] / slot["q"]), rel_tol=1e-12)
            assert (slot["u"] < slot["a"]) == (slot["state"] == "accepted")
    if each["phase"] == "verdict":
        assert re.search(r"u = .* → (accept|reject)$", each["equation"])


def masses(each: dict[str, Any]) -> None:
    rows = each["rows"]
    if not rows:
        return
    if rows[0]["p"] is not None:
        assert abs(sum(row["p"] for row in rows) - 1) < 1e-4
    if rows[0]["overlap"] is not None:
        assert abs(sum(row["q"] for row in rows) - 1) < 1e-4
        left = 1 - sum(row["overlap"] for row in rows)
        assert abs(sum(row["residual"] for row in rows) - left) < 1e-4
    assert [row["rest"] for row in rows].count(True) == 1


def darts(each: dict[str, Any]) -> None:
    """The dart is where its number says, inside the segment it hit, on screen and not only in the data."""
    dart = each["dart"]
    if dart is None:
        return
    low, high = dart["ruler"]
    middle = sum(dart["box"]) / 2
    assert abs(low + dart["at"] * (high - low) - middle) < 1.5
    assert len(dart["hit"]) == 1, each["phase"]
    [hit] = dart["hit"]
    assert hit[0] - 1 <= middle <= hit[1] + 1


def caches(each: dict[str, Any], step: dict[str, Any]) -> None:
    target, draft = each["caches"]
    for shown, span in ((target, step["target_cache"]), (draft, step["draft_cache"])):
        if span is None:
            assert shown["length"] is None
            assert not shown["cells"]
            continue
        held = shown["cells"].count("committed") + shown["cells"].count("speculative") + shown["gap"]
        assert held == shown["length"]
        name = {"trim": "kept", "draft": "before"}.get(each["phase"], "written")
        if (shown is target) or name != "before":
            assert shown["length"] == span[name]
        fallen = span["written"] - span["kept"] if each["phase"] == "trim" else 0
        assert shown["cells"].count("rolled-back") == fallen


def test_a_run_of_a_thousand_rounds_stays_light_on_both_tabs(
    visit: Open, record_property: Callable[[str, object], None]
) -> None:
    page = visit()
    page.locator(".sv-chart .js-plotly-plot").nth(1).wait_for()
    start = time.perf_counter()
    pick(page, "long · small model")
    assert "of 1000 " in part(page, "title").inner_text()
    load = time.perf_counter() - start
    figures = page.evaluate(
        """() => {
          const scrub = document.querySelector('[data-sv=scrub]');
          const times = Array.from({ length: 200 }, (_, at) => {
            scrub.value = (at * 7919) % scrub.max;
            const from = performance.now();
            scrub.dispatchEvent(new Event('input'));
            return performance.now() - from;
          });
          return { times, nodes: document.querySelectorAll('*').length };
        }"""
    )
    times = sorted(figures["times"])
    scrub = f"scrub {statistics.median(times):.1f} ms, p95 {times[189]:.1f} ms"
    record_property("told", f"1,000 rounds: run chosen and on stage in {load:.1f} s, {scrub}, {figures['nodes']} nodes")
    assert figures["nodes"] < 5000
    page.get_by_role("tab", name="Race").click()
    assert "1,000" in part(page, "race-result").inner_text()
    times = part(page, "race-scrub").evaluate(
        """(scrub) => Array.from({ length: 100 }, (_, at) => {
          scrub.value = scrub.max * ((at * 37) % 100) / 100;
          const from = performance.now();
          scrub.dispatchEvent(new Event('input'));
          return performance.now() - from;
        })"""
    )
    record_property("told", f"1,000 rounds raced: scrub {statistics.median(times):.1f} ms")
    assert page.evaluate("document.querySelectorAll('[data-sv=race] *').length") < 1000
    assert part(page, "race-token").count() <= 2 * 160
    assert "earlier tokens" in page.locator("[data-card=race-text]").first.inner_text()


def test_the_toolbar_is_one_tab_stop_and_the_focus_stays_in_a_lane_with_fewer_slots(visit: Open) -> None:
    page = visit()
    stage = page.locator("[data-sv=stage]")
    before = int(stage.get_attribute("data-step") or 0)
    page.get_by_role("button", name="Play", exact=True).focus()
    for key, name in (
        ("ArrowRight", "Next step"),
        ("Home", "Previous round"),
        ("ArrowLeft", "Previous round"),
        ("End", "Algorithm 1"),
        ("Tab", "Position"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText") == name
    assert stage.get_attribute("data-step") == str(before), "walking the toolbar moves nothing else"
    page.keyboard.press("ArrowRight")
    assert stage.get_attribute("data-step") == str(before + 1)
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.ariaLabel") == "Play"
    slots = page.locator("[data-sv=slot]")
    page.locator("[data-sv=scrub]").press("Home")
    many = slots.count()
    slots.last.click()
    page.keyboard.press("End")
    assert slots.count() < many
    assert slots.last.evaluate("slot => slot === document.activeElement")


def test_a_cache_cell_tells_what_it_holds_and_where_there_is_no_cache_what_was_looked_up(visit: Open) -> None:
    page = visit(still=True)
    strip, tip = page.get_by_role("slider", name="Cells of the target cache"), page.get_by_role("tooltip")
    strip.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() == strip.get_attribute("aria-valuetext")
    assert tip.inner_text().startswith("1: ")
    page.keyboard.press("Shift+ArrowRight")
    assert strip.get_attribute("aria-valuenow") == "1", "another round, the same cell"
    assert strip.evaluate("strip => strip === document.activeElement")
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    assert strip.evaluate("strip => strip === document.activeElement")
    page.locator("[data-model=draft] [data-cell]").first.hover()
    assert tip.inner_text().startswith("0: ")
    tip.hover()
    assert tip.is_visible(), "the pointer may go to it"
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    pick(page, "tale · n-gram")
    pieces = page.locator("[data-sv=lookup] > *").all_inner_texts()
    evidence = page.locator("[data-model=draft] [data-sv=length]").inner_text()
    assert pieces.index("]") - pieces.index("[") - 1 == int(re.findall(r"(\d+) tokens? of context", evidence)[0])
    assert pieces[-2:] == ["→", page.locator("[aria-selected=true] [data-sv=chip]").first.inner_text()]


def test_without_javascript_a_recorded_run_can_be_read(browser: "Browser", address: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(address)
    assert "needs JavaScript" in page.locator("noscript").inner_text()
    rows = page.locator("tbody tr").evaluate_all("rows => rows.map(({ cells }) => [...cells].map((c) => c.innerText))")
    page.close()
    assert {"accepted", "rejected", "resampled"} <= {state.split()[-1] for _, _, state, _, _ in rows}
    assert all(0 <= float(p) <= 1 for _, _, _, p, _ in rows)
