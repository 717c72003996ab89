"""The machine that a figure was measured on: how fast it reads memory and how fast it multiplies."""

import platform
import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from specviz.config.settings import Clock

READ = 1 << 28
"""Bytes read to measure the bandwidth: more than any cache holds."""
LAPS = 9
CPU_SIDE, SIDE = 1024, 8192
"""Rows and columns of the matrices that a CPU or another device multiplies: enough to keep all of it busy."""


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


def describe(device: str, threads: int, clock: Clock) -> Machine:
    """This machine, whose memory that many threads of a CPU read at once."""
    return Machine(
        name=name(device),
        device=device,
        last_cache=last_cache(device),
        bandwidth=bandwidth(device, threads, clock),
        python=platform.python_version(),
        torch=version("torch"),
        transformers=version("transformers"),
    )


def bandwidth(device: str, threads: int, clock: Clock, size: int | None = None) -> float:
    """Bytes a second that a repeated sum over `size` bytes reads, median of LAPS.

    Args:
        threads: of a CPU, each of which reads a part.
        size: READ unless given, which measures memory. A smaller size may be read from a cache.
    """
    size = size or READ
    if device == "cpu":
        parts = np.array_split(np.ones(size // 4, np.float32), threads)
        with ThreadPoolExecutor(threads) as pool:
            return size / _median(lambda: sum(pool.map(np.dot, parts, parts)), clock)
    import torch

    numbers = torch.ones(size // 4, device=device)
    return size / _median(lambda: float(numbers.sum()), clock)  # float() waits for the GPU


def arithmetic(device: str, dtype: str, clock: Clock) -> float:
    """Floating-point operations a second in the product of two large square matrices, median of LAPS.

    Args:
        dtype: of a GPU's. A CPU's are float32.
    """
    if device == "cpu":
        square = np.ones((CPU_SIDE, CPU_SIDE), np.float32)
        return 2 * CPU_SIDE**3 / _median(lambda: square @ square, clock)
    import torch

    matrix = torch.ones(SIDE, SIDE, dtype=getattr(torch, dtype), device=device)
    return 2 * SIDE**3 / _median(lambda: float((matrix @ matrix)[0, 0]), clock)


def name(device: str) -> str:
    """The device's name."""
    if not device.startswith("cuda"):
        return _cpu()
    import torch

    return torch.cuda.get_device_name(device)


def last_cache(device: str) -> int | None:
    """Bytes of its last-level cache; None if unknown."""
    if not device.startswith("cuda"):
        return _cpus_last_cache()
    import torch

    return torch.cuda.get_device_properties(device).L2_cache_size


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
