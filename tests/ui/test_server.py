"""A server of strangers over HTTP: what it refuses and how, and that nobody's fault holds up the next visitor.

The engine is made up. An `endless` run only ends when it is ended, so whoever comes after it proves that it was.
"""

import gzip
import json
import signal
import subprocess
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx
import pytest
from gradio_client import Client
from gradio_client.exceptions import ValidationError
from over_http import API, JSON, PATIENCE, ROOT, ask, data, listening, serving

from specviz.ui import limits, player
from specviz.ui.limits import PACKED, UNPACKED
from specviz.ui.runs import queue
from specviz.ui.server import addresses, routes
from specviz.ui.server.checks import CHECK

SCRIPTS = f"/{player.SCRIPTS}"
GZIP = {"content-type": "application/gzip"}
SOUND = (ROOT / "tests" / "golden" / "player-greedy.json").read_bytes()


@pytest.fixture(scope="module")
def server() -> Iterator[subprocess.Popen[str]]:
    """Which names no proxy."""
    with serving("0.02", "shared", "few", FORWARDED_ALLOW_IPS="") as process:
        yield process


@pytest.fixture(scope="module")
def address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline().strip().rstrip("/")


@pytest.fixture(scope="module")
def web(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


def run(web: httpx.Client, *values: Any, **changes: Any) -> list[Any]:
    """All messages of a run by somebody who was never here before."""
    with listening(web, ask(web, uuid.uuid4().hex, *values, **changes)) as events:
        sent = [content[0] for kind, content in events if kind in ("generating", "complete") and content]
    return [json.loads(delta["j"]) for delta in sent if delta and delta["n"] >= 0]


def test_a_shipped_run_comes_whole_without_a_session_and_is_what_the_player_would_be_told(web: httpx.Client) -> None:
    stage = next(each for each in web.get("/config").json()["components"] if each["props"].get("elem_id") == "sv-stage")
    assert stage["props"]["value"]["run"] in stage["props"]["props"]["offered"]["shipped"]
    for run in stage["props"]["props"]["offered"]["shipped"]:
        wanted = {"data": {"run": run, "start": 0, "stop": 9999}, "component_id": stage["id"], "fn_name": "messages"}
        told = web.post(f"{API}/component_server/", json={**wanted, "session_hash": "told"})
        assert web.get(f"{API}/recorded/{run}").json() == told.json() != []
        assert told.headers["content-encoding"] == "gzip"
    assert web.get(f"{API}/recorded/other").status_code == 404


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_rounds_come_one_by_one_while_a_run_goes_on_and_compressed_for_whoever_can_read_that(
    web: httpx.Client, accepted: str
) -> None:
    asked = ask(web, f"read {accepted}", "endless")
    with web.stream("GET", f"{API}/call/run/{asked.json()['event_id']}", headers={"accept-encoding": accepted}) as told:
        assert told.headers.get("content-encoding", "identity") == accepted
        rounds = (line for line in told.iter_lines() if "verdicts" in line)
        assert len({next(rounds) for _ in range(3)}) == 3


def decided(messages: list[Any]) -> list[Any]:
    """The rounds, but for their times."""
    return [message["round"] | {"timing": None} for message in messages if "round" in message]


def test_only_what_the_page_uses_is_there(web: httpx.Client) -> None:
    for path in ("/", "/config", "/theme.css", f"{API}/info", f"{SCRIPTS}main.js"):
        there = web.get(path)
        assert there.status_code == 200, path
        assert there.headers["x-content-type-options"] == "nosniff"
        assert there.headers["referrer-policy"] == "same-origin"
    for path in (
        "/monitoring", "/monitoring/summary", "/docs", f"{API}/runs", f"{API}/deep_link?session_hash=x",
        f"{API}/file=https://example.com/", f"{API}/file=/etc/passwd", f"{API}/file={ROOT}/app.py",
        f"{SCRIPTS}../pair.css",
        f"{SCRIPTS}%2e%2e/pair.css", f"{API}/proxy=https://x.hf.space/", f"{API}/upload_progress?upload_id=x",
    ):  # fmt: skip
        assert web.get(path).status_code == 404, path
    for path in ("upload", "run/run", "run/ask", "api/run", "process_recording", "stream/x", "vibe-edit", "queue/data"):
        assert web.post(f"{API}/{path}", json={"data": []}).status_code == 404, path
    for method in ("PUT", "DELETE", "PATCH"):
        assert web.request(method, f"{API}/queue/join").status_code in (404, 405), method
    functions = {each["api_name"]: each for each in web.get("/config").json()["dependencies"]}
    direct = {"data": data(), "fn_index": functions["run"]["id"], "session_hash": "x"}
    assert web.post(f"{API}/run/predict", json=direct).status_code == 404, "nobody goes past the queue"


def test_the_page_of_another_site_may_not_ask(web: httpx.Client, address: str) -> None:
    for headers, welcome in [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"origin": address}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": address}, False),
        ({"origin": "https://example.com"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://[::1"}, False),
    ]:
        answer = web.post(f"{API}/cancel", json={}, headers=headers)
        assert answer.status_code == (422 if welcome else 403), headers


def test_a_body_is_small_json(web: httpx.Client) -> None:
    large = b'{"data": ["' + b"x" * routes.BODY + b'"]}'
    bodies: list[Any] = [large, iter([large[:50_000], large[50_000:]])]
    for body in bodies:
        assert web.post(f"{API}/call/run", content=body, headers=JSON).status_code == 413
    for kind in ("text/plain", "multipart/form-data; boundary=x", ""):
        assert web.post(f"{API}/component_server", content=b"{}", headers={"content-type": kind}).status_code == 415
    for body in (b"", b"{", b"[" * 50_000, b"[]", b'{"session_hash": 5}', b'{"session_hash": "' + b"x" * 65 + b'"}'):
        assert web.post(f"{API}/queue/join", content=body, headers=JSON).status_code == 400, body[:20]
    for wanted in ("postprocess", "__init__", "as_example", None, 5):
        asked = {"component_id": 1, "fn_name": wanted, "session_hash": "x", "data": {}}
        assert web.post(f"{API}/component_server", json=asked).status_code == 404


def broken() -> bytes:
    trace = json.loads(SOUND)
    trace["rounds"][0]["verdicts"][0]["p"] *= 0.5
    return json.dumps(trace).encode()


def test_a_file_is_found_consistent_or_its_contradictions_are_told_and_nothing_else_is_taken(web: httpx.Client) -> None:
    assert web.post(CHECK, content=gzip.compress(SOUND), headers=GZIP).json() == {"count": 0, "first": []}
    found = web.post(CHECK, content=gzip.compress(broken()), headers=GZIP).json()
    assert found["count"] >= 1
    assert found["first"][0].startswith("round 0, node 0: ")
    for content in (b"", b"x", SOUND, gzip.compress(SOUND)[:-9], gzip.compress(b" " * (UNPACKED + 1))):
        refused = web.post(CHECK, content=content, headers=GZIP)
        assert (refused.status_code, refused.json()) == (422, {"detail": "it cannot be checked here"})
    assert web.post(CHECK, content=b"x" * (PACKED + 1), headers=GZIP).status_code == 413
    assert web.post(CHECK, content=iter([b"x" * PACKED, b"x"]), headers=GZIP).status_code == 413
    assert web.post(CHECK, json={}).status_code == 415, "another site could send that without being asked"
    assert web.post(CHECK, content=b"", headers={**GZIP, "sec-fetch-site": "cross-site"}).status_code == 403
    assert web.get(CHECK).status_code == 404
    assert web.post(f"{API}/check/x", content=b"", headers=GZIP).status_code == 404


def test_a_bad_choice_is_refused_before_it_waits_with_value_and_bound(web: httpx.Client) -> None:
    for changes, said in [
        ({"gamma": 21}, "gamma is 21; wanted a whole number from 0 to 20"),
        ({"gamma": 3.7}, "gamma is 3.7; wanted a whole number"),
        ({"gamma": True}, "gamma is True; wanted a whole number"),
        ({"top_k": 51}, "top_k is 51; wanted a whole number from 0 to 50"),
        ({"max_new_tokens": 129}, "max_new_tokens is 129; wanted a whole number from 1 to 128"),
        ({"prompt": "x" * 2_001}, "the prompt has 2,001 characters; at most 2,000 are allowed"),
        ({"prompt": "\ud800"}, "lone surrogate"),
        (
            {"earlier": '["hi"]'},
            "earlier is ('hi',); wanted an even number of texts, person and model in turns, at most 64",
        ),
        ({"earlier": '["hi", 5]'}, "earlier is ('hi', 5); wanted an even number of texts"),
        ({"earlier": '{"hi": "you"}'}, 'earlier is \'{"hi": "you"}\'; wanted an even number of texts'),
        ({"earlier": "[" * 9_000}, "wanted an even number of texts"),
        ({"earlier": json.dumps(["x" * 1_001] * 2)}, "earlier has 2,002 characters; at most 2,000 are allowed"),
        ({"grammar": "x" * 2_001}, "grammar has 2,001 characters; at most 2,000 are allowed"),
        ({"stop_strings": "a\n" * 17}, "wanted at most 16 texts"),
        ({"stop_strings": "x" * 201}, "stop_strings has 201 characters; at most 200 are allowed"),
        ({"seed": -1}, "seed is -1; wanted a whole number from 0 to"),
        ({"temperature": float("nan")}, "temperature is nan; wanted 0, or a number from 0.05 to 2"),
    ]:
        refused = ask(web, "bad", **changes)
        assert refused.status_code == 422
        assert said in refused.json()["detail"][0]["message"]


def test_a_python_client_runs_and_is_told_what_is_wrong(address: str) -> None:
    client = Client(address, verbose=False, analytics_enabled=False)
    sent = list(client.submit("by a client", "ngram", 4, 0.8, 0, 1, 8, 1, "rejection", 0.5, api_name="/run"))
    assert json.loads(sent[-1]["j"])["end"]["stop"] == "length"
    chosen = {"drafter": "bigram", "bigram_k": 2, "gamma_rule": "ema", "ema_alpha": 0.25, "max_new_tokens": 8}
    deltas = [json.loads(delta["j"]) for delta in client.submit("by name", **chosen, api_name="/run")]
    (config,) = (delta["head"]["info"]["config"] for delta in deltas if "head" in delta)
    assert (config["params"], config["gamma_params"]["alpha"]) == ({"k": 2}, 0.25)
    with pytest.raises(ValidationError, match="gamma is 99; wanted a whole number from 0 to 20"):
        client.predict("by a client", "ngram", 99, api_name="/run")


def test_a_run_made_before_is_told_at_once_though_the_models_are_busy_and_says_so(web: httpx.Client) -> None:
    first = run(web, "made before")
    with listening(web, ask(web, "busy", "endless")) as events:
        next(events)
        again = run(web, "made before")
        waits = ask(web, "other", "made before", seed=1)
        assert next(events)[0] == "generating", "it ran all the while"
        web.post(f"{API}/cancel", json={"session_hash": "other", "fn_index": 0, **waits.json()})
    assert (first[0]["live"], first[0]["repeats"], again[0]["repeats"]) == (True, False, True)
    assert first[1:] == again[1:]


def test_where_no_proxy_is_named_nobody_chooses_an_address(web: httpx.Client) -> None:
    assert decided(run(web, "behind all that wait"))
    with listening(web, ask(web, "holder", "endless")) as events:
        next(events)
        asked = []
        for name in range(limits.ADDRESS_WAITING + 5):
            web.headers["X-Forwarded-For"] = f"10.0.0.{name}"
            asked.append(ask(web, f"name {name}"))
        del web.headers["X-Forwarded-For"]
        assert [each.status_code for each in asked] == [200] * limits.ADDRESS_WAITING + [422] * 5
        for name, each in enumerate(asked[: limits.ADDRESS_WAITING]):
            web.post(f"{API}/cancel", json={"session_hash": f"name {name}", "fn_index": 0, **each.json()})


def test_a_session_has_one_run_under_way_and_one_that_waits(web: httpx.Client) -> None:
    with listening(web, ask(web, "eager", "endless")) as events:
        next(events)
        codes = [ask(web, "eager", "more", seed=seed).status_code for seed in range(50)]
        assert codes == [200] + [422] * 49
        assert "you already have a run waiting" in ask(web, "eager", "more").json()["detail"][0]["message"]
        assert ask(web, "patient", "theirs").status_code == 200, "nobody else is held up"
    assert decided(run(web, "somebody else"))


def test_the_next_run_of_a_session_stands_behind_those_of_others(web: httpx.Client) -> None:
    ended: list[str] = []

    def follow(session: str, asked: httpx.Response) -> None:
        with listening(web, asked) as events:  # all of the session's
            ended.extend(session for kind, _ in events if kind == "complete")

    first = ask(web, "greedy", "fair", max_new_tokens=80)  # long enough for the others to be asked meanwhile
    second, theirs = (ask(web, who, "fair") for who in ("greedy", "modest"))
    assert second.status_code == 200, "one waits already only where one is under way"
    with ThreadPoolExecutor() as pool:
        pool.submit(follow, "greedy", first)
        pool.submit(follow, "modest", theirs)
    assert ended == ["greedy", "modest", "greedy"]


def test_a_session_has_a_few_questions_waiting(web: httpx.Client) -> None:
    dependencies = web.get("/config").json()["dependencies"]
    (asks,) = (each["id"] for each in dependencies if each["targets"] and each["targets"][0][1] == "prove")
    question = {"data": [], "fn_index": asks, "session_hash": "curious", "event_data": {"run": "any"}}
    with listening(web, ask(web, "busy", "endless")) as events:
        next(events)
        codes = [web.post(f"{API}/queue/join", json=question).status_code for _ in range(20)]
    assert codes == [200] * queue.QUESTIONS + [400] * (20 - queue.QUESTIONS)


def test_whoever_leaves_inside_a_step_gives_the_models_back(web: httpx.Client) -> None:
    for rounds in range(4):
        with listening(web, ask(web, f"leaver {rounds}", "endless", seed=rounds)) as events:
            for _ in range(rounds + 1):
                next(events)
    assert decided(run(web, "after the leavers"))


def test_who_asks_and_never_listens_or_listens_and_never_reads_holds_nobody_up(web: httpx.Client) -> None:
    ask(web, "deaf", "never heard", max_new_tokens=60)
    stalled = ask(web, "stalled", "never read", max_new_tokens=60)
    with web.stream("GET", f"{API}/call/run/{stalled.json()['event_id']}"):
        assert decided(run(web, "after the deaf"))


def test_a_run_that_breaks_breaks_alone(web: httpx.Client) -> None:
    solo = decided(run(web, "a neighbour", seed=4, max_new_tokens=40))
    beside: list[Any] = []
    neighbour = threading.Thread(target=lambda: beside.extend(run(web, "a neighbour ", seed=4, max_new_tokens=40)))
    neighbour.start()
    for seed in range(5):
        with listening(web, ask(web, f"broken {seed}", "break", seed=seed)) as events:
            assert [kind for kind, _ in events][-1] == "error"
    neighbour.join(PATIENCE)
    assert decided(beside) == solo


def test_so_many_starts_a_minute_then_a_little_patience() -> None:
    now = 0.0
    allowance = addresses.Allowance(60, lambda: now)
    assert [allowance.wait("class") for _ in range(60)] == [0.0] * 60
    assert allowance.wait("class") == 1.0
    assert allowance.wait("home") == 0.0
    now = 2.0
    assert [allowance.wait("class") for _ in range(3)] == [0.0, 0.0, 1.0]
    for other in range(addresses.ADDRESSES + 1):
        allowance.wait(str(other))
    assert allowance.wait("class") == 0.0, "only so many addresses are remembered"


def test_a_server_that_is_told_to_stop_in_a_run_goes_and_cuts_nobodys_round_in_two(
    web: httpx.Client, server: subprocess.Popen[str]
) -> None:
    """The last test here: there is no server after it."""
    with listening(web, ask(web, "last", "endless")) as events:
        heard = [next(events) for _ in range(3)]
        server.send_signal(signal.SIGTERM)
        with suppress(httpx.TransportError):
            heard += events
    rounds = [json.loads(content[0]["j"]) for kind, content in heard if kind == "generating" and content[0]["n"] > 0]
    assert [step["round"]["index"] for step in rounds] == [*range(len(rounds))]
    assert server.wait(PATIENCE) == -signal.SIGTERM
