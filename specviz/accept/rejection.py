"""Speculative sampling: keep a guess with probability min(1, p/q), else draw from what q missed.

Lossless: whatever q is, the emitted tokens have the target's law.
Source: Leviathan et al., arXiv:2211.17192, algorithm 1; for siblings SpecInfer, arXiv:2305.09781.
"""

from collections.abc import Set

from torch import Tensor

from specviz.accept.base import Draw, Judgement, Test
from specviz.chance import At, Chance, Purpose
from specviz.draft.base import Proposal
from specviz.sampling import residual
from specviz.trace import Emission
from specviz.tree import ROOT


class Rejection:
    """Walks the tree from the root; each sibling is tested against what earlier ones left of p."""

    name = "rejection"
    lossless = True

    def judge(self, proposal: Proposal, probs: Tensor, position: int, ends: Set[int], chance: Chance) -> Judgement:
        tree, q = proposal.tree, proposal.q
        tests: list[Test | None] = [None] * len(tree)
        path: list[int] = []
        node = ROOT
        while True:
            p = probs[node + 1]
            refused: int | None = None
            empty = False
            place = position + len(path)
            for sibling, child in enumerate(tree.children(node)):
                token = tree.tokens[child]
                flip = chance.flip(float(p[token]), float(q[child, token]), At(place, Purpose.ACCEPT, sibling=sibling))
                tests[child] = Test(flip.won, flip.u, p)
                if flip.won:
                    path.append(child)
                    node = child
                    break
                refused = child
                p, fell_back = residual(p, q[child])
                empty = bool(fell_back)
            else:
                bonus = refused is None
                pick = chance.pick(p, At(place, Purpose.BONUS if bonus else Purpose.RESAMPLE))
                emission = Emission.BONUS if bonus else Emission.RESAMPLED
                draw = Draw(pick.token, pick.u, p, emission, refused, empty)
                return Judgement(tuple(tests), tuple(path), draw)
            if tree.tokens[node] in ends:
                return Judgement(tuple(tests), tuple(path), None)


RULE = Rejection()
