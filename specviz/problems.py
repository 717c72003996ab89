"""Every way a trace contradicts itself: the picture's alibi. Standard library only."""

import math
from collections.abc import Iterator

from specviz import gamma, views
from specviz.config import ConfigError
from specviz.gamma.base import ask, states
from specviz.trace import CacheSpan, Emission, Round, Stop, Timing, TokenVerdict, Trace, Verdict
from specviz.views import CLOSE

NOISY = ("coupled",)
"""Rules that draw with a vector of noise: no one number decides, and a refusal draws from all of p."""


def problems(trace: Trace) -> list[str]:
    """One line for each contradiction, naming where it is; an empty list for a sound trace."""
    shapes = [f"round {index}: {line}" for index, step in enumerate(trace.rounds) for line in _shape(step)]
    if trace.info.vocab_size < 1:
        shapes.append(f"the vocabulary has {trace.info.vocab_size} tokens")
    if shapes:
        return shapes
    found = [*_run(trace), *_slots(trace), *_texts(trace), *_race(trace), *_gamma(trace)]
    text = list(trace.prompt)
    before: Round | None = None
    for index, step in enumerate(trace.rounds):
        here = f"round {index}"
        if step.index != index:
            found.append(f"{here}: index is {step.index}")
        if step.position != len(text):
            found.append(f"{here}: position is {step.position}, but {len(text)} tokens stand before it")
        found += [f"{here}: {line}" for line in (*_walk(step, trace), *_caches(step, before), *_clock(step))]
        for verdict in step.verdicts:
            found += [f"{here}, node {verdict.node}: {line}" for line in _verdict(verdict, trace)]
        found += [f"{here}, extra: {line}" for line in _extra(step, trace)]
        text += step.tokens
        before = step
    return found


def _run(trace: Trace) -> Iterator[str]:
    made = trace.tokens
    asked = trace.info.config.max_new_tokens
    length = len(trace.prompt) + len(made)
    ends = set(trace.info.eos)
    if not trace.prompt:
        yield "the prompt is empty"
    if len(trace.prompt_texts) != len(trace.prompt):
        yield f"{len(trace.prompt_texts)} prompt texts for {len(trace.prompt)} prompt tokens"
    if len(made) > asked:
        yield f"{len(made)} tokens, but only {asked} were asked for"
    if length > trace.info.context:
        yield f"{length} tokens, but the context holds {trace.info.context}"
    if ends & set(made[:-1]):
        yield "the text goes on after a token that ends it"
    if trace.stop not in _stops(trace):
        yield f"stop is {trace.stop.value}, but {len(made)} of {asked} tokens say {' or '.join(_stops(trace))}"
    if trace.prefill < 0:
        yield f"reading the prompt took {trace.prefill} ms"
    outside = [token for token in (*trace.prompt, *made) if not 0 <= token < trace.info.vocab_size]
    if outside:
        yield f"token {outside[0]} is not in the vocabulary of {trace.info.vocab_size}"


def _stops(trace: Trace) -> tuple[Stop, ...]:
    """Why the run can have ended, by what it made."""
    made = trace.tokens
    if made and made[-1] in trace.info.eos:
        return (Stop.EOS,)
    if len(made) == trace.info.config.max_new_tokens:
        return (Stop.LENGTH,)
    if len(trace.prompt) + len(made) == trace.info.context:
        return (Stop.CONTEXT,)
    return (Stop.STOPPED, Stop.DEADLINE, Stop.FAILED)


def _slots(trace: Trace) -> Iterator[str]:
    """What a cache slot takes; a drafter says so exactly if it keeps a cache, which without a round nobody knows."""
    target, draft = trace.info.target_slot_bytes, trace.info.draft_slot_bytes
    if target < 1 or (draft is not None and draft < 1):
        yield f"cache slots of {target} and {draft} bytes; wanted at least 1"
    cached = any(step.draft_cache is not None for step in trace.rounds)
    if trace.rounds and cached != (draft is not None):
        yield f"the drafter keeps {'a' if cached else 'no'} cache, but its slots take {draft} bytes"


def _texts(trace: Trace) -> Iterator[str]:
    """One token, one text."""
    known: dict[int, str] = {}
    pairs = [*zip(trace.prompt, trace.prompt_texts, strict=False)]
    if trace.race:
        pairs += zip(trace.race.tokens, trace.race.texts, strict=False)
    for step in trace.rounds:
        for shown in (*step.verdicts, *([step.extra] if step.extra else ())):
            pairs += [(shown.token, shown.text), *((bar.token, bar.text) for bar in shown.view.bars)]
    for token, text in pairs:
        if known.setdefault(token, text) != text:
            yield f"token {token} reads {known[token]!r} and {text!r}"


def _race(trace: Trace) -> Iterator[str]:
    race = trace.race
    if race is None:
        return
    drafted = [len(step.verdicts) for step in trace.rounds]
    if [len(timing.draft) for timing in race.rounds] != drafted:
        yield "the race drafted other numbers of tokens than the run"
    counts = {len(race.passes), len(race.tokens), len(race.texts), len(trace.tokens)}
    if len(counts) > 1:
        yield f"{len(race.passes)} plain passes, {len(race.tokens)} tokens for the run's {len(trace.tokens)}"
    if not race.laps or len(race.laps) != len(race.plain_laps):
        yield f"{len(race.laps)} laps against {len(race.plain_laps)}"
    spent = [min(*timing.draft, timing.verify, timing.accept, timing.trim, timing.overhead) for timing in race.rounds]
    if min(*spent, *race.passes, *race.laps, *race.plain_laps, 0.0) < 0:
        yield "a lap took negative time"
    for name, laps, parts in (("run", race.laps, map(_total, race.rounds)), ("plain", race.plain_laps, race.passes)):
        if sum(parts) > max(laps) * (1 + CLOSE):
            yield f"the parts of the median {name} lap add up to more than any of its laps took"
    if any(not 0 <= token < trace.info.vocab_size for token in race.tokens):
        yield f"plain decoding wrote a token that is not in the vocabulary of {trace.info.vocab_size}"


def _total(timing: Timing) -> float:
    return sum(timing.draft) + timing.verify + timing.accept + timing.trim + timing.overhead


def _gamma(trace: Trace) -> Iterator[str]:
    """Whether the gamma rule, asked again, drafts as much as was drafted."""
    config = trace.info.config
    try:
        rule = gamma.load(config.gamma_rule, config.gamma, config.gamma_params, config.costs)
    except ConfigError as error:
        yield f"the gamma rule cannot be asked again: {error}"
        return
    for state, asked, step in zip(states(rule, trace.rounds), ask(rule, trace.rounds), trace.rounds, strict=False):
        halted = asked.halted and asked.gamma <= step.budget.depth
        if step.budget.depth != min(state.gamma, _room(trace, step)):
            yield f"round {step.index}: a budget of {step.budget.depth}, but {config.gamma_rule} says {state.gamma}"
        elif (step.halt is not None) != halted or (step.halt and asked.signal != step.halt.signal):
            yield f"round {step.index}: drafting stopped by {step.halt}, but {config.gamma_rule} says: {asked.reason}"


def _room(trace: Trace, step: Round) -> int:
    """Guesses that fit before the text is as long as it may get."""
    return min(len(trace.prompt) + trace.info.config.max_new_tokens, trace.info.context) - step.position - 1


def _shape(step: Round) -> Iterator[str]:
    """Whether nodes, parents and path can be looked up at all."""
    for place, verdict in enumerate(step.verdicts):
        if verdict.node != place or not -1 <= verdict.parent < place:
            yield f"node {verdict.node} with parent {verdict.parent} at place {place}"
        elif verdict.depth != (0 if verdict.parent == -1 else step.verdicts[verdict.parent].depth + 1):
            yield f"node {place} is said to be {verdict.depth} deep"
    for node, parent in zip(step.path, (-1, *step.path), strict=False):
        if not 0 <= node < len(step.verdicts) or step.verdicts[node].parent != parent:
            yield f"path {list(step.path)} does not follow the tree"
            return


def _walk(step: Round, trace: Trace) -> Iterator[str]:
    """Which nodes were tested, and what the walk ended with."""
    accepted = [verdict.node for verdict in step.verdicts if verdict.verdict is Verdict.ACCEPTED]
    if accepted != list(step.path):
        yield f"accepted nodes {accepted}, but the path is {list(step.path)}"
    ended = bool(step.path) and step.verdicts[step.path[-1]].token in trace.info.eos
    end = step.path[-1] if step.path else -1
    for verdict in step.verdicts:
        reachable = verdict.parent in (-1, *step.path) and not (ended and verdict.parent == end)
        earlier = [other for other in step.verdicts[: verdict.node] if other.parent == verdict.parent]
        passed = any(other.verdict is Verdict.ACCEPTED for other in earlier)
        if (verdict.verdict is Verdict.UNTESTED) == (reachable and not passed):
            yield f"node {verdict.node} is {verdict.verdict.value} where the walk says otherwise"
    if (step.extra is None) != ended:
        yield "a round has a token of the target's own unless an accepted token ended the text"
    refused = any(verdict.verdict is Verdict.REJECTED and verdict.parent == end for verdict in step.verdicts)
    if step.extra and (step.extra.emission is Emission.RESAMPLED) != refused:
        yield f"{step.extra.emission.value}, but the last tests say otherwise"
    room = _room(trace, step)
    if not 0 <= step.budget.depth <= room or step.budget.nodes < 0:
        yield f"a budget of {step.budget.nodes} tokens, {step.budget.depth} deep, with room for {room}"
    if len(step.verdicts) > step.budget.nodes or any(each.depth >= step.budget.depth for each in step.verdicts):
        yield f"{len(step.verdicts)} drafted tokens exceed the budget of {step.budget.nodes}"


def _verdict(verdict: TokenVerdict, trace: Trace) -> Iterator[str]:
    tested = verdict.verdict is not Verdict.UNTESTED
    numbers = trace.info.rule not in NOISY
    if not (0 <= verdict.p <= 1 + 1e-9 and 0 < verdict.q <= 1 + 1e-9 and 0 <= (verdict.draft_u or 0) < 1):
        yield f"p {verdict.p}, q {verdict.q} or draft_u {verdict.draft_u} is no probability"
    elif (verdict.draft_u is not None) != numbers:
        yield f"draft_u is {verdict.draft_u} under the rule {trace.info.rule}"
    elif (verdict.u is not None) != (tested and numbers) or (verdict.accept_prob is None) == tested:
        yield f"{verdict.verdict.value} with u {verdict.u} and accept_prob {verdict.accept_prob}"
    elif verdict.accept_prob is not None and not 0 <= verdict.accept_prob <= min(1.0, verdict.p / verdict.q) + 1e-9:
        yield f"accept_prob is {verdict.accept_prob}, more than min(1, p/q) = {min(1.0, verdict.p / verdict.q)}"
    elif verdict.u is not None and verdict.accept_prob is not None:
        if not 0 <= verdict.u < 1:
            yield f"u is {verdict.u}"
        if not math.isclose(verdict.accept_prob, min(1.0, verdict.p / verdict.q), rel_tol=1e-9):
            yield f"accept_prob is {verdict.accept_prob}, but min(1, p/q) is {min(1.0, verdict.p / verdict.q)}"
        if (verdict.u * verdict.q < verdict.p) != (verdict.verdict is Verdict.ACCEPTED):
            yield f"{verdict.verdict.value}, but u q = {verdict.u * verdict.q} and p = {verdict.p}"
    most = math.log(trace.info.vocab_size) + CLOSE
    if not (-CLOSE <= verdict.p_entropy <= most and -CLOSE <= verdict.q_entropy <= most):
        yield f"entropies {verdict.p_entropy} and {verdict.q_entropy} are not between 0 and ln V"
    yield from views.sums(verdict.view, trace.info.vocab_size, q_mass=1.0)
    yield from views.shown(verdict.view, verdict.token, verdict.p, verdict.q)
    yield from _segment(verdict, tested=tested, numbers=numbers)


def _segment(verdict: TokenVerdict, *, tested: bool, numbers: bool) -> Iterator[str]:
    """Whether a guess stands on q's ruler where it was drawn. numbers: whether one number drew it."""
    if not (0 <= verdict.low <= verdict.high <= 1 and abs(verdict.high - verdict.low - verdict.q) <= 1e-9):
        yield f"segment {verdict.low} to {verdict.high} of the draft's ruler, but q is {verdict.q}"
    elif numbers and not verdict.low - 1e-9 <= (verdict.draft_u or 0.0) <= verdict.high + 1e-9:
        yield f"draft_u {verdict.draft_u} is outside its segment {verdict.low} to {verdict.high}"
    weights = {bar.token: bar.q for bar in verdict.view.bars}
    if verdict.token in weights:
        sure = views.surest(verdict.view, weights, tested=tested)
        yield from views.placed(verdict, weights, verdict.view.rest.q, sure)


def _extra(step: Round, trace: Trace) -> Iterator[str]:
    extra = step.extra
    if extra is None:
        return
    resampled = extra.emission is Emission.RESAMPLED
    if (extra.u is not None) == (trace.info.rule in NOISY):
        yield f"u is {extra.u} under the rule {trace.info.rule}"
    elif extra.u is not None and not (0 <= extra.u < 1 and extra.low - 1e-9 <= extra.u <= extra.high + 1e-9):
        yield f"u {extra.u} is outside its segment {extra.low} to {extra.high}"
    yield from views.sums(extra.view, trace.info.vocab_size, q_mass=1.0 if resampled else 0.0)
    bar = next((bar for bar in extra.view.bars if bar.token == extra.token), None)
    if bar is None:
        yield f"token {extra.token} has no bar"
        return
    siblings = sum(verdict.parent == (step.path[-1] if step.path else -1) for verdict in step.verdicts)
    if (not resampled or siblings == 1) and not math.isclose(bar.p, extra.p, rel_tol=1e-5):
        yield f"token {extra.token} is shown with p {bar.p}, but {extra.p} is recorded"
    if extra.zero_residual and not resampled:
        yield "a bonus has no residual that could be empty"
    from_residual = resampled and not extra.zero_residual and trace.info.rule not in NOISY
    weights = {each.token: each.residual if from_residual else each.p for each in extra.view.bars}
    hidden = extra.view.rest.residual if from_residual else extra.view.rest.p
    total = sum(weights.values()) + hidden
    weight = weights[extra.token]
    if weight <= 0 or total <= 0:
        yield f"token {extra.token} was drawn with no weight"
        return
    if not math.isclose(extra.high - extra.low, weight / total, rel_tol=1e-4, abs_tol=CLOSE):
        yield f"segment {extra.low} to {extra.high}, but the token's weight is {weight / total}"
    yield from views.placed(extra, weights, hidden, views.surest(extra.view, weights, tested=True))


def _caches(step: Round, before: Round | None) -> Iterator[str]:
    target, draft = step.target_cache, step.draft_cache
    if target.before != step.position - 1:
        yield f"the target's cache holds {target.before}; wanted all but the pending token, {step.position - 1}"
    if target.written != target.before + 1 + len(step.verdicts):
        yield f"the target's cache grew to {target.written}; wanted {target.before + 1 + len(step.verdicts)}"
    if target.kept != target.before + 1 + len(step.path):
        yield f"the target's cache was trimmed to {target.kept}; wanted {target.before + 1 + len(step.path)}"
    if before and (draft is None) != (before.draft_cache is None):
        yield "the drafter has a cache in one round and none in another"
    if draft is None:
        return
    true = step.position + len(step.path) + bool(step.extra and step.extra.zero_residual)
    if (
        not draft.before <= draft.written
        or not min(draft.written, step.position + len(step.path)) <= draft.kept <= true
    ):
        yield f"the drafter's cache went {draft.before}, {draft.written}, {draft.kept}"
    last: CacheSpan | None = before.draft_cache if before else None
    if last and last.kept != draft.before:
        yield f"the drafter's cache held {last.kept} after the last round and {draft.before} now"


def _clock(step: Round) -> Iterator[str]:
    timing = step.timing
    if min(*timing.draft, timing.verify, timing.accept, timing.trim, timing.overhead, 0.0) < 0:
        yield f"a phase took negative time: {timing}"
    if len(timing.draft) != len(step.verdicts):
        yield f"{len(timing.draft)} draft times for {len(step.verdicts)} drafted tokens"
    if step.calls.target != 1 or step.calls.draft < 0:
        yield f"{step.calls.target} target and {step.calls.draft} draft passes; a round has one of the target"
