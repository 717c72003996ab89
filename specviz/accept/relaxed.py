"""Acceptance relaxed while a model thinks: between think tags a guess is accepted if it is about as likely as the best.

Lossy between the tags, rejection sampling elsewhere. There a guess x passes if fewer than `top` tokens are likelier
under the target and p(x) >= max p - delta, p(x) > 0; no number tests it, and what it was drawn from is not asked.
Where none passes, the target's own token is drawn from all of p. Whether a place is between the tags depends on the
text before it and the guesses of its branch, so a closing tag inside a draft ends the relaxation there (TensorRT-
LLM's kernel looks when the round is over, and compares with its greedy choice elsewhere).

p is the target's row after temperature and filters, as for every rule: at temperature 0 only its first choice passes,
and the text is plain decoding's.

Source: TensorRT-LLM, relaxed acceptance for DeepSeek-R1 (top 10, delta 0.6), mtpRelaxedAcceptanceKernel.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from specviz.accept.base import AcceptRule, Draws, Judgement, Walk, take
from specviz.accept.rejection import Rejection
from specviz.config.settings import ConfigError
from specviz.draft.base import Proposal
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance
from specviz.sampling.rows import Law, weight_at
from specviz.sampling.thinking import Thinking, tags_of
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Relaxation

USUAL = Relaxation(10, 0.6, "", "")


@dataclass(slots=True)
class _Marked:
    """The law of a guess in k rounds. thinks: [k], whether its place is between the tags there."""

    law: Law
    thinks: Bools

    def __getitem__(self, rounds: Any) -> "_Marked":
        return _Marked(self.law[rounds], self.thinks[rounds])


class Relaxed(Rejection):
    """thinking: where a text is between the tags; None: nowhere, so that it is rejection sampling. text: what the round
    stands behind."""

    name = "relaxed"

    def __init__(
        self,
        asked: Relaxation = USUAL,
        thinking: Thinking | None = None,
        text: Sequence[int] = (),
    ) -> None:
        self.relaxation = self._asked = asked
        self._thinking, self._text = thinking, text

    def tuned(self, params: Mapping[str, Any]) -> AcceptRule:
        opens, closes = params["opens"], params["closes"]
        if bool(opens) != bool(closes):
            raise ConfigError("one_tag", opens=opens, closes=closes)
        return Relaxed(Relaxation(int(params["top"]), params["delta"], opens, closes))

    def reading(self, tokenizer: Any) -> AcceptRule:
        opens, closes = self._asked.opens, self._asked.closes
        if not opens:
            opens, closes = tags_of((tokenizer.vocabulary(), str(tokenizer.inner.chat_template or "")))
        asked = replace(self._asked, opens=opens, closes=closes)
        return Relaxed(asked, Thinking(opens, closes, tokenizer.decode))

    def after(self, text: Sequence[int]) -> AcceptRule:
        return Relaxed(self._asked, self._thinking, text)

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See `AcceptRule.judge`."""
        return AcceptRule.judge(self, proposal, p, position, ends, chance)

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
        thinks = self._thinks(tree, tokens)
        marked: Any = [_Marked(law, thinks[:, parent + 1]) for law, parent in zip(q, tree.parents, strict=True)]
        walk = super().walk(tree, tokens, marked, p, position, ended, draws)
        chances, ranks = np.full(tokens.shape, np.nan), np.zeros(tokens.shape, dtype=np.int64)
        for node, law in enumerate(marked):
            rows = (walk.tested[:, node] & law.thinks).nonzero()[0]
            tested, guess = take(walk.p[node], rows, len(tokens)), tokens[rows, node]
            ranks[rows, node] = self._rank(tested, guess)
            chances[rows, node] = self._passes(tested, guess)
        return replace(walk, chances=chances, ranks=ranks)

    def test(self, p: Floats, q: Any, guess: Any, at: At, draws: Any) -> Any:
        won, u = q.thinks & self._passes(p, guess), np.full(len(p), np.nan)
        rows = (~q.thinks).nonzero()[0]
        if rows.size:
            weight, scale = weight_at(take(p, rows, len(p)), guess[rows]), q.law[rows].of(guess[rows])
            won[rows], u[rows] = draws.subset(rows).flip(weight, scale, at)
        return won, u

    def residual(self, p: Floats, q: Any) -> tuple[Floats, Bools]:
        """Between the tags a rejection leaves p as it is."""
        left, nothing = p.copy(), np.zeros(len(p), dtype=bool)
        rows = (~q.thinks).nonzero()[0]
        if rows.size:
            left[rows], nothing[rows] = q.law[rows].residual(p[rows])
        return left, nothing

    def _thinks(self, tree: DraftTree, tokens: Ids) -> Bools:
        """True if the place after the text and after each guess is between the tags, [B, n + 1]."""
        found = np.zeros((len(tokens), len(tree) + 1), dtype=bool)
        if self._thinking is None:
            return found
        known: dict[tuple[int, ...], bool] = {}
        places = [list[int](), *(np.flatnonzero(path).tolist() for path in tree.paths()[:-1])]
        parents = {parent + 1 for parent in tree.parents}
        for row, guesses in enumerate(tokens):
            for place in parents:
                branch = tuple(guesses[places[place]].tolist())
                if branch not in known:
                    known[branch] = self._thinking.at([*self._text, *branch])
                found[row, place] = known[branch]
        return found

    def _rank(self, p: Floats, guess: Ids) -> Ids:
        """1 for a token than which none is likelier, [k]."""
        found: Ids = 1 + (p > weight_at(p, guess)[:, None]).sum(-1)
        return found

    def _passes(self, p: Floats, guess: Ids) -> Bools:
        """True if a guess between the tags is accepted, [k]."""
        weight = weight_at(p, guess)
        near = (weight > 0) & (weight >= p.max(-1, initial=0.0) - self._asked.delta)
        passes: Bools = near & (self._rank(p, guess) <= self._asked.top)
        return passes


RULE = Relaxed()
