"""Runs a study: what is not yet kept of its plan, in order, by whatever workers there are."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from specviz.config.settings import Clock, ConfigError
from specviz.lab.study import store, worker
from specviz.lab.study.plan import Build, StudyPlan, Task

PART = 256
SECONDS = 5.0
"""A part is written after that many tasks, or so long: what a killed study has to do again."""


def run(
    plan: StudyPlan,
    folder: Path,
    crew: Executor,
    ahead: Callable[[str], int],
    clock: Clock,
    tell: Callable[[int], object],
) -> None:
    """Runs what the folder does not yet keep of the plan, and makes the two tables of it.

    Args:
        ahead: how many tasks may be with the workers at once, on a device of that name.
        tell: called with the number of runs that were kept before, or are done since the last call.

    Raises:
        ConfigError: the folder holds another study, or is in use; or the plan cannot be run here.
    """
    build = check(plan, folder) or crew.submit(worker.prepared, plan.base, plan.configs()).result()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / ".lock", timeout=0):
            if kept := check(plan, folder):
                build = kept
            else:
                store.begin(folder, plan.described(), build)
            if not store.finished(folder):
                most = ahead(build.device)
                _decode(plan, folder, lambda task: crew.submit(worker.decoded, build, task), most, clock, tell)
            store.merge(folder)
    except Timeout:
        raise ConfigError(f"another process is at work on the study in {folder}") from None


def check(plan: StudyPlan, folder: Path) -> Build | None:
    """What the folder's study was begun with, None if it holds none yet.

    Raises:
        ConfigError: it holds another.
    """
    known = store.known(folder)
    if not known:
        return None
    kept, build = known
    for name, wanted in plan.described().items():
        found = kept.get(name)
        if found != wanted:
            raise ConfigError(
                f"{folder} holds another study: its {name} is {json.dumps(found)}, not {json.dumps(wanted)}"
            )
    return build


def _decode(
    plan: StudyPlan,
    folder: Path,
    submit: Callable[[Task], Future[Any]],
    ahead: int,
    clock: Clock,
    tell: Callable[[int], object],
) -> None:
    tasks = plan.tasks()
    for key, task in zip(store.keys(folder), tasks, strict=False):
        if key != task.key:
            raise ConfigError(f"{folder} holds run {task.index:,} of another plan; begin another study")
        tell(len(task.prompt.turns))
    rows: list[Any] = []
    done, since = 0, clock()
    try:
        for found in _in_order(submit, tasks, ahead):
            rows += found
            done += 1
            tell(len(found))
            if done == PART or clock() - since >= SECONDS:
                store.keep(folder, rows)
                rows, done, since = [], 0, clock()
    finally:
        if rows:
            store.keep(folder, rows)


def _in_order(submit: Callable[[Task], Future[Any]], tasks: Iterable[Task], ahead: int) -> Iterator[Any]:
    """What each task came to. At most `ahead` of them are begun and not yet asked for."""
    waiting = iter(tasks)
    begun = deque(map(submit, islice(waiting, ahead)))
    while begun:
        yield begun.popleft().result()
        begun.extend(map(submit, islice(waiting, 1)))
