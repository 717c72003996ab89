"""The α & γ tab in a real browser, over a made-up engine: counted, measured, swept, supposed, kept."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.codec import from_json
from specviz.costs import Costs
from specviz.metrics import summarize
from specviz.theory import expected_tokens, speedup
from tests.browser.hand import pick, serious, small, width

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
TALE = Path(__file__).parents[2] / "assets" / "traces" / "tale-small-model.json"
COSTS = Costs(0.2, 0.1, (1, 5, 9, 21), (2.0, 2.2, 3.0, 6.0))
"""What the made-up engine measures."""
# In the page, because the server does not wait for a test to press Cancel.
SWEEP_AND_CANCEL = """() => new Promise((done) => {
  const lab = document.querySelector('[data-lab=alpha]');
  const find = (name) => lab.querySelector(`[data-sv=bench-${name}]`);
  new MutationObserver((_, watch) => {
    if (lab.dataset.cells !== '3') return;
    watch.disconnect();
    done(find('note').textContent);
    find('cancel').click();
  }).observe(lab, { attributeFilter: ['data-cells'] });
  find('sweep').click();
})"""


def part(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-lab=alpha] [data-sv={name}]")


def told(page: "Page", name: str, text: str) -> None:
    """Waits for a part, or the sentence of a chart, to say so."""
    page.locator(f":is([data-sv={name}], [data-chart={name}] [data-sv=chart-says])", has_text=text).wait_for()


def kept(page: "Page", chart: str) -> list[dict[str, str]]:
    """The rows of the chart's CSV."""
    with page.expect_download() as saved:
        page.locator(f"[data-chart={chart}] [data-kind=csv]").click()
    return list(csv.DictReader(saved.value.path().read_text(encoding="utf-8").splitlines()))


def test_a_run_is_counted_measured_and_swept_and_what_was_found_outlasts_other_tabs(visit: Open) -> None:
    page = visit()
    pick(page, "tale · small model")
    page.locator("[data-sv=play]").focus()
    page.keyboard.press("4")
    rounds = from_json(TALE.read_text(encoding="utf-8")).rounds
    lab, found = page.locator("[data-lab=alpha]:visible"), summarize(rounds)
    told(page, "rates-gamma", f"over {len(rounds)} rounds")
    shares = part(page, "rates").locator("tbody tr").evaluate_all("rows => rows.map(({ dataset }) => dataset.value)")
    wanted = [found.alpha, found.accepted_of_drafted, found.accepted_of_emitted, found.overlap]
    assert [round(float(share), 5) for share in shares] == [round(each or 0, 5) for each in wanted]
    page.locator("[data-chart=speed] .main-svg").first.wait_for()
    assert lab.get_attribute("data-from") == "raced"

    page.get_by_role("button", name="Sweep γ 0 to 12").click(trial=True)
    assert page.evaluate(SWEEP_AND_CANCEL) == "3 of 39"
    told(page, "bench-note", "Cancelled after 3 runs; what was measured is kept.")
    assert lab.get_attribute("data-from") == "measured"
    page.get_by_role("button", name="Sweep γ 0 to 12").click()
    told(page, "bench-note", "39 runs measured.")
    told(page, "speed", "Measured, γ")
    alpha = found.alpha or 0
    for row in kept(page, "speed"):
        gamma = int(row["gamma"])
        predicted = speedup(alpha, gamma, COSTS.c, COSTS.v(gamma + 1), COSTS.overhead)
        assert abs(float(row["predicted"]) - predicted) < 1e-9
        assert float(row["low"]) <= float(row["measured"]) <= float(row["high"])
        assert row["runs"] == "3"
    for row in kept(page, "tokens"):
        assert abs(float(row["expected"]) - expected_tokens(alpha, int(row["gamma"]))) < 1e-9

    part(page, "suppose-alpha").press("End")
    told(page, "speed", "What if α 1, c .100, v(5) 1.1: γ 12")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[data-sv=stage]").get_attribute("data-tab") == "alpha"
    page.get_by_role("button", name="Reset", exact=True).click()
    assert "What if" not in page.locator("[data-chart=speed] [data-sv=chart-says]").inner_text()
    page.keyboard.press("1")
    page.keyboard.press("4")
    assert lab.get_attribute("data-cells") == "39"
    assert serious(page, "[data-sv=stage]") == []

    pick(page, "plain · small model")
    told(page, "rates-none", "γ was 0")
    assert (lab.get_attribute("data-cells"), lab.get_attribute("data-from")) == ("0", "free")


def test_a_phone_scrolls_down_only_and_every_target_is_large(visit: Open) -> None:
    page = visit("?__theme=dark", phone=True)
    page.get_by_role("tab", name="α & γ").click()
    page.locator("[data-chart=speed] .main-svg").first.wait_for()
    assert width(page) == 390
    assert small(page, "[data-sv=tabs] button, [data-lab=alpha] :is(button, input)") == []
    assert serious(page, "[data-sv=stage]") == []
