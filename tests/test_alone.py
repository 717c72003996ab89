"""The suite sees the clone alone: no file of a person's home, no network."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from specviz.shipped import user_cache
from tests.conftest import ALONE

OUTSIDE = ("192.0.2.1", 443)
"""An address that is nobody's (RFC 5737)."""


def test_home_caches_and_temporary_files_are_the_runs_own() -> None:
    home = Path(os.environ[ALONE])
    assert Path.home() == home
    for folder in (user_cache(), Path(tempfile.gettempdir()), Path(os.environ["NUMBA_CACHE_DIR"])):
        assert folder.is_relative_to(home)


ASKS = f"""
import socket
with socket.socket() as one, socket.socket(type=socket.SOCK_DGRAM) as other:
    for ask in (
        lambda: one.connect({OUTSIDE}),
        lambda: other.sendto(b"", {OUTSIDE}),
        lambda: socket.getaddrinfo("example.org", 443),
    ):
        try:
            ask()
        except ConnectionRefusedError as error:
            print(error)
"""


def test_an_address_outside_is_refused_here_and_in_every_process_that_is_started(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exec(ASKS, {})
    child = subprocess.run([sys.executable, "-c", ASKS], capture_output=True, text=True, check=True)
    assert capsys.readouterr().out == child.stdout
    assert child.stdout.count("tests ask no network") == 3


def test_this_machine_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5):
        pass
