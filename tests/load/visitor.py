"""One visitor of a server, over plain HTTP: opens the page, plays a recording, asks for runs and listens."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Any

import httpx

from specviz.config.settings import Clock

API = "/gradio_api"
PATIENCE = 300.0
CONFIG = "window.gradio_config = "
"""The text in the page just before Gradio's configuration."""
FULL = (422, 429, 503)
"""The statuses for a session that has a run waiting, too many requests of one address, and a full queue."""


class RefusedError(Exception):
    """The server answered that it is full, or that requests come too often. This is not a fault."""


@dataclass
class Visitor:
    """Acts like one browser. A request that gets no answer raises httpx.HTTPError.

    Each visitor has its own address, if the server trusts a proxy on this machine, as a server started for a trial
    does. Otherwise a whole class would share the places of one address.
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
        """Opens the page. Returns its configuration."""
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

    def ask(self, **choices: Any) -> str:
        """Asks for a run. Returns its name, which `events` takes.

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
        """The events of a run: the time, the kind and the content of each. Closing the iterator disconnects."""
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
    """The configuration in a page. It is parsed once, because real browsers would parse it on their own machines."""
    config: dict[str, Any]
    config, _ = json.JSONDecoder().raw_decode(page, page.index(CONFIG) + len(CONFIG))
    return config


@cache
def defaults(address: str) -> dict[str, Any]:
    """The parameters of a run on that page, by name and in order, with their defaults."""
    info = httpx.get(f"{address}{API}/info", timeout=PATIENCE).raise_for_status().json()
    taken = info["named_endpoints"]["/run"]["parameters"]
    return {each["parameter_name"]: each.get("parameter_default") for each in taken}


def stage_of(config: dict[str, Any]) -> dict[str, Any]:
    """The stage among the page's components."""
    stage: dict[str, Any] = next(each for each in config["components"] if each["props"].get("elem_id") == "sv-stage")
    return stage
