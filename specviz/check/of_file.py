"""python -m specviz.check.of_file: checks the trace on standard input, from any source.

It writes JSON: how many contradictions there are, and the first few. A trace that cannot be read is one.
"""

import json
import os
import sys

from specviz.check.run import problems
from specviz.config.typed import saved
from specviz.trace.codec import TraceError, from_json

FIRST, LETTERS = 5, 200
"""The most contradictions that are reported, and letters of each."""
MEMORY = 1_000_000_000
"""Bytes of memory for one file, where the system can hold a process to that."""


def answer(content: bytes) -> str:
    """What is wrong with the trace in a file, as JSON."""
    try:
        lines = problems(from_json(saved(content)))
    except (TraceError, UnicodeDecodeError) as error:
        lines = [str(error)]
    return json.dumps({"count": len(lines), "first": [line[:LETTERS] for line in lines[:FIRST]]})


if __name__ == "__main__":
    if sys.platform != "win32":
        import resource

        os.nice(10)  # runs come first
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.write(answer(sys.stdin.buffer.read()))
