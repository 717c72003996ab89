"""specviz export: one HTML file that plays a trace."""

import argparse
from pathlib import Path

from specviz.commands.options import read


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz export`."""
    parser.add_argument("trace", type=Path, metavar="TRACE.json")
    parser.add_argument("--html", type=Path, metavar="PAGE.html", required=True, help="where to write the page")
    parser.add_argument(
        "--address", default="", metavar="URL", help="of a specviz page, where links copied from this one lead"
    )


def export(choices: argparse.Namespace) -> int:
    """Writes the page."""
    choices.html.write_text(read(choices.trace).to_html(choices.address), encoding="utf-8")
    return 0
