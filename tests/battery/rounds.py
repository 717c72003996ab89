"""Rounds and whole runs: every row recomputed, caches and traces read back."""

import math
from collections.abc import Iterator, Sequence, Set

import numpy as np

from specviz import loop, session, verify
from specviz.accept.base import Judgement
from specviz.accept.rejection import Rejection
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.draft.base import Proposal, Resources
from specviz.draft.small_model import SmallModel
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from specviz.sampling.stops import Stops
from specviz.sampling.tree import DraftTree
from tests import reference, trees
from tests.battery.common import CUT, PROMPT, WARM, Bytes, Placed, branch_to, models, tiny_pair
from tests.tiny import TableModel, decode, parts, tokens_of, traced


class Watched(Rejection):
    """The rule, and what it was last asked."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        self.drafted, self.q, self.p = proposal.tree.tokens, [law.dense(6) for law in proposal.q], p
        return super().judge(proposal, p, position, ends, chance)


def every_row_recomputes() -> Iterator[str]:
    """Each p and q the rule was given is what a model without a cache says after the true text; so are the caches."""
    for seed, kind in ((0, CUT), (1, WARM), (2, CUT), (3, WARM)):
        target, draft = Placed(6, 1), Placed(6, 2)
        drafter = SmallModel(draft, Resources(kind, 6, 40, draft))
        rule = Watched()
        made = parts(target, drafter, rule=rule, sampling=kind, chance=Seeded(seed), limit=40)
        cache = loop.prefill(made, PROMPT)
        text = list(PROMPT)
        for step in loop.rounds(made, PROMPT, cache):
            drafted = rule.drafted
            p = [reference.law(target, [*text, *drafted[:row]], kind) for row in range(len(drafted) + 1)]
            q = [reference.law(draft, [*text, *drafted[:row]], kind) for row in range(len(drafted))]
            for name, rows, wanted in (("p", rule.p, p), ("q", rule.q, q)):
                if not np.allclose(np.array(rows), wanted, rtol=1e-5, atol=1e-12):
                    yield f"round {step.index}: {name} is not the law of the text so far"
            text += step.tokens
            for name, slots in (("target", cache), ("drafter", drafter._cache)):
                if slots.slots[0, 0, 0, : slots.length, 0].tolist() != text[: slots.length]:
                    yield f"round {step.index}: the {name}'s cache does not hold the text"


def traces_are_sound() -> Iterator[str]:
    """No trace contradicts itself: ends of text drafted or drawn, little room, nothing drafted, one token asked for."""
    target, draft = models(6)
    drafted_ends = drafted_strings = 0
    for seed in range(12):
        chance, ends = Seeded(seed), frozenset([seed % 6] if seed > 1 else [])
        run = traced(target, PROMPT, 17, draft=draft, gamma=4, sampling=WARM, chance=chance, ends=ends)
        drafted_ends += run.rounds[-1].extra is None
        yield from problems(run)
        stops = Stops((f"{seed % 5}{seed % 6}",), lambda tokens: "".join(map(str, tokens)))
        run = traced(target, PROMPT, 17, draft=draft, gamma=4, sampling=WARM, chance=chance, stops=stops)
        drafted_strings += run.rounds[-1].extra is None
        yield from problems(run)
    if not drafted_ends or not drafted_strings:
        yield "no text ended inside a draft, so this check is blind"
    for gamma, length in ((0, 5), (1, 5), (4, 5), (3, 1)):
        yield from problems(traced(target, PROMPT, length, draft=draft, gamma=gamma, sampling=WARM))


def nothing_is_wasted() -> Iterator[str]:
    """gamma tokens a round while there is room, and no cache forgets what it could have kept."""
    target, draft = models(6)
    limit = 40
    for gamma in (1, 3):
        made = parts(target, draft=draft, gamma=gamma, sampling=WARM, chance=Seeded(1), limit=limit)
        for step in decode(made, PROMPT):
            if len(step.verdicts) != min(gamma, limit - step.position - 1):
                yield f"round {step.index}: drafted {len(step.verdicts)}"
            if len(step.tokens) != len(step.path) + 1:
                yield f"round {step.index}: {len(step.path)} accepted, {len(step.tokens)} emitted"
            (span,) = step.draft_caches
            if span.kept != min(span.written, step.position + len(step.path)):
                yield f"round {step.index}: the drafter kept {span.kept} slots"
            if step.target_cache.kept != step.position + len(step.path):
                yield f"round {step.index}: the target kept {step.target_cache.kept} slots"


def greedy_is_the_targets_argmax() -> Iterator[str]:
    target, draft = models(6)
    made = parts(target, draft=draft, sampling=Sampling(0), limit=30)
    text, wanted = [*PROMPT, *tokens_of(decode(made, PROMPT))], reference.plain(target, PROMPT, Sampling(0), 30)
    if text != wanted:
        yield f"{text}, wanted {wanted}"


def trees_score_like_their_branches() -> Iterator[str]:
    """Two branches in one pass give each the rows it has alone; keep() leaves the accepted branch in the cache."""
    target, tree = Placed(6, 1), DraftTree((2, 3, 4, 5, 1), (-1, -1, 0, 1, 2))
    cache = target.new_cache(32)
    target.forward([0, 1, 2], range(3), None, cache)
    rows = verify.verify(target, cache, [3, 4], tree).logits
    for node in range(-1, 5):
        branch: list[int] = []
        at = node
        while at != -1:
            branch, at = [tree.tokens[at], *branch], tree.parents[at]
        if not np.array_equal(rows[node + 1], target.law([0, 1, 2, 3, 4, *branch])):
            yield f"the row after {branch} is not what this branch has alone"
    cache.keep(5, (1, 3))
    if cache.slots[0, 0, 0, : cache.length, 0].tolist() != [0, 1, 2, 3, 4, 3, 5]:
        yield "the cache does not hold the branch that was kept"


def every_row_of_a_tree_recomputes() -> Iterator[str]:
    """Each p that a tree's guess was tested against follows its own branch; the cache keeps the branch that stood."""
    target, draft = Placed(6, 1), TableModel(6, 2)
    for seed in range(6):
        drafter = trees.Grown([draft], trees.SHAPES["uneven"], "without replacement", WARM)
        made = parts(target, drafter, sampling=WARM, chance=Seeded(seed), limit=40)
        cache = loop.prefill(made, PROMPT)
        text = list(PROMPT)
        for step in loop.rounds(made, PROMPT, cache):
            for verdict in step.verdicts:
                if verdict.source.rank == 0:
                    branch = branch_to(step, verdict.parent)
                    p = reference.law(target, [*text, *branch], WARM)
                    if not math.isclose(verdict.p, p[verdict.token], rel_tol=1e-5):
                        yield f"round {step.index}: p of node {verdict.node} is not that of its branch"
            text += step.tokens
            if cache.slots[0, 0, 0, : cache.length, 0].tolist() != text[: cache.length]:
                yield f"round {step.index}: the target's cache does not hold the text"


def session_run(seed: int) -> session.Run:
    return session.Run(RunConfig("abé", seed=seed, max_new_tokens=80), tiny_pair())


def a_run_says_the_text_it_decoded() -> Iterator[str]:
    run = session_run(1)
    for _ in run:
        pass
    trace = run.trace()
    yield from problems(trace)
    wanted = Bytes().decode(trace.tokens)
    if "é" not in wanted:
        yield "no character of two tokens came up, so this check is blind"
    if trace.text != wanted:
        yield f"{trace.text!r}, wanted {wanted!r}"


def the_seed_decides() -> Iterator[str]:
    first, other, again = (tokens_of(list(session_run(seed))) for seed in (0, 1, 0))
    if first == other:
        yield "another seed, the same text"
    if first != again:
        yield "the same seed, another text"
