"""Names the bug of a loop that others wrote, where its numbers give it away. Standard library only; see `problems`.

What a single number cannot prove, many can: the likelihood of what was drawn under the bug, over that under the rule.
If the loop has no bug, such a ratio reaches LIMIT with a probability of at most 1 / LIMIT, whatever the distributions
are (Ville's inequality), so a sound loop is as good as never accused.
"""

import math
from collections.abc import Callable, Iterator

from specviz.check.view import FLOAT32
from specviz.config.settings import LawKind
from specviz.trace.guess import Emission, Extra, TokenVerdict, Verdict, View
from specviz.trace.round import Round
from specviz.trace.run import Trace

LIMIT = 1e6
SHARPER = (0.5, 0.7, 1.3, 1.6, 2.0, 3.0)
"""Powers that stand for other temperatures of q; above 1 they are sharper."""
KEPT = 0.1
"""The share of the rule's own likelihood in what it is compared with, so that a token without a bar does not end it."""


def bugs(trace: Trace) -> list[str]:
    """One line for each bug that the numbers prove."""
    if any(not _stands(step) for step in trace.rounds):
        return []
    named: list[tuple[str, Callable[[Trace], Iterator[str]]]] = [
        ("accepted above p/q", _accepted),
        ("tested after a rejection", _behind),
        ("one number tests several guesses", _reused),
        ("resampled from p", _resampled),
        ("q before temperature", _drawn),
        ("bonus from the wrong row", _bonus),
        ("the cache is not rolled back", _cache),
    ]
    return [f"bug: {name}: {line}" for name, found in named for line in list(found(trace))[:1]]


def _stands(step: Round) -> bool:
    """True if parents and path can be looked up."""
    count = len(step.verdicts)
    sound = all(-1 <= each.parent < place and each.node == place for place, each in enumerate(step.verdicts))
    return sound and all(0 <= node < count for node in step.path)


def _accepted(trace: Trace) -> Iterator[str]:
    for step in trace.rounds:
        for guess in step.verdicts:
            if guess.verdict is not Verdict.ACCEPTED or not _after_accepted(guess, step):
                continue
            if guess.u is not None and guess.u * guess.q >= guess.p * (1 + FLOAT32):
                yield f"{_at(step, guess)} was accepted, but u {guess.u:.4g} is not below p/q {guess.p / guess.q:.4g}"
            elif guess.u is None and not guess.p:
                yield f"{_at(step, guess)} was accepted, but p is 0"


def _after_accepted(guess: TokenVerdict, step: Round) -> bool:
    return guess.parent == -1 or step.verdicts[guess.parent].verdict is Verdict.ACCEPTED


def _behind(trace: Trace) -> Iterator[str]:
    for step in trace.rounds:
        for guess in step.verdicts:
            if guess.verdict is not Verdict.UNTESTED and not _after_accepted(guess, step):
                what = step.verdicts[guess.parent].verdict.value
                yield f"{_at(step, guess)} was {guess.verdict.value}, but the guess it follows was {what}"


def _reused(trace: Trace) -> Iterator[str]:
    """Rounds in which a number comes twice. Those of 24 bits do so by chance, but hardly in two rounds."""
    numbers = [[each.u for each in step.verdicts if 0 < (each.accept_prob or 0) < 1] for step in trace.rounds]
    found = [place for place, each in enumerate(numbers) if len(set(each)) < len(each) and None not in each]
    if len(found) > 1:
        yield f"round {trace.rounds[found[0]].index} tested two guesses with the same number"


def _resampled(trace: Trace) -> Iterator[str]:
    """A token that the residual gives nothing, or many that p explains better than the residual."""
    ratio, many = 0.0, 0
    for step in trace.rounds:
        extra = step.extra
        if extra is None or extra.emission is not Emission.RESAMPLED or extra.zero_residual:
            continue
        bar = next((bar for bar in extra.view.bars if bar.token == extra.token), None)
        mass = sum(bar.residual for bar in extra.view.bars) + extra.view.rest.residual
        if bar is None or not mass:
            continue
        many += 1
        if bar.residual <= 0:
            numbers = f"p {bar.p:.4g} is not above q {bar.q:.4g}"
            yield f"round {step.index} drew {extra.text!r} after a rejection, but {numbers}"
            return
        ratio += math.log(KEPT + (1 - KEPT) * bar.p * mass / bar.residual)
        if ratio > math.log(LIMIT):
            yield f"{many} replacements are {math.exp(min(ratio, 99)):.2g} times as likely under p as under norm(p - q)"
            return


def _drawn(trace: Trace) -> Iterator[str]:
    """Guesses from the top of q more often, or more seldom, than the q that they were tested with says.

    On q's ruler, the most probable token first, a guess drawn from q lies anywhere with the same density. Drawn at
    another temperature it lies with a density that is about a (1 - t)^(a - 1).
    """
    ratios, many = dict.fromkeys(SHARPER, 0.0), 0
    for step in trace.rounds:
        for guess in step.verdicts:
            if guess.law is LawKind.POINT or _has_elder(guess, step) or guess.high <= guess.low:
                continue
            many += 1
            for power in ratios:
                inside = (1 - guess.low) ** power - (1 - min(1.0, guess.high)) ** power
                ratios[power] += math.log(max(inside, 1e-300) / (guess.high - guess.low))
        best = max(ratios, key=lambda power: ratios[power])
        if ratios[best] > math.log(LIMIT * len(ratios)):
            what = "likelier" if best > 1 else "less likely"
            yield f"{many} guesses are {what} tokens than the q they were tested with says, as if drawn from another"
            return


def _has_elder(guess: TokenVerdict, step: Round) -> bool:
    return any(other.parent == guess.parent for other in step.verdicts[: guess.node])


def _bonus(trace: Trace) -> Iterator[str]:
    """A bonus that its row gives nothing, or many that the row before explains better."""
    ratio, many = 0.0, 0
    for step in trace.rounds:
        extra = step.extra
        if extra is None or extra.emission is not Emission.BONUS or not step.path:
            continue
        many += 1
        if extra.p <= 0:
            yield f"round {step.index} took {extra.text!r}, to which the row behind the last guess gives probability 0"
            return
        ratio += math.log(KEPT + (1 - KEPT) * _in(step.verdicts[step.path[-1]].view, extra) / extra.p)
        if ratio > math.log(LIMIT):
            times = f"{math.exp(min(ratio, 99)):.2g} times as likely"
            yield f"{many} bonus tokens are {times} under the row before the last guess as under the one behind it"
            return


def _in(view: View, extra: Extra) -> float:
    """A token's p in a view, 0 where it has no bar."""
    return next((bar.p for bar in view.bars if bar.token == extra.token), 0.0)


def _cache(trace: Trace) -> Iterator[str]:
    for step in trace.rounds:
        kept, wanted = step.target_cache.kept, step.position + len(step.path)
        if kept > wanted:
            yield f"round {step.index} left {kept} slots; wanted {wanted}, those of the text but its last token"


def _at(step: Round, guess: TokenVerdict) -> str:
    return f"guess {guess.node} of round {step.index}, {guess.text!r},"
