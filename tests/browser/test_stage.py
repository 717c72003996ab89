"""What the stage draws, held against the trace it draws it from, step by step of real recorded runs."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.browser.hand import part, pick, scrub, serious
from tests.browser.names import Open, Page
from tests.statistic import SEED

ROOT = Path(__file__).parents[2]
WATCH = Path(__file__).with_name("stage_watch.js").read_text(encoding="utf-8")
STATES = {"prompt", "draft", "accepted", "rejected", "resampled", "bonus", "plain", "untested"}


ALL = 999
"""More steps than any of these runs has."""


@pytest.fixture(params=[25, pytest.param(ALL, marks=pytest.mark.long)])
def many(request: pytest.FixtureRequest) -> int:
    """How many steps of each run are looked at: some that the seed chooses, or all."""
    return int(request.param)


def watching(visit: Open, **how: bool) -> "Page":
    page = visit(**how)
    page.evaluate(WATCH)
    return page


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["tale-small-model", "code-ngram", "tale-staged"])
def test_what_is_drawn_is_what_was_recorded_and_scrubbing_anywhere_is_stepping_there(
    visit: Open, name: str, many: int
) -> None:
    """The equation, mass, ruler and cache audits; one walk serves them all. Stills: nothing may be in flight."""
    page = watching(visit)
    trace = json.loads((ROOT / "assets" / "traces" / f"{name}.json").read_text(encoding="utf-8"))
    pick(page, name)
    walk = page.evaluate("([seed, many]) => watch.walk(seed, many)", [SEED, many])
    shows(trace, walk["seen"], page.evaluate("(many) => watch.jumps(many)", many // 3))
    made = [token for step in trace["rounds"] for token in emitted(step)]
    drawn = walk["end"]["ids"]
    assert drawn == (trace["prompt"] + made)[-len(drawn) :]
    assert len(drawn) >= min(60, len(made)), "the newest of a long text"


def shows(trace: dict[str, Any], seen: list[dict[str, Any]], jumps: dict[str, Any]) -> None:
    """seen: what the stage showed, step by step."""
    first = seen[0]["step"]
    assert [each["step"] for each in seen] == list(range(first, first + len(seen)))
    assert (first == 0) == (seen[0]["phase"] == "rest")
    if len(seen) == seen[0]["steps"]:
        assert {each["round"] for each in seen} == set(range(len(trace["rounds"])))
    for each in seen[first == 0 :]:
        step = trace["rounds"][each["round"]]
        equations(each, step)
        masses(each)
        rulers(each)
        cache(each, step)
        assert set(each["states"]) <= STATES
        assert len(each["headline"].split()) <= 24
    assert jumps == {"different": [], "told": len(seen)}, "every step shows something of its own, anyway it is reached"


TREES = {"drawn-small-tree": "drawn", "offered-small-tree": "top", "weighed-small-tree": "weighed"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_drawn_as_it_was_recorded_and_scrubbing_anywhere_is_stepping_there(
    visit: Open, name: str, many: int
) -> None:
    """Every test is where u is against a, the kept path is the recorded one, its slots are its positions after trim."""
    page, many = watching(visit), max(many, 45)
    trace = json.loads((ROOT / "tests" / "golden" / f"branches-{TREES[name]}.json").read_text(encoding="utf-8"))
    pick(page, name)
    seen = page.evaluate("([seed, many]) => watch.walk(seed, many)", [SEED, many])["seen"]
    phases = {each["phase"] for each in seen}
    assert {"draft", "verify", "dart", "verdict", "join", "gather", "trim"} <= phases
    if len(seen) == seen[0]["steps"]:
        assert ("adjust" in phases) == (name != "weighed-small-tree")
    for each in seen[seen[0]["step"] == 0 :]:
        step = trace["rounds"][each["round"]]
        rulers(each)
        cache(each, step)
        assert len(each["headline"].split()) <= 24
        for node, verdict in zip(each["nodes"], step["verdicts"], strict=False):
            assert node["q"] in (None, verdict["q"])
            if node["u"] is not None and node["state"] in ("accepted", "rejected"):
                assert (node["u"] < node["a"]) == (node["state"] == "accepted")
        if each["phase"] == "trim":
            kept = [at for at, node in enumerate(each["nodes"]) if node["state"] == "accepted"]
            assert kept == sorted(step["path"])
    assert page.evaluate("(many) => watch.jumps(many)", many // 3) == {"different": [], "told": len(seen)}


DESKS = [(1280, 720), (1920, 1080), (2560, 1440), (820, 1180)]
PHONE = (390, 844)


@pytest.mark.parametrize("sizes", [DESKS, [PHONE]], ids=["desk", "phone"])
def test_nothing_is_clipped_covered_or_off_the_screen_in_any_phase(
    visit: Open, sizes: list[tuple[int, int]], many: int
) -> None:
    """Of the run that opens the page at every size, nor of a tree on a projector and on a tablet, or a phone."""
    page = watching(visit, phone=PHONE in sizes)
    for name in ("", *TREES):
        if name:
            page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
            pick(page, name)
        for width, height in sizes[:: 3 if name else 1]:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            found = page.evaluate("([seed, many]) => watch.faults(seed, many)", [SEED, min(70, many // 3)])
            assert found == [], f"{name} at {width} by {height}"
        if name == "drawn-small-tree" and PHONE in sizes:
            assert serious(page, "[data-sv=stage]") == [], name


def test_keys_walk_a_tree_and_its_mask_stands_beside_it(visit: Open) -> None:
    """One tab stop: to the parent, the child, the next of its depth; Enter tells why. A row lights with its
    node. The mask is walked by its rows, or is a table."""
    page = watching(visit)
    pick(page, "drawn-small-tree")
    scrub(page, 0.2)
    assert page.locator("[role=treeitem][tabindex='0']:visible").count() == 1
    page.locator("[role=treeitem][tabindex='0']").focus()
    focused = "document.activeElement.dataset.node"
    walked = []
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(page.evaluate(focused))
    assert None not in walked
    assert walked[1] == walked[3] == walked[5] != walked[4]
    page.keyboard.press("Enter")
    part(page, "why").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    rows = page.locator("[data-row]")
    assert rows.count() == 13
    page.locator("[data-row='3']").hover()
    lit = page.locator("[data-lit-by]").evaluate_all("all => all.map(({ dataset: d }) => d.node ?? d.row ?? 'cell')")
    assert {"3"} == set(lit) - {"cell"}
    mask = page.get_by_role("slider", name="Rows of the mask")
    mask.focus()
    page.keyboard.press("Home")
    first = mask.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowDown")
    assert mask.get_attribute("aria-valuetext") != first
    assert mask.evaluate("node => node === document.activeElement"), "the keys stay where they are"
    assert page.locator("[data-row][data-focus]").get_attribute("data-row") == "1"
    assert page.locator("[role=treeitem][aria-selected=true]").get_attribute("data-node") == "1"
    page.keyboard.press("t")
    assert page.locator("[data-pane=code] tbody tr").count() == 13
    assert page.locator("[data-pane=code] tr[aria-current] td").last.inner_text().endswith("and itself")
    assert serious(page, "[data-sv=stage]") == []
    page.get_by_role("button", name="Code", exact=True).first.click()
    assert part(page, "algorithm").is_visible()


def emitted(step: dict[str, Any]) -> list[int]:
    return [step["verdicts"][node]["token"] for node in step["path"]] + (
        [step["extra"]["token"]] if step["extra"] else []
    )


def equations(each: dict[str, Any], step: dict[str, Any]) -> None:
    """Nodes hold the trace's own numbers, verdicts agree with u against p/q."""
    for node, verdict in zip(each["nodes"], step["verdicts"], strict=False):
        for name in ("p", "q", "u"):
            assert node[name] in (None, verdict[name]), f"{name} of a node at step {each['step']}"
        if node["u"] is not None and node["state"] in ("accepted", "rejected"):
            assert math.isclose(node["a"], min(1, node["p"] / node["q"]), rel_tol=1e-12)
            assert (node["u"] < node["a"]) == (node["state"] == "accepted")
    if each["phase"] == "verdict":
        assert each["verdict"] in ("✓ accept", "✕ reject")


def masses(each: dict[str, Any]) -> None:
    """All of p and all of q stand in the rows, and a bar is as wide as its number at the scale that is said."""
    rows = each["rows"]
    if not rows:
        return
    assert [row["rest"] for row in rows] == [False] * (len(rows) - 1) + [True]
    if rows[0]["p"] is not None:
        assert abs(sum(row["p"] for row in rows) - 1) < 1e-4
    if rows[0]["q"] is not None:
        assert abs(sum(row["q"] for row in rows) - 1) < 1e-4
    if rows[0]["overlap"] is not None:
        left = 1 - sum(row["overlap"] for row in rows)
        assert abs(sum(row["residual"] for row in rows) - left) < 1e-4
    unit = each["zoom"] * each["ruler"]["width"]
    for row in rows[:-1]:
        assert row["ends"] <= row["room"] + 1, "a named token's bar is never cut"
        assert abs(row["ends"] - unit * max(row["p"] or 0, row["q"] or 0)) < 0.02 * unit * 0.1 + 2.5


def rulers(each: dict[str, Any]) -> None:
    """Shares fill the ruler and are as wide as they are; the number is where it says, inside what it hit, on screen."""
    ruler = each["ruler"]
    if not ruler["segments"] or not ruler["width"]:  # while the caches stand in its place
        return
    low, width = ruler["left"], ruler["width"]
    assert abs(sum(segment["share"] for segment in ruler["segments"]) - 1) < 1e-4
    for segment in ruler["segments"]:
        assert abs(segment["box"][1] - segment["box"][0] - segment["share"] * width) < 0.6
        assert abs(segment["box"][0] - low - segment["start"] * width) < 0.6
    if ruler["dart"] is None:
        return
    assert abs(low + ruler["dart"]["u"] * width - ruler["dart"]["x"]) < 1
    [hit] = [segment for segment in ruler["segments"] if segment["hit"]]
    assert hit["box"][0] - 1 <= ruler["dart"]["x"] <= hit["box"][1] + 1
    assert ruler["frame"] is None or ruler["frame"] >= max(4.9, hit["share"] * width - 1)


def cache(each: dict[str, Any], step: dict[str, Any]) -> None:
    span = step["target_cache"]
    name = {"trim": "kept", "result": "kept", "draft": "before"}.get(each["phase"], "written")
    assert each["kv"]["count"] == span[name]
    fallen = span["written"] - span["kept"] if each["phase"] == "trim" else 0
    assert each["kv"]["cells"].count("rolled-back") == fallen


def test_motion_leaves_no_trace_whenever_it_is_stopped(visit: Open, many: int) -> None:
    page = watching(visit, moves=True)
    if SEED % 2:
        pick(page, "drawn-small-tree")
    assert page.evaluate("([seed, many]) => watch.interrupted(seed, many)", [SEED, min(50, many // 3)]) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", ["tale-small-model", "tale-small-model-block", pytest.param("tale-staged", marks=pytest.mark.long)]
)
def test_nothing_that_a_beat_reveals_stands_before_its_cause(visit: Open, name: str) -> None:
    """At the first moment of every beat, its motion stopped there."""
    page = watching(visit, moves=True)
    pick(page, name)
    found = page.evaluate("watch.openings(60)")
    assert {"draft", "verify", "dart", "replace", "join", "trim"} <= set(found["kinds"])
    assert found["early"] == []


def test_the_residual_is_the_blue_parts_and_the_cells_fall_while_their_count_falls(visit: Open) -> None:
    """Frames in order: the parts leave their rows, stand at true width, fill the ruler; the count falls one by one."""
    page = watching(visit, moves=True)
    trace = json.loads((ROOT / "assets" / "traces" / "tale-small-model.json").read_text(encoding="utf-8"))
    pick(page, "tale-small-model")
    step = trace["rounds"][0]
    mass = 1 - step["extra"]["view"]["overlap"]
    frames = page.evaluate("watch.film('residual', [0, 1300, 2340])")
    assert frames["takes"] >= 2350
    start, held, full = frames["parts"]
    ruler = frames["ruler"]
    assert len(start) == len(held) == len(full) > 2
    assert all(bottom <= ruler["top"] for *_, bottom in start), "they start in their rows"
    assert abs(sum(right - left for left, right, _ in held) - mass * ruler["width"]) < 4
    assert abs(max(right for _, right, _ in held) - ruler["left"] - mass * ruler["width"]) < 3
    assert abs(sum(right - left for left, right, _ in full) - ruler["width"]) < 6
    landing = page.evaluate("watch.landing()")
    assert landing["chips"] == landing["words"] == len(emitted(step))
    assert landing["off"] < 3, "kept chips end on their words"
    span = step["target_cache"]
    falling = page.evaluate("watch.counting()")
    assert falling == {"read": list(range(span["written"], span["kept"] - 1, -1)), "after": span["kept"]}


def test_a_run_of_a_thousand_rounds_stays_light(visit: Open) -> None:
    page = visit()
    pick(page, "long-small-model")
    assert part(page, "where").inner_text().endswith("1000")
    for share in (0.5, 1):
        scrub(page, share)
        assert page.evaluate("document.querySelectorAll('*').length") < 5000
