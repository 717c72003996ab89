"""specviz fetch: brings the models of a known pair onto this disk, or lists what can be had."""

import argparse
import sys

from specviz.commands.options import bar
from specviz.config.pairs import KNOWN, known
from specviz.config.settings import ConfigError


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz fetch`."""
    parser.add_argument("pair", metavar="NAME", nargs="?", help="; ".join(each.name for each in KNOWN))


def fetch(choices: argparse.Namespace) -> int:
    """Fetches a pair and prints where it lies; without a name, prints a line for each. Exit code 1: it was stopped.

    Raises:
        ConfigError: there is no such pair, or it cannot be had.
    """
    from specviz.models.hub import pair_files  # imports numba, which takes a third of a second

    if not choices.pair:
        for line in _listed():
            print(line)
        return 0
    pair = known(choices.pair)
    if pair is None:
        raise ConfigError(f"no pair {choices.pair!r} to fetch; there are: {', '.join(each.name for each in KNOWN)}")
    try:
        with bar() as show:
            folders = pair_files.bring(pair, show)
    except KeyboardInterrupt:
        print("stopped; fetch it again to go on", file=sys.stderr)
        return 1
    for model, folder in zip(pair.models, folders, strict=True):
        print(f"{model.repository}: {folder}")
    return 0


def _listed() -> list[str]:
    """The known pairs in columns: name, bytes to fetch, whether they are here, licences, models."""
    from specviz.models.hub import fits, pair_files

    rows = []
    for pair in KNOWN:
        there = "here" if pair_files.there(pair) else "to fetch"
        licences = ", ".join(dict.fromkeys(model.licence for model in pair.models))
        models = " + ".join(model.repository for model in pair.models)
        rows.append((pair.name, fits.gigabytes(pair.bytes(pair.stored)), there, licences, models))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:{wide}}" for cell, wide in zip(row, widths, strict=True)).rstrip() for row in rows]
