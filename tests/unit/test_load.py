"""What a load and a soak say: the arithmetic, and a small one of each over a made-up engine. No time is asserted."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.load import reliability
from tests.load.__main__ import main
from tests.load.figures import jain, quantile, slope
from tests.load.load import Served, ideal, load
from tests.load.server import Server
from tests.load.soak import soak

ROOT = Path(__file__).parents[2]


def test_quantiles_are_values_that_were_seen() -> None:
    assert [quantile([3, 1, 2, 4], share) for share in (0, 0.25, 0.5, 0.95, 1)] == [1, 1, 2, 4, 4]
    with pytest.raises(ValueError, match="no values"):
        quantile([], 0.5)


def test_fairness_is_one_for_equal_shares_and_one_nth_for_one_winner() -> None:
    assert jain([2, 2, 2]) == pytest.approx(1)
    assert jain([5, 0, 0, 0]) == pytest.approx(0.25)
    assert jain([3, 2, 3, 2]) == pytest.approx(100 / (4 * 26))


def test_a_slope_is_that_of_the_best_line() -> None:
    assert slope([(1, 5), (2, 7), (3, 9)]) == pytest.approx(2)
    assert slope([(1, 1), (2, 3), (3, 2)]) == pytest.approx(0.5)
    assert slope([(4, 1), (4, 9)]) == 0


def test_an_ideal_queue_serves_in_the_order_of_asking_and_loses_no_time() -> None:
    runs = [Served(asked=0, first=1, end=3), Served(asked=0.5, first=5, end=7), Served(asked=9, first=9.5, end=10)]
    assert list(ideal(runs)) == [0, 1.5, 0]  # 2 s, 4 s and 3 s of work; the third finds nobody before it


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    command = [sys.executable, str(ROOT / "tests" / "browser" / "serve.py"), "0.005", "shared", "few"]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "ui")])
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "FORWARDED_ALLOW_IPS": "127.0.0.1"},
    ) as process:
        assert process.stdout is not None
        yield Server(process.stdout.readline().strip().rstrip("/"), process.pid)
        process.terminate()


@pytest.mark.long
def test_a_class_is_served_without_an_error_and_said_so(server: Server) -> None:
    found = load(server, 4, time.perf_counter, seed=10)
    assert found.errors == ()
    assert (found.page.count, found.repeated.count, found.live.count, found.ideal.count) == (4, 4, 12, 12)
    assert found.starts < 50, "one session waits with one run"
    assert 0.5 < found.fairness <= 1
    text = "\n".join(reliability.load_lines(found))
    assert "4 clients" in text
    assert "errors: 0" in text


@pytest.mark.long
def test_sessions_that_leave_in_the_middle_of_a_run_cost_no_worker(server: Server) -> None:
    done: list[None] = []
    found = soak(server, 6, 3, 5, time.perf_counter, 90, lambda: done.append(None))
    assert (found.sessions, found.cut, found.lost, found.errors, len(done)) == (6, 3, 0, (), 9)
    assert "workers lost: 0" in "\n".join(reliability.soak_lines(found))


def test_a_server_that_is_not_there_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["class", "--url", "http://127.0.0.1:9", "--clients", "2"]) == 2
    assert "http://127.0.0.1:9 does not answer" in capsys.readouterr().err
