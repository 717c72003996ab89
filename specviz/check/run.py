"""Finds every way a trace contradicts itself. Standard library only."""

from collections.abc import Iterator
from itertools import pairwise

from specviz import gamma
from specviz.check import ending, heads, judgement, loops
from specviz.check.view import CLOSE
from specviz.config.settings import ConfigError, Shape
from specviz.config.words import tell
from specviz.gamma.base import counterfactuals, states
from specviz.trace.info import Reads
from specviz.trace.round import Round, Timing
from specviz.trace.run import Stop, Trace


def problems(trace: Trace) -> list[str]:
    """One line for each contradiction, with its place; an empty list for a sound trace."""
    named = loops.bugs(trace) if trace.info.loop else []
    shapes = [f"round {index}: {line}" for index, step in enumerate(trace.rounds) for line in _shape(step)]
    if trace.info.vocab_size < 1:
        shapes.append(f"the vocabulary has {trace.info.vocab_size} tokens")
    shown = trace.info.shown
    if not (0 < shown.untested <= shown.tested and 0 < shown.own < shown.bars - shown.tested):
        shapes.append(f"views of {shown.bars} bars cannot show {shown.tested} of each kind and {shown.own} more")
    if shapes:
        return named + shapes
    found = [
        *named,
        *_run(trace),
        *_marks(trace),
        *_slots(trace),
        *_texts(trace),
        *_race(trace),
        *_gamma(trace),
        *heads.heads(trace.info.heads),
    ]
    text = list(trace.prompt)
    stops = ending.stops(trace, {**dict.fromkeys(trace.prompt, ""), **dict(_pieces(trace))})
    before: Round | None = None
    for index, step in enumerate(trace.rounds):
        prefix = f"round {index}"
        if step.index != index:
            found.append(f"{prefix}: index is {step.index}")
        if step.position != len(text):
            found.append(f"{prefix}: position is {step.position}, but {len(text)} tokens stand before it")
        room = _room(trace, step)
        tokens = [verdict.token for verdict in step.verdicts]
        complete = stops.among(text, tokens, [verdict.parent for verdict in step.verdicts])
        ends = {*complete, *(node for node, token in enumerate(tokens) if token in trace.info.eos), *_cut(step, trace)}
        lines = (
            *judgement.walk(step, trace, ends),
            *ending.goes_on(step, text, trace, complete, stops),
            *_budget(step, len(step.verdicts) if trace.info.loop else room),
            *_unchecked(step, trace),
            *_caches(step, before, trace),
            *_reread(step, trace),
            *_clock(step),
            *heads.states(step, trace.info.heads),
        )
        found += [f"{prefix}: {line}" for line in lines]
        for verdict in step.verdicts:
            found += [f"{prefix}, node {verdict.node}: {line}" for line in judgement.verdict(verdict, step, trace)]
        found += [f"{prefix}, extra: {line}" for line in judgement.extra(step, trace)]
        text += step.tokens
        before = step
    return found


def _run(trace: Trace) -> Iterator[str]:
    made = trace.tokens
    most = trace.info.config.max_new_tokens
    length = len(trace.prompt) + len(made)
    ends = set(trace.info.eos)
    if not trace.prompt:
        yield "the prompt is empty"
    if len(trace.prompt_texts) != len(trace.prompt):
        yield f"{len(trace.prompt_texts)} prompt texts for {len(trace.prompt)} prompt tokens"
    if len(made) > most:
        yield f"{len(made)} tokens, but only {most} were asked for"
    if length > trace.info.context:
        yield f"{length} tokens, but the context holds {trace.info.context}"
    if ends & set(made[:-1]):
        yield "the text goes on after a token that ends it"
    if trace.stop not in _stops(trace):
        yield f"stop is {trace.stop.value}, but {len(made)} of {most} tokens say {' or '.join(_stops(trace))}"
    if trace.prefill < 0:
        yield f"reading the prompt took {trace.prefill} ms"
    outside = [token for token in (*trace.prompt, *made) if not 0 <= token < trace.info.vocab_size]
    if outside:
        yield f"token {outside[0]} is not in the vocabulary of {trace.info.vocab_size}"


def _marks(trace: Trace) -> Iterator[str]:
    """Checks which tokens of the prompt are marked as its chat template's, and as control tokens."""
    edges = [edge for stretch in trace.info.template for edge in stretch]
    if not all(before < edge for before, edge in pairwise([-1, *edges, len(trace.prompt) + 1])):
        yield "the chat template's tokens are no stretches of the prompt, one behind the other"
        return  # one may be endless
    written = {*range(len(trace.prompt))}.difference(*(range(*stretch) for stretch in trace.info.template))
    if [*trace.info.control] != sorted(written.intersection(trace.info.control)):
        yield "the control tokens that somebody typed are no places of the prompt, in order, outside the template"


def _stops(trace: Trace) -> tuple[Stop, ...]:
    """The reasons for which the run can have ended, given what it wrote."""
    made = trace.tokens
    if made and made[-1] in trace.info.eos:
        return (Stop.EOS,)
    if trace.rounds and trace.rounds[-1].stop_string:
        return (Stop.STRING,)
    if len(made) == trace.info.config.max_new_tokens:
        return (Stop.LENGTH,)
    if len(trace.prompt) + len(made) == trace.info.context:
        return (Stop.CONTEXT,)
    return (Stop.STOPPED, Stop.DEADLINE, Stop.FAILED)


def _slots(trace: Trace) -> Iterator[str]:
    """Checks the size of cache slots, and that every round has a span for each of the drafter's caches."""
    slots = [trace.info.target_slot_bytes, *(cache.slot_bytes for cache in trace.info.draft_caches)]
    if min(slots) < 1:
        yield f"cache slots of {slots} bytes; wanted at least 1"
    if len({cache.name for cache in trace.info.draft_caches}) < len(trace.info.draft_caches):
        yield "two of the drafter's caches have one name"
    wanted = len(trace.info.draft_caches)
    for step in trace.rounds:
        if len(step.draft_caches) != wanted:
            yield f"round {step.index}: {len(step.draft_caches)} cache spans for the drafter's {wanted}"


def _texts(trace: Trace) -> Iterator[str]:
    """Checks that a token always has the same text."""
    known: dict[int, str] = {}
    for token, text in _pieces(trace):
        if known.setdefault(token, text) != text:
            yield f"token {token} reads {known[token]!r} and {text!r}"


def _pieces(trace: Trace) -> Iterator[tuple[int, str]]:
    """Every token of the trace with its text."""
    yield from zip(trace.prompt, trace.prompt_texts, strict=False)
    if trace.race:
        yield from zip(trace.race.tokens, trace.race.texts, strict=False)
    for step in trace.rounds:
        yield from ((scout.token, scout.text) for scout in step.scouts)
        yield from ((cut.token, cut.text) for cut in step.unchecked)
        inner = [each.source.inner for each in step.verdicts if each.source.inner]
        yield from ((each.token, each.text) for each in inner)
        for shown in (*step.verdicts, *([step.extra] if step.extra else ())):
            yield shown.token, shown.text
            yield from ((bar.token, bar.text) for bar in shown.view.bars)


def _race(trace: Trace) -> Iterator[str]:
    race = trace.race
    if race is None:
        return
    drafted = [len(step.verdicts) for step in trace.rounds]
    if [sum(call.nodes for call in timing.draft) for timing in race.rounds] != drafted:
        yield "the race drafted other numbers of tokens than the run"
    counts = {len(race.passes), len(race.tokens), len(race.texts), len(trace.tokens)}
    if len(counts) > 1:
        yield f"{len(race.passes)} plain passes, {len(race.tokens)} tokens for the run's {len(trace.tokens)}"
    if not race.laps or len(race.laps) != len(race.plain_laps):
        yield f"{len(race.laps)} laps against {len(race.plain_laps)}"
    times = [*race.passes, *race.laps, *race.plain_laps, *(part for each in race.rounds for part in _parts(each))]
    if min(times, default=0.0) < 0:
        yield "a lap took negative time"
    for name, laps, parts in (
        ("run", race.laps, (each.whole for each in race.rounds)),
        ("plain", race.plain_laps, race.passes),
    ):
        if sum(parts) > max(laps) * (1 + CLOSE):
            yield f"the parts of the median {name} lap add up to more than any of its laps took"
    if any(not 0 <= token < trace.info.vocab_size for token in race.tokens):
        yield f"plain decoding wrote a token that is not in the vocabulary of {trace.info.vocab_size}"


def _gamma(trace: Trace) -> Iterator[str]:
    """Checks that the gamma rule, asked again, drafts as much as was drafted."""
    config = trace.info.config
    if trace.info.controller == gamma.NoLength.name:
        return
    try:
        rule = gamma.load(config.gamma_rule, config.gamma, config.gamma_params, config.costs)
    except ConfigError as error:
        yield f"the gamma rule cannot be asked again: {error}"
        return
    answers = counterfactuals(rule, trace.rounds)
    for state, wanted, step in zip(states(rule, trace.rounds), answers, trace.rounds, strict=False):
        halted = wanted.halted and wanted.gamma <= step.budget.depth
        if step.budget.depth != min(state.gamma, _room(trace, step)):
            yield f"round {step.index}: a budget of {step.budget.depth}, but {config.gamma_rule} says {state.gamma}"
        elif (step.halt is not None) != halted or (step.halt and wanted.signal != step.halt.signal):
            words = tell(wanted.reason)
            yield f"round {step.index}: drafting stopped by {step.halt}, but {config.gamma_rule} says: {words}"


def _room(trace: Trace, step: Round) -> int:
    """Guesses that fit before the text reaches its longest."""
    return min(len(trace.prompt) + trace.info.config.max_new_tokens, trace.info.context) - step.position - 1


def _shape(step: Round) -> Iterator[str]:
    """Checks that nodes, parents and path can be looked up at all."""
    for place, verdict in enumerate(step.verdicts):
        if verdict.node != place or not -1 <= verdict.parent < place:
            yield f"node {verdict.node} with parent {verdict.parent} at place {place}"
        elif verdict.depth != (0 if verdict.parent == -1 else step.verdicts[verdict.parent].depth + 1):
            yield f"node {place} is said to be {verdict.depth} deep"
    for node, parent in zip(step.path, (-1, *step.path), strict=False):
        if not 0 <= node < len(step.verdicts) or step.verdicts[node].parent != parent:
            yield f"path {list(step.path)} does not follow the tree"
            return


def _cut(step: Round, trace: Trace) -> tuple[int, ...]:
    """The accepted guess at which a loop that others wrote stopped, because no more tokens were asked for."""
    whole = len(trace.prompt) + trace.info.config.max_new_tokens
    return step.path[-1:] if trace.info.loop and step.position + len(step.path) == whole else ()


def _budget(step: Round, room: int) -> Iterator[str]:
    if not 0 <= step.budget.depth <= room or step.budget.nodes < 0:
        yield f"a budget of {step.budget.nodes} tokens, {step.budget.depth} deep, with room for {room}"
    if len(step.verdicts) > step.budget.nodes or step.offered > step.budget.depth:
        yield f"{len(step.verdicts)} drafted tokens exceed the budget of {step.budget.nodes}"


def _unchecked(step: Round, trace: Trace) -> Iterator[str]:
    """Checks what a γ rule cut from a draft of one pass: it is deeper than all that was checked."""
    at_once = trace.info.heads and trace.info.heads.reads in (Reads.STATE, Reads.BLOCK)
    if step.unchecked and not (step.halt and at_once):
        yield f"{len(step.unchecked)} guesses are said to be made and not checked, but nothing cut a draft of one pass"
    depths, taken = [verdict.depth for verdict in step.verdicts], set[tuple[int, int]]()
    for place, each in enumerate(step.unchecked):
        if not -1 <= each.parent < len(depths) or each.depth != (0 if each.parent == -1 else depths[each.parent] + 1):
            yield f"unchecked guess {place} with parent {each.parent} is said to be {each.depth} deep"
            return
        depths.append(each.depth)
        if not step.offered <= each.depth < step.budget.depth or place >= step.budget.nodes:
            most = step.budget.depth
            yield f"unchecked guess {place} is {each.depth} deep, where {step.offered} of {most} levels were checked"
        if not 0 < each.q <= 1 + 1e-9 or not 0 <= each.token < trace.info.vocab_size:
            yield f"unchecked guess {place} is token {each.token} with q {each.q}"
        if (each.parent, each.token) in taken:
            yield f"unchecked guess {place} is the same as one beside it"
        taken.add((each.parent, each.token))


def _caches(step: Round, before: Round | None, trace: Trace) -> Iterator[str]:
    target = step.target_cache
    if target.before != step.position - 1:
        yield f"the target's cache holds {target.before}; wanted all but the pending token, {step.position - 1}"
    read = 1 + len(step.verdicts) + len(step.scouts)
    if target.written != target.before + read:
        yield f"the target's cache grew to {target.written}; wanted {target.before + read}"
    read = target.before + 1 + len(step.path)
    if not read - (step.extra is None) <= target.kept <= read:  # a token that ends the text may have lost its slot
        yield f"the target's cache was trimmed to {target.kept}; wanted {read}"
    end = step.path[-1] if step.path else -1
    guessed = step.extra and any((each.parent, each.token) == (end, step.extra.token) for each in step.verdicts)
    true = step.position + len(step.path) + bool(guessed)
    needed = step.position + len(step.path) - (step.extra is None)
    for place, (cache, draft) in enumerate(zip(trace.info.draft_caches, step.draft_caches, strict=False)):
        least = min(draft.written, needed) if trace.info.traits.shape is Shape.CHAIN else 0
        stands = draft.kept <= draft.written if cache.own_tokens else least <= draft.kept <= true
        if not draft.before <= draft.written or not stands:
            yield f"the drafter's cache {cache.name} went {draft.before}, {draft.written}, {draft.kept}"
        last = before.draft_caches[place : place + 1] if before else ()
        if any(span.kept != draft.before for span in last):
            yield f"the drafter's cache {cache.name} held {last[0].kept} after the last round and {draft.before} now"


def _reread(step: Round, trace: Trace) -> Iterator[str]:
    """Checks what was read again: only where a state is kept, by the target all that it keeps of the round."""
    states = [trace.info.target_state_bytes, *(cache.state_bytes for cache in trace.info.draft_caches)]
    for state, span in zip(states, (step.target_cache, *step.draft_caches), strict=False):
        if span.reread > 0 and not state:
            yield f"{span.reread} tokens were read again without a state that was put back"
    target, timing = step.target_cache, step.timing
    if target.reread not in (0, target.kept - target.before):
        yield f"the target read {target.reread} tokens again; wanted {target.kept - target.before}"
    if not 0 <= timing.reread <= timing.trim or (timing.reread and not target.reread):
        yield f"reading {target.reread} tokens again took {timing.reread} ms of the trim's {timing.trim}"


def _parts(timing: Timing) -> Iterator[float]:
    yield from (call.ms for call in timing.draft)
    yield from (timing.verify, timing.accept, timing.trim, timing.overhead)


def _clock(step: Round) -> Iterator[str]:
    timing = step.timing
    if min(_parts(timing)) < 0:
        yield f"a phase took negative time: {timing}"
    made = [call.nodes for call in timing.draft]
    if min(made, default=0) < 0 or sum(made) != len(step.verdicts):
        yield f"draft calls of {made} tokens for {len(step.verdicts)} drafted ones"
    if step.calls.target != 1 or step.calls.draft < 0:
        yield f"{step.calls.target} target and {step.calls.draft} draft passes; a round has one of the target"
