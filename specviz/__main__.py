"""The command line: python -m specviz run | check | bench | train."""

import argparse
import dataclasses
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from specviz import options
from specviz.config import ConfigError, RunConfig, check
from specviz.costs import Costs
from specviz.pairs import Loading, own
from specviz.proof.problems.run import problems
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.metrics import summarize
from specviz.trace.run import Stop, Trace
from specviz.trace.terminal import coloured, summary


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: done; 1: the trace has problems; 2: wrong input, explained in one line."""
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
    """Loads a pair, with a progress bar for its download."""
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
    """The costs that a trace's gamma rule used."""
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
    """Refuses a path that cannot be written, before any work is done for it."""
    if path and not path.parent.is_dir():
        raise ConfigError(f"{option} {path}: there is no folder {path.parent}")
    if path and path.is_dir():
        raise ConfigError(f"{option} {path} is a folder; wanted the name of a file")


def _fields(kind: type, choices: argparse.Namespace) -> dict[str, Any]:
    """The choices that are fields of this dataclass."""
    names = {item.name for item in dataclasses.fields(kind)}
    return {name: value for name, value in vars(choices).items() if name in names}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="specviz", description="Speculative decoding, recorded round by round.")
    commands = parser.add_subparsers(required=True, metavar="run | check | bench | train")
    options.run(commands).set_defaults(do=_run)
    options.check(commands).set_defaults(do=_check)
    bench = options.bench(commands)
    bench.set_defaults(do=_bench)
    trials = bench.add_subparsers(metavar="load | soak")
    options.load(trials).set_defaults(do=_under_load)
    options.soak(trials).set_defaults(do=_soak)
    options.train(commands).set_defaults(do=_train)
    return parser


if __name__ == "__main__":
    sys.exit(main())
