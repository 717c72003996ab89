"""What each drafter brings to the stage: what it copied, read off or was forced to, and a change to its run."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from specviz.trace.codec import from_json
from tests.browser.hand import part, pick, serious, staged, width
from tests.browser.names import Open, Page
from tests.browser.test_import import drag
from tests.statistic import SEED

TRACES = Path(__file__).parents[2] / "assets" / "traces"
FOX = (Path(__file__).parents[1] / "golden" / "grammar.json").read_text(encoding="utf-8")
"""`specviz.run("A fox as JSON:\\n", drafter="grammar", grammar=SCHEMA, gamma=6, seed=3)`; of `test_tokenizer.py`."""
PHASE = "document.querySelector('[data-sv=stage]').dataset.phase"
SIZES = ((1920, 1080), (1280, 720), (390, 844))
LOOK = """() => {
  const box = (node) => node.getBoundingClientRect();
  const tokens = [...document.querySelectorAll('[data-sv=ribbon] [data-sv=token]')];
  const copied = tokens.filter((node) => node.hasAttribute('data-copied'));
  const path = document.querySelector('[data-sv=arc] path');
  const arc = document.querySelector('[data-sv=arc]');
  const ends = arc.hidden || !path.hasAttribute('d') ? null : [0, path.getTotalLength()].map((at) => {
    const { x, y } = path.getPointAtLength(at);
    return [x + box(arc).left, y + box(arc).top];
  });
  const texts = copied.map(({ childNodes: [space, word] }) => space.data + word.textContent);
  const [left, right] = copied.length ? [box(copied[0]).left, box(copied.at(-1)).right] : [];
  return { texts, left, right, ends, last: box(tokens.at(-1)).right };
}"""
SPANS = "[...document.querySelectorAll('[data-sv=column][data-certain]')].map(each => each.dataset.certain)"
PLACES = """[...document.querySelectorAll('[data-sv=source-rows] > li[data-guess]')].map(place => ({
  allowed: place.querySelector(':scope > div b').textContent, forced: place.dataset.look === 'forced' }))"""
STEPS = """() => [...document.querySelectorAll('[data-sv=source-box] > ol > li')].map((row) => ({
  reads: row.querySelector('[data-mark]').dataset.mark,
  bars: [...row.querySelectorAll('[data-sv=source-states] path')].map((path) => path.dataset.kind),
  cosine: Number(/[\\d.]+$/.exec(row.querySelector('[data-sv=source-end]').textContent)?.[0] ?? NaN),
}))"""
PICTURES = {
    "tale-bigram": "table", "code-suffix": "copied", "tale-small-model": "stack", "tale-medusa": "heads",
    "tale-eagle": "heads", "tale-dflash": "blanks", "code-lookahead": "window", "tale-small-tree": "tree",
}  # fmt: skip
CHAINS = ("bigram", "dflash", "eagle", "early-exit", "mtp", "small-model", "small-model-block", "staged")
TREES = ("medusa", "recycling", "small-tree")
PAIRS = [(chain, tree) for chain in CHAINS for tree in TREES]


def read(name: str) -> dict[str, Any]:
    trace: dict[str, Any] = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))
    return trace


def test_an_arc_runs_from_what_was_copied_to_the_end_of_the_text(visit: Open) -> None:
    trace = read("code-suffix")
    text = [*trace["prompt_texts"], *(piece for step in trace["rounds"] for piece in written(step))]
    page = visit()
    pick(page, "code-suffix")
    page.locator("[data-sv=scrub]").focus()
    page.keyboard.press("Home")
    seen = 0
    for number, step in enumerate(trace["rounds"]):
        page.keyboard.press("Shift+ArrowRight")
        page.wait_for_selector(f"[data-sv=stage][data-round='{number}']")
        if not step["verdicts"]:
            continue
        found = page.evaluate(LOOK)
        first, last = step["verdicts"][0]["source"]["span"]
        assert text[first] == step["verdicts"][0]["text"], "a suffix is copied from where it stood"
        assert last == first + 1
        if not found["ends"]:
            continue
        (x, _), (end, _) = found["ends"]
        asked = first < len(trace["prompt_texts"])
        assert found["texts"] == [text[first] if asked else shown(text[first])]
        assert found["left"] - 1 <= x <= found["right"] + 1
        assert found["last"] - 2 <= end <= found["last"] + 12
        seen += 1
    assert seen > 3


def shown(text: str) -> str:
    """As the ribbon shows code that was written: line breaks break the line after their sign."""
    return text.replace("\n", "⏎\n")


def written(step: dict[str, Any]) -> list[str]:
    """The texts a round added."""
    extra = [step["extra"]["text"]] if step["extra"] else []
    return [*(step["verdicts"][node]["text"] for node in step["path"]), *extra]


def scrub_to(page: "Page", number: int) -> None:
    """The first beat of a round."""
    page.keyboard.press("Home")
    for _ in range(number + 1):  # at rest, no round has begun
        page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(f"[data-sv=stage][data-round='{number}']")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_state_that_eagle_imagined_stands_beside_the_one_the_target_then_had(visit: Open, *, phone: bool) -> None:
    page = visit(phone=phone)
    pick(page, "tale-eagle")
    part(page, "scrub").focus()
    scrub_to(page, 0)
    step = read("tale-eagle")["rounds"][0]
    seen = []
    while page.evaluate(PHASE) != "verify":
        seen = page.evaluate(STEPS)
        assert all(row["bars"] == ["own"] for row in seen), "what the check tells waits for it"
        page.keyboard.press("ArrowRight")
    assert len(seen) == min(4, len(step["verdicts"])), "a step more a guess"
    checked = page.evaluate(STEPS)
    assert [row["bars"] for row in checked] == [["true", "own"]] * len(checked)
    assert [row["cosine"] for row in checked] == [
        pytest.approx(each["likeness"], abs=0.006) for each in step["imagined"][-len(checked) :]
    ]
    assert width(page) <= page.viewport_size["width"]
    assert serious(page, "[data-sv=stage]") == []


@pytest.mark.long
def test_each_of_these_drafters_has_a_picture_and_a_sentence_of_its_own_that_fit(visit: Open) -> None:
    page = visit()
    lines = set()
    for name, kind in PICTURES.items():
        pick(page, name)
        page.evaluate("document.querySelector('[data-sv=scrub]').focus()")
        scrub_to(page, 0)
        while page.evaluate(PHASE) != "draft":
            page.keyboard.press("ArrowRight")
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            box = page.locator(f"[data-source-kind={kind}]")
            assert box.is_visible(), f"{name} at {size}"
            assert page.locator("[data-source-kind]:visible").count() == 1, f"{name} at {size}"
            assert width(page) <= size[0], f"{name} at {size}"
            if size[0] > 390:
                cut = box.evaluate("box => box.scrollHeight - box.clientHeight")
                assert cut <= 1, f"{name} at {size} is cut by {cut}"
        page.set_viewport_size({"width": 1280, "height": 720})
        lines.add(part(page, "source-line").inner_text())
    assert len(lines) == len(PICTURES)


def test_forced_guesses_stand_in_a_span_and_each_place_has_its_count(visit: Open) -> None:
    trace = from_json(FOX)
    both = {"grammar", "small-model"}
    mixed = next(step for step in trace.rounds if {each.source.who for each in step.verdicts} == both)
    assert mixed.index < 20
    page = visit()
    drag(page, "drop", ("fox.json", FOX))
    staged(page, "grammar")
    part(page, "scrub").focus()
    for at, step in ((0, trace.rounds[0]), (mixed.index, mixed)):
        scrub_to(page, at)
        while page.evaluate(PHASE) != "verify":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(PHASE) == "draft"
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            box = page.locator("[data-source-kind=table]")
            assert box.is_visible()
            assert width(page) <= size[0]
            assert size[0] == 390 or box.evaluate("box => box.scrollHeight - box.clientHeight") <= 1
        page.set_viewport_size({"width": 1280, "height": 720})
        assert page.evaluate(PLACES) == [
            {"allowed": f"{each.view.allowed:,}", "forced": each.view.allowed == 1} for each in step.verdicts
        ]
        certain = [each.view.allowed == 1 for each in step.verdicts]
        begins = [now and not before for before, now in zip([False, *certain], certain, strict=False)]
        assert page.evaluate(SPANS) == [
            "α = 1" if first else " " for first, now in zip(begins, certain, strict=True) if now
        ]
        assert "4,096" in part(page, "title").inner_text() or page.locator("[data-chosen]").count()
    assert serious(page, "[data-sv=stage]") == []


def test_a_method_without_a_length_is_named_in_the_bar_and_gamma_says_that_it_is_not_used(visit: Open) -> None:
    page = visit()
    opener, gamma = part(page, "method-more"), page.locator("#sv-gamma")
    said = gamma.locator("xpath=descendant-or-self::*/small").locator("visible=true")
    opener.click()
    page.locator("[data-method=lookahead]").click()
    opener.get_by_text("lookahead").wait_for()
    said.get_by_text("not used").wait_for()
    assert gamma.get_attribute("title") == "These guesses have no length to choose, so γ does nothing here."
    page.locator("#sv-drafter label", has_text="n-gram").click()
    opener.get_by_text("lookahead").wait_for(state="detached")
    one_tab_stop = "new Set(Array.from(document.querySelectorAll('#sv-drafter input'), ({ name }) => name)).size === 1"
    page.wait_for_function(one_tab_stop)  # Gradio draws the controls anew, each as a group of its own at first
    assert gamma.get_attribute("title") == "γ: how many tokens are guessed before each check"


def plays(page: "Page", drafter: str, ms: int) -> None:
    """Changes to a drafter's run, in the middle of what moves, and plays so long."""
    pick(page, f"tale-{drafter}")
    for key in ("Home", "Space"):
        part(page, "scrub").press(key)
    page.wait_for_timeout(ms)


@pytest.mark.parametrize("many", [1, pytest.param(len(PAIRS), marks=pytest.mark.long)])
def test_a_run_can_be_changed_for_another_in_mid_animation(visit: Open, many: int) -> None:
    page, chance = visit(moves=True), random.Random(SEED)
    order = [drafter for chain, tree in chance.sample(PAIRS, many) for drafter in (chain, tree, chain)]
    for before, drafter in pairwise(["small-model", *order]):
        if drafter != before:
            plays(page, drafter, chance.randrange(400, 2400))
            assert part(page, "stage").get_attribute("data-step") != "0"
