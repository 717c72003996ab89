"""Bugs around the rounds: where a run begins and ends, how much is drafted, what is recorded."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from specviz import loop, session
from specviz.config.settings import Budget
from specviz.draft import model_chain
from specviz.draft.base import Proposal
from specviz.loop import Parts
from specviz.record import recorder
from specviz.sampling.stops import Stops
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.trim import KVCache
from tests import tiny
from tests.battery.common import Bytes
from tests.battery.laws import law_after_one_token
from tests.battery.rounds import a_run_says_the_text_it_decoded, nothing_is_wasted, traces_are_sound
from tests.mutants.registry import Mutants
from tests.mutants.rule import bend_walk
from tests.tiny import TableModel

MUTANTS = Mutants()


@MUTANTS.put(34, "judging goes on after the end of the text", traces_are_sound, "goes on")
def _(patch: pytest.MonkeyPatch) -> None:
    bend_walk(patch, lambda walk, it: walk(it._replace(ended=np.zeros_like(it.ended))))


@MUTANTS.put(None, "decoding goes on after the end of the text", traces_are_sound, "goes on")
def _(patch: pytest.MonkeyPatch) -> None:
    true = loop.rounds

    def on(made: Any, prompt: Sequence[int], cache: KVCache) -> Iterator[Round]:
        text, index = list(prompt), 0
        while len(text) < made.limit:
            for step in true(made, tuple(text), cache):
                yield dataclasses.replace(step, index=index)
                text, index = [*text, *step.tokens], index + 1
            if cache.length == len(text):
                cache.truncate(len(text) - 1)
                made.drafter._forget(min(made.drafter._cache.length, len(text) - 1))

    patch.setattr(tiny, "rounds", on)


class _AtTheEnd(Stops):
    """Looks for strings in single tokens only."""

    def among(self, text: Sequence[int], tokens: Sequence[int], parents: Sequence[int]) -> dict[int, str]:
        return super().among(text, tokens, parents) if len(tokens) == 1 else {}


class _InNewTokens(Stops):
    """Forgets what stood before."""

    def among(self, text: Sequence[int], tokens: Sequence[int], parents: Sequence[int]) -> dict[int, str]:
        return super().among([], tokens, parents)


def _with_stops(patch: pytest.MonkeyPatch, kind: type[Stops]) -> None:
    true = tiny.parts

    def misled(*asked: Any, **choices: Any) -> Parts:
        made = true(*asked, **choices)
        return dataclasses.replace(made, stops=kind(made.stops.strings, made.stops.decode))

    patch.setattr(tiny, "parts", misled)


@MUTANTS.put(None, "a stop string is looked for only at the end of a round", traces_are_sound, "goes on behind")
def _(patch: pytest.MonkeyPatch) -> None:
    _with_stops(patch, _AtTheEnd)


@MUTANTS.put(None, "a stop string must stand in the round's own tokens", traces_are_sound, "said to complete")
def _(patch: pytest.MonkeyPatch) -> None:
    _with_stops(patch, _InNewTokens)


@MUTANTS.put(35, "more tokens than were asked for", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "within", lambda budget, room, reason: budget)
    prefill = loop.prefill

    def roomy(made: Parts, prompt: Sequence[int]) -> Any:
        small: Any = prefill(made, prompt)
        cache: Any = made.target.new_cache(made.limit + 32)
        cache.slots[..., : small.length, :] = small.slots[..., : small.length, :]
        cache.advance(small.length)
        return cache

    patch.setattr(tiny, "prefill", roomy)
    new_cache = TableModel.new_cache
    patch.setattr(TableModel, "new_cache", lambda self, capacity: new_cache(self, capacity + 32))


@MUTANTS.put(36, "gamma 0 drafts all the same", traces_are_sound, "exceed the budget")
def _(patch: pytest.MonkeyPatch) -> None:
    draw = model_chain.draw_chain
    patch.setattr(model_chain, "draw_chain", lambda budget, *rest: draw(Budget.chain(max(1, budget.depth), ""), *rest))


@MUTANTS.put(36, "gamma 1 drafts nothing", nothing_is_wasted, "drafted 0")
def _(patch: pytest.MonkeyPatch) -> None:
    draw = model_chain.draw_chain
    patch.setattr(
        model_chain, "draw_chain", lambda budget, *rest: draw(budget.within(0 if budget.depth < 2 else 20, ""), *rest)
    )


@MUTANTS.put(36, "no draft where nothing is drafted", law_after_one_token)
def _(patch: pytest.MonkeyPatch) -> None:
    draw = model_chain.draw_chain

    def stacks(budget: Budget, *rest: Any) -> Proposal:
        np.stack([np.zeros(1)] * budget.depth)
        return draw(budget, *rest)

    patch.setattr(model_chain, "draw_chain", stacks)


@MUTANTS.put(37, "a prompt of one token is read whole", law_after_one_token)
def _(patch: pytest.MonkeyPatch) -> None:
    def whole(made: Parts, prompt: Sequence[int]) -> KVCache:
        cache = made.target.new_cache(made.limit)
        read = prompt[:-1] or prompt
        made.target.forward(read, range(len(read)), None, cache)
        made.drafter.begin(prompt)
        return cache

    patch.setattr(tiny, "prefill", whole)


@MUTANTS.put(40, "round index off by one", traces_are_sound, "index is")
def _(patch: pytest.MonkeyPatch) -> None:
    true = recorder.Round
    patch.setattr(recorder, "Round", lambda index, **fields: true(index + 1, **fields))


@MUTANTS.put(41, "recorded path shorter than what was accepted", traces_are_sound, "accepted nodes")
def _(patch: pytest.MonkeyPatch) -> None:
    def shorter(info: Any, prompt: Any, prompt_texts: Any, prefill: float, rounds: Any, *rest: Any) -> Trace:
        cut = tuple(dataclasses.replace(step, path=step.path[:-1]) for step in rounds)
        return Trace(info, prompt, prompt_texts, prefill, cut, *rest)

    patch.setattr(tiny, "Trace", shorter)


@MUTANTS.put(42, "text token by token", a_run_says_the_text_it_decoded, "é")
def _(patch: pytest.MonkeyPatch) -> None:
    true = session.Trace
    tokenizer = Bytes()

    def by_token(**fields: Any) -> Any:
        tokens = [token for step in fields["rounds"] for token in step.tokens]
        return true(**{**fields, "text": "".join(map(tokenizer.piece, tokens))})

    patch.setattr(session, "Trace", by_token)
