"""The results of a load or a soak as text. README.md beside it has the same lines."""

from collections.abc import Iterator

from tests.load.load import BUSY, Load, Waits
from tests.load.server import Taken
from tests.load.soak import SETTLED, Soak

MEGABYTE = 1e6
SHOWN = 5
"""Errors that are shown in full."""


def load_lines(found: Load) -> Iterator[str]:
    """The results of a load: times, fairness, errors."""
    yield f"{found.clients} clients, {found.on}"
    yield f"page and recorded run: {_waits(found.page)}"
    yield f"first event of a run made before: {_waits(found.repeated)}"
    yield f"first event of a live run: {_waits(found.live)}; in an ideal queue {_waits(found.ideal)}"
    yield f"live runs a minute: {found.rate:.0f}; Jain's index {found.fairness:.3f}"
    yield (
        f"one run alone {found.alone:.2f} s; beside a client that sends {BUSY} at once {found.beside:.2f} s,"
        f" of which {found.starts} were let in"
    )
    yield f"refused as full: {found.refused}; errors: {len(found.errors)}; server memory: {_bytes(found.memory)}"
    yield from (f"  {error}" for error in found.errors[:SHOWN])


def soak_lines(found: Soak) -> Iterator[str]:
    """The results of a soak, its memory growth first."""
    growth = "unknown" if found.growth is None else f"{found.growth / MEGABYTE:.3f} MB a session"
    yield f"{found.sessions} sessions in {found.seconds / 60:.1f} min, {found.on}"
    yield f"memory growth past the first {SETTLED}: {growth}"
    yield f"runs cut off at random: {found.cut}; workers lost: {found.lost}; errors: {len(found.errors)}"
    yield f"before: {_taken(found.before)}; after: {_taken(found.after)}"
    yield from (f"  {error}" for error in found.errors[:SHOWN])


def _waits(waits: Waits) -> str:
    if not waits.count:
        return "none"
    return f"median {waits.median:.2f} s, p95 {waits.p95:.2f}, longest {waits.longest:.2f} (of {waits.count})"


def _taken(taken: Taken | None) -> str:
    return "unknown" if taken is None else f"{_bytes(taken.memory)}, {taken.threads} threads, {taken.files} files"


def _bytes(count: int | None) -> str:
    return "unknown" if count is None else f"{count / MEGABYTE:,.0f} MB"
