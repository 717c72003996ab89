"""Every planted bug dies: each mutant patches the running code, and one named check must notice.

The checks are those of tests/battery.py. They find nothing in the engine as it is; an engine
that falls over under a mutant has been noticed too.
"""

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

import specviz.chance
from specviz import loop, sampling, session, verify
from specviz.accept import rejection
from specviz.accept.base import Judgement
from specviz.accept.rejection import Rejection
from specviz.chance import At, Chance, Flip, Pick, Purpose, Seeded
from specviz.config import Budget
from specviz.draft import small_model
from specviz.draft.base import Committed, Proposal
from specviz.draft.small_model import SmallModel
from specviz.loop import Parts
from specviz.sampling import Sampling
from specviz.trace import Emission, Round, Trace
from specviz.tree import DraftTree
from specviz.trim import KVCache
from tests import tiny
from tests.battery import (
    Bytes,
    Check,
    a_rejection_that_leaves_nothing_draws_from_p,
    a_run_says_the_text_it_decoded,
    every_row_recomputes,
    greedy_is_the_targets_argmax,
    impossible_tokens_never_stand,
    law_after_one_token,
    law_of_a_round,
    law_of_two_tokens,
    nothing_is_wasted,
    numbers_are_fresh,
    the_seed_decides,
    traces_are_sound,
    trees_score_like_their_branches,
)
from tests.tiny import TableModel

# -- How to plant a bug -----------------------------------------------------------------------------------------


@dataclass
class Slot:
    """What the rule is judging, and which node was refused last."""

    proposal: Proposal
    probs: Tensor
    position: int
    node: int = 0


@dataclass
class Bent:
    """A chance whose flips and picks are asked for something else than the rule meant."""

    chance: Chance
    flips: Callable[[float, float, At], tuple[float, float]] = lambda weight, scale, at: (weight, scale)
    picks: Callable[[Tensor, At], Tensor] = lambda probs, at: probs

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return self.chance.flip(*self.flips(weight, scale, at), at)

    def pick(self, probs: Tensor, at: At) -> Pick:
        return self.chance.pick(self.picks(probs, at), at)


def bend_judge(patch: pytest.MonkeyPatch, bend: Callable[[Slot, Chance], Chance]) -> None:
    judge = Rejection.judge

    def bent(self: Rejection, proposal: Proposal, probs: Tensor, position: int, ends: Any, chance: Chance) -> Judgement:
        return judge(self, proposal, probs, position, ends, bend(Slot(proposal, probs, position), chance))

    patch.setattr(Rejection, "judge", bent)


def bend_judgement(patch: pytest.MonkeyPatch, bend: Callable[[Judgement, Proposal, Chance, int], Judgement]) -> None:
    judge = Rejection.judge

    def bent(self: Rejection, proposal: Proposal, probs: Tensor, position: int, ends: Any, chance: Chance) -> Judgement:
        return bend(judge(self, proposal, probs, position, ends, chance), proposal, chance, position)

    patch.setattr(Rejection, "judge", bent)


def bend_residual(patch: pytest.MonkeyPatch, law_of: Callable[[Tensor, Tensor, Slot], Tensor]) -> None:
    """What a rejection draws from is norm(law_of(p, q, slot))."""
    slots: list[Slot] = []

    def remember(slot: Slot, chance: Chance) -> Chance:
        slots.append(slot)
        return chance

    def residual(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
        slot = slots[-1]
        slot.node = q.storage_offset() // len(q)
        weights = law_of(p, q, slot)
        return weights / weights.sum(), torch.tensor(False)

    bend_judge(patch, remember)
    patch.setattr(rejection, "residual", residual)


def bend_flip(patch: pytest.MonkeyPatch, flips: Callable[[float, float], tuple[float, float]]) -> None:
    bend_judge(patch, lambda _, chance: Bent(chance, lambda weight, scale, at: flips(weight, scale)))


def bend_row(patch: pytest.MonkeyPatch, shift: int) -> None:
    """The test looks at another row of p."""

    def bend(slot: Slot, chance: Chance) -> Chance:
        def flips(weight: float, scale: float, at: At) -> tuple[float, float]:
            node = at.position - slot.position
            return float(slot.probs[node + shift, slot.proposal.tree.tokens[node]]), scale

        return Bent(chance, flips)

    bend_judge(patch, bend)


def bend_bonus(patch: pytest.MonkeyPatch, law_of: Callable[[Tensor, Slot], Tensor]) -> None:
    def bend(slot: Slot, chance: Chance) -> Chance:
        return Bent(chance, picks=lambda p, at: law_of(p, slot) if at.purpose is Purpose.BONUS else p)

    bend_judge(patch, bend)


def one_hot(row: Tensor) -> Tensor:
    return torch.zeros_like(row).scatter_(-1, row.argmax(-1, keepdim=True), 1.0)


def records_another_q(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    """Draws from q, but says it drew from q with other settings."""
    rows: list[Tensor] = []
    true, propose = small_model.to_probs, SmallModel.propose

    def both(logits: Tensor, settings: Sampling) -> Tensor:
        rows.append(true(logits, dataclasses.replace(settings, **changed)))
        return true(logits, settings)

    def proposing(self: SmallModel, budget: Budget, chance: Chance) -> Proposal:
        rows.clear()
        made = propose(self, budget, chance)
        return dataclasses.replace(made, q=torch.stack(rows)) if rows else made

    patch.setattr(small_model, "to_probs", both)
    patch.setattr(SmallModel, "propose", proposing)


def judges_another_p(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    true = loop.to_probs
    patch.setattr(loop, "to_probs", lambda logits, settings: true(logits, dataclasses.replace(settings, **changed)))


def bend_uniform(patch: pytest.MonkeyPatch, bend: Callable[[dict[Any, Any], At, Callable[[], float]], float]) -> None:
    """bend may keep things in a dict of the chance's own."""
    true = Seeded.uniform

    def uniform(self: Seeded, at: At) -> float:
        kept = self.__dict__.setdefault("kept", {})
        return bend(kept, at, lambda: true(self, at))

    patch.setattr(Seeded, "uniform", uniform)


# -- The mutants ------------------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    plant: Callable[[pytest.MonkeyPatch], None]
    check: Check
    sees: str
    """What the check's findings must speak of, so that it dies for the right reason."""


MUTANTS: dict[str, Mutant] = {}


def mutant(name: str, check: Check, sees: str = "") -> Callable[[Callable[[pytest.MonkeyPatch], None]], None]:
    def put(plant: Callable[[pytest.MonkeyPatch], None]) -> None:
        assert name not in MUTANTS
        MUTANTS[name] = Mutant(plant, check, sees)

    return put


RESIDUALS: dict[str, Callable[[Tensor, Tensor, Slot], Tensor]] = {
    "resample from p": lambda p, q, slot: p,
    "residual is |p - q|": lambda p, q, slot: (p - q).abs(),
    "residual is max(0, q - p)": lambda p, q, slot: (q - p).clamp(min=0),
    "residual is p without the rejected token": lambda p, q, slot: p.index_fill(
        0, torch.tensor([slot.proposal.tree.tokens[slot.node]]), 0.0
    ),
    "residual uses the next row of q": lambda p, q, slot: (
        p - slot.proposal.q[(slot.node + 1) % len(slot.proposal.q)]
    ).clamp(min=0),
    "residual uses the next row of p": lambda p, q, slot: (slot.probs[slot.node + 1] - q).clamp(min=0),
    "residual's argmax": lambda p, q, slot: one_hot((p - q).clamp(min=0)),
}
for _name, _law in RESIDUALS.items():
    mutant(_name, law_of_a_round, "resampled")(functools.partial(bend_residual, law_of=_law))

FLIPS: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "accept with q / p": lambda p, q: (q, p) if p else (1.0, 1.0),
    "accept with p": lambda p, q: (p, 1.0),
    "accept only where p >= q": lambda p, q: (float(p >= q), 1.0),
    "accept with 1.1 p / q": lambda p, q: (1.1 * p, q),
    "accept with the root of p / q": lambda p, q: (math.sqrt(p), math.sqrt(q)),
}
for _name, _flips in FLIPS.items():
    mutant(_name, law_of_a_round, "resampled")(functools.partial(bend_flip, flips=_flips))
mutant("accept with the next row of p", law_of_a_round)(functools.partial(bend_row, shift=1))
mutant("accept with the last row of p", law_of_a_round)(functools.partial(bend_row, shift=-1))

BONUSES: dict[str, Callable[[Tensor, Slot], Tensor]] = {
    "bonus from the row before": lambda p, slot: slot.probs[-2],
    "bonus is the argmax": lambda p, slot: one_hot(p),
    "bonus from q": lambda p, slot: slot.proposal.q[-1],
}
for _name, _bonus in BONUSES.items():
    mutant(_name, law_of_a_round, "bonus")(functools.partial(bend_bonus, law_of=_bonus))

mutant("q before temperature", every_row_recomputes, "q is not")(functools.partial(records_another_q, temperature=1.0))
mutant("p before temperature", every_row_recomputes, "p is not")(functools.partial(judges_another_p, temperature=1.0))
mutant("q before top-k", every_row_recomputes, "q is not")(functools.partial(records_another_q, top_k=0))
mutant("p before top-k", every_row_recomputes, "p is not")(functools.partial(judges_another_p, top_k=0))
mutant("q before temperature biases the text", law_of_two_tokens)(functools.partial(records_another_q, temperature=1.0))
mutant("p before temperature biases the text", law_of_two_tokens)(functools.partial(judges_another_p, temperature=1.0))


@mutant("draft greedy, q the softmax", law_of_a_round)
def _(patch: pytest.MonkeyPatch) -> None:
    draw = small_model.draw_chain

    def greedy(budget: Budget, position: int, law_of: Any, vocab_size: int, chance: Chance, clock: Any) -> Proposal:
        return draw(budget, position, law_of, vocab_size, Bent(chance, picks=lambda q, at: one_hot(q)), clock)

    patch.setattr(small_model, "draw_chain", greedy)


@mutant("one number for the whole round", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT:
            kept.clear()
        return fresh() if at.purpose is not Purpose.ACCEPT else kept.setdefault("u", fresh())

    bend_uniform(patch, bend)


@mutant("the test shares its number with the draft", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT:
            kept[at.position] = fresh()
        return kept[at.position] if at.purpose in (Purpose.DRAFT, Purpose.ACCEPT) else fresh()

    bend_uniform(patch, bend)


@mutant("the same numbers every round", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(kept: dict[Any, Any], at: At, fresh: Callable[[], float]) -> float:
        if at.purpose is Purpose.DRAFT and kept.get("last") is not Purpose.DRAFT:
            kept["count"] = 0
        kept["last"] = at.purpose
        kept["count"] += 1
        return kept.setdefault(kept["count"], fresh())

    bend_uniform(patch, bend)


@mutant("a number comes back when its position does", numbers_are_fresh)
def _(patch: pytest.MonkeyPatch) -> None:
    bend_uniform(patch, lambda kept, at, fresh: kept.setdefault(at, fresh()))


def _tests_on(judged: Judgement, proposal: Proposal, chance: Chance, position: int) -> Judgement:
    """Skips a refused token and goes on with the next one."""
    path = list(judged.path)
    for node in range(len(path) + 1, len(proposal.tree)):
        won = chance.flip(0.5, 1.0, At(position + node, Purpose.ACCEPT)).won
        path += [node] if won else []
    return dataclasses.replace(judged, path=tuple(path))


mutant("no stop at the first rejection", law_of_two_tokens)(functools.partial(bend_judgement, bend=_tests_on))


def bend_keep(patch: pytest.MonkeyPatch, bend: Callable[[KVCache, int, tuple[int, ...], int], None]) -> None:
    """bend may move what keep left; the last argument is the length before."""
    keep = KVCache.keep

    def bent(self: KVCache, base: int, rows: Sequence[int]) -> None:
        before = self.length
        keep(self, base, rows)
        bend(self, base, tuple(rows), before)

    patch.setattr(KVCache, "keep", bent)


@mutant("target cache one short", nothing_is_wasted, "the target kept")
def _(patch: pytest.MonkeyPatch) -> None:
    bend_keep(patch, lambda cache, base, rows, before: cache.truncate(cache.length - 1))


@mutant("target cache one long", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    bend_keep(patch, lambda cache, base, rows, before: cache.advance(int(cache.length < before)))


@mutant("target cache keeps the wrong slots", every_row_recomputes, "target's cache")
def _(patch: pytest.MonkeyPatch) -> None:
    keep = KVCache.keep

    def bent(self: KVCache, base: int, rows: Sequence[int]) -> None:
        last = self.length - base - 1
        keep(self, base, [min(row + 1, last) for row in rows])

    patch.setattr(KVCache, "keep", bent)


def bend_forget(patch: pytest.MonkeyPatch, by: int) -> None:
    forget = SmallModel._forget
    patch.setattr(SmallModel, "_forget", lambda self, n: forget(self, min(max(n + by, 0), self._cache.length)))


mutant("draft cache one long", every_row_recomputes, "drafter's cache")(functools.partial(bend_forget, by=1))
mutant("draft cache one short", nothing_is_wasted, "the drafter kept")(functools.partial(bend_forget, by=-1))


@mutant("draft misses the bonus token", every_row_recomputes, "q is not")
def _(patch: pytest.MonkeyPatch) -> None:
    commit = SmallModel.commit

    def bent(self: SmallModel, step: Committed) -> None:
        full = [*self._text, *step.tokens[:-2]] == self._fed
        commit(self, Committed(step.tokens[:-1]) if full else step)

    patch.setattr(SmallModel, "commit", bent)


@mutant("draft never reads its own last guess", every_row_recomputes, "q is not")
def _(patch: pytest.MonkeyPatch) -> None:
    feed = SmallModel._feed

    def bent(self: SmallModel, tokens: Sequence[int]) -> Tensor:
        return feed(self, tokens[-1:] if 1 < len(tokens) < 3 and self._cache.length else tokens)

    patch.setattr(SmallModel, "_feed", bent)


@mutant("bonus dropped", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    def bend(judged: Judgement, *_: Any) -> Judgement:
        assert judged.draw is None or isinstance(judged.draw.emission, Emission)
        bonus = judged.draw is not None and judged.draw.emission is Emission.BONUS and judged.path
        return dataclasses.replace(judged, draw=None) if bonus else judged

    bend_judgement(patch, bend)
    bend_keep(patch, lambda cache, base, rows, before: cache.truncate(cache.length - (cache.length == before)))


@mutant("a test won at u q = p", impossible_tokens_never_stand, "accepted")
def _(patch: pytest.MonkeyPatch) -> None:
    def flip(self: Seeded, weight: float, scale: float, at: At) -> Flip:
        u = self.uniform(at)
        return Flip(u * scale <= weight, u)

    patch.setattr(Seeded, "flip", flip)


@mutant("a segment that holds its end", impossible_tokens_never_stand, "drawn")
def _(patch: pytest.MonkeyPatch) -> None:
    def invert(probs: Tensor, u: float) -> int:
        return int(torch.searchsorted(probs.cumsum(0), u * probs.sum()))

    patch.setattr(specviz.chance, "invert", invert)


@mutant("temperature 0 divides", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    def divides(logits: Tensor, settings: Sampling) -> Tensor:
        return (logits / settings.temperature).softmax(-1)

    patch.setattr(loop, "to_probs", divides)
    patch.setattr(small_model, "to_probs", divides)


@mutant("temperature 0 samples at temperature 1", greedy_is_the_targets_argmax)
def _(patch: pytest.MonkeyPatch) -> None:
    for module in (loop, small_model):
        patch.setattr(module, "to_probs", lambda logits, settings: sampling.to_probs(logits, Sampling(1.0)))


@mutant("a residual of 0 / 0", a_rejection_that_leaves_nothing_draws_from_p)
def _(patch: pytest.MonkeyPatch) -> None:
    bend_residual(patch, lambda p, q, slot: (p - q).clamp(min=0))


@mutant("drafting goes on after the end of the text", traces_are_sound, "goes on")
def _(patch: pytest.MonkeyPatch) -> None:
    judge = Rejection.judge

    def deaf(self: Rejection, proposal: Proposal, probs: Tensor, position: int, ends: Any, chance: Chance) -> Judgement:
        return judge(self, proposal, probs, position, frozenset(), chance)

    patch.setattr(Rejection, "judge", deaf)


@mutant("decoding goes on after the end of the text", traces_are_sound, "goes on")
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
                made.drafter._forget(min(made.drafter.cache_length, len(text) - 1))

    patch.setattr(tiny, "rounds", on)


@mutant("more tokens than were asked for", traces_are_sound)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "within", lambda budget, room, reason: budget)
    prefill = loop.prefill

    def roomy(made: Parts, prompt: Sequence[int]) -> KVCache:
        small = prefill(made, prompt)
        cache = made.target.new_cache(made.limit + 32)
        cache.slots[..., : small.length, :] = small.slots[..., : small.length, :]
        cache.advance(small.length)
        return cache

    patch.setattr(tiny, "prefill", roomy)
    new_cache = TableModel.new_cache
    patch.setattr(TableModel, "new_cache", lambda self, capacity: new_cache(self, capacity + 32))


@mutant("gamma 0 drafts all the same", traces_are_sound, "exceed the budget")
def _(patch: pytest.MonkeyPatch) -> None:
    draw = small_model.draw_chain
    patch.setattr(small_model, "draw_chain", lambda budget, *rest: draw(Budget.chain(max(1, budget.depth), ""), *rest))


@mutant("gamma 1 drafts nothing", nothing_is_wasted, "drafted 0")
def _(patch: pytest.MonkeyPatch) -> None:
    draw = small_model.draw_chain
    patch.setattr(
        small_model, "draw_chain", lambda budget, *rest: draw(budget.within(0 if budget.depth < 2 else 20, ""), *rest)
    )


@mutant("no draft where nothing is drafted", law_after_one_token)
def _(patch: pytest.MonkeyPatch) -> None:
    draw = small_model.draw_chain

    def stacks(budget: Budget, *rest: Any) -> Proposal:
        torch.stack([torch.zeros(1)] * budget.depth)
        return draw(budget, *rest)

    patch.setattr(small_model, "draw_chain", stacks)


@mutant("a prompt of one token is read whole", law_after_one_token)
def _(patch: pytest.MonkeyPatch) -> None:
    def whole(made: Parts, prompt: Sequence[int]) -> KVCache:
        cache = made.target.new_cache(made.limit)
        read = prompt[:-1] or prompt
        made.target.forward(read, range(len(read)), None, cache)
        made.drafter.begin(prompt)
        return cache

    patch.setattr(tiny, "prefill", whole)


@mutant("seed ignored", the_seed_decides, "another seed")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(session, "Seeded", lambda seed: Seeded(0))


@mutant("numbers from a global generator", the_seed_decides, "the same seed")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Seeded, "uniform", lambda self, at: float(torch.rand((), dtype=torch.float64)))


@mutant("text token by token", a_run_says_the_text_it_decoded, "é")
def _(patch: pytest.MonkeyPatch) -> None:
    true = session.Trace
    tokenizer = Bytes()

    def by_token(**fields: Any) -> Any:
        tokens = [token for step in fields["rounds"] for token in step.tokens]
        return true(**{**fields, "text": "".join(map(tokenizer.piece, tokens))})

    patch.setattr(session, "Trace", by_token)


@mutant("round index off by one", traces_are_sound, "index is")
def _(patch: pytest.MonkeyPatch) -> None:
    true = loop.Round
    patch.setattr(loop, "Round", lambda index, **fields: true(index + 1, **fields))


@mutant("recorded path shorter than what was accepted", traces_are_sound, "accepted nodes")
def _(patch: pytest.MonkeyPatch) -> None:
    def shorter(info: Any, prompt: Any, prompt_texts: Any, prefill: float, rounds: Any, *rest: Any) -> Trace:
        cut = tuple(dataclasses.replace(step, path=step.path[:-1]) for step in rounds)
        return Trace(info, prompt, prompt_texts, prefill, cut, *rest)

    patch.setattr(tiny, "Trace", shorter)


@mutant("siblings see each other", trees_score_like_their_branches)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        verify,
        "_mask",
        lambda length, owed, tree: torch.ones(owed + len(tree), length + owed + len(tree)).tril(length) > 0,
    )


@mutant("tree positions count nodes", trees_score_like_their_branches)
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DraftTree, "depths", lambda self: tuple(range(len(self))))


@mutant("a kept branch stays where it was", trees_score_like_their_branches, "branch that was kept")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(KVCache, "keep", lambda self, base, rows: self.truncate(base + len(rows)))


# -- The tests --------------------------------------------------------------------------------------------------

CHECKS = sorted({each.check for each in MUTANTS.values()}, key=lambda check: check.__name__)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_engine_as_it_is_passes(check: Check) -> None:
    assert list(check()) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_dies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, check, sees = MUTANTS[name]
    plant(monkeypatch)
    found = noticed(check)
    assert found, f"{check.__name__} did not notice"
    assert any(sees in line for line in found), found


def noticed(check: Check) -> list[str]:
    found = []
    try:
        for line in check():
            found.append(line)  # noqa: PERF402 - what was found before a fall stays found
    except Exception as error:
        found.append(f"{type(error).__name__}: {error}")
    return found
