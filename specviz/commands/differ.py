"""specviz differ: why two texts of one model differ: a tie that rounding decides, or what else."""

import argparse
import re
from pathlib import Path

from specviz.commands.options import add_setting, fields_of, read_text, read_trace
from specviz.config.pairs import pair_name
from specviz.config.settings import SETTINGS, ConfigError, RunConfig
from specviz.config.words import tell
from specviz.proof.findings import Given


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz differ`."""
    files = "x.json: a trace, or a list of token ids; any other file: a text without its prompt"
    parser.add_argument("files", type=Path, nargs=2, metavar="FILE", help=files)
    parser.add_argument("--target", help="a folder or Hugging Face repository, instead of --pair")
    parser.add_argument("--prompt", help="what both follow; a trace has its own")
    for setting in SETTINGS:
        if setting.name in ("pair", "device", "dtype", "chat", "generation"):
            add_setting(parser, setting)


def differ(choices: argparse.Namespace) -> int:
    """Prints the verdict and its numbers. Exit code 1: not rounding tells the texts apart. Raises ConfigError,
    TraceError, OSError: a file cannot be read, or the model cannot be had."""
    given = [_given(path) for path in choices.files]
    if choices.prompt is None and not any(each.prompt for each in given):
        raise ConfigError("--prompt is missing: the text that both files follow")
    if choices.target:
        choices.pair = pair_name("", choices.target)
    from specviz.lab.differ import differ as compare  # imports torch

    found = compare(RunConfig(**fields_of(RunConfig, choices), temperature=0.0), given)
    print("\n".join(map(tell, found.lines)))
    return int(found.why not in ("same", "ended", "tie"))


def _given(path: Path) -> Given:
    text = read_text(path)
    if path.suffix != ".json":
        return Given(path.name, text.removesuffix("\n"))
    if re.fullmatch(r"\s*\[[\d\s,]+\]\s*", text):
        return Given(path.name, (*map(int, re.findall(r"\d+", text)),))
    if text.lstrip().startswith("["):
        raise ConfigError(f"{path}: wanted a trace, or a list of token ids such as [5, 17, 204]")
    trace = read_trace(path)
    return Given(path.name, trace.tokens, trace.prompt, trace.info.config.temperature)
