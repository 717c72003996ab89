"""specviz run: decodes a prompt and prints the text, coloured by verdict."""

import argparse
import dataclasses
import sys
from pathlib import Path

from specviz import accept, draft
from specviz.accept import ENTRIES as RULES
from specviz.commands.options import fields, read, writable
from specviz.config.costs import Costs
from specviz.config.pairs import KNOWN, Loading, own
from specviz.config.settings import ConfigError, RuleEntry, RunConfig, check, check_together
from specviz.draft import ENTRIES
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.trace.codec import to_json
from specviz.trace.run import Stop, Trace
from specviz.trace.terminal import coloured, summary


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz run`."""
    add = parser.add_argument
    add("prompt", metavar="PROMPT")
    add("--drafter", help="small-model unless given; " + ", ".join(entry.name for entry in ENTRIES))
    add("--rule", default="rejection", help=", ".join(map(_rule, RULES)))
    add("--param", dest="params", type=_tuning, action="append", metavar="NAME=VALUE", default=[])
    add("--gamma", type=int, default=4, help="tokens drafted a round, 0 to 20; or in the first one")
    add("--gamma-rule", default="fixed", help=", ".join(entry.name for entry in GAMMA_RULES))
    add("--gamma-param", dest="gamma_params", type=_setting, action="append", metavar="NAME=NUMBER", default=[])
    add("--costs", type=Path, metavar="TRACE.json", help="use that trace's measured costs; do not measure anew")
    add("--temperature", type=float, default=0.8, help="0 (greedy) or 0.05 to 2")
    add("--top-k", type=int, default=0, help="0: off")
    add("--top-p", type=float, default=1.0, help="1: off")
    add("--max-new-tokens", type=int, default=64)
    add("--seed", type=int, default=0)
    add("--pair", default="embedded", help=", ".join(("embedded", *(known.name for known in KNOWN))))
    add("--target", help="a folder or Hugging Face repository, instead of --pair")
    add("--draft", help="its draft, likewise")
    add("--head", help="EAGLE-3, DFlash or Medusa as published: a folder or Hugging Face repository; picks its drafter")
    add("--no-chat", dest="chat", action="store_false", help="leave a chat model's template off")
    add("--counts", default="", metavar="FILE", help="text that bigram and ngram count instead")
    add("--device", default="auto", help="auto, cpu, cuda, ...")
    add("--dtype", default="auto", help="auto (bfloat16 on a GPU, float32 elsewhere), float32, ...")
    add("--race", action="store_true", help="then time it against plain decoding; --out keeps the times")
    add("--out", type=Path, metavar="TRACE.json", help="write the trace here")


def run(choices: argparse.Namespace) -> int:
    """Decodes, prints, and writes the trace where it is wanted.

    Raises:
        ConfigError: the run cannot be made, or it broke off. The rounds recorded before are printed and written.
    """
    given = fields(RunConfig, choices)
    given |= {name: dict(given[name]) for name in ("params", "gamma_params")}
    given["drafter"] = choices.drafter or "small-model"
    if choices.head:
        given["drafter"] = choices.drafter or _drafter_of(choices.head)
        given["params"]["head"] = choices.head
    given["costs"] = choices.costs and _costs(choices.costs)
    if choices.target or choices.draft:
        given["pair"] = own(choices.draft or "", choices.target or "")
    config = RunConfig(**given)
    writable("--out", choices.out)
    check(config)
    check_together(draft.entry(config.drafter), accept.entry(config.rule), config.temperature)
    _load(config)
    trace, fault = _decoded(config)
    if choices.race and not fault:
        trace, fault = _raced(trace)
    print(coloured(trace, sys.stdout.isatty()))
    print(summary(trace))
    if choices.out:
        choices.out.write_text(to_json(trace), encoding="utf-8")
    if fault:
        raise ConfigError(fault)
    return 0


def _drafter_of(head: str) -> str:
    """The drafter that a published head is for."""
    from specviz.models.heads import published  # imports torch

    return published.read(head).kind


def _decoded(config: RunConfig) -> tuple[Trace, str]:
    """The run as far as it came, and what broke it off, "" if nothing did."""
    from specviz.session import start  # importing numba takes a third of a second; check and --help skip it

    decoding = start(config)
    try:
        for _ in decoding:
            pass
    except KeyboardInterrupt:
        print("stopped; the rounds recorded so far are kept", file=sys.stderr)
    except ValueError as error:  # the model's logits hold NaN
        fault = f"the run broke off; the rounds recorded so far are kept: {error}"
        return dataclasses.replace(decoding.trace(), stop=Stop.FAILED), fault
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
    """Brings a pair into memory. Says what takes long: compiling, or a download, which has a progress bar."""
    from specviz.models import pair

    if config.pair == "embedded":
        pair.load(config.pair, config.device, config.dtype, lambda step: print(f"{step.what} ...", file=sys.stderr))
        return
    from tqdm import tqdm

    with tqdm(unit="B", unit_scale=True, leave=False) as bar:

        def tell(step: Loading) -> None:
            bar.set_description(step.what)
            if step.total:
                bar.total, bar.n = step.total, step.done
                bar.refresh()

        pair.load(config.pair, config.device, config.dtype, tell)


def _costs(path: Path) -> Costs:
    """The costs that a trace's γ rule was given."""
    costs = read(path).info.config.costs
    if costs is None:
        raise ConfigError(f"--costs {path}: its γ rule used none; wanted a trace of the throughput rule")
    return costs


def _rule(entry: RuleEntry) -> str:
    return entry.name if entry.lossless else f"{entry.name} (lossy)"


def _tuning(text: str) -> tuple[str, float | str]:
    """A drafter's parameter: a number, a name or a shape."""
    name, value = _split(text, "NAME=VALUE, such as nodes=16 or draw=top")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def _setting(text: str) -> tuple[str, float]:
    name, number = _split(text, "NAME=NUMBER, such as k=1")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{number!r} in {text!r} is not a number") from None


def _split(text: str, wanted: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted {wanted}")
    return name, value
