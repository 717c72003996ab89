"""The command line, also python -m: specviz page | run | fetch | check | differ | export | exercise | bench | study |
advise | train.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from specviz.commands import advise, bench, check, differ, exercise, export, fetch, page, run, study, train
from specviz.config.settings import ConfigError
from specviz.trace.codec import TraceError


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: done; 1: the command found problems; 2: wrong input, said in one line."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # huggingface_hub reads it on import
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a pipe's encoding may lack ✓, γ or a letter of the text
            stream.reconfigure(errors="backslashreplace")
    choices = _parser().parse_args(arguments)
    try:
        code: int = choices.do(choices)
    except (ConfigError, TraceError, OSError) as error:
        print(f"specviz: {error}", file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="specviz", description="Speculative decoding, recorded round by round.")
    commands = parser.add_subparsers(
        required=True,
        metavar="page | run | fetch | check | differ | export | exercise | bench | study | advise | train",
    )
    for name, add_options, do, what in (
        ("page", page.add_options, page.page, "serve the page: watch speculative decoding in the browser"),
        ("run", run.add_options, run.run, "decode a prompt; print the text, then its rounds by verdict"),
        ("fetch", fetch.add_options, fetch.fetch, "bring a pair's models onto this disk; without a name, list them"),
        ("check", check.add_options, check.check, "list every way a trace contradicts itself"),
        ("differ", differ.add_options, differ.differ, "say why two texts of one model differ: a tie, or what else"),
        ("export", export.add_options, export.export, "make a page of a trace that plays without a network"),
        ("exercise", exercise.add_options, exercise.new, "write a loop with four holes, and mark it when filled"),
        ("bench", bench.add_options, bench.bench, "time it against plain decoding and against transformers' generate"),
        (
            "study",
            study.add_options,
            study.study,
            "run many prompts and settings into Parquet; stop and go on at any time",
        ),
        (
            "advise",
            advise.add_options,
            advise.advise,
            "say which drafter and γ pays on your own prompts, or none; stop and go on at any time",
        ),
        ("train", train.add_options, train.train, "make a pair and its count tables from text files"),
    ):
        command = commands.add_parser(name, help=what)
        command.set_defaults(do=do)
        add_options(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
