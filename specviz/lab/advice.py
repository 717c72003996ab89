"""Should I? What one recorded run a prompt and a few timed rounds say of every draft length. Pure.

Under rejection a guess and the target write a token x together with probability min(p(x), q(x)), and x is written with
p(x) in any case. So, given the text, a guess was accepted at x with probability min(1, q(x) / p(x)), whatever the draft
length was. A text with these chances can be walked with rounds of any length, which begin where that length has them
begin, and their expected number is a sum. Two things are taken on trust, and README.md has what they cost: that a guess
is as good wherever its round began, and that the chance after a draft that was accepted whole, where nothing was
guessed, is that of the guesses before.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from specviz import theory
from specviz.lab.measured import Advice, Choice, Experts, Times
from specviz.sampling.arrays import Floats, Ids
from specviz.trace.guess import Emission
from specviz.trace.round import Round

MOST = 8
"""The longest drafts that are weighed, unless another length is asked for: those of the recorded runs."""
DRAWS = 1000
TAILS = (0.05, 0.95)
"""The share of the bootstrap's draws that is reported: 90 %."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A text, token by token.

    Attributes:
        chances: that a guess there was accepted, given the text.
        room: how many guesses the drafter has from there on.
        limit: tokens the text might have had.
    """

    chances: tuple[float, ...]
    room: tuple[int, ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Span:
    """What a recorded round says: guesses asked for and made, and the chance at each of its tokens, None where nothing
    was guessed."""

    asked: int
    made: int
    chances: tuple[float | None, ...]


def span(step: Round) -> Span:
    """Reads a recorded and shown round, a chain tested by rejection."""
    chances: list[float | None] = [_chance(each.p, each.q) for each in map(step.verdicts.__getitem__, step.path)]
    if step.extra and step.extra.emission is Emission.BONUS:
        chances.append(None)
    elif step.extra:
        chances += [_chance(bar.p, bar.q) for bar in step.extra.view.bars if bar.token == step.extra.token]
    return Span(step.budget.depth, step.offered, tuple(chances))


def _chance(p: float, q: float) -> float:
    return min(1.0, q / p) if p > 0 else 1.0


def walks(runs: Sequence[Sequence[Span]], limit: int) -> list[Walk]:
    """The texts of a drafter's runs, all with the same draft length.

    After a whole draft the chance is taken to be that of the later half of the drafts that came as far.
    """
    full = max((each.made for spans in runs for each in spans), default=0)  # heads can guess no deeper
    deep = [
        chance for spans in runs for each in spans for chance in each.chances[full // 2 :] if chance is not None
    ] or [chance for spans in runs for each in spans for chance in each.chances if chance is not None]
    unknown = sum(deep) / len(deep) if deep else 0.0
    return [
        Walk(
            chances=tuple(unknown if each is None else each for one in spans for each in one.chances),
            room=tuple(
                full if one.made >= min(one.asked, full) else max(0, one.made - place)
                for one in spans
                for place in range(len(one.chances))
            ),
            limit=limit,
        )
        for spans in runs
    ]


def rounds(walk: Walk, gamma: int) -> Floats:
    """How many rounds with 0, 1, ... gamma guesses are expected to write the text, float64[gamma + 1]."""
    length = len(walk.chances)
    begins, counted = [1.0] + [0.0] * length, np.zeros(gamma + 1)
    for place in range(length):
        reach = begins[place]
        made = min(gamma, walk.room[place], walk.limit - place - 1)
        counted[made] += reach
        for at in range(place, min(place + made, length)):
            begins[at + 1] += reach * (1 - walk.chances[at])
            reach *= walk.chances[at]
        begins[min(length, place + made + 1)] += reach
    return counted


def advise(
    runs: Mapping[str, Mapping[str, Sequence[Sequence[Walk]]]],
    times: Mapping[str, Mapping[str, Times]],
    seed: int = 0,
) -> tuple[Advice, ...]:
    """The advice on each kind of text.

    Args:
        runs: by kind and drafter, the walks of each prompt, in the same order for all drafters.
        times: likewise. They reach as far as the longest draft that is weighed.
    """
    return tuple(
        Advice(
            kind=kind,
            prompts=len(next(iter(drafters.values()))),
            choices=tuple(
                sorted(
                    (_choice(name, prompts, times[kind][name], seed) for name, prompts in drafters.items()),
                    key=lambda each: -each.speedup,
                )
            ),
        )
        for kind, drafters in runs.items()
    )


def _choice(drafter: str, prompts: Sequence[Sequence[Walk]], times: Times, seed: int) -> Choice:
    ratio = np.array(times.rounds) / np.array(times.plain)[:, None]  # [laps, guesses]
    most = ratio.shape[1] - 1
    tokens = np.array([sum(len(walk.chances) for walk in each) for each in prompts], dtype=np.float64)
    counted = np.zeros((len(prompts), most, most + 1))
    for at, each in enumerate(prompts):
        for walk in each:
            for gamma in range(1, most + 1):
                counted[at, gamma - 1, : gamma + 1] += rounds(walk, gamma)
    once, steps = np.ones((1, len(prompts))), np.median(ratio, 0)
    speeds = _speedups(once, tokens, counted, steps[None])[0]
    best = int(speeds.argmax())
    draws = np.random.default_rng(seed)
    drawn = draws.multinomial(len(prompts), np.full(len(prompts), 1 / len(prompts)), DRAWS).astype(np.float64)
    laps = ratio[draws.integers(0, len(ratio), (DRAWS, len(ratio)))].mean(1)
    again = _speedups(drawn, tokens, counted, laps)
    low, high = np.quantile(again[:, best], TAILS)
    shortest, longest = np.quantile(1 + again.argmax(1), TAILS, method="nearest")
    passes = counted.sum((0, 2))
    cost = counted.sum(0) @ steps / passes
    return Choice(
        drafter=drafter,
        gamma=best + 1,
        gammas=(int(shortest), int(longest)),
        speedup=float(speeds[best]),
        low=float(low),
        high=float(high),
        per_pass=float(tokens.sum() / passes[best]),
        cost=float(cost[best]),
        alpha=alpha_of(float(tokens.sum() / passes[best]), best + 1),
        enough=_enough(steps),
        guess=times.guess,
        cheap=_cheap(tokens.sum() / passes, cost, counted.sum(0) @ np.arange(most + 1) / passes, times),
        by_gamma=tuple(speeds.tolist()),
    )


def _speedups(weights: Floats, tokens: Floats, counted: Floats, steps: Floats) -> Floats:
    """float64[draws, gammas]: tokens in the time of a plain step. weights: of the prompts, steps: of rounds by guesses,
    both a row a draw."""
    taken: Floats = np.einsum("dp,pgn,dn->dg", weights, counted, steps)
    return np.asarray((weights @ tokens)[:, None] / taken, dtype=np.float64)


def alpha_of(per_pass: float, gamma: int) -> float:
    """The α whose rounds of that many guesses bring that many tokens, if it is one for all guesses."""
    return _least(lambda alpha: theory.expected_tokens(alpha, gamma) >= per_pass)


def _enough(steps: Floats) -> float | None:
    """The least α that pays at some draft length; None: not even 1 does. steps: of a round by its guesses."""

    def pays(alpha: float) -> bool:
        return any(theory.expected_tokens(alpha, gamma) > steps[gamma] for gamma in range(1, len(steps)))

    return _least(pays) if pays(1.0) else None


def _cheap(per_pass: Floats, cost: Floats, guesses: Floats, times: Times) -> float | None:
    """The milliseconds below which a guess would pay at some draft length; None: not even guesses for nothing would.

    Args:
        per_pass, cost, guesses: of a round, by draft length: tokens, steps of plain decoding, guesses.
    """
    plain = float(np.median(times.plain))
    most = times.guess - float(((cost - per_pass) * plain / np.maximum(guesses, 1e-9)).min())
    return most if most > 0 else None


def _least(holds: Callable[[float], bool]) -> float:
    """Where in [0, 1] a condition begins to hold, to six digits."""
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return round(high, 6)


def touched(layers: Sequence[Ids], of: int, most: int) -> Experts | None:
    """How many experts 1, 2, ... `most` tokens in a row touch, over all places of a text; None without layers.

    Args:
        layers: see models.experts.routed.
    """
    if not layers:
        return None
    length = len(layers[0])
    counted = [
        [len(set(layer[at : at + width].flat)) for layer in layers for at in range(length - width + 1)]
        for width in range(1, min(most, length) + 1)
    ]
    return Experts(len(layers), of, tuple(sum(each) / len(each) for each in counted))


def together(parts: Iterable[Sequence[Advice]]) -> tuple[Advice, ...]:
    """Advice on the same kinds of text, of several draft models, as one."""
    found: dict[str, Advice] = {}
    for each in (each for part in parts for each in part):
        before = found[each.kind].choices if each.kind in found else ()
        choices = sorted((*before, *each.choices), key=lambda one: -one.speedup)
        found[each.kind] = replace(each, choices=tuple(choices))
    return tuple(found.values())
