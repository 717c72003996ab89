"""specviz advise: which drafter and γ pays on one's own prompts, or none."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from specviz import draft
from specviz.commands.options import add_setting, check_writable, hand_over, whole_number
from specviz.commands.study import add_crew, add_prompts, crew_of, needs_pyarrow, prompts_of
from specviz.config.pairs import drafter_for, pair_name
from specviz.config.settings import MOST_GAMMA, ConfigError, RunConfig, Shape
from specviz.config.words import tell
from specviz.lab import advice
from specviz.lab.measured import Advice
from specviz.lab.study import plan as plans
from specviz.lab.study.plan import StudyPlan

OUT = Path("advice")
SETTINGS = tuple(each for each in (*plans.AXES, *plans.SHARED) if each.name not in ("gamma", "rule"))
"""What a person may choose: γ is what is asked for, and the advice is on rejection."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz advise`."""
    add = parser.add_argument
    add("--target", help="a folder or Hugging Face repository, instead of --pair")
    add("--drafts", type=lambda text: tuple(text.split(",")), default=(), metavar="A,B,...",
        help="drafters, such as small-model,suffix:factor=2; with --target also draft models")  # fmt: skip
    add("--most", type=whole_number, default=advice.MOST, metavar="γ", help=f"the longest draft; {advice.MOST}")
    add_prompts(parser)
    for setting in SETTINGS:
        add_setting(parser, setting)
    add("--seeds", type=whole_number, default=1, help="runs of each prompt: with seeds 0, 1, ...")
    add("--json", type=Path, metavar="FILE", help="write the advice there as well")
    add_crew(parser, OUT)


def advise(choices: argparse.Namespace) -> int:
    """Runs what is left of its study, times what is not timed yet, and prints the advice. Exit code 1: it was stopped.

    Raises:
        ConfigError: it cannot be given so.
    """
    check_writable("--json", choices.json)
    asked = _plans(choices)
    needs_pyarrow()
    from tqdm import tqdm

    folders = [choices.out / str(number) for number in range(1, len(asked) + 1)] if len(asked) > 1 else [choices.out]
    found: list[Sequence[Advice]] = []
    with tqdm(total=sum(plan.size for plan in asked), unit="run", leave=False) as bar:
        try:
            for plan, folder in zip(asked, folders, strict=True):
                found.append(_advised(choices, plan, folder, bar))
        except (KeyboardInterrupt, BrokenExecutor) as error:
            why = "stopped" if isinstance(error, KeyboardInterrupt) else "a worker was lost, perhaps for want of memory"
            print(f"{why}; what was run is kept, and the same command goes on", file=sys.stderr)
            return 1
    advices = advice.together(found)
    hand_over(advices, choices.json, lines(advices))
    return 0


def _advised(choices: argparse.Namespace, plan: StudyPlan, folder: Path, bar: Any) -> Sequence[Advice]:
    from specviz.lab.study import advised as studied
    from specviz.lab.study import study as studies

    with crew_of(choices) as (crew, ahead):
        studies.run(plan, folder, crew, ahead, time.perf_counter, bar.update)
    advices = studied.read_study(folder, plan)
    build = studies.check(plan, folder)
    assert build, "it was run"
    with _alone(choices) as crew:
        times = studied.times(folder, plan, build, advices, crew)
    return tuple(studied.advised(advices, times, choices.max_new_tokens))


@contextmanager
def _alone(choices: argparse.Namespace) -> Iterator[Executor]:
    """One worker with all cores, so that its times are those of a run by itself."""
    cores = choices.cores if choices.ray else os.cpu_count()
    with crew_of(argparse.Namespace(**{**vars(choices), "workers": 1, "cores": cores})) as (crew, _):
        yield crew


def lines(advices: Sequence[Advice]) -> Iterator[str]:
    """The advice as sentences, then every drafter as a table."""
    from specviz.lab.study.tables import aligned

    for each in advices:
        yield " ".join(map(tell, each.sentences))
    yield ""
    rows = [
        [
            each.kind,
            str(each.prompts),
            one.drafter,
            str(one.gamma) if len(set(one.gammas)) == 1 else f"{one.gamma} ({one.gammas[0]} to {one.gammas[1]})",
            f"{one.speedup:.2f} ({one.low:.2f} to {one.high:.2f})",
            f"{one.per_pass:.2f}",
            f"{one.cost:.2f}",
            f"{one.alpha:.2f}",
        ]
        for each in advices
        for one in each.choices
    ]
    yield from aligned(["text", "prompts", "drafter", "γ", "speed-up", "tokens per pass", "a round costs", "α"], rows)
    yield ""
    yield "predicted; in brackets 90 % of what other such prompts would give; costs are in steps of plain decoding"


def _plans(choices: argparse.Namespace) -> list[StudyPlan]:
    """A study for each draft model. Drafters that need none go with the first."""
    known = {each.name for each in draft.ENTRIES}
    models = [each for each in choices.drafts if each.partition(":")[0] not in known]
    if models and not choices.target:
        raise ConfigError(f"--drafts: there is no drafter {models[0]!r}; a draft model goes with --target")
    if choices.most > MOST_GAMMA:
        raise ConfigError(f"--most is {choices.most}; wanted a whole number from 1 to {MOST_GAMMA}")
    methods = [plans.drafter(each) for each in choices.drafts if each not in models]
    _chains(methods)
    if not models:
        choices.pair = pair_name("", choices.target) if choices.target else choices.pair
        usual = (drafter_for(choices.pair), "suffix")
        return [_plan(choices, choices.pair, methods or map(plans.drafter, plans.once(usual)))]
    asked = []
    for model in models:
        small = replace(plans.drafter("small-model"), name=model)
        asked.append(_plan(choices, pair_name(model, choices.target), [small, *methods]))
        methods = []
    return asked


def _chains(methods: Sequence[plans.Method]) -> None:
    """Raises ConfigError: one of them drafts a tree, or leaves γ no say."""
    for method in methods:
        entry = draft.entry(method.plugin)
        if not entry.sized or (entry.shape is Shape.TREE and method.params.get("shape") != "chain"):
            shaped = "shape" in method.params and entry.name != "small-tree"
            instead = f"; {entry.name}:shape=chain would" if shaped else ""
            raise ConfigError(f"advice is on chains of guesses, and {method.name} drafts none{instead}")


def _plan(choices: argparse.Namespace, pair: str, methods: Iterable[plans.Method]) -> StudyPlan:
    chosen = {each.name: getattr(choices, each.name) for each in SETTINGS}
    varied = {"gamma": choices.most, "rule": "rejection", **chosen}
    return StudyPlan(
        prompts=prompts_of(choices),
        methods=tuple(methods),
        gamma_rules=(plans.gamma_rule("fixed"),),
        varied={each.name: (varied[each.name],) for each in plans.AXES},
        seeds=choices.seeds,
        base=RunConfig("", **{each.name: chosen[each.name] for each in plans.SHARED} | {"pair": pair}),
        shown=True,
    )
