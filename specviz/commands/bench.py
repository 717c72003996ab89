"""specviz bench: times methods against plain decoding and against transformers, and tries whether they are exact."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.commands.options import add_setting, check_writable, hand_over
from specviz.config.settings import SETTINGS

if TYPE_CHECKING:
    from specviz.bench.chat import ChatReport
    from specviz.bench.methods import MethodsReport


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz bench`."""
    parser.add_argument(
        "--methods",
        type=lambda text: [name.strip() for name in text.split(",")],
        default=[],
        metavar="A,B,...",
        help="only these, each DRAFTER or DRAFTER:RULE, such as ngram,small-model:block",
    )
    for setting in SETTINGS:
        if setting.name in ("pair", "device"):
            add_setting(parser, setting)
    parser.add_argument("--quick", action="store_true", help="fewer tokens, texts and laps")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")


def bench(choices: argparse.Namespace) -> int:
    """Times methods, in turns, and prints tables, the fastest first; of a chat model also what its goals are."""
    from tqdm import tqdm

    from specviz.bench import chat, methods, methods_report

    check_writable("--json", choices.json)
    job = methods.jobs(choices.methods, choices.device, quick=choices.quick, pair=choices.pair)
    with tqdm(unit="piece", leave=False) as bar:

        def progress(total: int) -> Callable[[], object]:
            bar.reset(total)
            done: Callable[[], object] = bar.update
            return done

        report: MethodsReport | ChatReport
        if choices.pair == "embedded":
            report = methods.measure(job, progress)
            report_lines = methods_report.lines(report)
        else:
            report = chat.measure(job, progress)
            report_lines = chat.lines(report)
    hand_over(report, choices.json, report_lines)
    return 0
