"""Every number of the Race tab, recomputed from the trace."""

import json
import re
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.hand import part, scrub
from tests.browser.race_tab import Open, drafting, lane, open_tab, shown, spent, told

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
TRACES = {"tale · small model": "tale-small-model", "tale · bigram": "tale-bigram"}


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
