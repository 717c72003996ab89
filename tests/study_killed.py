"""A study of a tiny pair, killed at random moments and gone on with: python -m tests.study_killed FOLDER KILLS."""

import os
import random
import signal
import sys
import time
from concurrent.futures import Executor, Future
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from specviz import session
from specviz.config.settings import RunConfig
from specviz.lab.study import plan as plans
from specviz.lab.study import prompts, store, study, work
from tests.battery.common import Bytes, tiny_pair


class Talking(Bytes):
    """Turns stand one behind the other."""

    def conversation(self, turns: list[str], *, chat: bool) -> list[int]:
        return self.encode("".join(turns).replace("\ufffd", ""))


class Here(Executor):
    """Works where it is asked, and at once."""

    def submit(self, work: Any, /, *given: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*given))
        return done


PAIR = replace(tiny_pair(), tokenizer=Talking())
PART = 9
MEASURED = ("machine", "recorded", "prefill_ms", *store.MILLISECONDS)
"""The columns that do not repeat: clocks, and the machine."""
TEXTS = [("ab",), ("ba", "aa"), ("éa",), ("bbb",), ("aab", "b", "ab")]


def planned(seeds: int) -> plans.StudyPlan:
    """Five conversations, eight turns; by 2 drafters, 2 γ and 2 temperatures."""
    asked = [prompts.Prompt("tiny", "0", str(place), "text", turns) for place, turns in enumerate(TEXTS)]
    drafters = ("small-model", "prompt-lookup:max_match=2")
    return plans.StudyPlan(
        prompts=tuple(asked),
        methods=tuple(map(plans.drafter, drafters)),
        gamma_rules=(plans.gamma_rule("fixed"),),
        varied={"gamma": (1, 3), "temperature": (0.0, 0.8)},
        seeds=seeds,
        base=RunConfig("", max_new_tokens=4),
    )


def go_on(folder: Path, plan: plans.StudyPlan, tell: Any = lambda done: None) -> None:
    """Runs what is left of it, here."""
    build = plans.Build("cpu", session.versions())
    work.prepared, work.loaded = lambda *_: build, lambda *_: PAIR  # type: ignore[assignment]
    study.PART = PART
    study.run(plan, folder, Here(), lambda _: 3, time.perf_counter, tell)


def main(folder: Path, kills: int) -> None:
    """Forks a study that is killed in the middle of whatever it does, so many times; then lets it end."""
    plan = planned(seeds=5)
    for kill in range(kills + 1):
        before = parts(folder)
        child = os.fork()
        if not child:
            go_on(folder, plan, doomed(before * PART + random.randrange(25)) if kill < kills else lambda _: None)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        print("killed" if os.WIFSIGNALED(status) else "ended", before, parts(folder))


def doomed(tasks: int) -> Any:
    """Told of so many tasks, kept ones included, it sets an alarm that nobody hears, which ends the process."""
    told = count()

    def tell(_: int) -> None:
        if next(told) == tasks:
            signal.setitimer(signal.ITIMER_REAL, 1e-6 + random.random() * 8e-3)

    return tell


def parts(folder: Path) -> int:
    """How many parts are kept."""
    return len(list(folder.glob("parts/*.parquet")))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
