"""Tries a server: python -m tests.load class, or python -m tests.load hours."""

import argparse
import sys
import time
from pathlib import Path

from tqdm import tqdm

from specviz.config.settings import ConfigError
from specviz.trace.codec import to_json
from tests.load import reliability
from tests.load.load import load
from tests.load.server import serving
from tests.load.soak import soak


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    trials = parser.add_subparsers(required=True, dest="trial")
    loading = trials.add_parser("class", help="many at once: how long clients wait, how fairly they are served")
    loading.add_argument("--clients", type=int, default=30)
    soaking = trials.add_parser("hours", help="sessions that come and go, and runs cut off: what the server then holds")
    soaking.add_argument("--minutes", type=float, default=10, help="at most")
    soaking.add_argument("--sessions", type=int, default=1000)
    soaking.add_argument("--cuts", type=int, default=200, help="live runs hung up on at random")
    for trial in (loading, soaking):
        trial.add_argument("--url", help="a running server; without it one is started, as for strangers")
        trial.add_argument("--seed", type=int, default=1, help="of the first live run; the others count on from it")
        trial.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1: a client met an error, or a worker was lost. 2: the server cannot be tried."""
    choices = options().parse_args(arguments)
    try:
        with serving(choices.url) as server:
            if choices.trial == "class":
                found = load(server, choices.clients, time.perf_counter, choices.seed)
                lines, bad = reliability.load_lines(found), found.errors
            else:
                wanted = (choices.sessions, choices.cuts, choices.minutes)
                with tqdm(total=choices.sessions + choices.cuts, leave=False) as bar:
                    found = soak(server, *wanted, time.perf_counter, choices.seed, bar.update)
                lines, bad = reliability.soak_lines(found), found.errors or found.lost
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    print("\n".join(lines))
    if choices.json:
        choices.json.write_text(to_json(found) + "\n", encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
