"""Models small enough to reason about, and the parts of a run made from them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from specviz import accept
from specviz.accept.base import AcceptRule
from specviz.accept.rejection import Rejection
from specviz.config.settings import LawKind, RunConfig, Shape
from specviz.draft.base import Drafter, HeadsDrafter, Resources
from specviz.draft.small_model import SmallModel
from specviz.gamma import Fixed
from specviz.gamma.base import GammaRule
from specviz.loop import Parts, prefill, rounds
from specviz.record.record import SHOWN
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.stops import NO_STOPS, Stops
from specviz.trace.info import DraftCache, Forward, RunInfo, Traits
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
from specviz.trim import KVCache

EAGER = Forward("eager", "", None, 1)


class Slots(KVCache):
    """slots: float64[layers, 2, heads, capacity, dim], keys and values."""

    def __init__(self, layers: int, heads: int, capacity: int, dim: int) -> None:
        super().__init__(capacity)
        self.slots = np.zeros((layers, 2, heads, capacity, dim))

    def write(self, layer: int, keys: Floats, values: Floats) -> tuple[Floats, Floats]:
        """Writes [heads, n, dim] of one layer behind the valid slots, and returns all up to there."""
        end = self.room(keys.shape[1])
        self.slots[layer, :, :, self.length : end] = keys, values
        return self.slots[layer, 0, :, :end], self.slots[layer, 1, :, :end]

    def _copy(self, base: int, slots: Sequence[int]) -> None:
        self.slots[..., base : base + len(slots), :] = self.slots[..., list(slots), :]

    def _narrow(self, layers: int) -> None:
        self.slots = self.slots[:layers]


class Letters:
    """A tokenizer whose tokens are letters."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) % 90 for letter in text]

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return self.encode(text)

    def marks(self, turns: Sequence[str], ids: Sequence[int], *, chat: bool) -> Any:
        return (), ()

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(self.piece, tokens))

    def piece(self, token: int) -> str:
        return chr(32 + token)


def columns(row: Bools, end: int) -> list[int]:
    """The slots that a row of a mask sees, which is about the last slots of a cache of `end`."""
    before = end - len(row)
    return [*range(before), *(before + np.flatnonzero(row)).tolist()]


@lru_cache(maxsize=1 << 14)
def _numbers(seed: int, size: int, context: tuple[int, ...]) -> Floats:
    key = seed
    for token in context:
        key = key * 1_000_003 + token + 1
    return np.random.Generator(np.random.Philox(key=key % 2**63)).standard_normal(size)


class TableModel:
    """Logits are a random function of the last `order` tokens it can attend.

    It reads them back from its cache, where each slot holds the token that was
    written there: a cache that keeps or loses a wrong slot changes the law.
    """

    slot_bytes = 16
    way = EAGER

    def __init__(self, vocab_size: int, seed: int, order: int = 2, context: int = 1 << 20, spread: float = 1.5) -> None:
        self.vocab_size = vocab_size
        self.context = context
        self.order = order
        self.spread = spread
        self.seed = seed
        self.fed: list[tuple[int, ...]] = []

    def law(self, text: Sequence[int]) -> Floats:
        """Logits, float64[V], after `text`."""
        return self.spread * _numbers(self.seed, self.vocab_size, tuple(text[-self.order :]))

    def new_cache(self, capacity: int) -> Slots:
        return Slots(1, 1, capacity, 1)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any) -> Floats:
        self.fed.append(tuple(tokens))
        written = np.array(tokens, dtype=np.float64)[None, :, None]
        keys, _ = cache.write(0, written, written)
        cache.advance(len(tokens))
        seen = keys[0, :, 0].astype(int).tolist()
        if mask is None:
            return np.stack([self.law(seen[: len(seen) - behind]) for behind in range(len(tokens))[::-1]])
        return np.stack([self.law([seen[column] for column in columns(row, len(seen))]) for row in mask])


def parts(
    target: TableModel,
    drafter: Drafter | None = None,
    *,
    draft: TableModel | None = None,
    controller: GammaRule | None = None,
    gamma: int = 3,
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    rule: AcceptRule = Rejection(),  # noqa: B008 - holds nothing
    chance: Chance | None = None,
    limit: int = 64,
    ends: frozenset[int] = frozenset(),
    stops: Stops = NO_STOPS,
) -> Parts:
    """A run's parts; the drafter is `drafter`, or `draft` as a small model."""
    resources = Resources(sampling, target.vocab_size, limit, draft)
    if drafter is None:
        assert draft is not None
        drafter = SmallModel(draft, resources)
    return Parts(
        target=target,
        drafter=drafter,
        rule=rule,
        controller=controller or Fixed(gamma),
        sampling=sampling,
        chance=chance or rule.chance(0),
        limit=limit,
        ends=ends,
        piece=str,
        stops=stops,
    )


def decode(
    made: Parts, prompt: Sequence[int], enough: Callable[[Sequence[Round]], bool] = lambda _: False
) -> list[Round]:
    """All rounds of a run, or the first so many that are enough."""
    done: list[Round] = []
    for step in rounds(made, prompt, prefill(made, prompt)):
        done.append(step)
        if enough(done):
            break
    return done


def tokens_of(done: Sequence[Round]) -> list[int]:
    return [token for step in done for token in step.tokens]


def traced(
    target: TableModel,
    prompt: Sequence[int] = (0, 1),
    max_new_tokens: int = 24,
    law: LawKind = LawKind.ROW,
    shape: Shape = Shape.CHAIN,
    **choices: Any,
) -> Trace:
    """A whole trace of a run over table models; choices are those of `parts`."""
    sampling = choices.get("sampling", Sampling())
    limit = min(len(prompt) + max_new_tokens, target.context)
    made = parts(target, limit=limit, **choices)
    done = decode(made, prompt)
    made_tokens = tokens_of(done)
    ended = bool(made_tokens) and made_tokens[-1] in made.ends
    entry = accept.entry(made.rule.name)
    exact = not entry.cold and made.rule.ensemble is None
    plain_text = entry.plain_text or (not sampling.temperature and made.rule.ensemble is None)
    info = RunInfo(
        config=RunConfig(
            "prompt",
            gamma=choices.get("gamma", 3),
            temperature=sampling.temperature,
            top_k=sampling.top_k,
            top_p=sampling.top_p,
            max_new_tokens=max_new_tokens,
        ),
        rule=made.rule.name,
        traits=Traits(entry.rolls, plain_text, entry.lossless or exact, law, shape),
        controller="fixed",
        target="table",
        draft="table",
        target_forward=EAGER,
        draft_caches=tuple(
            DraftCache(kept.name, kept.slot_bytes, kept.way, kept.own_tokens) for kept in made.drafter.caches
        ),
        vocab_size=target.vocab_size,
        context=target.context,
        eos=tuple(sorted(made.ends)),
        target_slot_bytes=16,
        device="cpu",
        dtype="float64",
        versions={},
        recorded="2026-01-01T00:00:00+00:00",
        shown=SHOWN,
        heads=made.drafter.heads if isinstance(made.drafter, HeadsDrafter) else None,
        threshold=made.rule.threshold,
        ensemble=made.rule.ensemble,
        relaxation=made.rule.relaxation,
        stop_strings=made.stops.strings,
    )
    full = len(made_tokens) == max_new_tokens
    stop = Stop.LENGTH if full else Stop.CONTEXT
    if ended or done[-1].stop_string:
        stop = Stop.EOS if ended else Stop.STRING
    return Trace(info, tuple(prompt), tuple(map(str, prompt)), 1.0, tuple(done), stop, "".join(map(str, made_tokens)))
