"""A server under test: its address, and what its process holds."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from specviz.config.settings import ConfigError

PATIENCE = 10.0
STARTED = re.compile(r"(http://\S+)")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process holds: bytes of memory, threads, open files."""

    memory: int
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class Server:
    """address: without a slash at its end. pid: None where it was running before."""

    address: str
    pid: int | None

    def taken(self) -> Taken | None:
        """What its process holds now, None where that cannot be seen."""
        process = Path(f"/proc/{self.pid}")
        if self.pid is None or not process.exists():
            return None
        status = dict(
            line.split(":", 1) for line in (process / "status").read_text(encoding="utf-8").splitlines() if ":" in line
        )
        files = len(list((process / "fd").iterdir()))
        return Taken(int(status["VmRSS"].split()[0]) << 10, int(status["Threads"]), files)


@contextmanager
def serving(url: str | None) -> Iterator[Server]:
    """The server at url; without one, a shared server is started, and stopped afterwards.

    Raises:
        ConfigError: nothing answers there, or no server could be started.
    """
    if url is not None:
        address = url.rstrip("/")
        try:
            httpx.get(f"{address}/", timeout=PATIENCE)
        except httpx.HTTPError as error:
            raise ConfigError(f"{address} does not answer: {error}; start it with specviz page") from None
        yield Server(address, None)
        return
    started = subprocess.Popen(
        [sys.executable, "-u", "-m", "specviz", "page", "--shared"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "FORWARDED_ALLOW_IPS": "127.0.0.1"},
    )
    with started as process:
        assert process.stdout is not None
        try:
            found = next((match for line in process.stdout if (match := STARTED.search(line))), None)
            if found is None:
                raise ConfigError("specviz page ended before it said where it is; start it by hand to see why")
            yield Server(found[1].rstrip("/"), process.pid)
        finally:
            process.terminate()
