"""The machine a figure was measured on, and how fast it reads memory."""

import platform
import statistics
from dataclasses import dataclass
from pathlib import Path

import torch

from specviz.config import Clock

READ = 1 << 28
"""Bytes read to measure the bandwidth: more than any cache holds."""
LAPS = 9


@dataclass(frozen=True, slots=True)
class Machine:
    """last_cache: bytes of the last-level cache, None if unknown; bandwidth: bytes read from memory in a second."""

    name: str
    device: str
    last_cache: int | None
    bandwidth: float
    python: str
    torch: str
    transformers: str


def describe(device: str, clock: Clock) -> Machine:
    """This machine."""
    import transformers

    cuda = device.startswith("cuda")
    return Machine(
        name=torch.cuda.get_device_name(device) if cuda else _cpu(),
        device=device,
        last_cache=torch.cuda.get_device_properties(device).L2_cache_size if cuda else _last_cache(),
        bandwidth=bandwidth(device, clock),
        python=platform.python_version(),
        torch=torch.__version__,
        transformers=transformers.__version__,
    )


def bandwidth(device: str, clock: Clock) -> float:
    """Bytes a second that a sum over READ bytes reads, median of LAPS."""
    numbers = torch.ones(READ // 4, device=device)
    seconds = []
    for _ in range(LAPS + 1):
        start = clock()
        float(numbers.sum())  # waits for a GPU, too
        seconds.append(clock() - start)
    return READ / statistics.median(seconds[1:])


def _cpu() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _last_cache() -> int | None:
    sizes = [path.read_text().strip() for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max((int(size.removesuffix("K")) << 10 for size in sizes if size.endswith("K")), default=None)
