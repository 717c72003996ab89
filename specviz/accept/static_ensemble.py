"""Static ensemble verification: the text has the distribution v = w p + (1 - w) q where a guess was judged.

Lossy: one number leads from rejection sampling (w = 1) to the draft's own text (w = 0). v replaces p of
rejection sampling: a guess is accepted with probability min(1, v/q) = min(1, 1 - w + w p/q), and its rejection leaves
norm(max(0, v - q)), which is norm(max(0, p - q)). So the output has the distribution v at every place where a guess was
judged, and p at every other: the bonus token's, and a step without guesses. The distance from the target is exact:
TVD(v, p) = (1 - w) TVD(p, q).

q is what the place's first guess was taken from, also a point mass. Siblings are tested against what the rejections
before left of v, as in rejection sampling, so the output keeps that v. At temperature 0 v has w at p's first choice and
1 - w at q's, and a number decides between them. transformers compares the guess with the argmax of w p + (1 - w) q
there, before temperature; here it is the same distribution at every temperature.

Source: arXiv:2604.07622, as in transformers 5.24, `_speculative_sampling` with `assistant_ensemble_weight`.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from specviz.accept.base import AcceptRule, Draws, Judgement, Walk
from specviz.accept.rejection import RULE as REJECTION
from specviz.accept.rejection import Rejection
from specviz.draft.base import Proposal
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Ensemble


class StaticEnsemble(Rejection):
    """Rejection sampling with v in p's place."""

    name = "static-ensemble"

    def __init__(self, weight: float = 0.5) -> None:
        self.ensemble = Ensemble(weight) if weight < 1 else None  # with w = 1, v is p

    def tuned(self, params: Mapping[str, Any]) -> AcceptRule:
        return StaticEnsemble(params["w"])

    def laws(self, tree: DraftTree, q: Sequence[Law], p: Sequence[Floats]) -> Sequence[Floats]:
        return p if self.ensemble is None else _Mixed(self.ensemble.weight, tree, q, p)

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See `AcceptRule.judge`."""
        return REJECTION.judge(proposal, self.laws(proposal.tree, proposal.q, p), position, ends, chance)

    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Law],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> Walk:
        """See `AcceptRule.walk`."""
        return REJECTION.walk(tree, tokens, q, self.laws(tree, q, p), position, ended, draws)


class _Mixed(Sequence[Floats]):
    """v of each place that a guess was made for, p of the others. Each row is mixed when it is first used."""

    def __init__(self, weight: float, tree: DraftTree, q: Sequence[Law], p: Sequence[Floats]) -> None:
        self._weight, self._p, self._q = weight, p, q
        self._first = {parent: node for node, parent in reversed([*enumerate(tree.parents)])}
        self._made: dict[int, Floats] = {}

    def __len__(self) -> int:
        return len(self._p)

    def __getitem__(self, place: Any) -> Any:
        made = self._made.get(place)
        if made is None:
            made, guess = self._p[place], self._first.get(place - 1)
            if guess is not None:
                made = self._weight * made + (1 - self._weight) * self._q[guess].dense(made.shape[-1])
            self._made[place] = made
        return made


RULE = StaticEnsemble()
