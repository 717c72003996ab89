"""A server that dies under a page: it is said, nothing on stage is lost, and Run is back when the server is."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import PATIENCE
from tests.browser.hand import part, pill, press, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__)


def free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def server(port: int) -> Iterator[str]:
    """serve.py on a port of its own, killed at the end as a machine's power would."""
    root = HERE.parents[2]
    paths = os.pathsep.join([str(root), str(root / "tests" / "ui")])
    environment = {**os.environ, "PYTHONPATH": paths, "GRADIO_SERVER_PORT": str(port)}
    command = [sys.executable, str(HERE.with_name("serve.py")), "0.2", "few"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def test_a_server_that_dies_is_told_of_and_run_comes_back_with_it(browser: "Browser") -> None:
    port = free()
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE)
    with server(port) as address:
        page.goto(address)
        page.locator("[data-sv=stage][data-ready]").wait_for()
        settings(page, Length=400, Seed=9)
        press(page, "Run")
        pill(page).get_by_text(re.compile("^Live")).wait_for()
        page.wait_for_function("Number(document.querySelector('[data-sv=stage]').dataset.steps) > 20")
    alert = page.get_by_role("alert")
    alert.get_by_text(re.compile(r"The server does not answer\. What you see is complete up to round \d+\.")).wait_for()
    assert page.locator("#sv-run").is_disabled()
    assert page.locator(".toast-body:visible").count() == 0
    assert int(part(page, "stage").get_attribute("data-steps") or 0) > 20, "what was on stage stays"
    page.locator("#sv-prompt textarea").fill("still here")
    with server(port):
        page.wait_for_event("load")  # Gradio's own doing
        page.locator("[data-sv=stage][data-ready]").wait_for()
        page.wait_for_function("document.querySelector('#sv-prompt textarea').value === 'still here'")
        assert not alert.is_visible()
        assert page.locator("#sv-run").is_enabled()
        settings(page, Length=8, Seed=10)
        press(page, "Run")
        pill(page).get_by_text("Live run, finished").wait_for()
    page.close()
