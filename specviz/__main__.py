"""The command line: python -m specviz run | check | bench | train."""

import argparse
import dataclasses
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from specviz.accept import ENTRIES as RULES
from specviz.codec import TraceError, from_json, to_json
from specviz.config import ConfigError, RunConfig, check
from specviz.costs import Costs
from specviz.draft import ENTRIES
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.metrics import summarize
from specviz.pairs import KNOWN, Loading, own
from specviz.problems import problems
from specviz.terminal import coloured, summary
from specviz.trace import Stop, Trace


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: done; 1: the trace has problems; 2: wrong input, said in one line."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # read when the models' library is imported
    choices = _parser().parse_args(arguments)
    try:
        code: int = choices.do(choices)
    except (ConfigError, TraceError, OSError) as error:
        print(f"specviz: {error}", file=sys.stderr)
        return 2
    return code


def _run(choices: argparse.Namespace) -> int:
    given = _fields(RunConfig, choices)
    given |= {name: dict(given[name]) for name in ("params", "gamma_params")}
    given["costs"] = choices.costs and _costs(choices.costs)
    if choices.target or choices.draft:
        given["pair"] = own(choices.draft or "", choices.target or "")
    config = RunConfig(**given)
    _writable("--out", choices.out)
    check(config)
    if config.pair != "embedded":
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


def _decoded(config: RunConfig) -> tuple[Trace, str]:
    """The run as far as it came, and what broke it off, if anything did."""
    from specviz.session import start  # torch takes a second; check and --help do without

    run = start(config)
    try:
        for _ in run:
            pass
    except KeyboardInterrupt:
        print("stopped; what was recorded is kept", file=sys.stderr)
    except ValueError as error:  # the model's logits are not numbers
        fault = f"the run broke off, what was recorded before is kept: {error}"
        return dataclasses.replace(run.trace(), stop=Stop.FAILED), fault
    return run.trace(), ""


def _raced(trace: Trace) -> tuple[Trace, str]:
    """The run with its race; or as it is, and why it was not raced."""
    from specviz.race import race

    why = "it was stopped, and only a whole run can be"
    try:
        if trace.stop.whole:
            *_, timed = race(trace.info.config, trace.rounds)
            return dataclasses.replace(trace, race=timed), ""
    except (ConfigError, KeyboardInterrupt) as error:
        why = str(error) or "stopped"
    return trace, f"the run is kept, but was not raced: {why}"


def _load(config: RunConfig) -> None:
    """Brings a pair into memory, with a bar while it is downloaded."""
    from tqdm import tqdm

    from specviz.models import pair

    with tqdm(unit="B", unit_scale=True, leave=False) as bar:

        def tell(step: Loading) -> None:
            bar.set_description(step.what)
            if step.total:
                bar.total, bar.n = step.total, step.done
                bar.refresh()

        pair.load(config.pair, config.device, config.dtype, tell)


def _read(path: Path) -> Trace:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TraceError(f"{path} is not UTF-8 text: {error.reason}") from None
    try:
        return from_json(text)
    except TraceError as error:
        raise TraceError(f"{path}: {error}") from None


def _costs(path: Path) -> Costs:
    """Those a trace's gamma rule went by."""
    costs = _read(path).info.config.costs
    if costs is None:
        raise ConfigError(f"--costs {path}: its γ rule went by none; wanted a trace of the throughput rule")
    return costs


def _check(choices: argparse.Namespace) -> int:
    trace = _read(choices.trace)
    found = problems(trace)
    for line in found:
        print(line)
    if not found:
        counted = summarize(trace.rounds)
        print(f"sound: {counted.rounds} rounds, {counted.emitted} tokens, every decision recomputes")
    return 1 if found else 0


def _train(choices: argparse.Namespace) -> int:
    from specviz.train.command import Job, train

    try:
        train(Job(**_fields(Job, choices)), choices.stages)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return 0


def _bench(choices: argparse.Namespace) -> int:
    from tqdm import tqdm

    from specviz.bench import report, suite

    _writable("--json", choices.json)
    job = suite.jobs(choices.pair, choices.device, quick=choices.quick)
    with tqdm(unit="lap", leave=False) as bar:
        found = suite.measure(job, lambda total: bar.reset(total) or bar.update)
    print("\n".join(report.lines(found)))
    if choices.json:
        choices.json.write_text(to_json(found) + "\n", encoding="utf-8")
    return 0


def _under_load(choices: argparse.Namespace) -> int:
    from specviz.bench import reliability
    from specviz.bench.load import load
    from specviz.bench.server import serving

    _writable("--json", choices.json)
    with serving(choices.url) as server:
        found = load(server, choices.clients, time.perf_counter, choices.seed)
    print("\n".join(reliability.load_lines(found)))
    if choices.json:
        choices.json.write_text(to_json(found) + "\n", encoding="utf-8")
    return 1 if found.errors else 0


def _soak(choices: argparse.Namespace) -> int:
    from tqdm import tqdm

    from specviz.bench import reliability
    from specviz.bench.server import serving
    from specviz.bench.soak import soak

    _writable("--json", choices.json)
    with serving(choices.url) as server, tqdm(total=choices.sessions + choices.cuts, leave=False) as bar:
        wanted = (choices.sessions, choices.cuts, choices.minutes)
        found = soak(server, *wanted, time.perf_counter, choices.seed, bar.update)
    print("\n".join(reliability.soak_lines(found)))
    if choices.json:
        choices.json.write_text(to_json(found) + "\n", encoding="utf-8")
    return 1 if found.errors or found.lost else 0


def _writable(option: str, path: Path | None) -> None:
    """Refuses a file that cannot be written, before anything is made for it."""
    if path and not path.parent.is_dir():
        raise ConfigError(f"{option} {path}: there is no folder {path.parent}")
    if path and path.is_dir():
        raise ConfigError(f"{option} {path} is a folder; wanted the name of a file")


def _fields(kind: type, choices: argparse.Namespace) -> dict[str, Any]:
    """What was chosen for the fields of a dataclass."""
    names = {item.name for item in dataclasses.fields(kind)}
    return {name: value for name, value in vars(choices).items() if name in names}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="specviz", description="Speculative decoding, recorded round by round.")
    commands = parser.add_subparsers(required=True, metavar="run | check | bench | train")

    run = commands.add_parser("run", help="decode a prompt; print the text coloured by verdict")
    run.set_defaults(do=_run)
    run.add_argument("prompt", metavar="PROMPT")
    run.add_argument("--drafter", default="small-model", help=", ".join(entry.name for entry in ENTRIES))
    run.add_argument("--rule", default="rejection", help=", ".join(entry.name for entry in RULES))
    run.add_argument("--param", dest="params", type=_tuning, action="append", metavar="NAME=VALUE", default=[])
    run.add_argument("--gamma", type=int, default=4, help="tokens drafted a round, 0 to 20; or in the first one")
    run.add_argument("--gamma-rule", default="fixed", help=", ".join(entry.name for entry in GAMMA_RULES))
    run.add_argument(
        "--gamma-param", dest="gamma_params", type=_setting, action="append", metavar="NAME=NUMBER", default=[]
    )
    run.add_argument(
        "--costs", type=Path, metavar="TRACE.json", help="those that trace's throughput rule went by, not measured anew"
    )
    run.add_argument("--temperature", type=float, default=0.8, help="0 (greedy) or 0.05 to 2")
    run.add_argument("--top-k", type=int, default=0, help="0: off")
    run.add_argument("--top-p", type=float, default=1.0, help="1: off")
    run.add_argument("--max-new-tokens", type=int, default=64)
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--pair", default="embedded", help=", ".join(("embedded", *(known.name for known in KNOWN))))
    run.add_argument("--target", help="a folder or Hugging Face repository, instead of --pair")
    run.add_argument("--draft", help="its draft, likewise")
    run.add_argument("--no-chat", dest="chat", action="store_false", help="leave a chat model's template off")
    run.add_argument("--counts", default="", metavar="FILE", help="text that bigram and ngram count instead")
    run.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    run.add_argument("--dtype", default="auto", help="auto (bfloat16 on a GPU, float32 elsewhere), float32, ...")
    run.add_argument("--race", action="store_true", help="then time it against plain decoding; --out keeps the times")
    run.add_argument("--out", type=Path, metavar="TRACE.json", help="write the trace here")

    checking = commands.add_parser("check", help="list every way a trace contradicts itself")
    checking.set_defaults(do=_check)
    checking.add_argument("trace", type=Path, metavar="TRACE.json")

    bench = commands.add_parser("bench", help="time it against plain decoding and against transformers' generate")
    bench.set_defaults(do=_bench)
    bench.add_argument("--pair", default="embedded", help="embedded, or a shape: gpt2-medium-shape, ...")
    bench.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    bench.add_argument("--quick", action="store_true", help="one γ, few tokens, few laps")
    bench.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")

    tried = bench.add_subparsers(metavar="load | soak")
    for name, do, what in (
        ("load", _under_load, "a class at once: how long clients wait, how fairly they are served"),
        ("soak", _soak, "sessions that come and go, and runs cut off: what the server holds afterwards"),
    ):
        trial = tried.add_parser(name, help=what)
        trial.set_defaults(do=do)
        trial.add_argument("--url", help="a running server; without it app.py is started, as for strangers")
        trial.add_argument("--seed", type=int, default=1, help="of the first live run; the others count on from it")
        trial.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")
        if name == "load":
            trial.add_argument("--clients", type=_many, default=30)
        else:
            trial.add_argument("--minutes", type=float, default=10, help="at most")
            trial.add_argument("--sessions", type=_many, default=1000)
            trial.add_argument("--cuts", type=_many, default=200, help="live runs hung up on at random")

    train = commands.add_parser("train", help="make a pair and its count tables from text files")
    train.set_defaults(do=_train)
    train.add_argument("--corpus", type=Path, required=True, help="a folder of .txt files, one genre each; or one file")
    train.add_argument("--tokenizer", type=Path, help="any transformers tokenizer, for --stages counts")
    train.add_argument("--start", type=Path, help="a pair of the same shapes to train on, instead of from nothing")
    train.add_argument("--out", type=Path, default=Path("assets/pair"))
    train.add_argument("--work", type=Path, default=Path(".train"), help="where checkpoints are kept")
    train.add_argument("--stages", nargs="+", choices=(*_STAGES, "shape"), default=list(_STAGES))
    train.add_argument("--target-steps", type=int, default=6000)
    train.add_argument("--deepened-steps", type=int, default=3000)
    train.add_argument(
        "--retold-steps", type=int, default=50, help="text the target writes for its draft to learn from"
    )
    train.add_argument("--draft-steps", type=int, default=1500)
    train.add_argument("--nodes", type=_many, default=12, help="guesses of the tree whose best --stages shape prints")
    train.add_argument("--depth", type=_many, default=6, help="how deep that one may be, at most")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--device", default="cpu")
    return parser


def _many(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted a whole number from 1 to 10,000")
    return int(text)


_STAGES = ("tokenizer", "target", "draft", "counts", "card")


def _tuning(text: str) -> tuple[str, float | str]:
    """A drafter's parameter, which may be a name or a shape as well."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted NAME=VALUE, such as nodes=16 or draw=top")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def _setting(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted NAME=NUMBER, such as k=1")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{number!r} in {text!r} is not a number") from None


if __name__ == "__main__":
    sys.exit(main())
