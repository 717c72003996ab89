"""The machine that a figure was measured on: how fast it reads memory and how fast it multiplies."""

import platform
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import torch

from specviz.config import Clock

READ = 1 << 28
"""Bytes read to measure the bandwidth: more than any cache holds."""
LAPS = 9
SIDES = {"cpu": 1024}
SIDE = 8192
"""Rows and columns of the multiplied matrices, by device: enough to keep the whole device busy."""


@dataclass(frozen=True, slots=True)
class Machine:
    """last_cache: bytes of the last-level cache, None if unknown. bandwidth: bytes a second read from memory."""

    name: str
    device: str
    last_cache: int | None
    bandwidth: float
    python: str
    torch: str
    transformers: str


def describe(device: str, clock: Clock) -> Machine:
    """This machine."""
    return Machine(
        name=name(device),
        device=device,
        last_cache=last_cache(device),
        bandwidth=bandwidth(device, clock),
        python=platform.python_version(),
        torch=torch.__version__,
        transformers=version("transformers"),
    )


def bandwidth(device: str, clock: Clock, size: int | None = None) -> float:
    """Bytes a second that a repeated sum over `size` bytes reads, median of LAPS.

    Args:
        size: READ unless given, which measures memory. A smaller size may be read from a cache.
    """
    size = size or READ
    numbers = torch.ones(size // 4, device=device)
    return size / _median(lambda: float(numbers.sum()), clock)  # float() waits for the GPU


def arithmetic(device: str, dtype: torch.dtype, clock: Clock) -> float:
    """Floating-point operations a second in the product of two large square matrices, median of LAPS."""
    side = SIDES.get(device, SIDE)
    matrix = torch.ones(side, side, dtype=dtype, device=device)
    return float(2 * side**3 / _median(lambda: float((matrix @ matrix)[0, 0]), clock))


def name(device: str) -> str:
    """The device's name."""
    return torch.cuda.get_device_name(device) if device.startswith("cuda") else _cpu()


def last_cache(device: str) -> int | None:
    """Bytes of its last-level cache; None if unknown."""
    return torch.cuda.get_device_properties(device).L2_cache_size if device.startswith("cuda") else _cpus_last_cache()


def _median(work: Callable[[], object], clock: Clock) -> float:
    """Median seconds; the first lap warms up and does not count."""
    seconds = []
    for _ in range(LAPS + 1):
        start = clock()
        work()
        seconds.append(clock() - start)
    return statistics.median(seconds[1:])


def _cpu() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _cpus_last_cache() -> int | None:
    sizes = [path.read_text().strip() for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max((int(size.removesuffix("K")) << 10 for size in sizes if size.endswith("K")), default=None)
