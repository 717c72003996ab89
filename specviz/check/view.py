"""Finds contradictions in a view, and in the token drawn there. Standard library only; see `problems`."""

import math
from collections.abc import Iterator, Mapping, Sequence

from specviz.trace.guess import Extra, Processor, TokenVerdict, View
from specviz.trace.info import Shown

CLOSE = 2e-5
FLOAT32 = 1e-6
"""How far, relatively, a ratio of float32 numbers may be from the true one, with room."""
"""How far sums of six-digit numbers may be off."""
LEAST = 1e-12
"""A smaller probability may have fewer digits."""


def sums(view: View, vocab_size: int, q_mass: float, weight: float = 1.0) -> Iterator[str]:
    """Checks that the bars and the rest add up to whole distributions.

    Args:
        q_mass: what q sums to; 0 where nothing was guessed.
        weight: the factor of p in the residual.
    """
    rest, bars = view.rest, view.bars
    if not 0 <= view.allowed <= vocab_size:
        yield f"the grammar allows {view.allowed} of {vocab_size} tokens"
    elif view.allowed and (held := sum(bar.p > 0 for bar in bars)) > view.allowed:
        yield f"the grammar allows {view.allowed} tokens, but {held} have a probability"
    if any(not 0 <= bar.token < vocab_size for bar in bars):
        yield f"a bar's token is not in the vocabulary of {vocab_size}"
    if len({bar.token for bar in bars}) != len(bars) or rest.count + len(bars) != vocab_size:
        yield f"{len(bars)} bars and {rest.count} others do not make {vocab_size} tokens"
    for name, total, wanted in (
        ("p", sum(bar.p for bar in bars) + rest.p, 1.0),
        ("q", sum(bar.q for bar in bars) + rest.q, q_mass),
        ("overlap", sum(min(bar.p, bar.q) for bar in bars) + rest.overlap, view.overlap),
        ("residual", sum(bar.residual for bar in bars) + rest.residual, 1 - view.overlap),
    ):
        if name == "residual" and weight < 1:  # its sum is the mass of the guess before
            continue
        if not abs(total - wanted) <= CLOSE * (len(bars) + 1):
            yield f"{name} adds up to {total}, wanted {wanted}"
    for bar in bars:
        if not math.isclose(bar.residual, max(0.0, weight * bar.p - bar.q), rel_tol=1e-3, abs_tol=CLOSE):
            yield f"residual of token {bar.token} is {bar.residual}, but {weight:g} p - q is {weight * bar.p - bar.q}"


def picked(view: View, winner: int) -> Iterator[str]:
    """Checks that the target's own pick under the recorded noise, or before temperature 0, is the recorded one."""
    if view.noise and len(view.noise) != len(view.bars):
        yield f"{len(view.noise)} numbers of noise for {len(view.bars)} bars"
        return
    scores = {bar.token: math.log(bar.p) + g for bar, g in zip(view.bars, view.noise, strict=False) if bar.p > 0}
    likely = {raw.token: raw.p for raw in view.raw}
    for name, found, least in (("log p + g", scores, 1e-4), ("p before temperature 0", likely, 1e-5)):
        best = max(found, key=lambda token: found[token], default=winner)
        if winner in found and found[best] > found[winner] + least:
            yield f"{name} is largest at token {best}, but the target picked {winner}"


def changed(view: View, text: Sequence[int], *, own_row: bool) -> Iterator[str]:
    """Checks what is said of the row before penalties and bans, and of the tokens of the text that they were for.

    Args:
        own_row: whether p is the target's row. Then what they did not change only takes the place that they made.
    """
    bars = {bar.token for bar in view.bars}
    if view.before and len(view.before) != len(view.bars):
        yield f"{len(view.before)} probabilities before penalties and bans for {len(view.bars)} bars"
    elif view.changed and not view.before:
        yield "tokens are said to be changed, but not what their row was before"
    if any(not 0 <= each <= 1 for each in view.before) or sum(view.before) > 1 + CLOSE * (len(view.before) + 1):
        yield f"probabilities before penalties and bans add up to {sum(view.before)}"
    named = {each.token for each in view.changed}
    pairs = [(bar.p, was) for bar, was in zip(view.bars, view.before, strict=False) if bar.token not in named]
    scales = [p / was for p, was in pairs if min(p, was) > LEAST]
    if own_row and scales and max(scales) > min(scales) * (1 + 10 * CLOSE):
        yield f"tokens that penalties and bans left alone became {min(scales)} to {max(scales)} times as probable"
    for each in view.changed:
        there = [place for place in each.places if 0 <= place < len(text)]
        counted = each.by in (Processor.REPETITION, Processor.FREQUENCY, Processor.PRESENCE)
        if each.token not in bars or [*each.places] != sorted({*there}):
            yield f"token {each.token} is changed by {each.by.value} for places {[*each.places]} of {len(text)} before"
        elif counted and (not there or any(text[place] != each.token for place in there)):
            yield f"token {each.token} is changed by {each.by.value} for places {there}, where it does not stand"


def mixed(view: View, weight: float) -> Iterator[str]:
    """Checks a view of v = weight p + (1 - weight) q, and its distance from p: (1 - weight) TVD(p, q)."""
    if not view.target:
        return
    if len(view.target) != len(view.bars):
        yield f"{len(view.target)} probabilities of the target's own for {len(view.bars)} bars"
        return
    for bar, own in zip(view.bars, view.target, strict=True):
        if not math.isclose(bar.p, weight * own + (1 - weight) * bar.q, rel_tol=1e-3, abs_tol=CLOSE):
            yield f"v of token {bar.token} is {bar.p}, but {weight:g} p + {1 - weight:g} q is made of {own} and {bar.q}"
    apart = sum(abs(bar.p - own) for bar, own in zip(view.bars, view.target, strict=True)) / 2
    if sum(view.target) > 1 + CLOSE * (len(view.target) + 1) or not apart - CLOSE <= view.distance <= 1:
        yield f"the bars alone are {apart} apart, but the distance of v from p is {view.distance}"
    elif abs(weight * view.distance - (1 - weight) * (1 - view.overlap)) > CLOSE:
        yield f"the distance of v from p is {view.distance}, but v and q overlap by {view.overlap}"


def shown(view: View, token: int, p: float, q: float) -> Iterator[str]:
    """Checks that a guess has a bar, with the numbers it was judged by."""
    bar = next((bar for bar in view.bars if bar.token == token), None)
    if bar is None:
        yield f"token {token} has no bar"
    elif not (math.isclose(bar.p, p, rel_tol=1e-5) and math.isclose(bar.q, q, rel_tol=1e-5)):
        yield f"token {token} is shown with p {bar.p} and q {bar.q}, but was judged with {p} and {q}"


def surest(view: View, weights: Mapping[int, float], shown: Shown, *, tested: bool) -> list[float]:
    """The largest weights, as far as the bars are sure to show them.

    A token without a bar may weigh more than the smallest bars.
    """
    missed = sorted((bar for bar in view.bars if bar.residual), key=lambda bar: bar.residual)[-shown.tested :]
    heights = sorted(max(bar.p, bar.q) for bar in view.bars if bar not in missed)
    own = shown.own + bool(view.before)  # the token that processors took most from
    unseen = heights[min(own, len(heights) - 1)] if len(view.bars) >= shown.bars else 0.0
    largest = sorted(weights.values(), reverse=True)[: shown.tested if tested else shown.untested]
    return [weight for weight in largest if weight > unseen]


def placed(
    drawn: TokenVerdict | Extra, weights: Mapping[int, float], hidden: float, sure: Sequence[float]
) -> Iterator[str]:
    """Checks that a token's segment comes after those of heavier tokens and before those of lighter ones."""
    weight, total = weights[drawn.token], sum(weights.values()) + hidden
    if total <= 0:
        yield f"the weights that its segment is one of add up to {total}"
        return
    heavier = sum(other for other in sure if other > weight) / total
    ties = sum(other for token, other in weights.items() if other == weight and token != drawn.token)
    if drawn.low < heavier - CLOSE or (weight in sure and drawn.low > heavier + (ties + hidden) / total + CLOSE):
        yield f"segment {drawn.low} to {drawn.high}, but heavier tokens of {heavier} stand before it"
