"""A run saved as one HTML file: opened from the disk, without a network, it shows what the page shows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specviz.law.arrays import Bools, Floats
from specviz.law.chance import Seeded
from specviz.law.processors import Processors
from specviz.law.sampling import Sampling
from specviz.proof.problems.run import problems
from specviz.trace.codec import from_json, to_json
from specviz.trace.guess import Verdict
from specviz.trace.run import Trace
from tests.browser.conftest import DESK, gates
from tests.browser.hand import AXE, details, part, press, serious, staged
from tests.tiny import Slots, TableModel, traced

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).parents[2]
TRACE = ROOT / "assets" / "traces" / "verse-small-model.json"
PHASE = "Object.values((({ round, phase }) => ({ round, phase }))(document.querySelector('[data-sv=stage]').dataset))"
SHOWN = """() => {
  const root = document.querySelector('[data-sv=stage]');
  const parts = root.querySelectorAll('[data-sv=tape], [data-sv=say], [data-sv=scene]');
  const texts = [...parts].map((node) => node.textContent);
  const { round, phase, step, steps } = root.dataset;
  return [round, phase, step, steps, ...texts].join('|');
}"""


@pytest.fixture
def offline(browser: "Browser") -> "Iterator[Callable[[Path], Page]]":
    """Opens a file in a fresh profile that has no network; the file may ask for nothing and break nowhere."""
    trouble: list[str] = []
    context = browser.new_context(offline=True, viewport=DESK, color_scheme="light")

    def open_file(path: Path) -> "Page":
        page = context.new_page()
        for event, hear in gates(trouble).items():
            page.on(event, hear)
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        page.goto(path.as_uri())
        page.locator("[data-sv=stage][data-ready]").wait_for()
        assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [path.as_uri()]
        return page

    yield open_file
    context.close()
    assert [line for line in trouble if "file://" not in line] == []


def walk(page: "Page", keys: list[str]) -> list[str]:
    """What is shown after each key."""
    page.evaluate("document.activeElement.blur()")
    shown = []
    for key in keys:
        page.keyboard.press(key)
        shown.append(page.evaluate(SHOWN))
    return shown


def test_the_saved_page_shows_what_the_page_shows_beat_by_beat(
    visit: Open, offline: "Callable[[Path], Page]", tmp_path: Path
) -> None:
    page = visit("#v=1&run=verse-small-model", still=True)
    staged(page, "seed 1\\b")
    press(page, "Share")
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Page").click()
    path = tmp_path / "run.html"
    saved.value.save_as(path)
    page.keyboard.press("Escape")
    alone = offline(path)
    for at in (alone, page):  # the page's own bar leaves room for fewer rows
        at.set_viewport_size({"width": 1280, "height": 960})
    keys = ["Home", *["ArrowRight"] * 14, "Shift+ArrowRight", "t", "ArrowRight", "End", "ArrowLeft"]
    assert walk(alone, keys) == walk(page, keys)
    charts = [at.locator("[data-sv=run-chart][role=img]") for at in (alone, page)]
    for at in (alone, page):
        details(at)
    for drawn in charts:
        drawn.nth(1).wait_for()
    assert charts[0].all_inner_texts() == charts[1].all_inner_texts()


def test_the_saved_page_stands_alone(offline: "Callable[[Path], Page]", tmp_path: Path) -> None:
    trace = from_json(TRACE.read_text(encoding="utf-8"))
    path = tmp_path / "run.html"
    path.write_text(trace.to_html("https://example.org/specviz"), encoding="utf-8")
    page = offline(path)
    assert part(page, "pill").inner_text().startswith("Run of 20")
    press(page, "Dark")
    assert page.locator("body.dark").count() == 1
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert serious(page, "body") == []
    part(page, "play").focus()
    page.keyboard.press("g")
    assert part(page, "guide").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    assert part(page, "quiz").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("r")  # there is nothing here to run
    press(page, "Share")
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name=re.compile("^Data")).click()
    assert saved.value.path().read_text(encoding="utf-8") == to_json(trace)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.get_by_role("menuitem", name="Copy link").click()
    field = part(page, "share").get_by_label("Copy this")
    field.wait_for()
    link: Any = field.input_value()
    assert link.startswith("https://example.org/specviz#v=1&")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_content('<iframe sandbox="allow-scripts"></iframe>')
    page.locator("iframe").evaluate("(frame, saved) => { frame.srcdoc = saved; }", path.read_text(encoding="utf-8"))
    page.frame_locator("iframe").locator("[data-sv=stage][data-ready]").wait_for()


class Remembering(Slots):
    """As models/recurrent.py has it: cut nowhere, put back to where the last pass began, and read on from there."""

    state_bytes = 64

    def __init__(self, model: TableModel, capacity: int) -> None:
        super().__init__(1, 1, capacity, 1)
        self._model, self.saved = model, 0

    def truncate(self, length: int) -> None:
        if length == self.length:
            return
        again = [int(token) for token in self.slots[0, 0, 0, self.saved : length, 0]]
        super().truncate(self.saved)
        self._model.forward(again, range(self.saved, length), None, self)
        self.reread += len(again)


class RecurrentTable(TableModel):
    def new_cache(self, capacity: int) -> Slots:
        return Remembering(self, capacity)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any) -> Floats:
        cache.saved = cache.length
        return super().forward(tokens, positions, mask, cache)


def test_a_running_state_is_put_back_and_reads_again(offline: "Callable[[Path], Page]", tmp_path: Path) -> None:
    """Two rounds of one run: in one the copy is put back, in the other all guesses were accepted."""
    trace = traced(RecurrentTable(30, 1), draft=TableModel(30, 1, spread=1.2))
    trace = replace(trace, info=replace(trace.info, target_state_bytes=64))
    assert problems(trace) == []
    lost, kept = (
        next(step for step in trace.rounds if bool(step.target_cache.reread) is thrown) for thrown in (True, False)
    )
    path = tmp_path / "run.html"
    path.write_text(trace.to_html(), encoding="utf-8")
    page = offline(path)
    for step in (lost, kept):
        page.keyboard.press("Home")
        while page.locator("[data-sv=stage]").get_attribute("data-round") != str(step.index) or (
            page.locator("[data-sv=stage]").get_attribute("data-phase") != "trim"
        ):
            page.keyboard.press("ArrowRight")
        row = page.locator("[data-sv=held-row][data-model=target]")
        boxes = row.locator("[data-sv=state-box]")
        span = step.target_cache
        lengths = [span.before, span.written] + ([span.before, span.kept] if span.reread else [])
        assert boxes.evaluate_all("(boxes) => boxes.map(({ dataset }) => Number(dataset.length))") == lengths
        sizes = boxes.evaluate_all("(boxes) => boxes.map((box) => `${box.offsetWidth} ${box.offsetHeight}`)")
        assert len(set(sizes)) == 1, "a state has one size"
        assert row.locator("[data-way=back] [data-cell]").count() == span.reread
        assert ("put back, and" in part(page, "headline").inner_text()) == bool(span.reread)
        details(page)
        assert (page.locator("[data-sv=clock-row][data-kind=again]").count() == 1) == bool(span.reread)
        details(page)


def lesson() -> tuple[Trace, int, int]:
    """A run with a penalty, and the first guess whose p it changed because of the guess before; its round and node."""
    sampling = Sampling(0.7, processors=Processors(repetition=1.8, prompt=2))
    for seed in range(99):
        trace = traced(
            TableModel(30, 1), (0, 1), 20, draft=TableModel(30, 1, spread=1.2), sampling=sampling, chance=Seeded(seed)
        )
        for step in trace.rounds:
            for each in step.verdicts:
                causes = [
                    place for change in each.view.changed if change.token == each.token for place in change.places
                ]
                if causes == [step.position] and step.extra and each.verdict is not Verdict.UNTESTED:
                    return trace, step.index, each.node
    raise AssertionError("no run shows it")


@pytest.mark.long
def test_bars_have_an_outline_of_p_before_a_penalty_and_the_card_names_the_guess_it_was_for(
    offline: "Callable[[Path], Page]", tmp_path: Path
) -> None:
    trace, index, node = lesson()
    view = trace.rounds[index].verdicts[node].view
    path = tmp_path / "run.html"
    path.write_text(trace.to_html(""), encoding="utf-8")
    page = offline(path)
    assert page.locator("[data-before]").count() == 0, "nothing at rest"
    while page.evaluate(PHASE) not in ([str(index), "replace"], [str(index), "bonus"]):
        page.keyboard.press("ArrowRight")
    page.locator(f"[data-sv=lane] [data-node='{node}'] [data-sv=chip]").click()
    cause = "before the repetition penalty: .* as guess 1 of this draft, so p here depends on that guess"
    part(page, "why").get_by_text(re.compile(cause)).wait_for()
    page.get_by_role("button", name="Show in figure").click()
    drawn = page.locator("[data-sv=row][data-before][data-token-id]")
    drawn.first.wait_for()
    was = {bar.token: before for bar, before in zip(view.bars, view.before, strict=True)}
    found = drawn.evaluate_all(
        """rows => rows.map((row) => [
          Number(row.dataset.tokenId), Number(row.dataset.before),
          row.querySelector('[data-kind=p][role=cell]').ariaLabel,
          row.querySelector('[data-kind=before]').getBoundingClientRect().width,
        ])"""
    )
    assert len(found) > 2
    for token, before, label, _ in found:
        assert before == was[token]
        assert ", before: " in label
    widths = [(width / before) for _, before, _, width in found if before > 0.05]
    assert widths
    assert max(widths) < 1.1 * min(widths), "all at one scale"
    assert "outline: before the repetition penalty" in page.locator("ul[data-sv=legend]").inner_text()
    plain = from_json(TRACE.read_text(encoding="utf-8"))
    path.write_text(plain.to_html(""), encoding="utf-8")
    page = offline(path)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        assert page.locator("[data-before]").count() == 0, "nothing without a penalty"
    assert "outline" not in page.locator("ul[data-sv=legend]").inner_text()
