"""specviz check: lists every way a trace contradicts itself."""

import argparse
from pathlib import Path

from specviz.commands.options import read_trace
from specviz.proof.problems.run import problems
from specviz.trace.metrics import summarize


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz check`."""
    parser.add_argument("trace", type=Path, metavar="TRACE.json")


def check(choices: argparse.Namespace) -> int:
    """Prints what is wrong with the trace. Exit code 1: something is."""
    trace = read_trace(choices.trace)
    found = problems(trace)
    for line in found:
        print(line)
    if not found:
        counted = summarize(trace.rounds)
        print(f"sound: {counted.rounds} rounds, {counted.emitted} tokens, every decision recomputes")
    return 1 if found else 0
