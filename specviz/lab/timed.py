"""What a drafter's rounds take beside a step of plain decoding: a few short runs of each draft length, in turns."""

import dataclasses
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from specviz import session
from specviz.config.settings import HOME, Clock, ConfigError, Limits, RunConfig, Shape, milliseconds
from specviz.lab import advice, baseline
from specviz.lab.measured import Advice, Experts, Times
from specviz.models import pair as pairs
from specviz.trace.round import Round

LAPS = 4
"""After one that only warms up."""
TOKENS = 24
"""That each run writes; fewer where the text ends."""
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 20)
"""Draft lengths that are timed; what lies between lies on the line between."""


def timed(config: RunConfig, most: int, limits: Limits = HOME, clock: Clock = time.perf_counter) -> Times:
    """Times rounds of up to `most` guesses, with the config's drafter after its prompt.

    Raises:
        ConfigError: it cannot be run.
    """
    pair = pairs.load(config.pair, config.device, config.dtype)
    length = min(TOKENS, config.max_new_tokens)
    lengths = sorted({*(each for each in LENGTHS if each < most), most})
    plain, rounds, guesses = [], [], []
    for lap in range(LAPS + 1):
        steps: list[Round] = []
        for gamma in lengths:
            run = session.start(
                dataclasses.replace(config, gamma=gamma, max_new_tokens=length), pair, limits=limits, shown=False
            )
            steps += run
        decoding = baseline.decode(config, pair, run.prompt, length)
        moments = [clock(), *(clock() for _ in decoding)]
        if lap:
            plain.append(statistics.median(milliseconds(end - start) for start, end in pairwise(moments)))
            rounds.append(by_guesses(steps, plain[-1], most))
            guesses += [call.ms / call.nodes for step in steps for call in step.timing.draft if call.nodes]
    return Times(tuple(plain), tuple(rounds), statistics.median(guesses) if guesses else 0.0)


def advised(configs: Sequence[RunConfig], limits: Limits = HOME) -> Iterator[int | Advice]:
    """Yields how many configs are decoded, shown, then how many of their drafters are timed; at the end the advice.

    Args:
        configs: chains judged by rejection, of one length, the same prompts for each drafter.

    Raises:
        ConfigError: one cannot be run, or is no such chain.
    """
    spans: dict[str, list[list[advice.Span]]] = {}
    for done, config in enumerate(configs, 1):
        run = session.start(config, limits=limits)
        if run.info.traits.shape is not Shape.CHAIN or run.info.rule != "rejection":
            raise ConfigError("no_advice", drafter=config.drafter, rule=config.rule)
        spans.setdefault(config.drafter, []).append([advice.span(step) for step in run])
        yield done
    times: dict[str, Times] = {}
    for drafter in spans:
        own = sorted((each for each in configs if each.drafter == drafter), key=lambda each: len(each.prompt))
        times[drafter] = timed(own[len(own) // 2], own[0].gamma, limits)
        yield len(configs) + len(times)
    walks = {
        drafter: [[walk] for walk in advice.walks(runs, configs[0].max_new_tokens)] for drafter, runs in spans.items()
    }
    yield from advice.advise({"all": walks}, {"all": times})


def by_guesses(steps: Sequence[Round], plain: float, most: int) -> tuple[float, ...]:
    """Milliseconds of a round with 0 to `most` guesses, each the median. Where none had that many, they lie on the line
    between the next that had; without any, a round without guesses is a plain step."""
    taken: dict[int, list[float]] = {}
    for step in steps:
        taken.setdefault(step.offered, []).append(step.timing.whole)
    known = {0: plain} | {made: statistics.median(each) for made, each in sorted(taken.items())}
    return tuple(np.interp(range(most + 1), list(known), list(known.values())).tolist())


def experts(config: RunConfig, text: Sequence[int], most: int) -> Experts | None:
    """How many experts of the config's target that many tokens of a text touch; None if it has none.

    Args:
        text: what a run wrote after the config's prompt.
    """
    pair = pairs.load(config.pair, config.device, config.dtype)
    if pair.target.way.name == "compiled":  # none of its families has any
        return None
    from specviz.models import experts  # imports torch

    prompt = session.prompt_of(config, pair)
    layers, of = experts.routed(pair.target, [*prompt, *text])
    return advice.touched([layer[len(prompt) :] for layer in layers], of, most)
