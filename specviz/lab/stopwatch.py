"""Measures what the parts of a round cost on this machine: a few rounds and passes, before anything is decoded."""

import dataclasses
import statistics
from collections.abc import Mapping, Sequence

from specviz import loop
from specviz.config.costs import Costs
from specviz.config.settings import Clock, milliseconds
from specviz.gamma import Fixed
from specviz.sampling.stops import NO_STOPS
from specviz.sampling.tree import DraftTree
from specviz.trim import KVCache
from specviz.verify import NOTHING, LanguageModel, Needs, SplitModel, verify

WIDTHS = (1, 2, 3, 4, 5, 7, 9, 13, 17, 21)
LAPS = 3
GAMMA = 4
ROUNDS = 5
"""The first of them only warms up."""
TOKENS = ROUNDS * (GAMMA + 1)
"""How much the text may grow while it is timed."""


def costs(parts: loop.Parts, prompt: Sequence[int]) -> Costs:
    """Times a few rounds of these parts. They are used up: their drafter and chance cannot be used again.

    Args:
        parts: their limit leaves room for TOKENS more, as far as the target's context does.
    """
    timed = dataclasses.replace(parts, controller=Fixed(GAMMA), piece=None, ends=frozenset(), stops=NO_STOPS)
    decoding = loop.rounds(timed, prompt, loop.prefill(timed, prompt))
    timings = [step.timing for step, _ in zip(decoding, range(ROUNDS), strict=False)][1:]
    decoding.close()  # frees the caches, which the timed passes need
    behind = min(len(prompt), max(0, parts.target.context - WIDTHS[-1]))
    taken = passes(parts.target, WIDTHS, behind, LAPS, parts.clock, parts.drafter.needs)
    drafting = [call.ms / call.nodes for timing in timings for call in timing.draft for _ in range(call.nodes)]
    return Costs(
        draft=statistics.median(drafting) if drafting else 0.0,
        rest=statistics.median(timing.accept + timing.trim + timing.overhead for timing in timings) if timings else 0.0,
        widths=tuple(taken),
        passes=tuple(map(statistics.median, taken.values())),
    )


def passes(
    model: LanguageModel, widths: Sequence[int], behind: int, laps: int, clock: Clock, needs: Needs = NOTHING
) -> Mapping[int, list[float]]:
    """Milliseconds of passes over `width` tokens after `behind` others, by width. The widths take turns, after a
    warm-up lap.

    Widths that do not fit into the model's context are left out.

    Args:
        needs: of a drafter whose guesses the passes verify. Where it runs some of the layers itself, they only do the
            rest.
    """
    fitting = [width for width in widths if behind + width <= model.context]
    cache = model.new_cache(behind + max(fitting))
    if behind:
        model.forward([1] * behind, range(behind), None, cache)
    taken: dict[int, list[float]] = {width: [] for width in fitting}
    for lap in range(laps + 1):
        for width in fitting:
            cache.truncate(behind)
            milliseconds = time_pass(model, width, cache, clock, needs)
            if lap:
                taken[width].append(milliseconds)
    return taken


def time_pass(model: LanguageModel, width: int, cache: KVCache, clock: Clock, needs: Needs = NOTHING) -> float:
    """Milliseconds of one pass over `width` tokens after those in the cache. needs: see `passes`."""
    places = range(cache.length, cache.length + width)
    if needs.layers and width > 1 and isinstance(model, SplitModel):
        started = model.start(needs.layers, [1] * (width - 1), places[:-1], None, cache.first(needs.layers))
        start = clock()
        verify(model, cache, [1], DraftTree.chain([1] * (width - 1)), needs, started)
    else:
        start = clock()
        model.forward([1] * width, places, None, cache)
    return milliseconds(clock() - start)
