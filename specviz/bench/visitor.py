"""What one visitor does to a server, over plain HTTP: opens the page, plays a recording, asks for runs and listens."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Any

import httpx

from specviz.config import Clock

API = "/gradio_api"
PATIENCE = 300.0
CONFIG = "window.gradio_config = "
"""What stands before the page's own description of itself, in the page."""
FULL = (422, 429, 503)
"""A session that has one waiting already, too many from one address, no place in the queue."""


class RefusedError(Exception):
    """The server said that it is full, or that this is too often: an answer, not a fault."""


@dataclass
class Visitor:
    """One browser, so to speak. Every request that is neither answered nor refused is an httpx.HTTPError.

    It comes from an address of its own where the server believes a proxy on this machine, as one that is started for
    a trial does: an address has a share of all places, and a class would seem to be one.
    """

    address: str
    clock: Clock
    session: str = field(default_factory=lambda: uuid.uuid4().hex[:11])

    def __post_init__(self) -> None:
        # Loading the certificates takes longer than fetching the page, so only https does it.
        secure = self.address.startswith("https")
        home = {"X-Forwarded-For": f"10.{'.'.join(str(part) for part in uuid.uuid4().bytes[:3])}"}
        self._web = httpx.Client(base_url=self.address, timeout=PATIENCE, verify=secure, trust_env=False, headers=home)

    def __enter__(self) -> "Visitor":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._web.close()

    def page(self) -> dict[str, Any]:
        """Opens the page; returns what it is made of."""
        config = described(self._web.get("/").raise_for_status().text)
        stage = stage_of(config)
        self._web.get(f"/{stage['props']['props']['scripts']}main.js").raise_for_status()
        return config

    def recording(self, config: dict[str, Any]) -> list[str]:
        """All messages of the recorded run the page opens with."""
        stage = stage_of(config)
        run = stage["props"]["value"]["run"]
        messages: list[str] = self._web.get(f"{API}/recorded/{run}").raise_for_status().json()
        return messages

    def asked(self, **choices: Any) -> str:
        """Asks for a run; its name, to listen by.

        Raises:
            RefusedError: the server is full.
        """
        body = {"data": [*(defaults(self.address) | choices).values()], "session_hash": self.session}
        answer = self._web.post(f"{API}/call/run", json=body)
        if answer.status_code in FULL:
            raise RefusedError(str(answer.json()["detail"]))
        name: str = answer.raise_for_status().json()["event_id"]
        return name

    @contextmanager
    def events(self, name: str) -> Iterator[Iterator[tuple[float, str, Any]]]:
        """What comes of a run: when, what kind of event, and its content. Leaving it hangs up."""
        with self._web.stream("GET", f"{API}/call/run/{name}") as stream:
            stream.raise_for_status()

            def read() -> Iterator[tuple[float, str, Any]]:
                kind = ""
                for line in stream.iter_lines():
                    if line.startswith("event: "):
                        kind = line.removeprefix("event: ")
                    elif line.startswith("data: ") and kind != "heartbeat":
                        yield self.clock(), kind, json.loads(line.removeprefix("data: "))

            yield read()


@cache
def described(page: str) -> dict[str, Any]:
    """What a page says it is made of: the same for all, whose browsers would each read it on a machine of its own."""
    config: dict[str, Any]
    config, _ = json.JSONDecoder().raw_decode(page, page.index(CONFIG) + len(CONFIG))
    return config


@cache
def defaults(address: str) -> dict[str, Any]:
    """What a run takes there, by name and in order, each at what it is where nothing is said."""
    info = httpx.get(f"{address}{API}/info", timeout=PATIENCE).raise_for_status().json()
    taken = info["named_endpoints"]["/run"]["parameters"]
    return {each["parameter_name"]: each.get("parameter_default") for each in taken}


def stage_of(config: dict[str, Any]) -> dict[str, Any]:
    """The stage among the page's components."""
    stage: dict[str, Any] = next(each for each in config["components"] if each["props"].get("elem_id") == "sv-stage")
    return stage
