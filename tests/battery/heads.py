"""What a head on the target's hidden states must go on from."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch

from specviz import gamma
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import row
from specviz.trace.round import Round
from tests import opened
from tests.battery.common import PROMPT, WARM, branch_to
from tests.tiny import decode, parts
from tests.trees import unlawful


def a_cut_keeps_the_targets_law() -> Iterator[str]:
    """Of a draft of one pass that is cut after a guess of low q, which is still checked; every outcome tried."""
    target, cut = opened.Opened(3, 1), list[int]()

    def made(chance: Chance) -> Parts:
        drafter = opened.drafter("dflash", target, WARM, {"shape": "chain"})
        rule = gamma.load("confidence", 1, {"most": 2, "threshold": 0.5})
        return parts(target, drafter, controller=rule, sampling=WARM, chance=chance)

    found = unlawful("rejection", made, PROMPT, 2, watch(cut), str)
    yield from (f"law of a cut draft: {line}" for line in found)
    if not sum(cut):
        yield "nothing was cut, so this check is blind"


def watch(cut: list[int]) -> Callable[[Sequence[Round]], None]:
    """Counts what was made and not checked."""
    return lambda done: cut.append(sum(len(step.unchecked) for step in done))


def heads_go_on_from_the_states_that_the_target_had() -> Iterator[str]:
    """Each q is what the head says when it reads all of the text's true states and this branch's tokens anew."""
    for name, params in itertools.product(opened.HEADS, ({"shape": "chain"}, {"shape": "tree", "nodes": 5})):
        target, head, kept = opened.Opened(6, 3), opened.noisy_head(name, 1), 0
        drafter = opened.drafter(name, target, WARM, params, head)
        text, title = list(PROMPT), f"{name} {params['shape']}"
        for step in decode(parts(target, drafter, sampling=WARM, chance=Seeded(2), limit=40), PROMPT):
            seen = [[target.state(text[:end], layer) for layer in head.shape.layers] for end in range(1, len(text))]
            states = torch.from_numpy(np.array(seen))
            for each in step.verdicts:
                if each.source.rank == 0:
                    tokens = (torch.from_numpy(target.embedded(part)) for part in (text, branch_to(step, each.parent)))
                    q = row(target.spoken(opened.said(name, head, states, *tokens).numpy())[0], WARM)
                    if not math.isclose(each.q, float(q[each.token]), rel_tol=1e-6):
                        yield f"{title}, round {step.index}: q of node {each.node} is not what the head says there"
            if name in ("eagle", "mtp") and [each.node for each in step.imagined] != sorted(
                {each.parent for each in step.verdicts}
            ):
                yield f"{title}, round {step.index}: not every state that was imagined is recorded"
            for imagined in step.imagined:
                branch = branch_to(step, imagined.node)
                tokens = (torch.from_numpy(target.embedded(part)) for part in (text, branch))
                own = opened.said(name, head, states, *tokens)[0]
                true = torch.from_numpy(target.state([*text, *branch], target.layers))
                if abs(float(torch.cosine_similarity(own, true, dim=0)) - imagined.likeness) > 1e-6:
                    yield f"{title}, round {step.index}: behind node {imagined.node} another state was imagined"
            text += step.tokens
            kept += len(step.path)
        if not kept:
            yield f"{title}: nothing was accepted, so this check is blind"
