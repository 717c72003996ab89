"""The tasks of a worker. Torch is imported only there, so the asking process stays small."""

from collections.abc import Sequence
from typing import Any

from specviz.config.settings import RunConfig
from specviz.lab.measured import Experts, Times
from specviz.lab.study.plan import LIMITS, Build, Task

Row = dict[str, Any]


def prepared(base: RunConfig, configs: Sequence[RunConfig]) -> Build:
    """See work.prepared."""
    from specviz.lab.study import work

    return work.prepared(base, configs)


def decoded(build: Build, task: Task) -> list[Row]:
    """The task's rows, one for each turn; see work.rows. build: what `prepared` gave, here or elsewhere."""
    from specviz.lab.study import work

    return list(work.rows(task, work.loaded(build, task.config)))


def timed(build: Build, config: RunConfig, most: int) -> Times:
    """See timed.timed."""
    from specviz.lab import timed
    from specviz.lab.study import work

    work.loaded(build, config)
    return timed.timed(config, most, LIMITS)


def experts(build: Build, config: RunConfig, text: Sequence[int], most: int) -> Experts | None:
    """See timed.experts."""
    from specviz.lab import timed
    from specviz.lab.study import work

    work.loaded(build, config)
    return timed.experts(config, text, most)
