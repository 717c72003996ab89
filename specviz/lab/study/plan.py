"""What a study runs: every prompt with every method, rule, γ, temperature and seed. It opens without torch."""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Any, TypeVar

from specviz import accept, draft, gamma
from specviz.config.settings import (
    SETTINGS,
    ConfigError,
    Entry,
    Kind,
    Limits,
    RunConfig,
    check,
    check_together,
    entry_of,
    resolve_params,
)
from specviz.lab.study.prompts import Prompt

T = TypeVar("T")
LIMITS = Limits(prompt=1 << 22, earlier=1 << 22, prompt_tokens=1 << 20, seconds=float("inf"))
"""Limits of each run: what the target can read, and no time, which would decide where a text ends."""


_TOLD = (Kind.COSTS, Kind.TURNS)
KEPT = tuple(setting for setting in SETTINGS if setting.name != "prompt" and setting.kind not in _TOLD)
"""The settings that a run's row has. A prompt, with its turns, has an id instead; costs no run of a study has."""
SHARED = tuple(setting for setting in KEPT if not setting.is_varied)
"""Those that all its runs have in common."""
_OTHERWISE = ("drafter", "params", "rule_params", "gamma_rule", "gamma_params", "seed")
AXES = tuple(setting for setting in KEPT if setting.is_varied and setting.name not in _OTHERWISE)
"""Those that a study takes several values of; methods, γ rules and seeds are asked for otherwise."""


@dataclass(frozen=True, slots=True)
class Method:
    """A plug-in with its parameters; `name` as a person writes it, such as small-tree:nodes=16."""

    name: str
    plugin: str
    params: Mapping[str, float | str]


@dataclass(frozen=True, slots=True)
class Task:
    """One prompt under one config, whose prompt is the first turn.

    Attributes:
        index: its place in the plan.
        shown: whether its rounds are recorded as for the page, with p and q.
    """

    index: int
    method: str
    config: RunConfig
    prompt: Prompt
    shown: bool

    @property
    def key(self) -> str:
        """The config's hash: all that determines the run, but the build and the machine."""
        choices = {item.name: getattr(self.config, item.name) for item in dataclasses.fields(RunConfig)}
        del choices["earlier"]  # the turns before, which the prompt has
        known = {**choices, "prompt": self.prompt.turns}
        return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Build:
    """What a study was begun with: the device of its pair, and the versions of what runs there."""

    device: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Every combination is run with seeds 0 to seeds - 1.

    Attributes:
        varied: the values of each of AXES, by name.
        base: what all runs share.
        shown: see Task.

    Raises:
        ConfigError: it holds a choice that cannot be run, or no combination that can.
    """

    prompts: tuple[Prompt, ...]
    methods: tuple[Method, ...]
    gamma_rules: tuple[Method, ...]
    varied: Mapping[str, tuple[Any, ...]]
    seeds: int
    base: RunConfig
    shown: bool = False

    def __post_init__(self) -> None:
        for rule in self.gamma_rules:
            if gamma.wants_costs(rule.plugin):
                raise ConfigError(
                    f"the γ rule {rule.plugin} goes by this machine's times, so its runs would not repeat"
                )
        combinations = self.combinations()
        if not combinations:
            raise ConfigError(f"nothing is left to run; {self.left_out()[0]}")
        for _, config in combinations:
            check(dataclasses.replace(config, prompt=self.prompts[0].turns[0]), LIMITS)
        for prompt in self.prompts:
            for turn in prompt.turns:
                check(dataclasses.replace(self.base, prompt=turn), LIMITS)

    @property
    def size(self) -> int:
        """How many runs it is: one for each turn of each prompt."""
        return len(self.combinations()) * sum(len(prompt.turns) for prompt in self.prompts) * self.seeds

    def tasks(self) -> Iterator[Task]:
        """All of them, the seeds outermost, so that a stopped study has tried everything about equally often."""
        combinations = self.combinations()
        for index, (seed, prompt, (method, config)) in enumerate(
            product(range(self.seeds), self.prompts, combinations)
        ):
            turned = dataclasses.replace(config, prompt=prompt.turns[0], seed=seed)
            yield Task(index, method, turned, prompt, self.shown)

    def combinations(self) -> list[tuple[str, RunConfig]]:
        """Each method's name and config, prompt and seed still missing. One where γ has no say is there once."""
        distinct: dict[str, tuple[str, RunConfig]] = {}
        for method, config in self._choices():
            if _refused(config):
                continue
            sized = draft.entry(config.drafter).sized
            for rule in self.gamma_rules if sized else ():
                tuned = dataclasses.replace(config, gamma_rule=rule.plugin, gamma_params=_numbers(rule))
                distinct.setdefault(repr(tuned), (method, tuned))
            if not sized:
                config = dataclasses.replace(config, gamma=self.varied["gamma"][0])
                distinct.setdefault(repr(config), (method, config))
        return list(distinct.values())

    def configs(self) -> list[RunConfig]:
        """One for each combination, prompt and seed still missing."""
        return [config for _, config in self.combinations()]

    def left_out(self) -> list[str]:
        """Why combinations are not run, a line each."""
        lines = (
            f"left out: {method} at temperature {config.temperature:g} under {config.rule} ({why})"
            for method, config in self._choices()
            if (why := _refused(config))
        )
        return list(once([*lines]))

    def described(self) -> dict[str, object]:
        """The plan as JSON, for comparison: prompts by their sets' hashes."""
        sets = [{"name": name, "hash": digest, "prompts": count} for (name, digest), count in self._sets().items()]
        return {
            "prompts": sets,
            "methods": [method.name for method in self.methods],
            "gamma_rules": [rule.name for rule in self.gamma_rules],
            **{name: list(values) for name, values in self.varied.items()},
            "seeds": self.seeds,
            "shown": self.shown,
            **{setting.name: _jsonable(getattr(self.base, setting.name)) for setting in SHARED},
        }

    def _choices(self) -> Iterator[tuple[str, RunConfig]]:
        """Each method with each combination of AXES, before γ rules."""
        for method, values in product(self.methods, product(*self.varied.values())):
            choice = dict(zip(self.varied, values, strict=True))
            yield method.name, dataclasses.replace(self.base, drafter=method.plugin, params=method.params, **choice)

    def _sets(self) -> dict[tuple[str, str], int]:
        counted: dict[tuple[str, str], int] = {}
        for prompt in self.prompts:
            label = prompt.set, prompt.set_hash
            counted[label] = counted.get(label, 0) + 1
        return counted


def drafter(text: str) -> Method:
    """NAME or NAME:PARAM=VALUE:... as a drafter. Raises ConfigError: there is no such drafter or parameter."""
    name, chosen = _parsed(text)
    return _method(draft.entry(name), chosen)


def gamma_rule(text: str) -> Method:
    """The same as a γ rule."""
    name, chosen = _parsed(text)
    return _method(entry_of("gamma_rule", name, gamma.ENTRIES), chosen)


def once(values: Sequence[T]) -> tuple[T, ...]:
    """Each value the first time it comes up."""
    return tuple(dict.fromkeys(values))


def _method(entry: Entry, chosen: Mapping[str, float | str]) -> Method:
    resolved = resolve_params(entry, chosen)
    tuned = [f":{param.name}={_plain(resolved[param.name])}" for param in entry.params if param.name in chosen]
    return Method(entry.name + "".join(tuned), entry.name, resolved)


def _parsed(text: str) -> tuple[str, dict[str, float | str]]:
    name, *settings = text.split(":")
    chosen: dict[str, float | str] = {}
    for setting in settings:
        param, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(f"{setting!r} in {text!r}; wanted NAME:PARAM=VALUE:..., such as small-tree:nodes=16")
        try:
            chosen[param] = float(value)
        except ValueError:
            chosen[param] = value
    return name, chosen


def _numbers(rule: Method) -> dict[str, float]:
    """A γ rule's parameters, all of which are numbers."""
    return {name: value for name, value in rule.params.items() if isinstance(value, float)}


def _jsonable(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _refused(config: RunConfig) -> str:
    """Why that combination cannot be run; "" if it can."""
    try:
        check_together(draft.entry(config.drafter), accept.entry(config.rule), config)
    except ConfigError as error:
        return str(error)
    return ""
