"""What the server lets a browser do with its page: show it in a frame, where wanted, and fetch from nowhere else."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.browser.conftest import gates
from tests.browser.hand import box
from tests.browser.names import Browser, Page
from tests.ui.over_http import names_where_it_may_be_shown


@contextmanager
def site(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """The address of another site."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def framed(browser: "Browser", address: str, trouble: list[str], how: str = "") -> "Iterator[Page]":
    """A page of another site that shows ours in a frame which grows with it. how: attributes of the frame."""
    shown = f'<iframe {how} src="{address}" style="width: 1200px; height: 2300px"></iframe>'.encode()

    def answer(to: BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "text/html")
        to.end_headers()
        to.wfile.write(shown if to.path == "/" else b"")

    with site(answer) as outer:
        page = browser.new_page(viewport={"width": 1280, "height": 2400}, reduced_motion="reduce")
        for event, hear in gates(trouble).items():
            page.on(event, hear)
        page.goto(outer)
        yield page
        page.close()


def test_behind_a_proxy_that_takes_a_path_off_a_run_plays(loose: "Page", address: str) -> None:
    """The server then knows neither the path nor the port that the page came from."""

    def passed_on(to: BaseHTTPRequestHandler) -> None:
        if not to.path.startswith("/tools/specviz/"):
            to.send_error(404)
            return
        inside = address + to.path.removeprefix("/tools/specviz/")
        body = to.rfile.read(int(to.headers["Content-Length"] or 0))
        headers = {name: value for name, value in to.headers.items() if name not in ("Host", "Connection")}
        with asking.stream(to.command, inside, content=body, headers=headers) as answer:
            to.send_response(answer.status_code)
            for name, value in answer.headers.items():
                if name not in ("transfer-encoding", "connection"):
                    to.send_header(name, value)
            to.end_headers()
            for part in answer.iter_raw():
                to.wfile.write(part)

    with httpx.Client(timeout=None) as asking, site(passed_on) as outer:
        loose.goto(f"{outer}tools/specviz/")
        loose.locator("[data-sv=stage][data-ready]").wait_for()
        loose.locator("#sv-prompt textarea").fill("behind a proxy")
        loose.get_by_role("button", name="Run", exact=True).click()
        loose.get_by_text("live run, finished").wait_for()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", ["", 'sandbox="allow-scripts"'])
def test_in_a_frame_of_another_site_the_stage_keeps_its_height_and_a_run_plays(
    browser: "Browser", address: str, how: str
) -> None:
    trouble: list[str] = []
    with framed(browser, address, trouble, how) as page:
        inside = page.frame_locator("iframe")
        stage = inside.locator("[data-sv=stage][data-ready]")
        stage.wait_for()
        assert 640 <= box(stage)["height"] <= 720
        inside.locator("#sv-prompt textarea").fill("in a frame")
        inside.get_by_role("button", name="Run", exact=True).click()
        inside.get_by_text("live run, finished").wait_for()
        inside.locator("[data-sv=details]").evaluate("(button) => button.click()")
        inside.locator("[data-sv=run-chart][role=img]").nth(1).wait_for()
    assert trouble == []


def test_where_embedding_is_wanted_any_site_may_show_it_and_ask_and_none_gets_credentials(address: str) -> None:
    with httpx.Client(base_url=address) as web:
        names_where_it_may_be_shown(web, "*", 422)


def test_a_script_a_picture_a_word_from_or_to_another_host_are_stopped(loose: "Page", address: str) -> None:
    loose.goto(address)
    svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"
    loose.evaluate("(src) => Object.assign(new Image(), { src }).decode()", svg)  # as Plotly saves a chart
    stopped = loose.evaluate("""() => new Promise((told) => {
      const heard = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        heard.push(event.effectiveDirective);
        if (heard.length === 3) told(heard.sort());
      });
      new Image().src = 'http://localhost:9/pixel';
      document.head.append(Object.assign(document.createElement('script'), { src: 'http://localhost:9/x.js' }));
      fetch('http://localhost:9/').catch(() => {});
    })""")
    assert stopped == ["connect-src", "img-src", "script-src-elem"]
