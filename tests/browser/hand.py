"""What a hand does on the page or a program over its API, and what any part must bear: an axe, a finger."""

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.names import Locator, Page

ROOT = Path(__file__).parents[2]
AXE = Path(__file__).with_name("axe.min.js")


@contextmanager
def app() -> Iterator[str]:
    """The address of the real app, as it prints it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        command = [sys.executable, "app.py", "--port", str(free.getsockname()[1])]
    around = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=around) as server:
        assert server.stdout is not None
        yield next(found[0] for line in server.stdout if (found := re.findall(r"http://[\d.:]+", line)))
        server.terminate()


def part(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-sv={name}]")


def pill(page: "Page") -> "Locator":
    """What the run on stage is, in a few words; its title tells its settings. Labs have pills of their own."""
    return page.locator("[data-sv=who] [data-sv=pill]")


def press(page: "Page", name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def more(page: "Page") -> None:
    """On a phone the bar shows prompt and Run; this has it show the rest too."""
    button = page.get_by_role("button", name="More", exact=True)
    if button.is_visible() and button.get_attribute("aria-expanded") != "true":
        button.click()


def settings(page: "Page", **values: object) -> None:
    """Opens the drawer, fills fields in by their labels, and puts it away."""
    more(page)
    press(page, "Settings")
    for label, value in values.items():
        page.locator("#sv-drawer").get_by_role("spinbutton", name=label).fill(str(value))
    press(page, "Settings")


def details(page: "Page") -> None:
    """Opens the pane Details, or closes it."""
    part(page, "details").evaluate("(button) => button.click()")


def dark(page: "Page") -> None:
    """Turns the page dark, or light again, in the drawer."""
    more(page)
    press(page, "Settings")
    page.get_by_label("Dark", exact=True).click()
    press(page, "Settings")


def run(page: "Page", **values: object) -> None:
    if values:
        settings(page, **values)
    press(page, "Run")


def finish(page: "Page", seed: int, **values: object) -> None:
    """A run of a seed that no run on the page had, so that it cannot be taken for one before."""
    run(page, Seed=seed, **values)
    staged(page, rf"seed {seed}\b")
    pill(page).get_by_text("Live run, finished").wait_for()


def staged(page: "Page", pattern: str) -> None:
    """Waits until the settings of the run on stage, as its pill tells them, hold a pattern."""
    page.wait_for_function(
        "(told) => new RegExp(told).test(document.querySelector('[data-sv=who] [data-sv=pill]').title)", arg=pattern
    )


def pick(page: "Page", name: str) -> None:
    """Follows a link to a recording, and waits until it is on stage."""
    told = "document.querySelector('[data-sv=who] [data-sv=pill]').title"
    before = page.evaluate(told)
    page.evaluate("(name) => { location.hash = `v=1&run=${name}`; }", name)
    page.wait_for_function(f"(before) => {told} !== before", arg=before)


def scrub(page: "Page", to: float, name: str = "scrub") -> float:
    """Moves a scrubber to a share of its length, and says where that is."""
    at: float = part(page, name).evaluate(
        """(scrub, share) => {
          scrub.value = scrub.max * share;
          scrub.dispatchEvent(new Event('input'));
          return Number(scrub.value);
        }""",
        to,
    )
    return at


def width(page: "Page") -> int:
    """Of the whole document: more than the screen's is a page that scrolls sideways."""
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    return wide


def box(of: "Locator") -> dict[str, float]:
    """Where it is on the screen, also its right and its bottom."""
    found = of.bounding_box()
    assert found is not None
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def small(page: "Page", inside: str) -> list[str]:
    """What a finger would miss."""
    found: list[str] = page.evaluate(
        """(inside) => [...document.querySelectorAll(inside)]
          .filter((node) => node.checkVisibility() && node.type !== 'radio' && !node.closest('.sv-chart'))
          .map((node) => [node.getBoundingClientRect(), node])
          .filter(([{ width, height }]) => Math.min(width, height) < 44)
          .map(([{ width, height }, node]) => `${node.outerHTML.slice(0, 80)}: ${width} by ${height}`)""",
        inside,
    )
    return found


def serious(page: "Page", *inside: str) -> list[str]:
    """What axe finds there that is serious or worse."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(
        """async (include) => (await axe.run({ include, exclude: ['.js-plotly-plot'] },
          { resultTypes: ['violations'], preload: false })).violations
          .filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).slice(0, 4).join(' | ')}`)""",
        list(inside),
    )
    return found


def called(address: str, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """What a run asked for over the API answers, delta by delta."""
    asked = urllib.request.Request(
        f"{address}gradio_api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        event = json.load(answer)["event_id"]
    with urllib.request.urlopen(f"{address}gradio_api/call/run/{event}") as stream:
        lines = stream.read().decode().splitlines()
    return [json.loads(line.removeprefix("data: "))[0] for line in lines if line.startswith("data: [")]


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
        ["ribbon", "say", "lane", "balance"],
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


def tab_to(page: "Page", wanted: str) -> None:
    """Tabs until the focus is on what a selector means."""
    for _ in range(60):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {wanted}")
