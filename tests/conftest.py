"""One thread (the suite is about eight times faster), two hypothesis profiles, the seed of the statistical tests."""

import gc
import os
import sys

# A hundred processes of a run read the same modules: one compiles them for all, whatever was asked for.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import pytest  # noqa: E402 - is compiled as well
from hypothesis import settings  # noqa: E402

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=25, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


# One seed for all worker processes, which inherit the environment.
os.environ.setdefault("SPECVIZ_SEED", str(int.from_bytes(os.urandom(6))))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a test of the page waits for motion or a run for some of its time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What is imported by now stays, and needs no looking through at every collection of garbage."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    return f"SPECVIZ_SEED={os.environ['SPECVIZ_SEED']}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests measured and did not assert: their `told` properties."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "told":
                terminalreporter.write_line(f"[{value}]")
