"""The whole algorithm, one round at a time: draft, verify, accept, trim.

Invariant at the top of every round: the target's cache holds every committed
token except the last one, which is called pending.
"""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from specviz import decide, record
from specviz.accept.base import AcceptRule
from specviz.chance import Chance
from specviz.config import Clock
from specviz.draft.base import Committed, Drafter
from specviz.gamma.base import GammaRule, State
from specviz.sampling import Sampling
from specviz.trace import CacheSpan, Calls, Round, Timing
from specviz.trim import KVCache
from specviz.verify import LanguageModel, read, verify


@dataclass(frozen=True, slots=True)
class Parts:
    """What a run is made of.

    Attributes:
        controller: decides how much is drafted, by the rounds so far and within each.
        limit: how long the text may get, prompt included, in tokens; at most the target's context.
        ends: token ids that end the text.
        piece: a token's text. None where rounds are timed and never shown: they get no texts and no figures.
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
    clock: Clock = time.perf_counter


def prefill(parts: Parts, prompt: Sequence[int]) -> KVCache:
    """Both models read the prompt, all but its last token."""
    cache = parts.target.new_cache(parts.limit)
    read(parts.target, prompt[:-1], cache)
    parts.drafter.begin(prompt)
    return cache


def rounds(parts: Parts, prompt: Sequence[int], cache: KVCache) -> Generator[Round, None, None]:
    """Decodes until the text ends or is `limit` long.

    Args:
        cache: the target's, as `prefill` left it.

    Source: arXiv:2211.17192, algorithm 1; arXiv:2302.01318, algorithm 2.
    """
    text = list(prompt)
    state = parts.controller.first()
    index, ended = 0, False
    while len(text) < parts.limit and not ended:
        step = _round(parts, text, cache, index, state)
        tokens = step.tokens
        text += tokens
        ended = tokens[-1] in parts.ends
        yield step
        state = parts.controller.next(state, step)
        index += 1


def _round(parts: Parts, text: Sequence[int], cache: KVCache, index: int, state: State) -> Round:
    position, owed = len(text), text[cache.length :]
    target_before, draft_before = cache.length, parts.drafter.cache_length
    times = [parts.clock()]

    left = parts.limit - position
    budget = state.budget.within(left - 1, f"{left} left of the text's length")
    # In a run that is shown every greedy slot is looked at, so that any rule can be asked about it afterwards.
    looked_at = parts.controller.looks or (parts.piece is not None and parts.sampling.temperature == 0)
    proposal = parts.drafter.propose(budget, parts.chance, parts.controller.halt if looked_at else None)
    draft_written = parts.drafter.cache_length
    times.append(parts.clock())

    logits = verify(parts.target, cache, owed, proposal.tree)
    target_written, shown = cache.length, parts.piece is not None
    laws = decide.laws(logits, parts.sampling, proposal, parts.rule, parts.chance, position, shown=shown)
    times.append(parts.clock())

    judgement = laws.judge(parts.rule, position, parts.ends)
    times.append(parts.clock())

    cache.keep(target_before + len(owed), judgement.path)
    accepted = tuple(proposal.tree.tokens[node] for node in judgement.path)
    tokens = accepted if judgement.draw is None else (*accepted, judgement.draw.token)
    parts.drafter.commit(Committed(tokens))
    times.append(parts.clock())

    numbers = laws.numbers(judgement) if shown else record.nothing(len(proposal.tree))
    told = record.verdicts(proposal, numbers, judgement, parts.piece)
    extra = record.extra(numbers, judgement, told, parts.piece)
    draft_kept = parts.drafter.cache_length
    drafting, verifying, accepting, trimming = (1e3 * (end - start) for start, end in pairwise(times))
    return Round(
        index=index,
        position=position,
        budget=budget,
        verdicts=told,
        path=judgement.path,
        extra=extra,
        timing=Timing(
            draft=proposal.drafting,
            verify=verifying,
            accept=accepting,
            trim=trimming,
            overhead=drafting - sum(call.ms for call in proposal.drafting) + 1e3 * (parts.clock() - times[-1]),
        ),
        target_cache=CacheSpan(target_before, target_written, cache.length),
        draft_caches=()
        if draft_before is None or draft_written is None or draft_kept is None
        else (CacheSpan(draft_before, draft_written, draft_kept),),
        calls=Calls(target=1, draft=proposal.calls),
        glances=proposal.glances,
        halt=proposal.halt,
    )
