"""Heads on the target: what their guesses are read off, and how they learned."""

import pytest

from tests.browser.hand import part, pick, serious, width
from tests.browser.names import Open
from tests.browser.test_copies import scrub_to
from tests.browser.test_newer_methods import rounds_of

PHASE = "document.querySelector('[data-sv=stage]').dataset.phase"
STEPS = """() => [...document.querySelectorAll('[data-sv=source-rows] > li')].map((row) => ({
  reads: row.querySelector('[data-mark]').dataset.mark,
  bars: [...row.querySelectorAll('[data-sv=source-states] path')].map((path) => path.dataset.kind),
  cosine: Number(/[\\d.]+$/.exec(row.querySelector('[data-sv=source-end]').textContent)?.[0] ?? NaN),
}))"""
PICTURES = {
    "tale-bigram": "table", "code-suffix": "copied", "tale-small-model": "stack", "tale-medusa": "heads",
    "tale-eagle": "heads", "tale-dflash": "blanks", "code-lookahead": "window", "tale-small-tree": "tree",
}  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_state_that_eagle_imagined_stands_beside_the_one_the_target_then_had(visit: Open, *, phone: bool) -> None:
    page = visit(still=True, phone=phone)
    pick(page, "tale-eagle")
    part(page, "scrub").focus()
    scrub_to(page, 0)
    step = rounds_of("tale-eagle")[0]
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
    page = visit(still=True)
    lines = set()
    for name, kind in PICTURES.items():
        pick(page, name)
        page.evaluate("document.querySelector('[data-sv=scrub]').focus()")
        scrub_to(page, 0)
        while page.evaluate(PHASE) != "draft":
            page.keyboard.press("ArrowRight")
        for size in ((1920, 1080), (1280, 720), (390, 844)):
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
