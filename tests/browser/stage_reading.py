"""The stage as a test reads it."""

import pytest

from tests.browser.hand import part
from tests.browser.names import Page

HERE = ("ribbon", "say", "lane", "balance")


def states(page: "Page") -> list[str]:
    found: list[str] = part(page, "token").evaluate_all("all => all.map((token) => token.dataset.state)")
    return found


def picture(page: "Page") -> str:
    """Every visible element of the stage with its attributes and text."""
    text: str = part(page, "stage").evaluate(
        """(stage, parts) => {
          const look = (node) => (node.hidden ? [] : [
            node.localName, [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
            node.childElementCount ? [...node.children].map(look) : node.textContent]);
          return JSON.stringify(parts.map((name) => look(stage.querySelector(`[data-sv=${name}]`))));
        }""",
        [*HERE],
    )
    return text


def seek(page: "Page", phase: str) -> None:
    """Goes to the first beat of a kind."""
    part(page, "scrub").focus()
    page.keyboard.press("Home")
    for _ in range(400):
        page.keyboard.press("ArrowRight")
        if part(page, "stage").get_attribute("data-phase") == phase:
            return
    pytest.fail(f"there is no {phase}")
