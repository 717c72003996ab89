"""Every way a round's tests, and the target's own token, contradict themselves. Standard library only; see `problems`.

A rule that weighs the block as a whole has a weight on its guesses; every other judges a place's guesses one by one.
"""

import math
from collections.abc import Iterator, Sequence

from specviz import views
from specviz.config import LawKind, Rolls
from specviz.trace import Emission, Extra, Round, TokenVerdict, Trace, Verdict, View
from specviz.views import CLOSE


def walk(step: Round, trace: Trace) -> Iterator[str]:
    """Which guesses were tested, and what the round ended with."""
    accepted = [verdict.node for verdict in step.verdicts if verdict.verdict is Verdict.ACCEPTED]
    if accepted != list(step.path):
        yield f"accepted nodes {accepted}, but the path is {list(step.path)}"
    end = step.path[-1] if step.path else -1
    ended = bool(step.path) and step.verdicts[end].token in trace.info.eos
    if (step.extra is None) != ended:
        yield "a round has a token of the target's own unless an accepted token ended the text"
    if _as_a_block(step):
        yield from _block(step, trace)
        refused = [each.node for each in step.verdicts if each.parent == end and each.weight is not None]
    else:
        yield from _one_by_one(step, end, ended=ended)
        at_end = [each for each in step.verdicts if each.parent == end]
        refused = [each.node for each in at_end if each.verdict is Verdict.REJECTED]
    extra, last = step.extra, refused[-1] if refused else None
    if extra and ((extra.emission is Emission.RESAMPLED) != (last is not None) or extra.node != last):
        yield f"{extra.emission.value} after node {extra.node}, but the last tests say {last}"


def _as_a_block(step: Round) -> bool:
    return any(verdict.weight is not None for verdict in step.verdicts)


def _one_by_one(step: Round, end: int, *, ended: bool) -> Iterator[str]:
    for verdict in step.verdicts:
        reachable = verdict.parent in (-1, *step.path) and not (ended and verdict.parent == end)
        earlier = [other for other in step.verdicts[: verdict.node] if other.parent == verdict.parent]
        passed = any(other.verdict is Verdict.ACCEPTED for other in earlier)
        if (verdict.verdict is Verdict.UNTESTED) == (reachable and not passed):
            yield f"node {verdict.node} is {verdict.verdict.value} where the walk says otherwise"
        elif verdict.verdict is not Verdict.UNTESTED and earlier:
            yield from _left(earlier[-1], verdict, trace_noise=verdict.u is None)


def _left(before: TokenVerdict, verdict: TokenVerdict, *, trace_noise: bool) -> Iterator[str]:
    """Whether a sibling was tested against what the one before it left of p; shared noise takes nothing away."""
    residual = {bar.token: bar.p if trace_noise else bar.residual for bar in before.view.bars}
    mass = 1.0 if trace_noise else sum(residual.values()) + before.view.rest.residual
    for bar in verdict.view.bars:
        left = residual.get(bar.token)
        if left is not None and not math.isclose(bar.p * mass, left, rel_tol=1e-3, abs_tol=CLOSE):
            yield f"node {verdict.node} was tested against p = {bar.p}, where {left / mass} was left"
            return


def _block(step: Round, trace: Trace) -> Iterator[str]:
    """arXiv:2403.10444: the path from the numbers; a guess that ends the text is the block's last."""
    ends = [place + 1 for place, each in enumerate(step.verdicts) if each.token in trace.info.eos]
    size = min(ends, default=len(step.verdicts))
    real, behind = step.verdicts[:size], step.verdicts[size:]
    if any(verdict.parent != verdict.node - 1 for verdict in step.verdicts):
        yield "a block that is no chain"
    elif any(verdict.weight is not None or verdict.verdict is not Verdict.UNTESTED for verdict in behind):
        yield "a guess behind the end of the text was judged"
    elif any(None in (verdict.u, verdict.weight, verdict.accept_prob) for verdict in real):
        yield "a guess of a block was not tested"
    else:
        yield from _weights(real)
        kept = max((place + 1 for place, each in enumerate(real) if _stands(each)), default=0)
        if [each.verdict is Verdict.ACCEPTED for each in real] != [place < kept for place in range(size)]:
            yield f"the last number below its chance is that of guess {kept}"


def _odds(verdict: TokenVerdict) -> tuple[float, float]:
    """The chance that everything up to this guess stands, as a part and its whole: 0/0 is 1."""
    weight = verdict.weight or 0.0
    if verdict.mass is None:
        return weight, 1.0
    whole = verdict.mass + 1 - weight
    return (verdict.mass, whole) if whole > 0 else (1.0, 1.0)


def _stands(verdict: TokenVerdict) -> bool:
    part, whole = _odds(verdict)
    return (verdict.u or 0.0) * whole < part


def _weights(real: Sequence[TokenVerdict]) -> Iterator[str]:
    """Weights from p and q, masses from the next guess's row, chances from both."""
    weight = 1.0
    for verdict, after in zip(real, (*real[1:], None), strict=True):
        weight = min(1.0, weight * verdict.p / verdict.q)
        if not math.isclose(verdict.weight or 0.0, weight, rel_tol=1e-9, abs_tol=1e-300):
            yield f"node {verdict.node} weighs {verdict.weight}; p and q say {weight}"
        part, whole = _odds(verdict)
        if not math.isclose(verdict.accept_prob or 0.0, part / whole, rel_tol=1e-9, abs_tol=1e-12):
            yield f"node {verdict.node} had the chance {verdict.accept_prob}; its weight and mass say {part / whole}"
        left = None if after is None else sum(bar.residual for bar in after.view.bars) + after.view.rest.residual
        if (left is None) != (verdict.mass is None) or abs((left or 0.0) - (verdict.mass or 0.0)) > 30 * CLOSE:
            yield f"node {verdict.node} has a mass of {verdict.mass}, but the next row leaves {left}"


def verdict(verdict: TokenVerdict, step: Round, trace: Trace) -> Iterator[str]:
    """One guess's numbers."""
    tested = verdict.verdict is not Verdict.UNTESTED
    numbers, point = trace.info.traits.rolls is Rolls.DICE, verdict.law is LawKind.POINT
    if not (0 <= verdict.p <= 1 + 1e-9 and 0 < verdict.q <= 1 + 1e-9 and 0 <= (verdict.draft_u or 0) < 1):
        yield f"p {verdict.p}, q {verdict.q} or draft_u {verdict.draft_u} is no probability"
    elif (verdict.draft_u is not None) != (numbers and not point):
        yield f"draft_u is {verdict.draft_u} of a {verdict.law.value} by {trace.info.traits.rolls.value}"
    elif point and (verdict.q, verdict.low, verdict.high) != (1, 0, 1):
        yield f"a point with q {verdict.q} from {verdict.low} to {verdict.high}"
    elif (verdict.u is not None) != (tested and numbers) or (verdict.accept_prob is None) == tested:
        yield f"{verdict.verdict.value} with u {verdict.u} and accept_prob {verdict.accept_prob}"
    elif verdict.u is not None and not 0 <= verdict.u < 1:
        yield f"u is {verdict.u}"
    elif verdict.weight is None:
        yield from _test(verdict)
    most = math.log(trace.info.vocab_size) + CLOSE
    if not (-CLOSE <= verdict.p_entropy <= most and -CLOSE <= verdict.q_entropy <= most):
        yield f"entropies {verdict.p_entropy} and {verdict.q_entropy} are not between 0 and ln V"
    before = None if verdict.parent < 0 or verdict.weight is None else step.verdicts[verdict.parent].weight
    yield from views.sums(verdict.view, trace.info.vocab_size, 1.0, 1.0 if before is None else before)
    yield from views.shown(verdict.view, verdict.token, verdict.p, verdict.q)
    yield from _segment(verdict, tested=tested)
    yield from _copied(verdict, step.position)


def _test(verdict: TokenVerdict) -> Iterator[str]:
    """A guess that was judged on its own."""
    most = min(1.0, verdict.p / verdict.q)
    if verdict.accept_prob is not None and not 0 <= verdict.accept_prob <= most + 1e-9:
        yield f"accept_prob is {verdict.accept_prob}, more than min(1, p/q) = {most}"
    elif verdict.u is not None and verdict.accept_prob is not None:
        if not math.isclose(verdict.accept_prob, most, rel_tol=1e-9):
            yield f"accept_prob is {verdict.accept_prob}, but min(1, p/q) is {most}"
        if (verdict.u * verdict.q < verdict.p) != (verdict.verdict is Verdict.ACCEPTED):
            yield f"{verdict.verdict.value}, but u q = {verdict.u * verdict.q} and p = {verdict.p}"


def _segment(verdict: TokenVerdict, *, tested: bool) -> Iterator[str]:
    """Whether a guess stands on q's ruler where it was drawn."""
    if not (0 <= verdict.low <= verdict.high <= 1 and abs(verdict.high - verdict.low - verdict.q) <= 1e-9):
        yield f"segment {verdict.low} to {verdict.high} of the draft's ruler, but q is {verdict.q}"
    elif verdict.draft_u is not None and not verdict.low - 1e-9 <= verdict.draft_u <= verdict.high + 1e-9:
        yield f"draft_u {verdict.draft_u} is outside its segment {verdict.low} to {verdict.high}"
    weights = {bar.token: bar.q for bar in verdict.view.bars}
    if verdict.token in weights:
        sure = views.surest(verdict.view, weights, tested=tested)
        yield from views.placed(verdict, weights, verdict.view.rest.q, sure)


def _copied(verdict: TokenVerdict, position: int) -> Iterator[str]:
    span = verdict.source.span
    if span is not None and not 0 <= span[0] < span[1] <= position:
        yield f"copied from {span[0]} to {span[1]} of the {position} tokens before"
    if verdict.source.rank < 0:
        yield f"choice number {verdict.source.rank}"


def extra(step: Round, trace: Trace) -> Iterator[str]:
    """The target's own token."""
    extra = step.extra
    if extra is None:
        return
    numbers = trace.info.traits.rolls is Rolls.DICE
    resampled = extra.emission is Emission.RESAMPLED
    if (extra.u is not None) != numbers:
        yield f"u is {extra.u} under {trace.info.traits.rolls.value}"
    elif extra.u is not None and not (0 <= extra.u < 1 and extra.low - 1e-9 <= extra.u <= extra.high + 1e-9):
        yield f"u {extra.u} is outside its segment {extra.low} to {extra.high}"
    if resampled and not _same(step, extra):
        yield f"its rows are not those of node {extra.node}"
        return
    if not resampled:
        yield from views.sums(extra.view, trace.info.vocab_size, q_mass=0.0)
    bar = next((bar for bar in extra.view.bars if bar.token == extra.token), None)
    if bar is None:
        yield f"token {extra.token} has no bar"
        return
    yield from _as_recorded(step, extra, bar.p)
    if extra.zero_residual and not resampled:
        yield "a bonus has no residual that could be empty"
    from_residual = resampled and not extra.zero_residual and numbers
    weights = {each.token: each.residual if from_residual else each.p for each in extra.view.bars}
    hidden = extra.view.rest.residual if from_residual else extra.view.rest.p
    total, weight = sum(weights.values()) + hidden, weights[extra.token]
    if weight <= 0 or total <= 0:
        yield f"token {extra.token} was drawn with no weight"
        return
    if not math.isclose(extra.high - extra.low, weight / total, rel_tol=1e-4, abs_tol=CLOSE):
        yield f"segment {extra.low} to {extra.high}, but the token's weight is {weight / total}"
    yield from views.placed(extra, weights, hidden, views.surest(extra.view, weights, tested=True))


def _same(step: Round, extra: Extra) -> bool:
    known = extra.node is not None and 0 <= extra.node < len(step.verdicts)
    return known and extra.node is not None and step.verdicts[extra.node].view == extra.view


def _as_recorded(step: Round, extra: Extra, shown: float) -> Iterator[str]:
    """Whether p is the plain row's, which is what the first guess of its place was tested with."""
    end = step.path[-1] if step.path else -1
    siblings: Sequence[View] = [verdict.view for verdict in step.verdicts if verdict.parent == end]
    plain = shown
    if extra.node is not None and len(siblings) > 1:
        found = [bar.p for bar in siblings[0].bars if bar.token == extra.token]
        plain = found[0] if found else extra.p
    if not math.isclose(plain, extra.p, rel_tol=1e-5):
        yield f"token {extra.token} is shown with p {plain}, but {extra.p} is recorded"
