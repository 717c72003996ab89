"""The page follows the browser's language, or lang= in its address, and leaves no English behind on any tab."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from conftest import DESK, PATIENCE, gates
from hand import part

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Speak = Callable[..., "Page"]
# What is shown, or read out, but for the text of tokens, which stands in quotes or in parts of its own.
LEFT = """() => {
  const said = /\\b(?:guess|guesses|guessed|accepted|rejected|accept|reject|draft model|target|rounds?|press|measured?|tokens per|speed-up|settings|share|help|dark|models|run|step|time|with|after|from|wait\\w*|recorded|length|seed of|all|none|show|close|copy)\\b/gi;
  const own = '[data-sv=tape], [data-sv=slot], [data-sv=bars], [data-sv=ruler], [data-sv=token], [data-sv=code], [data-sv=no-charts], textarea, code, [data-chart] svg';
  const found = [];
  const look = (node, text) => {
    const bare = text.replace(/„[^“]*“|“[^”]*”/g, '').replace(/(?:Seed|small|prompt|early|entropy) ?\\w*/g, '');
    for (const word of bare.match(said) ?? []) found.push(`${word} in: ${text.trim()}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.closest(own) || !node.checkVisibility() || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(node.tagName)) continue;
    for (const child of node.childNodes) if (child.nodeType === 3 && !node.closest('svg')) look(node, child.data);
    for (const name of ['aria-label', 'title', 'placeholder']) if (node.hasAttribute(name)) look(node, node.getAttribute(name));
  }
  return [...new Set(found)];
}"""


@pytest.fixture
def speak(browser: "Browser", address: str) -> Iterator[Speak]:
    """Opens the page in a browser of that language, at once fresh and done with."""
    trouble: list[str] = []

    def open_page(locale: str, query: str = "") -> "Page":
        page = browser.new_context(locale=locale, viewport=DESK, reduced_motion="reduce").new_page()
        page.set_default_timeout(PATIENCE)
        for event, hear in gates(trouble).items():
            page.on(event, hear)
        page.goto(f"{address}{query}")
        page.locator("[data-sv=stage][data-ready]").wait_for()
        return page

    yield open_page
    assert trouble == []


@pytest.mark.parametrize(("locale", "run"), [("de-DE", "Starten"), ("zh-CN", "运行")])
def test_the_page_follows_the_browser_and_leaves_no_english_behind(speak: Speak, locale: str, run: str) -> None:
    page = speak(locale)
    assert page.locator("#sv-run").inner_text() == run
    page.locator("#sv-settings").click()
    part(page, "dock-toggles").locator("button").first.click()
    left = page.evaluate(LEFT)
    page.locator("#sv-settings").click()
    for tab in part(page, "tabs").locator("button").all():
        tab.click()
        left += page.evaluate(LEFT)
    part(page, "tabs").locator("button").first.click()
    part(page, "scrub").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        left += page.evaluate(LEFT)
    assert left == []
    page.context.close()


def test_lang_in_the_address_overrides_the_browser(speak: Speak) -> None:
    for locale, query, lang, run in (
        ("de-DE", "?lang=zh", "zh-Hans", "运行"),
        ("zh-CN", "#lang=de", "de", "Starten"),
        ("de-AT", "#lang=en", "en", "Run"),
        ("fr-FR", "?lang=xx", "en", "Run"),
    ):
        page = speak(locale, query)
        assert page.locator("html").get_attribute("lang") == lang
        assert page.locator("#sv-run").inner_text() == run
        page.context.close()
