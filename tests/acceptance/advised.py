"""Advice held against a full sweep: python -m tests.acceptance.advised [--pair smollm2].

Ten sets of prompts, the kinds of standard.jsonl and chat.jsonl. For each the advice is made of one shown run a prompt
and a few timed rounds; then every γ is decoded and timed on every prompt, in turns with plain decoding.
"""

import argparse
import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from specviz import draft, session
from specviz.config.settings import RunConfig
from specviz.lab import advice, sweep, timed
from specviz.lab.measured import Choice
from specviz.lab.study import prompts
from specviz.lab.study.tables import aligned
from specviz.models import pair as pairs
from specviz.shipped import ASSETS

FILES = (prompts.STANDARD, ASSETS / "prompts" / "chat.jsonl")
LAPS = 2
TOKENS = 48
CLOSE = 0.1


class Held(NamedTuple):
    """A set of prompts: what was predicted, and the measured speed-up, γ by γ, lap by lap."""

    name: str
    choice: Choice
    measured: Sequence[Sequence[float]]

    @property
    def found(self) -> list[float]:
        """The mean of each γ's laps."""
        return [sum(laps) / len(laps) for laps in self.measured]

    @property
    def best(self) -> int:
        """The γ that was fastest."""
        return 1 + self.found.index(max(self.found))

    @property
    def within(self) -> bool:
        """Whether the γ that was predicted to be best reaches the range of the one that was."""
        return max(self.measured[self.choice.gamma - 1]) >= min(self.measured[self.best - 1])

    @property
    def error(self) -> float:
        """Of the predicted speed-up at the advised γ, as a share of the measured one."""
        return self.choice.speedup / self.found[self.choice.gamma - 1] - 1


def held(base: RunConfig, most: int, seeds: int) -> Iterator[Held]:
    """Every set, of at most so many prompts. The base has the longest γ."""
    sweep.measure(dataclasses.replace(base, prompt="Once upon a time"))  # warms up
    sets: dict[str, list[str]] = {}
    for path in FILES:
        for each in prompts.read(path):
            sets.setdefault(f"{path.stem}: {each.category}", []).append(each.turns[0])
    for name, texts in sets.items():
        configs = [dataclasses.replace(base, prompt=text, seed=seed) for text in texts[:most] for seed in range(seeds)]
        yield Held(name, predicted(configs), measured(configs))


def predicted(configs: Sequence[RunConfig]) -> Choice:
    """The advice on these runs, a kind of text by themselves."""
    config = sorted(configs, key=lambda each: len(each.prompt))[len(configs) // 2]
    pair, most = pairs.load(config.pair, config.device, config.dtype), config.gamma
    spans = [[advice.span(step) for step in session.start(each, pair)] for each in configs]
    walks = [[walk] for walk in advice.walks(spans, config.max_new_tokens)]
    times = timed.timed(config, most)
    ((choice,),) = [
        each.choices for each in advice.advise({"": {config.drafter: walks}}, {"": {config.drafter: times}})
    ]
    return choice


def measured(configs: Sequence[RunConfig]) -> list[list[float]]:
    """The speed-up of these runs, γ by γ, lap by lap."""
    found: list[list[float]] = [[] for _ in range(configs[0].gamma)]
    for _ in range(LAPS):
        for gamma, laps in enumerate(found, 1):
            cells = [sweep.measure(dataclasses.replace(config, gamma=gamma)) for config in configs]
            laps.append(sum(each.plain for each in cells) / sum(each.draft + each.verify + each.rest for each in cells))
    return found


def main() -> None:
    """Prints a row a set, and how many hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.advised", description=__doc__)
    parser.add_argument("--pair", default="embedded")
    parser.add_argument("--drafter", default="small-model", choices=[each.name for each in draft.ENTRIES])
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--prompts", type=int, default=3, help="of each set")
    parser.add_argument("--seeds", type=int, default=1)
    chosen = parser.parse_args()
    base = RunConfig("", drafter=chosen.drafter, pair=chosen.pair, temperature=chosen.temperature,
                     gamma=advice.MOST, max_new_tokens=TOKENS)  # fmt: skip
    sets = list(held(base, chosen.prompts, chosen.seeds))
    names = ["prompts", "advised γ", "predicted", "measured there", "error", "best γ measured", "its range"]
    rows = [
        [
            each.name,
            f"{each.choice.gamma} ({each.choice.gammas[0]} to {each.choice.gammas[1]})",
            f"{each.choice.speedup:.2f} ({each.choice.low:.2f} to {each.choice.high:.2f})",
            f"{each.found[each.choice.gamma - 1]:.2f}",
            f"{100 * each.error:+.1f} %",
            str(each.best),
            f"{min(each.measured[each.best - 1]):.2f} to {max(each.measured[each.best - 1]):.2f}",
        ]
        for each in sets
    ]
    close = sum(abs(each.error) <= CLOSE for each in sets)
    within = sum(each.within for each in sets)
    for line in (*aligned(names, rows), "", f"of {len(sets)} sets best γ: {within}, speed-up within 10 %: {close}"):
        print(line)


if __name__ == "__main__":
    main()
