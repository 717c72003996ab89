"""specviz exercise: a loop with four holes, and the marks for one that is filled."""

import argparse
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Timer

from specviz.commands.options import whole_number
from specviz.config.settings import ConfigError
from specviz.shipped import ASSETS

SOLVED = ASSETS / "exercise" / "loop.py"
HOLE = re.compile(r"^( *)(# HOLE (the \w+):.*\n(?:\1#.*\n)*)(?:.*\n)*?\1# END\n", re.MULTILINE)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds `specviz exercise new` and `mark`."""
    parts = parser.add_subparsers(required=True, metavar="new | mark")
    for name, do, what in (
        ("new", new, "write a loop with four holes: draft, test, replacement, cut"),
        ("mark", mark, "run such a loop in a process of its own, and say line by line what is right"),
    ):
        part = parts.add_parser(name, help=what)
        part.set_defaults(do=do)
        part.add_argument("loop", type=Path, metavar="LOOP.py")
    part.add_argument("--html", type=Path, help="a page of the first wrong round; LOOP.marked.html unless given")
    part.add_argument("--seconds", type=whole_number, default=120, help="when it is stopped; 120 unless given")


def new(choices: argparse.Namespace) -> int:
    """Writes the exercise. Raises ConfigError: there is such a file."""
    try:
        with choices.loop.open("x", encoding="utf-8") as file:
            file.write(HOLE.sub(r'\1\2\1raise NotImplementedError("\3 is missing")\n', SOLVED.read_text("utf-8")))
    except FileExistsError:
        raise ConfigError(f"{choices.loop} is there already; name a file that is not") from None
    print(f"written: {choices.loop}; when its four holes are filled: specviz exercise mark {choices.loop}")
    return 0


def mark(choices: argparse.Namespace) -> int:
    """Prints the marks as they come. Exit code 1: something is wrong."""
    choices.loop.read_bytes()  # which says if it cannot be read
    page = choices.html or choices.loop.with_suffix(".marked.html")
    command = [sys.executable, "-m", "specviz.loops.alone", str(choices.loop), str(page)]
    with subprocess.Popen(  # noqa: S603 - a person's own file, on their own machine
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
    ) as child:
        timer = Timer(choices.seconds, _end, [child])
        timer.start()
        try:
            for line in child.stdout or ():
                print(line, end="", flush=True)
            code, late = child.wait(), not timer.is_alive()
        finally:
            timer.cancel()
            _end(child)
    from specviz.loops.alone import DONE

    if code not in DONE:
        why = f"it did not end in {choices.seconds} seconds" if late else f"its process ended by itself, with {code}"
        print(f"✕ the loop was stopped: {why}")
    return DONE.get(code, 1)


def _end(child: "subprocess.Popen[str]") -> None:
    """Ends it with all processes that it started."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL) if hasattr(os, "killpg") else child.kill()
