"""What must hold of the engine, as checks: each yields one line for everything it finds wrong.

Exact where that is possible: outcomes enumerated, rows recomputed, traces read back.
The tests run them on the engine as it is, and once more on every planted bug.
"""

import itertools
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel

from specviz import loop, session, verify
from specviz.accept import block, traversal
from specviz.accept.base import Judgement
from specviz.accept.batch import BatchDraws
from specviz.accept.rejection import Rejection
from specviz.arrays import Floats
from specviz.chance import BLOCK, At, Chance, Flip, Noise, Purpose, Seeded
from specviz.config import RunConfig
from specviz.draft import recycling
from specviz.draft.base import Guess, Proposal, Resources, proposal
from specviz.draft.lookahead import Lookahead
from specviz.draft.small_model import SmallModel
from specviz.gamma import NoLength
from specviz.law import Row
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.proof.problems.run import problems
from specviz.sampling import Sampling, probabilities
from specviz.trace.guess import Source
from specviz.trace.round import Round
from specviz.tree import DraftTree
from specviz.trim import KVCache
from tests import opened, reference, trees
from tests.enumerate_chance import Branching, law
from tests.layered import Layered, early
from tests.tiny import TableModel, decode, parts, tokens_of, traced

PROMPT = (0, 1)
WARM = Sampling(0.7)
CUT = Sampling(0.8, top_k=3)
Check = Callable[[], Iterator[str]]


def models(vocab_size: int = 4) -> tuple[TableModel, TableModel]:
    return TableModel(vocab_size, 1), TableModel(vocab_size, 2)


def differences(found: dict[Any, float], wanted: dict[Any, float]) -> Iterator[str]:
    for outcome in sorted({*found, *wanted}):
        if abs(found.get(outcome, 0.0) - wanted.get(outcome, 0.0)) > 1e-9:
            yield f"{outcome}: {found.get(outcome, 0.0):.6f}, wanted {wanted.get(outcome, 0.0):.6f}"


def law_of_a_round() -> Iterator[str]:
    """Accepted with min(p, q), resampled with max(0, p - q), bonus with p: all of it jointly, to rounding."""
    target, draft = models()
    for kind in (CUT, WARM):

        def one(chance: Branching, kind: Sampling = kind) -> reference.Outcome:
            made = parts(target, draft=draft, gamma=2, sampling=kind, chance=chance, limit=9)
            (step,) = decode(made, PROMPT, lambda _: True)
            assert step.extra
            return step.tokens[:-1], step.extra.emission.value, step.extra.token

        yield from differences(law(Branching, one), reference.rounds(target, draft, PROMPT, kind, 2))


def law_after_one_token() -> Iterator[str]:
    """A prompt of one token, gamma 0 and 1: the law of two tokens all the same."""
    target, draft = models(3)
    for gamma in (0, 1):

        def two(chance: Branching, gamma: int = gamma) -> tuple[int, ...]:
            made = parts(target, draft=draft, gamma=gamma, sampling=WARM, chance=chance, limit=9)
            return tuple(tokens_of(decode(made, (2,), lambda done: len(tokens_of(done)) >= 2))[:2])

        yield from differences(law(Branching, two), reference.texts(target, (2,), WARM, 2))


class Watched(Rejection):
    """The rule, and what it was last asked."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        self.drafted, self.q, self.p = proposal.tree.tokens, [law.dense(6) for law in proposal.laws], p
        return super().judge(proposal, p, position, ends, chance)


class Placed(TableModel):
    """Refuses a token whose position is not the number of tokens it can see."""

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        seen = [cache.length + row for row in range(len(tokens))] if mask is None else (mask.sum(1) - 1).tolist()
        assert list(positions) == seen, f"positions {list(positions)}, but {seen} tokens stand before"
        return super().forward(tokens, positions, mask, cache)


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
    drafted_ends = 0
    for seed in range(12):
        chance, ends = Seeded(seed), frozenset([seed % 6] if seed > 1 else [])
        run = traced(target, PROMPT, 17, draft=draft, gamma=4, sampling=WARM, chance=chance, ends=ends)
        drafted_ends += run.rounds[-1].extra is None
        yield from problems(run)
    if not drafted_ends:
        yield "no text ended inside a draft, so this check is blind"
    for gamma, length in ((0, 5), (1, 5), (4, 5), (3, 1)):
        yield from problems(traced(target, PROMPT, length, draft=draft, gamma=gamma, sampling=WARM))


def numbers_are_fresh() -> Iterator[str]:
    """No random number decides two things, nor in a text longer than the positions whose numbers are made together."""
    target, draft = models(6)
    run = traced(target, PROMPT, 2 * BLOCK + 20, draft=draft, sampling=WARM, chance=Seeded(3))
    if run.rounds[-1].position <= 2 * BLOCK:
        yield f"the text ends at position {run.rounds[-1].position}, so this check is blind"
    used: Counter[float] = Counter()
    for step in run.rounds:
        used.update(verdict.draft_u for verdict in step.verdicts)
        used.update(verdict.u for verdict in step.verdicts if verdict.u is not None)
        used.update([step.extra.u] if step.extra else [])
    for number, times in used.items():
        if times > 1:
            yield f"{number} was used {times} times"


def seeds_and_positions_share_nothing() -> Iterator[str]:
    """Neither seeds that differ in one bit, high or low, nor neighbouring positions, have a number in common."""
    first: dict[float, tuple[str, int, int]] = {}
    for seed in (0, 1, 2, 3, *(2**bit + low for bit in (31, 32, 33, 48, 62) for low in (0, 1))):
        noise, chance = Noise(seed), Seeded(seed)
        for position in (0, 1, 2, 3, BLOCK - 1, BLOCK, BLOCK + 1):
            of_purposes = [chance.uniform(At(position, purpose)) for purpose in Purpose]
            for kind, numbers in (("noise", noise.vector(position, 4).tolist()), ("draws", of_purposes)):
                here = (kind, seed, position)
                for number in numbers:
                    if first.setdefault(number, here) != here:
                        yield f"{kind} of seed {seed} at {position} is that of {first[number]}"


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
    text, wanted = [*PROMPT, *tokens_of(decode(made, PROMPT))], greedy_text(target, PROMPT, 30)
    if text != wanted:
        yield f"{text}, wanted {wanted}"


def greedy_text(target: TableModel, prompt: Sequence[int], length: int) -> list[int]:
    text = list(prompt)
    while len(text) < length:
        text.append(int(target.law(text).argmax()))
    return text


class Zero(Seeded):
    """Every number is 0."""

    def uniform(self, at: At) -> float:
        return 0.0


class Zeros(BatchDraws):
    """Every number is 0, for a batch."""

    def _uniforms(self, count: int) -> Floats:
        return np.zeros(count)


def impossible_tokens_never_stand() -> Iterator[str]:
    """Even the number 0 neither accepts nor draws a token of probability 0, alone or in a batch."""
    test, draw = At(0, Purpose.ACCEPT), At(0, Purpose.DRAFT)
    one, many = Zero(0), Zeros(torch.Generator())
    law = np.array([[0.0, 0.5, 0.5]])
    if one.flip(0.0, 0.5, test).won or many.flip(law[:, 0], law[:, 1], test)[0].any():
        yield "a token with p = 0 was accepted"
    if one.pick(law[0], draw).token == 0 or many.pick(law, draw)[0] == 0:
        yield "a token with q = 0 was drawn"


class Refuse(Seeded):
    """Nothing is ever accepted."""

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return Flip(False, math.nextafter(1.0, 0.0))


def a_rejection_that_leaves_nothing_draws_from_p() -> Iterator[str]:
    """p and q differ in the last bit only, and the guess is refused all the same."""
    p = np.array([0.5, 0.3, 0.2])
    q = np.array([math.nextafter(0.5, 1.0), 0.3, 0.2])
    made = proposal([Guess(0, -1, Row(q), 0.0, Source("test"))], ())
    judged = Rejection().judge(made, [p, p], 2, frozenset(), Refuse(0))
    assert judged.draw
    if not judged.draw.zero_residual or judged.p[-1].tolist() != p.tolist():
        yield f"drawn from {judged.p[-1].tolist()}"


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
        if not torch.equal(rows[node + 1], target.law([0, 1, 2, 3, 4, *branch])):
            yield f"the row after {branch} is not what this branch has alone"
    cache.keep(5, (1, 3))
    if cache.slots[0, 0, 0, : cache.length, 0].tolist() != [0, 1, 2, 3, 4, 3, 5]:
        yield "the cache does not hold the branch that was kept"


class Bytes:
    """A tokenizer whose tokens are a, b and the two bytes of é: no é without two tokens."""

    _pieces = (b"a", b"b", b"\xc3", b"\xa9")

    def encode(self, text: str) -> list[int]:
        return [self._pieces.index(text.encode()[at : at + 1]) for at in range(len(text.encode()))]

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return self.encode(text)

    def decode(self, tokens: Sequence[int]) -> str:
        return b"".join(self._pieces[token] for token in tokens).decode(errors="replace")

    def piece(self, token: int) -> str:
        return self.decode([token])


class Labelled(TableModel):
    label = "table"


def tiny_pair() -> Pair:
    target: Any = Labelled(4, 1)
    draft: Any = Labelled(4, 2)
    tokenizer: Any = Bytes()
    return Pair("tiny", target, draft, tokenizer, frozenset(), None, "cpu", "float64")


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


def law_of_a_block() -> Iterator[str]:
    """All three tokens of two guesses weighed together, five tokens to choose from in laws that are not far apart."""
    target, draft = TableModel(5, 1, spread=0.6), TableModel(5, 2, spread=0.6)

    def three(chance: Branching) -> tuple[int, ...]:
        made = parts(target, draft=draft, controller=trees.Once(2), rule=block.RULE, sampling=WARM, chance=chance)
        made = replace(made, piece=None)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 3))[:3])

    yield from differences(law(Branching, three), reference.texts(target, PROMPT, WARM, 3))


def law_of_a_weighed_tree() -> Iterator[str]:
    """All tokens of two guesses at each of two places, weighed together; drawn anew, and without replacement."""
    target, draft = TableModel(3, 1, spread=0.8), TableModel(3, 2, spread=0.8)
    for how in ("i.i.d.", "without replacement"):

        def three(chance: Branching, how: str = how) -> tuple[int, ...]:
            drafter = trees.Grown([draft], (-1, 0, 0, -1), how, WARM)
            made = parts(target, drafter, controller=trees.Once(2), rule=traversal.RULE, sampling=WARM, chance=chance)
            made = replace(made, piece=None)
            return tuple(tokens_of(decode(made, (0, 0), lambda done: len(tokens_of(done)) >= 3))[:3])

        yield from differences(law(Branching, three), reference.texts(target, (0, 0), WARM, 3))


def law_behind_a_tree() -> Iterator[str]:
    """Two children without replacement, and a child of each."""
    for shape, size in (("2", 5), ("2,1", 3)):
        law = trees.found(Rejection(), shape, "without replacement", size, WARM, Branching)
        yield from differences(law, trees.wanted(size, WARM))


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
                    branch = before(step, verdict.parent)
                    p = reference.law(target, [*text, *branch], WARM)
                    if not math.isclose(verdict.p, p[verdict.token], rel_tol=1e-5):
                        yield f"round {step.index}: p of node {verdict.node} is not that of its branch"
            text += step.tokens
            if cache.slots[0, 0, 0, : cache.length, 0].tolist() != text[: cache.length]:
                yield f"round {step.index}: the target's cache does not hold the text"


def groups_are_what_the_target_said() -> Iterator[str]:
    """Lookahead's window and pool kept anew, from each pass's scouts and a target that reads one column at a time."""
    full, most, limit = 3, 2, 60
    settings = {"window": 3.0, "levels": full + 1.0, "candidates": float(most), "pool": "empty"}
    for seed, kind in ((0, WARM), (1, WARM), (2, Sampling(0))):
        target = Placed(6, 1)
        drafter = Lookahead(settings, Resources(kind, 6, limit))
        rule = NoLength(drafter.nodes)
        made = parts(target, drafter, controller=rule, sampling=kind, chance=Seeded(seed), limit=limit)
        cache = loop.prefill(made, PROMPT)
        text, pool, tried = list(PROMPT), defaultdict[int, list[tuple[int, ...]]](list), 0
        wanted: list[list[int]] = []
        for step in loop.rounds(made, PROMPT, cache):
            levels = _levels(step, text[-1])
            if wanted and levels and [level[: len(levels[0])] for level in wanted] != levels:
                yield f"round {step.index}: levels {levels}, wanted {wanted}"
            branches = {(*before(step, each.parent), each.token) for each in step.verdicts}
            groups = [group[: step.budget.depth] for group in pool[text[-1]][-most:]]
            if branches != {group[:size] for group in groups for size in range(1, len(group) + 1)}:
                yield f"round {step.index}: it guessed {branches}, the pool has {groups}"
            tried += len(step.path)
            newest = [_said(target, text, levels, column) for column in range(len(levels[0]) if levels else 0)]
            if len(levels) == full:
                for column in zip(*levels, newest, strict=True):
                    seen = pool[column[0]]
                    seen[:] = [group for group in seen if group != column[1:]] + [column[1:]]
            text += step.tokens
            if levels:
                wanted = [*levels[1:], newest] if len(levels) == full else [each[1:] for each in (*levels, newest)]
                wanted[0] = [text[-1], *wanted[0][1:]]
            if cache.slots[0, 0, 0, : cache.length, 0].tolist() != text[: cache.length]:
                yield f"round {step.index}: the target's cache does not hold the text"
        if not tried:
            yield "no group was accepted, so this check is blind"


def _levels(step: Round, pending: int) -> list[list[int]]:
    """The window of a pass, if it is wider than a place: a level begins where a scout is not deeper than before."""
    levels, before = [[pending]], -1
    for scout in step.scouts:
        if scout.depth <= before:
            levels.append([])
        levels[-1].append(scout.token)
        before = scout.depth
    return levels if len(step.scouts) > 2 else []


def _said(target: TableModel, text: Sequence[int], levels: Sequence[Sequence[int]], column: int) -> int:
    first, *others = levels
    return int(target.law([*text, *first[1 : column + 1], *(level[column] for level in others)]).argmax())


def an_early_exit_reads_no_layer_twice() -> Iterator[str]:
    """Every layer reads the pending token and each guess once a round, and the target's cache holds the text alone."""
    for seed in range(6):
        target = Layered(5, seed)
        made = parts(target, early(target, WARM), gamma=3, sampling=WARM, chance=Seeded(seed), limit=40)
        cache, text = loop.prefill(made, PROMPT), list(PROMPT)
        target.ran.clear()
        for step in loop.rounds(made, PROMPT, cache):
            drafted = [each.token for each in step.verdicts]
            read = [(len(text) - 1 + row, token) for row, token in enumerate([text[-1], *drafted])]
            wanted = Counter((layer, *each) for layer in (0, 1) for each in read)
            if target.ran != wanted:
                yield f"round {step.index}: twice {dict(target.ran - wanted)}, never {dict(wanted - target.ran)}"
            for row, each in enumerate(step.verdicts):
                if not math.isclose(each.q, reference.law(target.early, [*text, *drafted[:row]], WARM)[each.token]):
                    yield f"round {step.index}: q is not the exit's after the text so far"
            text += step.tokens
            if cache.slots[:, 0, 0, : cache.length, 0].tolist() != [text[:-1]] * 2:
                yield f"round {step.index}: the cache does not hold the text"
            target.ran.clear()


def recycling_remembers_the_last_row_of_every_token() -> Iterator[str]:
    """Its guesses are those of a memory kept anew: the prompt's rows, then every node's of every pass, in order."""
    target, drafter = TableModel(12, 1), recycling.Recycling(9, TableModel(12, 1), time.perf_counter)
    prompt = [0, 1, 2, 1, 0]
    for kind in (WARM, Sampling(0)):
        memory = {prompt[at]: _ranked(target, prompt[: at + 1]) for at in range(len(prompt) - 1)}
        text = list(prompt)
        made = parts(target, drafter, gamma=3, sampling=kind, chance=Seeded(2), limit=60)
        for step in decode(made, prompt):
            found = {(*before(step, each.parent), each.token) for each in step.verdicts}
            if found != _likeliest(memory, text[-1], drafter.nodes, step.budget.depth):
                yield f"round {step.index}: its guesses are not those of the rows that were read"
            branches = [[], *([*before(step, each.parent), each.token] for each in step.verdicts)]
            memory |= {[*text, *branch][-1]: _ranked(target, [*text, *branch]) for branch in branches}
            text += step.tokens


def _ranked(target: TableModel, text: Sequence[int]) -> list[int]:
    return [int(token) for token in target.law(text).argsort(descending=True)[: recycling.KEPT]]


def _likeliest(memory: dict[int, list[int]], token: int, nodes: int, depth: int) -> set[tuple[int, ...]]:
    """The likeliest paths by the rates of their ranks, of all there are."""
    found = [(1.0, (token,))]
    for path in found:
        if len(path[1]) <= depth:
            ranked = zip(recycling.RATES, memory.get(path[1][-1], ()), strict=False)
            found += [(path[0] * rate, (*path[1], after)) for rate, after in ranked]
    return {path[1:] for _, path in sorted(found[1:], key=lambda each: -each[0])[:nodes]}


def a_copy_in_8_bits_is_near_and_leaves_the_model_alone() -> Iterator[str]:
    """The same tokens in a GPT-2 before, in its copy, and in the GPT-2 again."""
    torch.manual_seed(0)
    shape = {"vocab_size": 60, "n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64, "initializer_range": 0.2}
    model = HFModel(GPT2LMHeadModel(GPT2Config(**shape)))

    def rows(reader: Any) -> Tensor:
        found: Tensor = reader.forward(range(20), range(20), None, reader.new_cache(20))
        return found

    before, rough, after = rows(model), rows(model.in_8_bits()), rows(model)
    if not torch.equal(before, after):
        yield "the model itself was rounded"
    if not 0 < float((rough - before).abs().max()) < 0.05 * float(before.abs().max()):
        yield f"the copy's logits are off by {float((rough - before).abs().max()):.3g}"


def before(step: Round, node: int) -> list[int]:
    return [*before(step, step.verdicts[node].parent), step.verdicts[node].token] if node >= 0 else []


def heads_go_on_from_the_states_that_the_target_had() -> Iterator[str]:
    """Each q is what the head says when it reads all of the text's true states and this branch's tokens anew."""
    for name, params in itertools.product(opened.HEADS, ({"shape": "chain"}, {"shape": "tree", "nodes": 5})):
        target, head, kept = opened.Opened(6, 3), opened.noisy_head(name, 1), 0
        drafter = opened.drafter(name, target, WARM, params, head)
        text, title = list(PROMPT), f"{name} {params['shape']}"
        for step in decode(parts(target, drafter, sampling=WARM, chance=Seeded(2), limit=40), PROMPT):
            seen = [[target.state(text[:end], layer) for layer in opened.LAYERS] for end in range(1, len(text))]
            states = torch.stack([torch.stack(each) for each in seen])
            for each in step.verdicts:
                if each.source.rank == 0:
                    tokens = (target.embedded(part) for part in (text, before(step, each.parent)))
                    q = probabilities(target.spoken(opened.said(name, head, states, *tokens)), WARM)[0]
                    if not math.isclose(each.q, float(q[each.token]), rel_tol=1e-6):
                        yield f"{title}, round {step.index}: q of node {each.node} is not what the head says there"
            text += step.tokens
            kept += len(step.path)
        if not kept:
            yield f"{title}: nothing was accepted, so this check is blind"
