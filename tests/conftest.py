"""What every test process has: a home of the run's own, no network, one thread, the seed of the statistical tests."""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

ALONE = "SPECVIZ_TESTS_HOME"
"""Names the folder that all processes of a run have for home, caches and temporary files: empty at first."""
FIRST = ALONE not in os.environ
KEPT = ("SPECVIZ_SEED", "SPECVIZ_TESTS_HOME")


def alone() -> None:
    """Turns this process, and those it starts, away from everything that an earlier run or a person left."""
    home = Path(tempfile.mkdtemp(prefix="specviz-tests-")).resolve()
    theirs = ("HF_", "HUGGING", "TRANSFORMERS_", "GRADIO_", "SPECVIZ_", "XDG_", "NUMBA_CACHE", "TORCHINDUCTOR", "PIP_")
    for name in [name for name in os.environ if name.startswith(theirs) and name not in KEPT]:
        del os.environ[name]
    for name, folder in {
        "HOME": home, "USERPROFILE": home, "XDG_CACHE_HOME": home / "cache", "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data", "XDG_RUNTIME_DIR": home / "run", "HF_HOME": home / "hub",
        "NUMBA_CACHE_DIR": home / "numba", "TMPDIR": home / "tmp",
    }.items():  # fmt: skip
        folder.mkdir(exist_ok=True)
        os.environ[name] = str(folder)
    tempfile.tempdir = None
    os.environ[ALONE] = str(home)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).with_name("alone")), os.environ.get("PYTHONPATH", "")]
    )


if FIRST:
    alone()
sys.path.insert(0, str(Path(__file__).with_name("alone")))
import sitecustomize  # noqa: E402, F401 - the other processes have it from PYTHONPATH

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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the cases of a test that is sampled(n), the seed chooses one in n for a normal run; the rest are long."""
    cases: dict[tuple[Path, str], list[tuple[pytest.Item, int]]] = {}
    for item in items:
        if (mark := item.get_closest_marker("sampled")) and not item.get_closest_marker("long"):
            name = getattr(item, "originalname", item.name)
            cases.setdefault((item.path, name), []).append((item, mark.args[0]))
    for each in cases.values():
        for at, (item, n) in enumerate(each):
            if (at - int(os.environ["SPECVIZ_SEED"])) % min(n, len(each)):
                item.add_marker("long")


def pytest_unconfigure() -> None:
    """The home goes with the process that made it."""
    if FIRST:
        shutil.rmtree(os.environ[ALONE], ignore_errors=True)


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
