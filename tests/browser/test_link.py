"""A link to a run and a place in it, in a real browser: it brings back what it was made of, and nothing else."""

import re
from urllib.parse import quote

from tests.browser.hand import part, pill, press, staged
from tests.browser.names import Open, Page

EVIL = "<img src=x onerror=\"window.__x='ran'\"><script>window.__x='ran'</script>${window.__x='ran'}"
# What of the page a link is to bring back.
STATE = """() => {
  const { round, phase, step, tab } = document.querySelector('[data-sv=stage]').dataset;
  const chosen = document.querySelector('[data-sv=node][aria-selected=true]')?.dataset.node;
  const open = document.querySelector('[data-sv=details]').getAttribute('aria-expanded');
  return [round, phase, step, tab, chosen, open, document.querySelector('[data-sv=who] [data-sv=pill]').title];
}"""


def copied(page: "Page") -> str:
    """The address that Copy link gives; a page without a clipboard, as over plain HTTP, shows it in a field."""
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    press(page, "Share")
    page.get_by_role("menuitem", name="Copy link").click()
    field = part(page, "share").get_by_label("Copy this")
    field.wait_for()
    address = field.input_value()
    page.keyboard.press("Escape")
    return address


def opened(visit: Open, address: str) -> "Page":
    return visit("#" + address.partition("#")[2])


def said(page: "Page") -> str:
    part(page, "refusal").wait_for()
    return re.sub("[\u2068\u2069]", "", part(page, "refusal").inner_text())


def test_a_link_brings_back_a_recorded_run_with_the_place_in_it_at_once(visit: Open) -> None:
    page = visit("#v=1&run=tale-small-model&at=3.verify&node=2&view=details")
    staged(page, "seed 1\\b")
    page.wait_for_function("document.querySelector('[data-sv=stage]').dataset.phase === 'verify'")
    state = page.evaluate(STATE)
    assert state[:2] == ["2", "verify"]
    assert state[4:6] == ["2", "true"]
    address = copied(page)
    assert "run=tale-small-model" in address
    again = opened(visit, address)
    again.wait_for_function(f"({STATE})().join() === {','.join(state)!r}")
    again.evaluate("location.hash = '#v=1&run=tale-small-model&at=1.draft.1&node=99'")
    again.locator("[data-sv=stage][data-round='0'][data-phase=draft]").wait_for()
    assert part(again, "dock").is_hidden(), "another link to the same run shows its own place alone"
    assert "does not contain the place" in said(again), "it has no such guess"


def test_a_hostile_link_runs_nothing_shows_no_markup_and_says_what_it_mended(visit: Open) -> None:
    evil = quote(EVIL)
    parts = [f"{name}={evil}" for name in ("v", "p", "d", "tab", "run", "at", "x", "z", "m", f"dp.{evil}")]
    page = visit(f"#{'&'.join(parts)}&g=99&T=-7&n=3&s=1e99&{evil}")
    told = said(page)
    assert "another version of this page" in told
    assert page.locator("#sv-prompt textarea").input_value() == EVIL
    assert page.locator("#sv-gamma input").input_value() == "20"
    assert page.evaluate("window.__x") is None
    assert page.locator("img[src=x]").count() == 0
    assert pill(page).inner_text() == "Recorded example", (
        "a pair that is not here is not fetched, and nothing is run instead"
    )


def test_a_framed_link_shows_the_round_alone(visit: Open) -> None:
    page = visit("#v=1&run=code-ngram&embed=1")
    staged(page, "^n-gram")
    assert not page.locator("#sv-top").is_visible()
    assert not part(page, "tabs").is_visible()
    assert part(page, "lane").is_visible()
