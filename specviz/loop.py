"""The whole algorithm, one round at a time: draft, verify, accept, trim.

Invariant at the top of every round: the target's cache holds every committed
token except the last one, which is called pending.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from specviz.accept.base import AcceptRule, Judgement
from specviz.config.settings import Budget, Clock
from specviz.config.words import because
from specviz.draft.base import Committed, CoveringDrafter, Drafter, Proposal, begin
from specviz.gamma.base import GammaRule, Halting, State
from specviz.record import record
from specviz.record.extras import Extras, extras_of
from specviz.record.recorder import Recorder
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling, rows
from specviz.sampling.stops import NO_STOPS, Stops
from specviz.sampling.tree import DraftTree
from specviz.trace.round import Round
from specviz.trim import KVCache
from specviz.verify import NOTHING, LanguageModel, Scores, verify


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a run is made of.

    Attributes:
        controller: the gamma rule. It says how much to draft, and may stop a draft early.
        limit: how long the text may become, prompt included, in tokens. At most the target's context.
        ends, stops: token ids that end the text, and strings that do.
        piece: gives a token's text. None for a run that is timed and not shown: it records no texts and no views.
    """

    target: LanguageModel
    drafter: Drafter
    rule: AcceptRule
    controller: GammaRule
    sampling: Sampling
    chance: Chance
    limit: int
    ends: frozenset[int]
    piece: record.Piece | None
    stops: Stops = NO_STOPS
    clock: Clock = time.perf_counter


def prefill(parts: Parts, prompt: Sequence[int]) -> KVCache:
    """Both models read the prompt, except its last token. Returns the target's cache."""
    cache = parts.target.new_cache(parts.limit + (parts.drafter.nodes or 0) + parts.drafter.needs.scouts)
    begin(parts.drafter, parts.target, prompt, cache)
    return cache


def rounds(parts: Parts, prompt: Sequence[int], cache: KVCache) -> Generator[Round, None, None]:
    """Decodes until the text ends or reaches `limit`.

    Args:
        cache: the target's cache, as `prefill` left it.

    Source: arXiv:2211.17192, algorithm 1; arXiv:2302.01318, algorithm 2.
    """
    text = list(prompt)
    state = parts.controller.first()
    index, ended = 0, False
    while len(text) < parts.limit and not ended:
        step = _round(parts, text, cache, index, state)
        tokens = step.tokens
        text += tokens
        ended = tokens[-1] in parts.ends or step.stop_string != ""
        yield step
        state = parts.controller.next(state, step)
        index += 1


def _round(parts: Parts, text: Sequence[int], cache: KVCache, index: int, state: State) -> Round:
    drafter, position = parts.drafter, len(text)
    recorder = Recorder(parts.clock, cache, [own.cache for own in drafter.caches], parts.piece)
    beat = recorder.beat

    with beat("draft"):
        budget = _budget(parts, state, position)
        proposal = drafter.propose(budget, parts.chance, _halting(parts))

    with beat("verify"):
        unread = text[cache.length :]
        base = cache.length + len(unread)
        scores = verify(parts.target, cache, unread, proposal.tree, drafter.needs, proposal.started)
        p = rows(scores.logits[: len(proposal.tree) + 1], parts.sampling, text, proposal.tree)
    recorder.written()
    recorder.compare(drafter, proposal.tree, scores)
    proposal = recorder.with_sources(drafter, proposal)
    recorder.cut_off(drafter, proposal, budget, parts.chance)

    with beat("accept"):
        tree = proposal.tree
        complete = parts.stops.among(text, tree.tokens, tree.parents)
        ends = {*complete, *(node for node, token in enumerate(tree.tokens) if token in parts.ends)}
        judgement = parts.rule.after(text).judge(proposal, p, position, ends, parts.chance)
        stop_string = _stop_string(parts, text, tree, judgement, complete)

    with beat("trim"):
        recorder.cut(base, judgement.path)
        drafter.commit(_committed(drafter, proposal, judgement, scores))

    extras = Extras()
    if parts.piece is not None:
        shown = scores.logits[: len(proposal.tree) + 1]
        extras = extras_of(parts.chance, parts.sampling, shown, text, proposal.tree)
        if isinstance(drafter, CoveringDrafter):
            extras = extras._replace(covered=drafter.covered)
        laws = parts.rule.laws(proposal.tree, proposal.q, p)
        if laws is not p:
            extras = extras._replace(laws=laws, raw=())
    return recorder.round(index, position, budget, proposal, p, judgement, extras, stop_string)


def _stop_string(
    parts: Parts, text: Sequence[int], tree: DraftTree, judgement: Judgement, complete: Mapping[int, str]
) -> str:
    """The string that the round's last token completes; "" if none, or if that token ends a text by itself.

    Args:
        complete: the nodes at which one is.
    """
    if not parts.stops.strings:
        return ""
    accepted = [tree.tokens[node] for node in judgement.path]
    if judgement.draw is None:
        return "" if accepted[-1] in parts.ends else complete[judgement.path[-1]]
    own = judgement.draw.token
    return "" if own in parts.ends else parts.stops.by([*text, *accepted], own)


def _budget(parts: Parts, state: State, position: int) -> Budget:
    """What the gamma rule asks for, cut to the length left and adapted to the drafter's shape."""
    left = parts.limit - position
    return state.budget.within(left - 1, because("left", left=left)).shaped(parts.drafter.nodes)


def _halting(parts: Parts) -> Halting | None:
    """A shown greedy run asks the rule about every slot, so that any other rule can be asked about it later."""
    asks = parts.controller.looks or (parts.piece is not None and parts.sampling.temperature == 0)
    return parts.controller.halt if asks else None


def _committed(drafter: Drafter, proposal: Proposal, judgement: Judgement, scores: Scores) -> Committed:
    accepted = tuple(proposal.tree.tokens[node] for node in judgement.path)
    tokens = accepted if judgement.draw is None else (*accepted, judgement.draw.token)
    return Committed(tokens, judgement.path, scores if drafter.needs != NOTHING else None)
