"""specviz run: decodes a prompt; prints the text, then its rounds coloured by verdict."""

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from specviz import accept, draft
from specviz.commands.options import add_own_pair, add_setting, bar, check_writable, fields_of, hand_over, read_trace
from specviz.config import words
from specviz.config.costs import Costs
from specviz.config.pairs import drafter_for, pair_name
from specviz.config.settings import SETTINGS, ConfigError, Kind, RunConfig, Setting, check, check_together
from specviz.trace.run import Trace
from specviz.trace.terminal import coloured, summary


def add_options(parser: argparse.ArgumentParser, settings: Sequence[Setting] = SETTINGS) -> None:
    """Adds the options of `specviz run`."""
    parser.add_argument("prompt", metavar="PROMPT")
    for setting in settings:
        if setting.name != "prompt":
            add_setting(parser, setting, **{"default": None} if setting.name == "drafter" else {})
    add_own_pair(parser)
    add = parser.add_argument
    add("--head", help="EAGLE-3, DFlash or Medusa as published: a folder or Hugging Face repository; picks its drafter")
    add("--race", action="store_true", help="then time it against plain decoding, and print the speed-up")
    add("--all", action="store_true", help="print the guesses that were never tested too")
    add("--out", type=Path, metavar="TRACE.json", help="write the trace here")


def run(choices: argparse.Namespace) -> int:
    """Decodes, writes the trace where it is wanted, and prints.

    Raises:
        ConfigError: the run cannot be made, or it broke off. The rounds recorded before are written and printed.
    """
    values = fields_of(RunConfig, choices)
    values |= {setting.name: dict(values[setting.name]) for setting in SETTINGS if setting.kind is Kind.PARAMS}
    if choices.head:
        values["params"]["head"] = choices.head
    values["costs"] = choices.costs and _costs(choices.costs)
    if choices.target or choices.draft:
        values["pair"] = pair_name(choices.draft or "", choices.target or "")
    if not choices.drafter:
        counted = bool(choices.counts)
        values["drafter"] = _drafter_of(choices.head) if choices.head else drafter_for(values["pair"], counted=counted)
    config = RunConfig(**values)
    check_writable("--out", choices.out)
    check(config)
    check_together(draft.entry(config.drafter), accept.entry(config.rule), config)
    _load(config)
    trace, fault = _decoded(config)
    if choices.race and not fault:
        trace, fault = _raced(trace)
    hand_over(trace, choices.out, [coloured(trace, sys.stdout.isatty(), choices.all), summary(trace)])
    if fault:
        raise ConfigError(fault)
    return 0


def _drafter_of(head: str) -> str:
    """The drafter that a published head is for."""
    from specviz.models.heads import published  # imports torch

    return published.read(head).kind


def _decoded(config: RunConfig) -> tuple[Trace, str]:
    """The run as far as it came, and what broke it off, "" if nothing did."""
    from specviz.session import BrokenOffError, start  # imports numba, which takes a third of a second

    decoding = start(config)
    try:
        for _ in decoding:
            pass
    except KeyboardInterrupt:
        print("stopped; the rounds recorded so far are kept", file=sys.stderr)
    except BrokenOffError as error:
        return error.trace, f"the run broke off; the rounds recorded so far are kept: {error}"
    return decoding.trace(), ""


def _raced(trace: Trace) -> tuple[Trace, str]:
    """The run with its race; or the run as it is, and why it was not raced."""
    from specviz.lab.race import race

    why = "it was stopped, and only a whole run can be"
    try:
        if trace.stop.whole:
            *_, timed = race(trace.info.config, trace.rounds)
            return dataclasses.replace(trace, race=timed), ""
    except (ConfigError, KeyboardInterrupt) as error:
        why = str(error) or "stopped"
    return trace, f"the run is kept, but was not raced: {why}"


def _load(config: RunConfig) -> None:
    """Brings a pair into memory. Says so at once, then what takes long: compiling, or a download with its bar."""
    print(f"loading {config.pair} ...", file=sys.stderr, flush=True)
    from specviz.models import pair  # imports numba

    if config.pair == "embedded":
        where = (config.pair, config.device, config.dtype)
        pair.load(*where, lambda step: print(f"{words.tell(step.what)} ...", file=sys.stderr))
        return
    with bar() as show:
        pair.load(config.pair, config.device, config.dtype, show)


def _costs(path: Path) -> Costs:
    """The costs that a trace's γ rule was given."""
    costs = read_trace(path).info.config.costs
    if costs is None:
        raise ConfigError(f"--costs {path}: its γ rule used none; wanted a trace of the throughput rule")
    return costs
