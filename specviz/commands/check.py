"""specviz check: lists every way a trace contradicts itself, or how a model of one's own differs from transformers."""

import argparse
from pathlib import Path

from specviz.check.run import problems
from specviz.commands.options import add_setting, read_trace
from specviz.config import words
from specviz.config.settings import SETTINGS, ConfigError, RunConfig
from specviz.proof.findings import Checked, Verdict
from specviz.trace.metrics import summarize


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz check`."""
    parser.add_argument("trace", type=Path, metavar="TRACE.json", nargs="?")
    parser.add_argument("--model", help="check this model instead of a trace: a folder or Hugging Face repository")
    for setting in SETTINGS:
        if setting.name in ("device", "dtype", "chat"):
            add_setting(parser, setting)


def check(choices: argparse.Namespace) -> int:
    """Prints what is wrong. Exit code 1: something is.

    Raises:
        ConfigError: neither a trace nor a model was given, or both, or the model cannot be had.
    """
    if (choices.trace is None) == (choices.model is None):
        raise ConfigError(
            "check takes a trace, or --model and a folder or Hugging Face repository; give one of the two"
        )
    return _model(choices) if choices.model else _trace(choices.trace)


def _trace(path: Path) -> int:
    trace = read_trace(path)
    lines = problems(trace)
    for line in lines:
        print(line)
    if not lines:
        counted = summarize(trace.rounds)
        print(f"sound: {counted.rounds} rounds, {counted.emitted} tokens, every decision recomputes")
    return 1 if lines else 0


def _model(choices: argparse.Namespace) -> int:
    from tqdm import tqdm

    from specviz.models.loading import import_torch

    import_torch()
    from specviz.lab import model_check  # imports torch

    pair = model_check.own_pair(choices.model)
    config = RunConfig("", pair=pair, device=choices.device, dtype=choices.dtype, chat=choices.chat)
    lines: list[Checked] = []
    with tqdm(unit=" texts", leave=False) as bar:
        for item in model_check.checks(config):
            if isinstance(item, Checked):
                lines.append(item)
            else:
                done, bar.total = item
                bar.update(done - bar.n)
    wide = max(len(words.tell(each.what)) for each in lines)
    for each in lines:
        print(f"{words.tell(each.what):{wide}}  {each.verdict:7}  {words.tell(each.detail)}")
    return int(any(each.verdict is Verdict.OTHER for each in lines))
