"""What every acceptance rule is: guesses and the target's rows in, what became of them out.

A rule decides a batch of rounds at once, as proofs and tests ask it to, or a run's round alone. Its
two steps, test and leave, are the same for both; a chain is walked by plain numbers, everything
else as a batch.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from specviz.chance import At, Chance, Floats, Ids, Purpose
from specviz.draft.base import Proposal
from specviz.sampling import stacked
from specviz.trace import Emission
from specviz.tree import ROOT, DraftTree


class Trial(NamedTuple):
    """One guess put to the test.

    Attributes:
        u: the number that decided it, None if no one number did.
        keeps: the chance it had.
    """

    won: bool
    u: float | None
    keeps: float


class Draw(NamedTuple):
    """The target's own token.

    Attributes:
        u: the number that drew it, None if no one number did.
        node: the node whose rejection gave what it was drawn from, None for a bonus.
        zero_residual: the rejection left nothing, so that it was drawn from p.
    """

    token: int
    u: float | None
    emission: Emission
    node: int | None
    zero_residual: bool


class Judgement(NamedTuple):
    """What became of one round.

    Attributes:
        tests: one for each node, None if it was never reached.
        path: root to leaf.
        draw: None when the text ended inside the path.
        laws: n + 1 times float64[V]: what each guess was tested against, if it was: the target's row, or what earlier
            siblings left of it; last what the draw is from. None are told where they stay on a GPU.
    """

    tests: tuple[Trial | None, ...]
    path: tuple[int, ...]
    draw: Draw | None
    laws: Sequence[Floats]


Bools = NDArray[np.bool_]


class Draws(Protocol):
    """A chance for a batch of k rounds. One number a round stands in numpy, whose calls cost less than torch's.

    A run's `Chance` is the same for one round alone, in plain numbers.
    """

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        """[k], true where u * scale < weight, and u, [k]."""
        ...

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        """One token from each row of float64[k, V], [k], and what drew it, [k]: NaN if no one number."""
        ...

    def some(self, rows: Ids) -> "Draws":
        """Those of some rounds of the batch, by number."""
        ...


@dataclass(frozen=True, slots=True)
class Walk:
    """What became of B rounds of one shape, n guesses each.

    Attributes:
        tested, won: [B, n]; won is false where a guess was never reached.
        u: [B, n], the test's number, NaN where there was none.
        laws: n + 1 times float64[B, V]: what each guess was tested against, if it was; last what the draw is from.
        token: [B], the target's own token; -1 where the text ended before it.
        token_u: [B], what drew it.
        refused: [B], the guess whose refusal gave the draw's law; -1 for a bonus.
        empty: [B], that refusal left nothing, so the law is p.
    """

    tested: Bools
    won: Bools
    u: Floats
    laws: Sequence[Floats]
    token: Ids
    token_u: Floats
    refused: Ids
    empty: Bools


class AcceptRule(Protocol):
    """lossless: the text's law is the target's own, exactly.

    local: a test looks at p and q of the guess alone, and a refusal leaves `sampling.residual`.
    """

    @property
    def name(self) -> str: ...

    @property
    def lossless(self) -> bool: ...

    @property
    def local(self) -> bool: ...

    def chance(self, seed: int) -> Chance:
        """The randomness of a run by this rule, drafts included."""
        ...

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        """The same for a batch of rounds that have nothing to do with each other."""
        ...

    def keeps(self, p: Floats, q: Floats, token: int) -> float:
        """The chance that a guess stands, p and q float64[V] being what it is tested against and was drawn from."""
        ...

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """Decides one round, a run's: what `walk` makes of a batch of one.

        Args:
            proposal: its laws are in main memory.
            p: the target's laws, n + 1 times float64[V].
        """
        ...

    def walk(
        self, tree: DraftTree, tokens: Ids, q: Tensor, p: Tensor, position: int, ends: Set[int], draws: Draws
    ) -> Walk:
        """Decides a batch of rounds.

        Args:
            tree: the shape all of them have; its own tokens are not looked at.
            tokens: [B, n], the guesses.
            q: float64[B, n, V], what each was drawn from, its earlier siblings given.
            p: float64[B, n + 1, V], the target's law after the pending token and after each guess.
            position: index in the text of the first token being decided.
            ends: token ids that end the text; nothing after an accepted one is judged.
        """
        ...


class TokenRule(AcceptRule):
    """A rule that judges one guess at a time, root to leaf, each sibling against what earlier ones left of p."""

    @abstractmethod
    def test(self, p: Floats, q: Floats, guess: Any, at: At, draws: Any) -> tuple[Any, Any]:
        """Which guesses stand, and the tests' numbers: for k rounds, or for one alone in plain numbers.

        Args:
            p, q: float64[k, V]; guess: ids, [k]; draws: Draws. One round alone: float64[V], an id, a Chance.
        """

    @abstractmethod
    def left(self, p: Floats, q: Floats) -> tuple[Floats, Any]:
        """What a refusal leaves to draw from, float64[..., V], and whether it had to fall back to p, bool[...]."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See AcceptRule. A chain is walked in plain numbers: nobody need be looked for."""
        tokens, q = proposal.tree.tokens, proposal.q
        if not proposal.tree.is_chain:
            return alone(self, proposal, p, position, ends, chance)
        assert not isinstance(q, Tensor)
        size, kept, refused, empty = len(tokens), 0, None, False
        tests: list[Trial | None] = [None] * size
        laws = list(p)
        for node, token in enumerate(tokens):
            won, u = self.test(p[node], q[node], token, At(position + node, Purpose.ACCEPT), chance)
            tests[node] = Trial(won, u, self.keeps(p[node], q[node], token))
            if not won:
                left, empty = self.left(p[node], q[node])
                laws[node + 1 :] = [left] * (size - node)
                refused = node
                break
            kept += 1
            if token in ends:
                return Judgement(tuple(tests), tuple(range(kept)), None, laws)
        bonus = refused is None
        pick = chance.pick(laws[-1], At(position + kept, Purpose.BONUS if bonus else Purpose.RESAMPLE))
        emission = Emission.BONUS if bonus else Emission.RESAMPLED
        return Judgement(tuple(tests), tuple(range(kept)), Draw(*pick, emission, refused, bool(empty)), laws)

    def walk(
        self, tree: DraftTree, tokens: Ids, q: Tensor, p: Tensor, position: int, ends: Set[int], draws: Draws
    ) -> Walk:
        """See AcceptRule. Guesses come up as they were drawn; a round looks at those below where it stands."""
        rounds, size = tokens.shape
        depths = tree.depths()
        u, tested = np.full((rounds, size), np.nan), np.zeros((rounds, size), dtype=bool)
        stands, refused, empty = np.full((3, rounds), ROOT)
        ended = np.zeros(rounds, dtype=bool)
        p_rows, q_rows = p.numpy().swapaxes(0, 1), q.numpy().swapaxes(0, 1)
        law = p_rows[0]
        laws = []
        for node, (parent, depth) in enumerate(zip(tree.parents, depths, strict=True)):
            laws.append(law)
            rows = ((stands == parent) & ~ended).nonzero()[0]
            if not rows.size:
                continue
            at = At(position + depth, Purpose.ACCEPT, sibling=tree.parents[:node].count(parent))
            guess, before, drawn = tokens[rows, node], _take(law, rows), _take(q_rows[node], rows)
            kept, u[rows, node] = self.test(before, drawn, guess, at, draws.some(rows))
            tested[rows, node] = True
            stays = rows[kept]
            if stays.size:
                stands[stays], refused[stays] = node, ROOT
                law = _put(law, stays, _take(p_rows[node + 1], stays))
                if ends:
                    ended[stays] = [token in ends for token in guess[kept].tolist()]
            if stays.size < rows.size:
                leaves, places = rows[~kept], (~kept).nonzero()[0]
                refused[leaves] = node
                left, empty[leaves] = self.left(_take(before, places), _take(drawn, places))
                law = _put(law, leaves, left)
        laws.append(law)
        token, token_u = np.full(rounds, -1), np.full(rounds, np.nan)
        for end in set(stands.tolist()):
            for purpose, kind in ((Purpose.BONUS, refused < 0), (Purpose.RESAMPLE, refused >= 0)):
                rows = (kind & (stands == end) & ~ended).nonzero()[0]
                if rows.size:
                    at = At(position + (0 if end == ROOT else depths[end] + 1), purpose)
                    token[rows], token_u[rows] = draws.some(rows).pick(_take(law, rows), at)
        return Walk(
            tested=tested,
            won=tree.paths()[stands],
            u=u,
            laws=laws,
            token=token,
            token_u=token_u,
            refused=refused,
            empty=(empty > 0) & (refused >= 0),
        )


def _take(rounds: Floats, rows: Ids) -> Floats:
    """Some rounds of a batch; the batch itself where that is all of them."""
    return rounds if rows.size == len(rounds) else rounds[rows]


def _put(laws: Floats, rows: Ids, fresh: Floats) -> Floats:
    """The laws with some rows replaced; the old ones stay as they are."""
    if rows.size == len(laws):
        return fresh
    laws = laws.copy()
    laws[rows] = fresh
    return laws


def alone(
    rule: AcceptRule, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
) -> Judgement:
    """A batch of one; see `AcceptRule.judge`."""
    tree, size = proposal.tree, len(p[0])
    q, tokens = stacked(proposal.q, size), np.array([tree.tokens], dtype=np.int64)
    walk = rule.walk(tree, tokens, q[None], stacked(p, size)[None], position, ends, Alone(chance))
    (tested,), (won,), (us,) = walk.tested.tolist(), walk.won.tolist(), walk.u.tolist()
    laws = [law[0] for law in walk.laws]
    tests = tuple(
        Trial(won[node], _number(us[node]), rule.keeps(laws[node], q[node].numpy(), token)) if tested[node] else None
        for node, token in enumerate(tree.tokens)
    )
    path = tuple(node for node, stands in enumerate(won) if stands)
    (token,), (token_u,), (refused,) = walk.token.tolist(), walk.token_u.tolist(), walk.refused.tolist()
    if token < 0:
        return Judgement(tests, path, None, laws)
    bonus = refused < 0
    draw = Draw(
        token=token,
        u=_number(token_u),
        emission=Emission.BONUS if bonus else Emission.RESAMPLED,
        node=None if bonus else refused,
        zero_residual=bool(walk.empty),
    )
    return Judgement(tests, path, draw, laws)


def _number(u: float) -> float | None:
    return None if math.isnan(u) else u


@dataclass(frozen=True, slots=True)
class Alone:
    """A run's own chance as the draws of a batch of one."""

    chance: Chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        won, u = self.chance.flip(weight.item(), scale.item(), at)
        return np.array([won]), np.array([u])

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        token, u = self.chance.pick(probs[0], at)
        return np.array([token]), np.array([math.nan if u is None else u])

    def some(self, rows: Ids) -> "Alone":
        return self


def guessed(law: Floats, guess: Any) -> Any:
    """What each law gives its guess, [k] of float64[k, V]; of one law alone a plain number."""
    return law.item(guess) if law.ndim == 1 else law[np.arange(len(law)), guess]
