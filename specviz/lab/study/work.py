"""One task of a study, decoded, as rows. The task and the build determine them, times and machine aside."""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from specviz import draft, session
from specviz.config.settings import ConfigError, RunConfig, Shape
from specviz.lab import advice, machine
from specviz.lab.study.plan import KEPT, LIMITS, Build, Task
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.trace.metrics import summarize
from specviz.trace.round import Round, Timing
from specviz.trace.run import Stop

Row = dict[str, Any]
_machine = lru_cache(machine.name)


def prepared(base: RunConfig, configs: Sequence[RunConfig]) -> Build:
    """Loads the pair, and tries each config as far as its first pass.

    Raises:
        ConfigError: the pair cannot be had, or one of them cannot be run with it.
    """
    pair = pairs.load(base.pair, base.device, base.dtype)
    for config in configs:
        session.start(dataclasses.replace(config, prompt="a", max_new_tokens=2), pair, shown=False)
    return Build(pair.device, session.versions())


def loaded(build: Build, config: RunConfig) -> Pair:
    """The config's pair, in the build that the study was begun with: another may round differently.

    Raises:
        ConfigError: this is another build, or the pair cannot be had.
    """
    present = session.versions()
    if present != build.versions:
        raise ConfigError(
            f"the study was begun with {_listed(build.versions)}; here are {_listed(present)}; begin another"
        )
    return pairs.load(config.pair, config.device, config.dtype)


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def rows(task: Task, pair: Pair) -> Iterator[Row]:
    """A row for each turn. One that cannot be decoded, or breaks off, ends the conversation; its `error` says why."""
    turns: list[str] = []
    for turn, text in enumerate(task.prompt.turns):
        config = dataclasses.replace(task.config, prompt=text, earlier=tuple(turns))
        row = {**_asked(task, turn), **_here(pair)}
        try:
            run = session.start(config, pair, limits=LIMITS, shown=task.shown)
        except ConfigError as error:
            yield {**row, **_found([]), "stop": Stop.FAILED.value, "error": str(error), "steps": []}
            return
        fault = _broken(run)
        chained = task.shown and run.info.traits.shape is Shape.CHAIN and run.info.rule == "rejection"
        trace = run.trace()
        yield {
            **row,
            "prompt_tokens": len(run.prompt),
            "tokens": list(trace.tokens),
            "text": trace.text,
            "plain_text": run.info.traits.plain_text,
            "lossless": run.info.traits.lossless,
            "stop": Stop.FAILED.value if fault else trace.stop.value,
            "error": fault,
            **_found(trace.rounds),
            "prefill_ms": run.prefill,
            "steps": [
                {**_step(each), "chances": advice.span(each).chances if chained else None} for each in trace.rounds
            ],
        }
        if fault:
            return
        turns += [text, pair.tokenizer.decode([token for token in trace.tokens if token not in pair.ends])]


def _here(pair: Pair) -> Row:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    where = {"device": pair.device, "dtype": pair.dtype, "machine": _machine(pair.device), "recorded": now}
    return {**where, **session.versions()}


def _broken(run: session.Run) -> str:
    """Decodes the run; what broke it off, "" if nothing did."""
    try:
        for _ in run:
            pass
    except ValueError as error:  # the model's logits hold NaN
        return str(error)
    return ""


def _asked(task: Task, turn: int) -> Row:
    prompt, config = task.prompt, task.config
    unsized = {} if draft.entry(config.drafter).sized else {"gamma": None, "gamma_rule": None}
    chosen = {setting.name: getattr(config, setting.name) for setting in KEPT} | unsized
    return {
        "run": task.index,
        "config_hash": task.key,
        "set": prompt.set,
        "set_hash": prompt.set_hash,
        "question_id": prompt.id,
        "category": prompt.category,
        "turn": turn,
        "method": task.method,
        **{name: _cell(value) for name, value in chosen.items()},
    }


def _cell(value: Any) -> Any:
    """A setting in a row's one cell: parameters and several texts as JSON."""
    if isinstance(value, Mapping):
        return json.dumps(dict(value), sort_keys=True)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value


def _found(rounds: Sequence[Round]) -> Row:
    counted = summarize(rounds)
    return {
        "rounds": counted.rounds,
        "drafted": counted.drafted,
        "tested": counted.tested,
        "accepted": counted.accepted,
        "emitted": counted.emitted,
        "resampled": counted.resampled,
        "bonus": counted.bonus,
        "rolled_back": sum(step.target_cache.written - step.target_cache.kept for step in rounds),
        "target_passes": sum(step.calls.target for step in rounds),
        "draft_passes": sum(step.calls.draft for step in rounds),
        **_times([step.timing for step in rounds]),
    }


def _step(step: Round) -> Row:
    return {
        "round": step.index,
        "position": step.position,
        "budget": step.budget.depth,
        "drafted": len(step.verdicts),
        "depth": step.offered,
        "tested": step.slots,
        "accepted": len(step.path),
        "emitted": len(step.tokens),
        "emission": step.extra.emission.value if step.extra else None,
        "halted": step.halt is not None,
        "cache_before": step.target_cache.before,
        "cache_written": step.target_cache.written,
        "cache_kept": step.target_cache.kept,
        "target_passes": step.calls.target,
        "draft_passes": step.calls.draft,
        **_times([step.timing]),
    }


def _times(timings: Sequence[Timing]) -> Row:
    return {
        "draft_ms": sum(each.drafting for each in timings),
        "verify_ms": sum(each.verify for each in timings),
        "accept_ms": sum(each.accept for each in timings),
        "trim_ms": sum(each.trim for each in timings),
        "overhead_ms": sum(each.overhead for each in timings),
    }
