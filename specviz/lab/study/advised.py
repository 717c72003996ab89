"""Advice out of a study: the chances its runs recorded, the times its workers measured; both are kept in its folder."""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from specviz.config.settings import ConfigError
from specviz.lab import advice
from specviz.lab.advice import Span, Walk
from specviz.lab.measured import Advice, Experts, Times
from specviz.lab.study import store, worker
from specviz.lab.study.plan import Build, StudyPlan
from specviz.trace.codec import read, to_json

TIMES = "times.json"
ALL = "all"
"""All kinds of text together, where there are several."""
LABELS = ("run", "turn", "method", "set_hash", "question_id", "category", "prompt_tokens", "tokens", "error")
STEPS = ("run", "turn", "budget", "depth", "chances")


Measured = Mapping[str, tuple[Mapping[str, Times], Experts | None]]
"""By kind of text: what each method's rounds take, and the experts that tokens touch, if there are any."""


@dataclasses.dataclass(frozen=True, slots=True)
class TextKind:
    """A kind of text in a study: by method the spans of each prompt's runs; and the prompt of median length, which is
    timed, with the text that the first method wrote after it."""

    spans: Mapping[str, Sequence[Sequence[Sequence[Span]]]]
    timed: str
    text: Sequence[int]


def read_study(folder: Path, plan: StudyPlan) -> Mapping[str, TextKind]:
    """By kind of text. A prompt that some run failed on is left out.

    Raises:
        ConfigError: all are.
    """
    steps: dict[tuple[int, int], list[Span]] = {}
    for row in store.rounds(folder, STEPS).to_pylist():
        steps.setdefault((row["run"], row["turn"]), []).append(Span(row["budget"], row["depth"], tuple(row["chances"])))
    rows = store.runs(folder, LABELS).to_pylist()
    failed = {_whose(row): row["error"] for row in rows if row["error"]}
    kinds: dict[str, dict[tuple[str, str], list[Any]]] = {}
    for row in rows:
        if _whose(row) not in failed and steps.get((row["run"], row["turn"])):
            kinds.setdefault(row["category"], {}).setdefault(_whose(row), []).append(row)
    if not kinds:
        raise ConfigError(f"no prompt could be run: {next(iter(failed.values()), 'they wrote nothing')}")
    if len(kinds) > 1:
        kinds[ALL] = {name: found for prompts in kinds.values() for name, found in prompts.items()}
    first = {(each.set_hash, each.id): each.turns[0] for each in plan.prompts}
    return {kind: _told(prompts, steps, first, [each.name for each in plan.methods]) for kind, prompts in kinds.items()}


def _whose(row: Mapping[str, Any]) -> tuple[str, str]:
    """The prompt of a run."""
    return row["set_hash"], row["question_id"]


def _told(
    prompts: Mapping[tuple[str, str], Sequence[Any]],
    steps: Mapping[tuple[int, int], list[Span]],
    first: Mapping[tuple[str, str], str],
    methods: Sequence[str],
) -> TextKind:
    spans = {
        method: [
            [steps[row["run"], row["turn"]] for row in found if row["method"] == method] for found in prompts.values()
        ]
        for method in methods
    }
    ordered = sorted(prompts, key=lambda name: (prompts[name][0]["prompt_tokens"], name))
    middle = ordered[len(ordered) // 2]
    return TextKind(spans, first[middle], prompts[middle][0]["tokens"])


def times(folder: Path, plan: StudyPlan, build: Build, told: Mapping[str, TextKind], crew: Executor) -> Measured:
    """What rounds take, by kind of text and method, and the experts that tokens touch, measured where the folder has it
    not yet.
    """
    path = folder / TIMES
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for kind, each in told.items():
        for method, config in plan.combinations():
            config = dataclasses.replace(config, prompt=each.timed)
            found = kept.setdefault(kind, {"methods": {}, "experts": None})
            if method not in found["methods"]:
                if not found["methods"]:
                    found["experts"] = crew.submit(worker.experts, build, config, each.text, config.gamma + 1).result()
                found["methods"][method] = crew.submit(worker.timed, build, config, config.gamma).result()
                kept = json.loads(to_json(kept))
                path.write_text(json.dumps(kept), encoding="utf-8")
    return {
        kind: (
            {name: read(Times, each, "times") for name, each in found["methods"].items()},
            found["experts"] and read(Experts, found["experts"], "experts"),
        )
        for kind, found in kept.items()
    }


def advised(told: Mapping[str, TextKind], times: Measured, limit: int) -> Iterator[Advice]:
    """The advice on each kind of text."""
    walks: dict[str, dict[str, list[list[Walk]]]] = {}
    for kind, each in told.items():
        for method, prompts in each.spans.items():
            flat = iter(advice.walks([run for runs in prompts for run in runs], limit))
            walks.setdefault(kind, {})[method] = [[next(flat) for _ in runs] for runs in prompts]
    for found in advice.advise(walks, {kind: methods for kind, (methods, _) in times.items()}):
        yield dataclasses.replace(found, experts=times[found.kind][1])
