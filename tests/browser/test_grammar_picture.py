"""What a grammar allows at each place and where a guess is certain, as the page shows a run of one's own."""

from pathlib import Path

from specviz.trace.codec import from_json
from tests.browser.hand import part, serious, staged, width
from tests.browser.names import Open
from tests.browser.test_copies import scrub_to
from tests.browser.test_import import drag

FOX = (Path(__file__).parents[1] / "golden" / "grammar.json").read_text(encoding="utf-8")
"""`specviz.run("A fox as JSON:\\n", drafter="grammar", grammar=SCHEMA, gamma=6, seed=3)`, of `unit/test_grammar.py`."""
PHASE = "document.querySelector('[data-sv=stage]').dataset.phase"
SPANS = "[...document.querySelectorAll('[data-sv=column][data-certain]')].map(each => each.dataset.certain)"
PLACES = """[...document.querySelectorAll('[data-sv=source-rows] > li[data-guess]')].map(place => ({
  allowed: place.querySelector(':scope > div b').textContent, forced: place.dataset.look === 'forced' }))"""


def test_forced_guesses_stand_in_a_span_and_each_place_has_its_count(visit: Open) -> None:
    trace = from_json(FOX)
    mixed = next(
        step
        for step in trace.rounds
        if {each.source.who for each in step.verdicts} == {"grammar", "small-model"} and step.index < 20
    )
    page = visit(still=True)
    drag(page, "drop", ("fox.json", FOX))
    staged(page, "grammar")
    part(page, "scrub").focus()
    for at, step in ((0, trace.rounds[0]), (mixed.index, mixed)):
        scrub_to(page, at)
        while page.evaluate(PHASE) != "verify":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(PHASE) == "draft"
        for size in ((1920, 1080), (1280, 720), (390, 844)):
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
