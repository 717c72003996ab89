"""One walk through all of the page: with an axe at a desk in the light, by finger in the dark on a phone."""

from functools import partial

import pytest

from tests.browser.hand import details, finish, part, pick, press, scrub, serious, small, width
from tests.browser.names import Open, Page
from tests.browser.test_pair_choice import offer

STAGE = "[data-sv=stage]"
PAIR = "#sv-pairs"
TOUCHED = ":is(button, summary, input, select, textarea, [role=radiogroup] label)"
FOLDS = {"slots": "slots", "sweep": "sweep", "passes": "passes"}
"""The bars under Race with their charts."""
EVERY = {"rest", "draft", "verify", "dart", "verdict", "residual", "replace", "bonus", "join", "trim"}


def fits(page: "Page", phone: bool, axe: bool, *inside: str) -> None:
    """Nothing serious; on a phone nothing to scroll sideways, and nothing that a finger would miss."""
    assert not axe or serious(page, *inside) == []
    if phone:
        assert width(page) == 390
        assert [each for where in inside for each in small(page, f"{where} {TOUCHED}")] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("theme", "phone", "beats"),
    [
        ("light", False, {"dart"}),
        ("dark", True, set()),
        pytest.param("light", False, EVERY, marks=pytest.mark.long),
        pytest.param("dark", True, EVERY, marks=pytest.mark.long),
    ],
    ids=["desk", "phone", "desk, every beat", "phone, with an axe"],
)
def test_axe_finds_nothing_serious(visit: Open, theme: str, phone: bool, beats: set[str]) -> None:
    """beats: those of a round that meet the axe, without any there is none at all but for the round on a phone; all of
    them: and so does what is much like a screen before."""
    page = visit(f"?__theme={theme}", phone=phone)
    fine, again = (partial(fits, page, phone, axe) for axe in (bool(beats), beats is EVERY))
    details(page)
    page.locator("[data-sv=run-chart][role=img]").nth(1).wait_for()
    assert serious(page, "html") == []
    details(page)
    seen = set()
    for _ in range(14):  # a round and more
        part(page, "scrub").press("ArrowRight")
        phase = page.get_attribute(STAGE, "data-phase") or ""
        assert phase in seen or phase not in beats or serious(page, STAGE) == []
        seen.add(phase)
    assert len(seen) > 5, "every kind of beat"
    page.locator("[data-sv=node]").first.click()
    assert not beats or serious(page, "html") == []
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Methods").click()
    page.locator("[data-chart=methods] .main-svg").first.wait_for()
    fine(STAGE)
    page.get_by_role("tab", name="Is it exact?").click()
    for bug, verdict, look in (("accept-always", "different", fine), ("", "same", again)):
        page.get_by_label("Sabotage").select_option(bug)
        page.locator(f"[data-sv=finding][data-verdict={verdict}]:visible").wait_for()
        look(STAGE)
    pick(page, "tale-bigram")
    page.get_by_role("tab", name="Race").click()
    again(STAGE)
    for fold, chart in FOLDS.items():
        page.locator(f"[data-fold={fold}] summary").click()
        page.locator(f"[data-chart={chart}] .main-svg").first.wait_for()
    page.locator("[data-fold=fall] summary").click()
    fine(STAGE)
    scrub(page, 0.4, "race-scrub")
    again(STAGE)
    finish(page, seed=5, Length=12)
    page.get_by_role("tab", name="Race").click()
    page.locator("[data-sv=race][data-state=none]").wait_for()
    again(STAGE)
    part(page, "race-start").click()
    page.locator("[data-sv=race][data-state=refused]").wait_for()
    fine(STAGE)

    if phone:
        press(page, "More")
    press(page, "Settings")
    part(page, "pair-choice").locator("summary").click()
    again(PAIR, "#sv-chat")
    offer(page, "endless").click()
    page.get_by_role("progressbar").wait_for()
    fine(PAIR, "#sv-chat")
    part(page, "pair-cancel").click()
    part(page, "pair-choice").locator("summary").click()
    offer(page, "broken").click()
    page.get_by_role("alert").wait_for()
    fine(PAIR, "#sv-chat")
