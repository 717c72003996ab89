"""Answers the lab's tabs: sweeps, lanes, costs, costs by length, the machine, exactness.

An answer is many reports. Each repeats the question's name, and the last one has `ended`.
"""

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from specviz.config.settings import SETTINGS, ConfigError, RunConfig, check, wrong
from specviz.lab.measured import Advice, Measurement
from specviz.proof.findings import EXACT_PROMPTS, Exactness, Given
from specviz.trace.codec import TraceError, read, to_json
from specviz.trace.metrics import summarize
from specviz.trace.run import Trace
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.answers.base import Content, RunAnswers, six
from specviz.ui.events import Remark
from specviz.ui.limits import ADVISED, LANES, LONGEST, NAME, SWEEP
from specviz.ui.runs.recording import Recording

VARIED = frozenset(setting.name for setting in SETTINGS if setting.is_varied)
"""The settings of the run on stage that a sweep may change."""

LENGTHS, ROOM = (128, 512, 2048, 8192), 64
"""Tokens of a text after which costs are measured, and how many fewer than its context the longest has."""
Handler = Callable[[RunConfig, Recording, Mapping[Any, object]], Iterator[Content]]


class Labs(RunAnswers):
    """Answers the player's questions to the lab. Each part of an answer but the last has `done` and `of`."""

    kind = Remark.LAB

    def _contents(self, run: str, wanted: Mapping[Any, object]) -> Iterator[Content]:
        return self._differ(wanted) if wanted.get("job") == "differ" else super()._contents(run, wanted)

    def _differ(self, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """Why the texts of two files differ, which no run here need have to do with."""
        files, prompt = wanted.get("given"), wanted.get("prompt")
        if not isinstance(files, list) or len(files) != 2:
            raise wrong("given", files, "two files")
        try:
            one, other = (read(Given, each, "file") for each in files)
        except TraceError as error:
            raise ConfigError(str(error)) from None
        chosen: dict[str, Any] = {name: wanted[name] for name in ("pair", "dtype", "chat") if name in wanted}
        own = one.prompt and other.prompt and "each its own"  # which no template is put around
        config = RunConfig(own or str(prompt), **chosen, temperature=0.0)
        check(config, self._backend.limits)
        pairs.usable(self._backend, config.pair)
        found = self._backend.differ(config, (one, other))
        yield {"lines": found.lines, "gaps": [*map(six, found.gaps)], "limit": six(found.limit), "at": found.at}

    def _about(self, recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Iterator[Content]:
        handlers: Mapping[object, Handler] = {
            "sweep": self._sweep,
            "lanes": self._lanes,
            "costs": self._costs,
            "lengths": self._lengths,
            "advise": self._advise,
            "machine": self._machine,
            "exact": self._exact,
        }
        job = wanted.get("job")
        if not isinstance(job, str) or job not in handlers:
            raise wrong("job", job, "one", names=", ".join(map(str, handlers)))
        start, longest = self._clock(), min(LONGEST, self._backend.limits.seconds)
        for content in handlers[job](config, recording, wanted):
            yield content
            if "done" in content and self._clock() - start > longest:
                raise ConfigError("held_long", seconds=f"{longest:g}")

    def _sweep(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """A cell for each configuration, then the end."""
        configs = [self._changed(base, changes) for changes in _over(wanted, SWEEP)]
        pairs.usable(self._backend, base.pair)
        for done, cell in enumerate(self._backend.sweep(configs), 1):
            yield {"done": done, "of": len(configs), "cell": _cell(cell)}
        yield {"ended": True}

    def _lanes(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """What each configuration writes, and its counts. One that cannot be run gets the reason in its place. Then
        the end."""
        over = _over(wanted, LANES)
        pairs.usable(self._backend, base.pair)
        for done, changes in enumerate(over, 1):
            place: Content = {"done": done, "of": len(over)}
            try:
                *_, trace = self._backend.start(self._changed(base, changes))
            except ConfigError as error:
                yield place | {"refused": words.cut(error.sentence)}
            else:
                assert isinstance(trace, Trace), "a run ends with its trace"
                traits = jsonable(trace.info.traits)
                yield place | {"traits": traits, "written": [*_written(trace)], "counts": _counts(trace)}
        yield {"ended": True}

    def _advise(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """Which drafter and γ pays on the prompts of these configurations."""
        configs = [self._changed(base, changes) for changes in _over(wanted, ADVISED)]
        pairs.usable(self._backend, base.pair)
        of = len(configs) + len({config.drafter for config in configs})
        for report in self._backend.advised(configs):
            if isinstance(report, Advice):
                yield {"advice": jsonable(report), "sentences": list(report.sentences)}
            else:
                yield {"done": report, "of": of}

    def _costs(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """What a round's parts cost here and now."""
        pairs.usable(self._backend, base.pair)
        yield {"costs": jsonable(self._backend.costs(base))}

    def _lengths(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """What a round's parts cost after texts of LENGTHS tokens, in each configuration, then the end."""
        assert recording.info, "its run was opened"
        most = min(self._backend.limits.prompt_tokens, recording.info.context - ROOM)
        configs = [self._changed(base, changes) for changes in _over(wanted, LANES)]
        pairs.usable(self._backend, base.pair)
        asked = [*product(sorted({min(length, most) for length in LENGTHS}), configs)]
        for done, (behind, config) in enumerate(asked, 1):
            cell = {"behind": behind, "drafter": config.drafter, "costs": jsonable(self._backend.costs(config, behind))}
            yield {"done": done, "of": len(asked), "cell": cell}
        yield {"ended": True}

    def _machine(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """What bounds a target pass on this machine. Each report has one measurement more; then the end."""
        pairs.usable(self._backend, base.pair)
        for report in self._backend.machine(base):
            yield {"done": report.done, "of": report.of, "machine": jsonable(report)}
        yield {"ended": True}

    def _exact(self, base: RunConfig, recording: Recording, wanted: Mapping[Any, object]) -> Iterator[Content]:
        """How many texts a changed configuration was compared on, then whether it is exact."""
        (changes,) = _over(wanted, 1)
        config = self._changed(base, changes)
        pairs.usable(self._backend, base.pair)
        for report in self._backend.exact(config):
            if isinstance(report, Exactness):
                yield {"exact": {**dataclasses.asdict(report), "holds": report.holds}}
            else:
                yield {"done": report, "of": EXACT_PROMPTS}

    def _changed(self, base: RunConfig, changes: object) -> RunConfig:
        """The run's config with one set of changes. Raises ConfigError: it cannot be run."""
        if not isinstance(changes, Mapping) or not VARIED.issuperset(changes):
            raise wrong("change", changes, "one", names=", ".join(sorted(VARIED)))
        # Costs were measured for the run on stage, and turns before its prompt, not for the changed one.
        earlier = base.earlier if changes.get("prompt", base.prompt) == base.prompt else ()
        config = dataclasses.replace(base, costs=None, earlier=earlier, **changes)
        check(config, self._backend.limits)
        return config


def _over(wanted: Mapping[Any, object], most: int) -> list[object]:
    """The sets of changes in the question."""
    over = wanted.get("over")
    if not isinstance(over, list) or not 0 < len(over) <= most:
        raise ConfigError(f"over is {str(over)[:NAME]}; wanted 1 to {most} sets of changes")
    return over


def _written(trace: Trace) -> Iterator[Content]:
    """The tokens of the text, each with how it came there, and in which round."""
    for step in trace.rounds:
        kept = [(each.token, each.text, str(each.verdict)) for each in map(step.verdicts.__getitem__, step.path)]
        if step.extra:
            kept.append((step.extra.token, step.extra.text, str(step.extra.emission)))
        for token, text, state in kept:
            yield {"token": token, "text": text, "state": state, "round": step.index}


def _counts(trace: Trace) -> Content:
    """What the rounds of a lane come to."""
    counted = summarize(trace.rounds)
    return {
        "tested": counted.tested,
        "accepted": counted.accepted,
        "passes": len(trace.rounds),
        "rolled_back": sum(step.target_cache.written - step.target_cache.kept for step in trace.rounds),
    }


def _cell(cell: Measurement) -> object:
    """Without the prompt, which the player sent."""
    return jsonable(dataclasses.replace(cell, config=dataclasses.replace(cell.config, prompt="")))


def jsonable(value: object) -> Any:
    """What a trace's JSON has for a value."""
    return json.loads(to_json(value))
