"""Requests nobody in their right mind sends: every function, by number and by name, with bodies that make no sense."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

API = "/gradio_api"
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 3, 10**30, -(2**63), 1e308, float("nan"), float("inf"), "", "x", "\ud800", "\x00", "NaN",
    "w" * 3000, "-1", "__class__", [], [[]], ["ngram"], {}, {"__type__": "update"}, {"value": 1},
    {"path": "/etc/passwd"},
    {"run": "tale-small-model"}, {"run": 5, "dark": []}, {"run": "\ud800", "ask": "\udfff", "dark": True},
    {"run": "made-small-model", "round": 10**30, "slot": -1, "find": "\ud800", "dark": None},
    {"run": "made-small-model", "ask": "x", "job": "sweep", "over": [{"gamma": float("nan")}, {"params": 5}]},
    {"run": "made-small-model", "ask": "x", "position": float("inf"), "law": [], "n": -1, "seed": "x", "bug": {}},
    {"name": "\ud800", "ask": ""}, {"run": "x" * 500, "ask": "x" * 500},
)  # fmt: skip
PATHS = (
    "/?deep_link=x", "/?__theme=%00", "/?view=api", "/?%ff=%fe", "/config?x=%00", "/static/%00", "/static/",
    "/assets/..", "/assets/%2e%2e%2fapp.py", "/svelte/%00", "/svelte/",
    f"/static/{'a' * 300}", f"/assets/{'%F0%9F%98%80' * 70}", "/pwa_icon/99999999999999999999",
    "/pwa_icon/x", "/pwa_icon", "/manifest.json", "/robots.txt", "/favicon.ico",
    f"{API}/info?all_endpoints=junk", f"{API}/info?page=%00", f"{API}/queue/data",
    f"{API}/queue/data?session_hash=nobody", f"{API}/queue/data?session_hash=%00",
    f"{API}/queue/data?session_hash=%ed%a0%80", f"{API}/call/run/nothing", f"{API}/call/nothing/nothing",
    f"{API}/call/v2/run/nothing", f"{API}/call/", f"{API}/call/run/%00", f"{API}/queue/status", f"{API}/recorded/%00",
    f"{API}/recorded/..", f"{API}/startup-events", f"{API}/app_id", f"{API}/player/x/main.js", "/theme.css?v=%00",
)  # fmt: skip
HEADERS = (
    ("origin", "http://[::1"), ("origin", "http://a:99999999"), ("origin", "://"), ("host", "["), ("host", "a:b"),
    ("content-type", "application/json; charset=utf-16"), ("content-encoding", "gzip"), ("accept-encoding", "br;q=x"),
    ("accept-language", "*;q=9"), ("range", "bytes=9-1"), ("if-none-match", "*"), ("x-forwarded-proto", "javascript"),
    ("x-forwarded-host", "a b"), ("cookie", "a=\x7f"), ("authorization", "x"), ("sec-fetch-site", "x"),
)  # fmt: skip
METHODS = ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "JUNK")


class Junk(NamedTuple):
    """One request."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}


def gets() -> Iterator[Junk]:
    """What the server is asked for without a body."""
    yield from (Junk("GET", path) for path in PATHS)
    yield from (Junk(method, path) for method in METHODS for path in ("/", "/config", f"{API}/queue/join"))
    yield from (Junk("GET", path, b"", {name: value}) for name, value in HEADERS for path in ("/", "/config"))


def posts(dependencies: Sequence[Mapping[str, Any]], seed: int, times: int) -> Iterator[Junk]:
    """Every function `times` with junk drawn anew, by each way to call one, then what has nothing to do with one."""
    draw = random.Random(seed)
    for _ in range(times):
        for each in dependencies:
            paths = ("queue/join", "run/predict") if each["queue"] else ("run/predict", "queue/join")
            for path in (*(paths[0] for _ in range(3 if each["backend_fn"] else 1)), paths[1]):
                yield _post(path, {"fn_index": each["id"], **_about(draw, len(each["inputs"]))})
            if each["api_name"]:
                yield _post(f"call/{each['api_name']}", _about(draw, len(each["inputs"])))
        for name in ("event_id", "oauth_token", "batched", "simple_format"):
            called = next(each for each in dependencies if not each["queue"] and each["backend_fn"])
            filled = {"fn_index": called["id"], "session_hash": "j", "event_data": {"run": "x"}}
            yield _post("run/predict", {**filled, "data": [None for _ in called["inputs"]], name: {}})
        for name, value in HEADERS:
            yield Junk("POST", f"{API}/queue/join", b"{}", {name: value})
        for value in VALUES:
            yield _post(
                draw.choice(("queue/join", "run/predict")), {"fn_index": value, "data": [], "session_hash": "j"}
            )
            yield _post("component_server", {
                "component_id": value, "fn_name": draw.choice(("messages", "leave")), "session_hash": "j",
                "data": draw.choice(VALUES),
            })  # fmt: skip
            yield _post("component_server/", {
                "component_id": draw.randrange(60), "fn_name": draw.choice(("messages", "leave")), "session_hash": "j",
                "data": value,
            })  # fmt: skip
            yield _post(draw.choice(("cancel", "reset")), {"session_hash": "j", "fn_index": value, "event_id": value})
            yield _post("call/v2/run", {"prompt": value, draw.choice(("gamma", "x", "seed")): value})
            yield _post("queue/join", value)
            yield Junk("POST", f"{API}/check", json.dumps(value).encode(), {"content-type": "application/gzip"})


def _about(draw: random.Random, inputs: int) -> dict[str, Any]:
    """A body with something wrong about it, and perhaps all of it."""
    many = draw.choice((inputs, inputs, inputs, 0, 1, inputs + 1))
    body: dict[str, Any] = {"data": [draw.choice(VALUES) for _ in range(many)]}
    for name, chance in (
        ("session_hash", 0.2), ("event_data", 0.7), ("trigger_id", 0.1), ("batched", 0.04), ("simple_format", 0.04),
        ("event_id", 0.04), ("oauth_token", 0.04),
    ):  # fmt: skip
        if draw.random() < chance:
            body[name] = draw.choice(VALUES)
    if draw.random() < 0.9:
        body["session_hash"] = "junk"
    if draw.random() < 0.05:
        body["data"] = draw.choice(VALUES)
    return body


def _post(path: str, body: Any) -> Junk:
    return Junk("POST", f"{API}/{path}", json.dumps(body).encode())
