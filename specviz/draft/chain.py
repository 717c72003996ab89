"""Draws a chain token by token, each from its own row."""

from collections.abc import Callable, Sequence

from specviz.config.settings import Budget, milliseconds
from specviz.draft.base import Guess, Proposal, Resources, proposal
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.distribution import entropy, row
from specviz.sampling.rows import Row
from specviz.trace.guess import Source
from specviz.trace.round import Drafting, Glance, Halt


def draw_chain(
    budget: Budget,
    text: Sequence[int],
    next_logits: Callable[[Sequence[int]], tuple[Reals, Source]],
    resources: Resources,
    chance: Chance,
    halt: Halting | None = None,
    calls: int = 0,
) -> Proposal:
    """Draws one token after another, as many as the budget and `halt` allow.

    Args:
        text: what they follow.
        next_logits: the tokens drawn so far -> the next one's logits[V], and where they come from.
        calls: forward passes of a draft model behind each of these logits.
    """
    sampling, clock = resources.sampling, resources.clock
    tokens: list[int] = []
    guesses: list[Guess] = []
    drafting: list[Drafting] = []
    glances: list[Glance] = []
    halted: Halt | None = None
    for step in range(min(budget.nodes, budget.depth)):
        start = clock()
        logits, source = next_logits(tokens)
        q, seen = row(logits, sampling, text, tokens), None
        if halt:
            seen = q if sampling.temperature else row(logits, sampling.before_greedy(), text, tokens)
            glances.append(Glance(float(entropy(seen)), None))
            halted = halt(glances)
            if halted:
                drafting.append(Drafting(0, milliseconds(clock() - start)))
                break
        token, u = chance.pick(q, At(len(text) + step, Purpose.DRAFT))
        tokens.append(token)
        raw = None if sampling.temperature else seen
        guesses.append(Guess(token, step - 1, Row(q), u, source, raw))
        if halt and seen is not None:
            glances[-1] = Glance(glances[-1].entropy, seen.item(token))
            halted = halt(glances)
        drafting.append(Drafting(1, milliseconds(clock() - start)))
        if halted:
            break
    return proposal(guesses, drafting, calls * len(drafting), glances, halted)
