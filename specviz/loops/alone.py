"""Marks the loop of a file in a process that is its own: python -m specviz.loops.alone LOOP.py PAGE.html.

The loop starts no process, what it prints itself comes last, and memory is bounded where the system can do that.
"""

import os
import runpy
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from specviz.loops import marking

DONE = {41: 0, 42: 1}
"""Exit codes that no loop ends with by chance, and what they mean: all is right, or not."""
MEMORY, PRINTED = 8 << 30, 500
STARTS = ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen")


def main(path: Path, page: Path) -> int:
    """Writes a line for each mark, then what the loop printed, and where the page is."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    loaded = cache(lambda: runpy.run_path(str(path))["speculate"])
    marker = marking.Marker(lambda *given: loaded()(*given))
    with suppress(ImportError):  # Windows has none
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    sys.path.insert(0, str(path.parent))
    sys.addaudithook(_refuse)
    marks = list[marking.Mark]()
    for mark in marker.marks():
        print(mark, file=out, flush=True)
        marks.append(mark)
    printed = marker.printed.getvalue()[:PRINTED]
    for what, text in (("it printed", printed), ("see it", marking.page(marks, page))):
        print(f"{what}: {text}" if text else "", file=out, end="\n" if text else "", flush=True)
    return 41 if all(mark.right for mark in marks) else 42


def _refuse(event: str, given: object) -> None:
    if event in STARTS:
        raise RuntimeError("it starts a process; a loop needs none")


if __name__ == "__main__":
    os._exit(main(*map(Path, sys.argv[1:])))  # whatever threads the loop left
