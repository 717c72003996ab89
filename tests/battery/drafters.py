"""What one way to guess must remember or leave alone."""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from specviz import loop
from specviz.draft import recycling
from specviz.draft.base import Resources
from specviz.draft.lookahead import Lookahead
from specviz.gamma import NoLength
from specviz.models.hf import HFModel
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests import reference
from tests.battery.common import PROMPT, WARM, Placed, branch_to
from tests.layered import Layered, early
from tests.tiny import TableModel, decode, parts


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
            branches = {(*branch_to(step, each.parent), each.token) for each in step.verdicts}
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
            found = {(*branch_to(step, each.parent), each.token) for each in step.verdicts}
            if found != _likeliest(memory, text[-1], drafter.nodes, step.budget.depth):
                yield f"round {step.index}: its guesses are not those of the rows that were read"
            branches = [[], *([*branch_to(step, each.parent), each.token] for each in step.verdicts)]
            memory |= {[*text, *branch][-1]: _ranked(target, [*text, *branch]) for branch in branches}
            text += step.tokens


def _ranked(target: TableModel, text: Sequence[int]) -> list[int]:
    return [int(token) for token in np.argsort(-target.law(text))[: recycling.KEPT]]


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

    def rows(reader: Any) -> Reals:
        found: Reals = reader.forward(range(20), range(20), None, reader.new_cache(20))
        return found

    before, rough, after = rows(model), rows(model.in_8_bits()), rows(model)
    if not np.array_equal(before, after):
        yield "the model itself was rounded"
    off = np.abs(rough - before).max()
    if not 0 < off < 0.05 * np.abs(before).max():
        yield f"the copy's logits are off by {off:.3g}"
