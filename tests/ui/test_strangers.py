"""Strangers who mean harm, or mean nothing: one of many names, junk, half a request, somebody else's address.

Each is held to leaving the others alone. Visitors have addresses of their own here as behind a proxy that is believed.
"""

import itertools
import json
import os
import socket
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import IO
from urllib.parse import urlsplit

import httpx
import junk
import pytest
from gradio_client import Client
from gradio_client.exceptions import ValidationError
from over_http import API, JSON, PATIENCE, address, ask, data, listening, names_where_it_may_be_shown, serving

from specviz.config import words
from specviz.ui import limits


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IO[str]]:
    with (tmp_path_factory.mktemp("log") / "errors").open("w+", encoding="utf-8") as file:
        yield file


@pytest.fixture(scope="module")
def server(log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """Which believes a proxy on this machine, and waits a second for a request."""
    with serving("0.02", "shared", "few", "hasty", log=log, FORWARDED_ALLOW_IPS="127.0.0.1") as process:
        yield process


@pytest.fixture(scope="module")
def here(server: subprocess.Popen[str]) -> str:
    return address(server)


@pytest.fixture
def web(here: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=here, timeout=PATIENCE) as client:
        yield client


def of(client: httpx.Client, who: str) -> httpx.Client:
    """The same server, asked from another address."""
    client.headers["X-Forwarded-For"] = who
    return client


def named(web: httpx.Client, trigger: str) -> int:
    """The number of the function an event of the stage asks."""
    functions = web.get("/config").json()["dependencies"]
    return next(int(each["id"]) for each in functions if each["targets"] and each["targets"][0][1] == trigger)


def said(refused: httpx.Response) -> str:
    return str(refused.json()["detail"][0]["message"])


def test_seventy_names_at_one_address_take_twenty_places_and_the_last_are_for_who_has_none(
    web: httpx.Client, here: str
) -> None:
    with ExitStack() as stack:
        hold = stack.enter_context(listening(of(web, "10.0.0.1"), ask(web, "holder", "endless")))
        next(hold)
        with ThreadPoolExecutor(16) as pool:  # at once: none may find the place free that another takes
            asked = [*pool.map(lambda name: ask(of(web, "10.0.0.1"), f"name {name}", seed=name), range(70))]
        codes = Counter(answer.status_code for answer in asked)
        assert codes == {200: limits.ADDRESS_WAITING, 422: 70 - limits.ADDRESS_WAITING}
        refused = next(answer for answer in asked if answer.status_code == 422)
        assert said(refused) == words.say("refusals.address_full", waiting=limits.ADDRESS_WAITING)
        taken = limits.ADDRESS_WAITING
        for other in ("10.0.0.2", "2001:db8::1"):
            many = [
                ask(of(web, other), f"{other} {name}", seed=name).status_code
                for name in range(limits.ADDRESS_WAITING + 5)
            ]
            taken += many.count(200)
            assert many.count(200) <= limits.ADDRESS_WAITING
        assert taken == limits.WAITING - limits.LAST, "the last places are not for those who wait already"
        assert ask(of(web, "2001:db8::2"), "a neighbour's").status_code == 422, "of one IPv6 net, which has billions"
        newcomers = [ask(of(web, f"10.0.1.{who}"), f"new {who}").status_code for who in range(limits.LAST + 5)]
        assert newcomers == [200] * limits.LAST + [422] * 5
        client = Client(here, verbose=False, analytics_enabled=False, headers={"X-Forwarded-For": "10.0.2.1"})
        with pytest.raises(ValidationError, match="runs are already waiting, the most allowed"):
            client.predict("by a client", "ngram", 4, 0.8, 0, 1, 8, 1, "rejection", 0.5, api_name="/run")
        client.close()
        question = {"data": [], "fn_index": named(web, "prove"), "event_data": {"run": "any", "ask": "x"}}
        answer = web.post(f"{API}/queue/join", json={**question, "session_hash": "asker"})
        assert (answer.status_code, "the most allowed" in answer.text) == (400, True)


def gone(line: socket.socket) -> bool:
    """Whether the other end has closed, after a tenth of a second."""
    try:
        return line.recv(1_000) == b""
    except TimeoutError:
        return False


@pytest.mark.parametrize("many", [1, pytest.param(3, marks=pytest.mark.long)])
def test_junk_is_refused_in_a_line_and_nothing_of_it_is_the_servers_fault(
    web: httpx.Client, log: IO[str], many: int
) -> None:
    """many: how often each function is asked, with junk of the run's own."""
    addresses = (f"10.1.{each >> 8}.{each & 255}" for each in itertools.count())
    before = log.seek(0, 2)
    answers: list[tuple[int, junk.Junk, str]] = []
    for sent in [
        *junk.gets(),
        *junk.posts(web.get("/config").json()["dependencies"], int(os.environ["SPECVIZ_SEED"]), many),
    ]:
        headers = {**(JSON if sent.body else {}), **sent.headers, "X-Forwarded-For": next(addresses)}
        with web.stream(sent.method, sent.path, content=sent.body or None, headers=headers) as answer:
            live = answer.status_code == 200 and "event-stream" in answer.headers.get("content-type", "")
            answers.append((answer.status_code, sent, "" if live else answer.read().decode(errors="replace")))
    assert len(answers) > 300
    assert [each for each in answers if each[0] >= 500] == []
    refused = [each for each in answers if each[0] >= 400]
    assert [each for each in refused if len(each[2].splitlines()) > 3] == []
    assert [each for each in refused if '"loc"' in each[2]] == [], "Gradio says it at length, and says all of it again"
    file = {"data": [], "fn_index": named(web, "prove"), "session_hash": "j", "event_data": {"run": "x", "path": "/x"}}
    assert web.post(f"{API}/queue/join", json=file).status_code == 400
    log.seek(before)
    assert log.read() == ""


def test_half_a_request_is_closed_after_a_while_and_a_whole_one_is_not(here: str) -> None:
    where = (urlsplit(here).hostname, urlsplit(here).port)
    body = json.dumps({"data": data(), "session_hash": "slow"})
    head = (
        f"POST {API}/call/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    )
    halves = ("", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n", head, f"{head}\r\n", f"{head}\r\n{body[:20]}")
    with ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(where, PATIENCE)) for _ in halves]
        begun = time.monotonic()
        for line, half in zip(lines, halves, strict=True):
            line.sendall(half.encode())
        for line, half in zip(lines, halves, strict=True):
            assert line.recv(1_000) == b"", half
        assert time.monotonic() - begun < PATIENCE / 2
    with socket.create_connection(where, PATIENCE) as line:  # a word a while does not hold it open either
        line.sendall(b"GET / HTTP/1.1\r\n")
        line.settimeout(0.1)
        words_sent = 0
        with suppress(OSError):
            while not gone(line) and words_sent < 100:
                line.sendall(f"X-{words_sent}: x\r\n".encode())
                words_sent += 1
        assert 1 < words_sent < 100


def test_a_connection_that_waits_for_an_answer_longer_than_for_a_request_stays(web: httpx.Client) -> None:
    with listening(of(web, "10.3.0.1"), ask(web, uuid.uuid4().hex, "slow", max_new_tokens=70)) as events:
        begun = time.monotonic()
        kinds = [kind for kind, _ in events]
    assert time.monotonic() - begun > 1.5, "longer than the server waits for a request"
    assert kinds[-1] == "complete"


def test_no_other_site_may_show_the_page(web: httpx.Client) -> None:
    names_where_it_may_be_shown(web, "'self'", 403)
