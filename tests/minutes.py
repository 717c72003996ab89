"""`python -m pytest -p tests.minutes --minutes N`: after N minutes no further test begins, which fails nothing."""

import os
import time

import pytest

BEGAN = "TESTS_BEGAN"
"""When the run began, for all its worker processes, which inherit the environment."""
REASON = "the minutes are over"
os.environ.setdefault(BEGAN, str(time.time()))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, default=None, help="begin no further test after so many minutes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    minutes = item.config.getoption("minutes")
    if minutes is not None and time.time() - float(os.environ[BEGAN]) > 60 * minutes:
        pytest.skip(REASON)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    late = sum(REASON in str(report.longrepr) for report in skipped)
    if terminalreporter.config.getoption("minutes") is not None:
        terminalreporter.write_line(f"{late} tests were not begun, since {REASON}")
