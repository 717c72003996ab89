"""The page follows the browser's language, or lang= in its address, and leaves no English behind on any tab."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import gates
from tests.browser.hand import details, part
from tests.browser.names import BrowserContext, Page

Speak = Callable[..., "Page"]
LEFT = Path(__file__).with_name("english_left.js").read_text(encoding="utf-8")
WORDS = (
    "guess|guesses|guessed|accept|accepted|reject|rejected|target|rounds?|press|measured?|speed-up|settings|share|help"
    "|dark|models|run|waiting|recorded|length|close|copy|layers|draft model|tokens per"
)


def left(page: "Page") -> list[str]:
    """The English still on the page."""
    found: list[str] = page.evaluate(LEFT, WORDS)
    return found


@pytest.fixture
def speak(context: "BrowserContext", loose: "Page", address: str) -> Iterator[Speak]:
    """Opens the page in a browser of that language."""
    trouble: list[str] = []

    def open_page(locale: str, query: str = "") -> "Page":
        spoken = {"userAgent": loose.evaluate("navigator.userAgent"), "acceptLanguage": locale}
        context.new_cdp_session(loose).send("Emulation.setUserAgentOverride", spoken)
        for event, hear in gates(trouble).items():
            loose.on(event, hear)
        loose.goto(f"{address}{query}")
        loose.locator("[data-sv=stage][data-ready]").wait_for()
        return loose

    yield open_page
    assert trouble == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("locale", "run"), [("de-DE", "Starten"), ("zh-CN", "运行")])
def test_the_page_follows_the_browser_and_leaves_no_english_behind(speak: Speak, locale: str, run: str) -> None:
    page = speak(locale)
    assert page.locator("#sv-run").inner_text() == run
    page.locator("#sv-settings").click()
    details(page)
    found = left(page)
    page.locator("#sv-settings").click()
    for tab in part(page, "tabs").locator("button").all():
        tab.click()
        found += left(page)
    part(page, "tabs").locator("button").first.click()
    part(page, "scrub").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        found += left(page)
    assert found == []


def test_lang_in_the_address_overrides_the_browser_and_another_one_in_an_open_page_takes_effect_at_once(
    speak: Speak, address: str
) -> None:
    page = speak("fr-FR", "?lang=xx")
    for query, lang, run in (("", "en", "Run"), ("?lang=zh", "zh-Hans", "运行"), ("?#lang=de", "de", "Starten")):
        if query:
            page.goto(f"{address}{query}")
            page.locator("[data-sv=stage][data-ready]").wait_for()
        assert page.locator("html").get_attribute("lang") == lang
        assert page.locator("#sv-run").inner_text() == run
    page.evaluate("location.hash = 'lang=zh'")
    page.get_by_role("button", name="运行", exact=True).wait_for()
    page.locator("[data-sv=stage][data-ready]").wait_for()
