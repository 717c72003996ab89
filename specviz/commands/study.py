"""specviz study: runs prompts with every method and setting; study show says what came of it."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from specviz.commands.options import add_own_pair, add_setting, whole_number
from specviz.config.pairs import pair_name
from specviz.config.settings import ConfigError, RunConfig
from specviz.lab.study import plan as plans
from specviz.lab.study import prompts
from specviz.lab.study.plan import StudyPlan

OUT = Path("study")
AHEAD = 4
"""Tasks with each worker, so that none waits for the rows to be written."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz study`, and its command show."""
    add = parser.add_argument
    add_prompts(parser)
    add("--methods", nargs="+", default=["small-model"], metavar="DRAFTER[:PARAM=VALUE...]",
        help="such as small-model ngram small-tree:nodes=16:width=2")  # fmt: skip
    add("--gamma-rule", nargs="+", default=["fixed"], metavar="RULE[:PARAM=NUMBER...]")
    for setting in plans.AXES:
        default = 0.0 if setting.name == "temperature" else setting.default
        add_setting(parser, setting, nargs="+", default=[default])
    add("--seeds", type=whole_number, default=1, help="how many: 0, 1, 2, ...")
    for setting in plans.SHARED:
        add_setting(parser, setting)
    add_own_pair(parser)
    add_crew(parser, OUT)
    parts = parser.add_subparsers(metavar="show")
    shown = parts.add_parser("show", help="print a study's tables and write its plots")
    shown.set_defaults(do=show)
    shown.add_argument("folder", type=Path, metavar="FOLDER")
    shown.add_argument("--csv", action="store_true", help="write both tables as CSV too")


def add_prompts(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say which prompts are run."""
    add = parser.add_argument
    add("--prompts", type=Path, nargs="+", default=[], metavar="PATH",
        help="JSON Lines such as Spec-Bench's question.jsonl, a text file that is one prompt, a folder of both;"
        " without it, prompts of our own")  # fmt: skip
    add("--prompt", action="append", default=[], metavar="TEXT", help="a prompt; may be given several times")


def add_crew(parser: argparse.ArgumentParser, out: Path) -> None:
    """Adds the options that say where a study is run and kept."""
    add = parser.add_argument
    add("--workers", type=whole_number, help="each with models of its own; as many as there are cores, or GPUs")
    add("--cores", type=whole_number, help="of each worker; 1 for the built-in pair, all of them for others")
    add("--ray", metavar="ADDRESS", help="run on that Ray cluster (auto, HOST:PORT), or on one started here (local)")
    add("--out", type=Path, default=out, metavar="FOLDER", help="the same command again goes on where it stopped")


def study(choices: argparse.Namespace) -> int:
    """Runs what is left of the study. Exit code 1: it was stopped, or a worker was lost.

    Raises:
        ConfigError: the study cannot be run so.
    """
    plan = _plan(choices)
    needs_pyarrow()
    from tqdm import tqdm

    from specviz.lab.study import study as studies

    studies.check(plan, choices.out)
    for line in plan.left_out():
        print(line, file=sys.stderr)
    with tqdm(total=plan.size, unit="run", leave=False) as bar:
        try:
            with crew_of(choices) as (crew, ahead):
                studies.run(plan, choices.out, crew, ahead, time.perf_counter, bar.update)
        except (KeyboardInterrupt, BrokenExecutor) as error:
            why = "stopped" if isinstance(error, KeyboardInterrupt) else "a worker was lost, perhaps for want of memory"
            print(f"{why}; what was run is kept, and the same command goes on", file=sys.stderr)
            return 1
    print(f"{plan.size:,} runs are in {choices.out}: runs.parquet, rounds.parquet")
    return 0


def show(choices: argparse.Namespace) -> int:
    """Writes a study's plots beside it, and prints its tables.

    Raises:
        ConfigError: there is no study in the folder, or none of it was run yet.
    """
    needs_pyarrow()
    from specviz.lab.study import store, tables
    from specviz.ui import studied

    if not store.known(choices.folder):
        raise ConfigError(f"there is no study in {choices.folder}")
    results = tables.summed(choices.folder)
    if not results.runs:
        raise ConfigError(f"nothing of the study in {choices.folder} was run yet")
    written = [choices.folder / "study.html", *(store.write_csv(choices.folder) if choices.csv else ())]
    written[0].write_text(studied.page(results), encoding="utf-8")
    print("\n".join(tables.lines(results)))
    print("written: " + ", ".join(map(str, written)))
    return 0


def prompts_of(choices: argparse.Namespace) -> tuple[prompts.Prompt, ...]:
    """The prompts that were asked for, or else those of our own."""
    sets = [prompts.read(path) for path in plans.once(choices.prompts)]
    if choices.prompt:
        sets.append(prompts.typed(choices.prompt))
    return tuple(prompt for each in sets or [prompts.read(prompts.STANDARD)] for prompt in each)


def _plan(choices: argparse.Namespace) -> StudyPlan:
    if choices.target or choices.draft:
        choices.pair = pair_name(choices.draft or "", choices.target or "")
    return StudyPlan(
        prompts=prompts_of(choices),
        methods=tuple(map(plans.drafter, plans.once(choices.methods))),
        gamma_rules=tuple(map(plans.gamma_rule, plans.once(choices.gamma_rule))),
        varied={setting.name: plans.once(getattr(choices, setting.name)) for setting in plans.AXES},
        seeds=choices.seeds,
        base=RunConfig("", **{setting.name: getattr(choices, setting.name) for setting in plans.SHARED}),
    )


@contextmanager
def crew_of(choices: argparse.Namespace) -> Iterator[tuple[Executor, Callable[[str], int]]]:
    """The workers, and how many tasks are with them at once. A GPU here serves one worker unless more are asked for."""
    cores = os.cpu_count() or 1
    cores_each = choices.cores or (1 if choices.pair == "embedded" else cores)
    if choices.ray:
        from specviz.lab.study.cluster import actors

        with actors(choices.ray, choices.workers, cores_each, gpu=choices.device != "cpu") as (crew, size):
            yield crew, lambda _: AHEAD * size
    else:
        from specviz.lab.study.local import processes

        count = choices.workers or max(1, cores // cores_each)
        with processes(count, cores_each) as crew:
            yield crew, lambda device: AHEAD * count if choices.workers or device == "cpu" else 1


def needs_pyarrow() -> None:
    """Raises ConfigError: what keeps a study is not installed."""
    if not find_spec("pyarrow"):
        raise ConfigError('a study needs pyarrow; pip install "specviz[study]"')
