"""specviz export: one HTML file that plays a trace."""

import argparse
from pathlib import Path

from specviz.commands.options import read_trace
from specviz.trace.standalone import LANGUAGES


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz export`."""
    parser.add_argument("trace", type=Path, metavar="TRACE.json")
    parser.add_argument("--html", type=Path, metavar="PAGE.html", required=True, help="where to write the page")
    parser.add_argument(
        "--address", default="", metavar="URL", help="of a specviz page, where links copied from this one lead"
    )
    parser.add_argument(
        "--language",
        default="en",
        choices=LANGUAGES,
        help="what the page speaks, beside English, to browsers that ask for it",
    )


def export(choices: argparse.Namespace) -> int:
    """Writes the page."""
    choices.html.write_text(read_trace(choices.trace).to_html(choices.address, choices.language), encoding="utf-8")
    return 0
