"""Finds contradictions in a round's tests and in the target's own token. Standard library only; see `problems`.

A rule that weighs guesses together gives them weights, see `weighed`; one with a threshold looks for the longest path
that passes, see `threshold`. All others judge guesses one by one.
"""

import math
from collections.abc import Iterator, Sequence, Set

from specviz.check import threshold, view, weighed
from specviz.check.view import CLOSE, FLOAT32
from specviz.config.settings import LawKind, Rolls
from specviz.trace.guess import Emission, Extra, TokenVerdict, Verdict, View
from specviz.trace.info import Shown
from specviz.trace.round import Round
from specviz.trace.run import Trace


def walk(step: Round, trace: Trace, ends: Set[int]) -> Iterator[str]:
    """Checks which guesses were tested, and how the round ended. ends: the nodes that end the text."""
    accepted = [verdict.node for verdict in step.verdicts if verdict.verdict is Verdict.ACCEPTED]
    if accepted != list(step.path):
        yield f"accepted nodes {accepted}, but the path is {list(step.path)}"
    end = step.path[-1] if step.path else -1
    ended = end in ends
    if (step.extra is None) != ended:
        yield "a round has a token of the target's own unless an accepted token ended the text"
    if any(verdict.weight is not None for verdict in step.verdicts):
        yield from weighed.walk(step, ends)
        rejected = [each.node for each in step.verdicts if each.parent == end and each.weight is not None]
    else:
        by_threshold = trace.info.traits.rolls is Rolls.THRESHOLD
        yield from threshold.walk(step, trace, ends) if by_threshold else _one_by_one(step, end, ended=ended)
        at_end = [each for each in step.verdicts if each.parent == end]
        rejected = [each.node for each in at_end if each.verdict is Verdict.REJECTED]
    extra, last = step.extra, rejected[-1] if rejected else None
    if extra and ((extra.emission is Emission.RESAMPLED) != (last is not None) or extra.node != last):
        yield f"{extra.emission.value} after node {extra.node}, but the last tests say {last}"


def _one_by_one(step: Round, end: int, *, ended: bool) -> Iterator[str]:
    for verdict in step.verdicts:
        reachable = verdict.parent in (-1, *step.path) and not (ended and verdict.parent == end)
        earlier = [other for other in step.verdicts[: verdict.node] if other.parent == verdict.parent]
        passed = any(other.verdict is Verdict.ACCEPTED for other in earlier)
        if (verdict.verdict is Verdict.UNTESTED) == (reachable and not passed):
            yield f"node {verdict.node} is {verdict.verdict.value} where the walk says otherwise"
        elif verdict.verdict is not Verdict.UNTESTED and earlier:
            yield from weighed.left(earlier[-1], verdict, noise=verdict.u is None)


def verdict(verdict: TokenVerdict, step: Round, trace: Trace) -> Iterator[str]:
    """Checks one guess's numbers."""
    tested = verdict.verdict is not Verdict.UNTESTED
    rolls, point = trace.info.traits.rolls, verdict.law is LawKind.POINT
    numbers, by_threshold = rolls is Rolls.DICE, rolls is Rolls.THRESHOLD
    held = weighed.held(verdict, step)
    if not (0 <= verdict.p <= 1 + 1e-9 and 0 < verdict.q <= 1 + 1e-9 and 0 <= (verdict.draft_u or 0) < 1):
        yield f"p {verdict.p}, q {verdict.q} or draft_u {verdict.draft_u} is no probability"
    elif verdict.draft_u is not None and (rolls is Rolls.NOISE or point):
        yield f"draft_u is {verdict.draft_u} of a {verdict.law.value} by {rolls.value}"
    elif point and (verdict.q, verdict.low, verdict.high) != (1, 0, 1):
        yield f"a point with q {verdict.q} from {verdict.low} to {verdict.high}"
    elif (
        not _told(verdict.u, trace, needed=tested and numbers and not held and not verdict.rank)
        or (verdict.accept_prob is None) == tested
    ):
        yield f"{verdict.verdict.value} with u {verdict.u} and accept_prob {verdict.accept_prob}"
    elif verdict.u is not None and not 0 <= verdict.u < 1:
        yield f"u is {verdict.u}"
    elif verdict.rank:
        yield from _relaxed(verdict, trace)
    elif verdict.weight is None and not by_threshold:
        yield from _test(verdict, near=FLOAT32 if trace.info.loop else 0.0)
    most = math.log(trace.info.vocab_size) + CLOSE
    if not (-CLOSE <= verdict.p_entropy <= most and -CLOSE <= verdict.q_entropy <= most):
        yield f"entropies {verdict.p_entropy} and {verdict.q_entropy} are not between 0 and ln V"
    before = 1.0 if verdict.weight is None else weighed.before(verdict, step)
    yield from view.sums(verdict.view, trace.info.vocab_size, 1.0, before)
    yield from view.shown(verdict.view, verdict.token, verdict.p, verdict.q)
    elder = any(each.parent == verdict.parent for each in step.verdicts[: verdict.node])
    weight = trace.info.ensemble.weight if trace.info.ensemble else 1.0
    yield from view.mixed(verdict.view, weight)
    if bool(verdict.view.target) != (weight < 1 and not elder):
        yield f"node {verdict.node} has {len(verdict.view.target)} probabilities of the target's own at w {weight:g}"
    own_row = weight == 1 and not (elder and tested)  # what a lossy rule mixes is no row of the target's
    yield from _changed(verdict.view, step, trace, verdict.parent, own_row=own_row)
    yield from _picked(verdict, step)
    yield from _segment(verdict, trace.info.shown, tested=tested, near=CLOSE if trace.info.loop else 1e-9)
    yield from _copied(verdict, step.position)


def _told(u: float | None, trace: Trace, *, needed: bool) -> bool:
    """True if a number is there where one is needed, and nowhere else. An external loop may not record it."""
    return needed if u is not None else not needed or bool(trace.info.loop)


def _changed(seen: View, step: Round, trace: Trace, node: int, *, own_row: bool) -> Iterator[str]:
    if seen.before or seen.changed:
        yield from view.changed(seen, _text(step, trace, node), own_row=own_row)


def _text(step: Round, trace: Trace, node: int) -> list[int]:
    """The prompt and the text down to a node; -1 for the pending token."""
    if node >= 0:
        return [*_text(step, trace, step.verdicts[node].parent), step.verdicts[node].token]
    return [*trace.prompt, *trace.tokens][: step.position]


def _picked(verdict: TokenVerdict, step: Round) -> Iterator[str]:
    """Checks a tested guess's place against what the target picked there."""
    beside = [other for other in step.verdicts if other.parent == verdict.parent]
    kept = [other.token for other in beside if other.verdict is Verdict.ACCEPTED]
    own = [step.extra.token] if step.extra and step.extra.node in [other.node for other in beside] else []
    if verdict.verdict is not Verdict.UNTESTED and (kept or own):
        yield from view.picked(verdict.view, (kept or own)[0])


def _test(verdict: TokenVerdict, near: float) -> Iterator[str]:
    """Checks a guess that was judged on its own. near: how far, relatively, rounding may have moved p/q."""
    most = min(1.0, verdict.p / verdict.q)
    if verdict.accept_prob is not None and not 0 <= verdict.accept_prob <= most + 1e-9:
        yield f"accept_prob is {verdict.accept_prob}, more than min(1, p/q) = {most}"
    elif verdict.u is not None and verdict.accept_prob is not None:
        if not math.isclose(verdict.accept_prob, most, rel_tol=1e-9):
            yield f"accept_prob is {verdict.accept_prob}, but min(1, p/q) is {most}"
        decided = not (near and verdict.p and math.isclose(verdict.u * verdict.q, verdict.p, rel_tol=near))
        if decided and (verdict.u * verdict.q < verdict.p) != (verdict.verdict is Verdict.ACCEPTED):
            yield f"{verdict.verdict.value}, but u q = {verdict.u * verdict.q} and p = {verdict.p}"


def _relaxed(verdict: TokenVerdict, trace: Trace) -> Iterator[str]:
    """Checks a guess between think tags, where no number tests it."""
    asked, largest = trace.info.relaxation, max((bar.p for bar in verdict.view.bars), default=0.0)
    if asked is None:
        yield f"node {verdict.node} is relaxed by a rule that never does so"
        return
    likelier = sum(bar.p > verdict.p * (1 + 1e-5) for bar in verdict.view.bars)
    if verdict.rank <= likelier or (verdict.rank == 1 and verdict.p < largest * (1 - 1e-5)):
        yield f"node {verdict.node} is number {verdict.rank}, but {likelier} bars are likelier"
    passes = verdict.rank <= asked.top and verdict.p >= largest - asked.delta and verdict.p > 0
    near = math.isclose(verdict.p, largest - asked.delta, abs_tol=CLOSE)
    if verdict.accept_prob != (verdict.verdict is Verdict.ACCEPTED) or (verdict.accept_prob != passes and not near):
        yield f"node {verdict.node} passes by {verdict.accept_prob}, but p is {verdict.p}, the largest {largest}"


def _segment(verdict: TokenVerdict, shown: Shown, *, tested: bool, near: float) -> Iterator[str]:
    """Checks that the number that drew a guess fell on its segment of q's ruler. near: how exactly q sums to 1."""
    if not (0 <= verdict.low <= verdict.high <= 1 and abs(verdict.high - verdict.low - verdict.q) <= near):
        yield f"segment {verdict.low} to {verdict.high} of the draft's ruler, but q is {verdict.q}"
    elif verdict.draft_u is not None and not verdict.low - 1e-9 <= verdict.draft_u <= verdict.high + 1e-9:
        yield f"draft_u {verdict.draft_u} is outside its segment {verdict.low} to {verdict.high}"
    weights = {bar.token: bar.q for bar in verdict.view.bars}
    if verdict.token in weights:
        sure = view.surest(verdict.view, weights, shown, tested=tested)
        yield from view.placed(verdict, weights, verdict.view.rest.q, sure)


def _copied(verdict: TokenVerdict, position: int) -> Iterator[str]:
    span = verdict.source.span
    if span is not None and not 0 <= span[0] < span[1] <= position:
        yield f"copied from {span[0]} to {span[1]} of the {position} tokens before"
    if verdict.source.rank < 0:
        yield f"choice number {verdict.source.rank}"


def extra(step: Round, trace: Trace) -> Iterator[str]:
    """Checks the target's own token."""
    extra = step.extra
    if extra is None:
        return
    numbers = trace.info.traits.rolls is not Rolls.NOISE
    resampled = extra.emission is Emission.RESAMPLED
    if not _told(extra.u, trace, needed=numbers):
        yield f"u is {extra.u} under {trace.info.traits.rolls.value}"
    elif extra.u is not None and not (0 <= extra.u < 1 and extra.low - 1e-9 <= extra.u <= extra.high + 1e-9):
        yield f"u {extra.u} is outside its segment {extra.low} to {extra.high}"
    if resampled and not _same(step, extra):
        yield f"its rows are not those of node {extra.node}"
        return
    if not resampled:
        yield from view.sums(extra.view, trace.info.vocab_size, q_mass=0.0)
        yield from view.picked(extra.view, extra.token)
        yield from _changed(extra.view, step, trace, step.path[-1] if step.path else -1, own_row=True)
    bar = next((bar for bar in extra.view.bars if bar.token == extra.token), None)
    if bar is None:
        yield f"token {extra.token} has no bar"
        return
    yield from _as_recorded(step, extra, bar.p)
    if extra.zero_residual and not resampled:
        yield "a bonus has no residual that could be empty"
    relaxed = any(each.node == extra.node and each.rank > 0 for each in step.verdicts)
    from_residual = resampled and not extra.zero_residual and trace.info.traits.rolls is Rolls.DICE and not relaxed
    weights = {each.token: each.residual if from_residual else each.p for each in extra.view.bars}
    hidden = extra.view.rest.residual if from_residual else extra.view.rest.p
    total, weight = sum(weights.values()) + hidden, weights[extra.token]
    if weight <= 0 or total <= 0:
        yield f"token {extra.token} was drawn with no weight"
        return
    if not math.isclose(extra.high - extra.low, weight / total, rel_tol=1e-4, abs_tol=CLOSE):
        yield f"segment {extra.low} to {extra.high}, but the token's weight is {weight / total}"
    yield from view.placed(extra, weights, hidden, view.surest(extra.view, weights, trace.info.shown, tested=True))


def _same(step: Round, extra: Extra) -> bool:
    known = extra.node is not None and 0 <= extra.node < len(step.verdicts)
    return known and extra.node is not None and step.verdicts[extra.node].view == extra.view


def _as_recorded(step: Round, extra: Extra, shown: float) -> Iterator[str]:
    """Checks that p is from the target's own row, with which the first guess at its place was tested."""
    end = step.path[-1] if step.path else -1
    siblings: Sequence[View] = [verdict.view for verdict in step.verdicts if verdict.parent == end]
    plain = shown
    if siblings and extra.node is not None and (len(siblings) > 1 or siblings[0].target):
        first = siblings[0]
        own = first.target or [bar.p for bar in first.bars]
        found = [p for bar, p in zip(first.bars, own, strict=False) if bar.token == extra.token]
        plain = found[0] if found else extra.p
    if not math.isclose(plain, extra.p, rel_tol=1e-5):
        yield f"token {extra.token} is shown with p {plain}, but {extra.p} is recorded"
