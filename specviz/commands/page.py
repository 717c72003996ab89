"""specviz page, and app.py: serves the page."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from specviz.check.run import problems
from specviz.commands.options import read_trace
from specviz.config.pairs import pair_name
from specviz.config.settings import ConfigError
from specviz.trace.codec import TraceError
from specviz.trace.run import Trace


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz page`, which are those of app.py."""
    add = parser.add_argument
    add("traces", nargs="*", type=Path, metavar="TRACE.json", help="runs to open, the first one on stage")
    add("--host", help="address to listen on; this machine only unless given")
    add("--port", type=_port, help="port to listen on")
    add(
        "--shared",
        action=argparse.BooleanOptionalAction,
        help="for strangers, or a class: shorter runs, and what was run before is not run again; unless --no-shared,"
        " so on a Space and where --host is not this machine alone",
    )
    add("--embed", action="store_true", help="let pages of other sites ask for runs, and show the page")
    add("--target", help="a folder or Hugging Face repository to offer beside the known pairs")
    add("--draft", help="its draft, likewise; without one, methods that need a draft model are greyed")
    add("--head", help="an EAGLE-3, DFlash or Medusa head for that target, as published: a folder or a repository")
    add("--record-labs", nargs="*", metavar="LAB", help="measure anew what the labs open on, all or these, and end")


def page(choices: argparse.Namespace) -> int:
    """Serves the page until interrupted. Raises ConfigError: it cannot be served so."""
    own = pair_name(choices.draft or "", choices.target or "", choices.head or "") if _named(choices) else ""
    from specviz import serve  # importing Gradio takes two seconds; the other commands skip it

    if choices.record_labs is not None:
        serve.record_labs(choices.record_labs)
        return 0
    serve.serve(
        host=choices.host,
        port=choices.port,
        shared=choices.shared,
        embed=choices.embed,
        pair=own,
        opened=_given(choices.traces),
    )
    return 0


def _given(paths: Sequence[Path]) -> dict[str, Trace]:
    """The traces in these files, by their names. Raises ConfigError: one cannot be read, or contradicts itself."""
    given: dict[str, Trace] = {}
    for path in paths:
        try:
            given[path.stem] = read_trace(path)
        except (TraceError, OSError) as error:
            raise ConfigError(str(error)) from error
        if lines := problems(given[path.stem]):
            raise ConfigError(f"{path} contradicts itself: {lines[0]}; specviz check lists all of it")
    return given


def _named(choices: argparse.Namespace) -> bool:
    return any(map(vars(choices).get, ("target", "draft", "head")))


def main() -> None:
    """The command as its own program."""
    parser = argparse.ArgumentParser(description="Watch speculative decoding, round by round, in the browser.")
    add_options(parser)
    try:
        page(parser.parse_args())
    except ConfigError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


def _port(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 65_536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is none; wanted 1 to 65535")
