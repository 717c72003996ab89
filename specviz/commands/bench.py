"""specviz bench: times every method against plain decoding and against transformers, and tries whether it is exact."""

import argparse
from pathlib import Path

from specviz.commands.options import check_writable
from specviz.trace.codec import to_json


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz bench`."""
    parser.add_argument(
        "--methods",
        type=lambda text: [name.strip() for name in text.split(",")],
        default=[],
        metavar="A,B,...",
        help="only these, each DRAFTER or DRAFTER:RULE, such as ngram,small-model:block",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    parser.add_argument("--quick", action="store_true", help="fewer tokens, texts and laps")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")


def bench(choices: argparse.Namespace) -> int:
    """Times every method, in turns, and prints a table, the fastest first."""
    from tqdm import tqdm

    from specviz.bench import methods, methods_report

    check_writable("--json", choices.json)
    job = methods.jobs(choices.methods, choices.device, quick=choices.quick)
    with tqdm(unit="piece", leave=False) as bar:
        report = methods.measure(job, lambda total: bar.reset(total) or bar.update)
    print("\n".join(methods_report.lines(report)))
    if choices.json:
        choices.json.write_text(to_json(report) + "\n", encoding="utf-8")
    return 0
