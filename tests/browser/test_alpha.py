"""The tab Acceptance in a real browser, over a made-up engine: counted, recorded, measured anew, tried, kept."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.config.costs import Costs
from specviz.theory import expected_tokens, speedup
from specviz.trace.codec import from_json
from specviz.trace.metrics import summarize
from tests.browser.hand import pick

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
TALE = Path(__file__).parents[2] / "assets" / "traces" / "tale-small-model.json"
COSTS = Costs(0.2, 0.1, (1, 5, 9, 21), (2.0, 2.2, 3.0, 6.0))
"""What the made-up engine measures."""
# In the page, because the server does not wait for a test to press Cancel.
SWEEP_AND_CANCEL = """() => new Promise((done) => {
  const lab = document.querySelector('[data-lab=alpha]');
  const find = (name) => lab.querySelector(`[data-sv=${name}]`);
  new MutationObserver((_, watch) => {
    if (find('lab-note').textContent !== '3 of 39 runs') return;
    watch.disconnect();
    done([find('lab-pill').textContent, lab.querySelector('[data-chart=speed]').matches('[data-stale]')]);
    find('lab-cancel').click();
  }).observe(find('lab-note'), { childList: true, characterData: true, subtree: true });
  find('bench-sweep').click();
})"""
# Plotly's first picture of a place takes long, a later one no time at all. Each writes what it draws.
SLOW_TO_BEGIN = """
window.begun = window.ended = 0;
const draw = (node, data) => { node.textContent = data.map(({ name }) => name).join(); window.ended += 1; };
window.Plotly = {
  newPlot: (node, data) => (window.begun += 1, new Promise((then) => setTimeout(() => then(draw(node, data)), 300))),
  react: async (node, data) => { window.begun += 1; draw(node, data); },
};"""


def part(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-lab=alpha] [data-sv={name}]")


def told(page: "Page", name: str, text: str) -> None:
    """Waits for a part, or the sentence of a chart, to say so."""
    page.locator(f":is([data-sv={name}], [data-chart={name}] [data-sv=chart-says])", has_text=text).wait_for()


def kept(page: "Page", chart: str) -> list[dict[str, str]]:
    """The rows of the chart's CSV."""
    page.locator(f"[data-chart={chart}] [data-sv=chart-more]").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Save as CSV").click()
    return list(csv.DictReader(saved.value.path().read_text(encoding="utf-8").splitlines()))


def test_a_run_is_counted_beside_a_recorded_sweep_and_measured_anew_and_it_outlasts_other_tabs(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="Acceptance").click()
    lab = page.locator("[data-lab=alpha] > * > [data-sv=lab-part]")
    page.locator("[data-strange]").wait_for()
    assert "Not the run on stage: “Once upon a time a mille…”" in part(page, "bench-from").inner_text()
    pick(page, "tale-small-model")
    page.locator("[data-recorded]:not([data-strange])").wait_for()
    rounds = from_json(TALE.read_text(encoding="utf-8")).rounds
    found = summarize(rounds)
    told(page, "rates-gamma", f"over {len(rounds)} rounds")
    assert part(page, "lab-answer").inner_text().startswith(f"{100 * (found.alpha or 0):.3g} %")
    shares = part(page, "rates").locator("tbody tr").evaluate_all("rows => rows.map(({ dataset }) => dataset.value)")
    wanted = [found.alpha, found.accepted_of_drafted, found.accepted_of_emitted, found.overlap]
    assert [round(float(share), 5) for share in shares] == [round(each or 0, 5) for each in wanted]
    page.locator("[data-chart=speed] .main-svg").first.wait_for()
    assert (lab.get_attribute("data-basis"), lab.get_attribute("data-cells")) == ("measured", "39")
    assert "Recorded on" in part(page, "bench-from").inner_text()
    told(page, "speed", "Measured: γ")

    page.get_by_role("button", name="Measure γ = 0 to 12 here").click(trial=True)
    assert page.evaluate(SWEEP_AND_CANCEL) == ["Measuring", True], "what was there is grey meanwhile"
    told(page, "lab-note", "Cancelled after 3 runs; what was measured is kept.")
    assert lab.get_attribute("data-cells") == "3"
    assert "Measured: γ" not in page.locator("[data-chart=speed] [data-sv=chart-says]").inner_text()
    page.get_by_role("button", name="Measure γ = 0 to 12 here").click()
    told(page, "lab-note", "39 runs measured.")
    told(page, "speed", "Measured: γ")
    assert part(page, "bench-from").inner_text().startswith("Measured here")
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
    told(page, "speed", "Your values α = 1, c = 0.100, v(5) = 1.1: γ = 12")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[data-sv=stage]").get_attribute("data-tab") == "alpha"
    page.get_by_role("button", name="Reset", exact=True).click()
    assert "Your values" not in page.locator("[data-chart=speed] [data-sv=chart-says]").inner_text()
    page.get_by_role("tab", name="Round").click()
    page.get_by_role("tab", name="Acceptance").click()
    assert (lab.get_attribute("data-cells"), lab.get_attribute("data-recorded")) == ("39", None)

    pick(page, "plain-small-model")
    told(page, "rates-none", "γ was 0")
    assert lab.get_attribute("data-strange") == "", "another run has nothing measured: the recorded one is back"


def test_a_picture_that_takes_its_time_never_covers_a_newer_one(visit: Open) -> None:
    page = visit()
    page.route("**/page/plotly.js", lambda route: route.fulfill(content_type="text/javascript", body=SLOW_TO_BEGIN))
    page.get_by_role("tab", name="Acceptance").click()
    page.locator("[data-strange]").wait_for()  # the recorded sweep came, after the first picture was asked for
    page.locator("[data-chart=speed] [data-sv=chart-picture]").get_by_text("measured, 3 seeds").wait_for()
    page.wait_for_function("window.begun === window.ended")
    assert "measured, 3 seeds" in page.locator("[data-chart=speed] [data-sv=chart-picture]").inner_text()
    page.unroute_all()


def test_a_chart_is_kept_by_a_menu_that_keys_alone_can_use(visit: Open) -> None:
    page = visit()
    page.get_by_role("tab", name="Acceptance").click()
    page.locator("[data-chart=slots] .main-svg").first.wait_for()
    more = page.locator("[data-chart=slots] [data-sv=chart-more]")
    assert more.get_attribute("aria-haspopup") == "menu"
    focused = "[document.activeElement.role, document.activeElement.dataset.kind]"
    more.focus()
    page.keyboard.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    seen = [page.evaluate(focused)]
    for key in ("ArrowDown", "End", "ArrowUp", "Home"):
        page.keyboard.press(key)
        seen.append(page.evaluate(focused))
    assert [kind for _, kind in seen] == ["png", "svg", "json", "csv", "png"]
    assert {role for role, _ in seen} == {"menuitem"}
    step = page.locator("[data-sv=stage]").get_attribute("data-step")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.sv") == "chart-more"
    assert page.locator("[data-chart=slots] [role=menu]").is_hidden()
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == ["menuitem", "json"]
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename == "specviz-slots.json"
    assert page.locator("[data-sv=stage]").get_attribute("data-step") == step
    more.click()
    page.mouse.click(5, 400)
    assert page.locator("[data-chart=slots] [role=menu]").is_hidden(), "a click elsewhere puts it away"
