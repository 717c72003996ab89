"""specviz bench: times the engine; bench load and bench soak try a server."""

import argparse
import time
from pathlib import Path

from specviz.commands.options import whole_number, writable
from specviz.trace.codec import to_json


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz bench`, and its commands gammas, load and soak."""
    parser.add_argument(
        "--methods",
        type=lambda text: [name.strip() for name in text.split(",")],
        default=[],
        metavar="A,B,...",
        help="only these, each DRAFTER or DRAFTER:RULE, such as ngram,small-model:block",
    )
    trials = parser.add_subparsers(metavar="gammas | load | soak")
    varied = trials.add_parser("gammas", help="a few drafters at every γ, γ rules, and where a round's time goes")
    varied.set_defaults(do=gammas)
    varied.add_argument("--pair", default="embedded", help="embedded, or a shape: gpt2-medium-shape, ...")
    for timing in (parser, varied):
        timing.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
        timing.add_argument("--quick", action="store_true", help="fewer tokens, texts and laps")
        timing.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")
    loading = trials.add_parser("load", help="a class at once: how long clients wait, how fairly they are served")
    loading.set_defaults(do=load)
    loading.add_argument("--clients", type=whole_number, default=30)
    soaking = trials.add_parser("soak", help="sessions that come and go, and runs cut off: what the server then holds")
    soaking.set_defaults(do=soak)
    soaking.add_argument("--minutes", type=float, default=10, help="at most")
    soaking.add_argument("--sessions", type=whole_number, default=1000)
    soaking.add_argument("--cuts", type=whole_number, default=200, help="live runs hung up on at random")
    for trial in (loading, soaking):
        trial.add_argument("--url", help="a running server; without it one is started, as for strangers")
        trial.add_argument("--seed", type=int, default=1, help="of the first live run; the others count on from it")
        trial.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")


def bench(choices: argparse.Namespace) -> int:
    """Times every method against plain decoding and against transformers, and tries whether it is exact."""
    from tqdm import tqdm

    from specviz.bench import methods, methods_report

    writable("--json", choices.json)
    job = methods.jobs(choices.methods, choices.device, quick=choices.quick)
    with tqdm(unit="piece", leave=False) as bar:
        found = methods.measure(job, lambda total: bar.reset(total) or bar.update)
    print("\n".join(methods_report.lines(found)))
    _write(choices.json, found)
    return 0


def gammas(choices: argparse.Namespace) -> int:
    """Times γ after γ, and what a round is made of."""
    from tqdm import tqdm

    from specviz.bench import report, suite

    writable("--json", choices.json)
    job = suite.jobs(choices.pair, choices.device, quick=choices.quick)
    with tqdm(unit="lap", leave=False) as bar:
        found = suite.measure(job, lambda total: bar.reset(total) or bar.update)
    print("\n".join(report.lines(found)))
    _write(choices.json, found)
    return 0


def load(choices: argparse.Namespace) -> int:
    """Has many clients ask a server at once. Exit code 1: one of them met an error."""
    from specviz.bench import load, reliability
    from specviz.bench.server import serving

    writable("--json", choices.json)
    with serving(choices.url) as server:
        found = load.load(server, choices.clients, time.perf_counter, choices.seed)
    print("\n".join(reliability.load_lines(found)))
    _write(choices.json, found)
    return 1 if found.errors else 0


def soak(choices: argparse.Namespace) -> int:
    """Has sessions come and go for minutes. Exit code 1: one met an error, or a worker was lost."""
    from tqdm import tqdm

    from specviz.bench import reliability, soak
    from specviz.bench.server import serving

    writable("--json", choices.json)
    with serving(choices.url) as server, tqdm(total=choices.sessions + choices.cuts, leave=False) as bar:
        wanted = (choices.sessions, choices.cuts, choices.minutes)
        found = soak.soak(server, *wanted, time.perf_counter, choices.seed, bar.update)
    print("\n".join(reliability.soak_lines(found)))
    _write(choices.json, found)
    return 1 if found.errors or found.lost else 0


def _write(path: Path | None, found: object) -> None:
    if path:
        path.write_text(to_json(found) + "\n", encoding="utf-8")
