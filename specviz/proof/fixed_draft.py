"""Rounds of a drafter that chooses instead of drawing.

After one text it always proposes the same guesses, so they are verified once. The draft, a chain or a tree of point
masses, is then judged many times by the rule itself; see `sampled`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specviz.accept.base import AcceptRule
from specviz.config.settings import Budget, ConfigError
from specviz.draft.base import Committed, Drafter, begin
from specviz.proof.findings import Question, SampledToken
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance, Purpose, Seeded
from specviz.sampling.distribution import Sampling, to_probs
from specviz.sampling.rows import Point
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trim import KVCache
from specviz.verify import LanguageModel, verify

DEPTH = 4
RARE = 1e-3
"""A token with a lower probability is not waited for."""
AHEAD = 64
"""How many tokens the text has room for, for a drafter that reads ahead of it."""
LEARNT = 24
"""Passes that such a drafter has learnt from."""
NUMBERS = 1_000_000
"""How many probabilities one batch of rounds may hold."""


@dataclass(frozen=True, slots=True)
class FixedDraft:
    """What is proposed after a text, and the target's rows for it.

    Attributes:
        p: float64[n + 1, V], the target's rows after the text and after each guess.
        judged: those that the rule gets. They differ only under a bug.
        previous: the first guess that the target most probably writes. The second token or a bonus is sampled behind.
    """

    tree: DraftTree
    p: Floats
    judged: Floats
    previous: int

    @property
    def p_next(self) -> Floats:
        """The target's row after `previous`, float64[V]."""
        row: Floats = self.p[self.previous + 1]
        return row


def propose_once(
    drafter: Drafter, target: LanguageModel, text: Sequence[int], sampling: Sampling, question: Question
) -> FixedDraft:
    """Asks the drafter and the target once.

    Raises:
        ConfigError: the drafter guesses nothing here.
    """
    token = question.token
    room = min(1 if token is SampledToken.BONUS else DEPTH, target.context - len(text) - 1)
    cache = target.new_cache(len(text) + max(drafter.nodes or room, drafter.needs.scouts))
    unused: Chance = Seeded(0)
    _begin(drafter, target, text, cache, unused)
    tree = drafter.propose(Budget.chain(room, "").shaped(drafter.nodes), unused).tree
    tree = DraftTree(tree.tokens, tree.parents)  # without scouts
    if not len(tree):
        raise ConfigError("nothing_guessed")
    logits = verify(target, cache, text[-1:], tree).logits
    p = judged = to_probs(logits, sampling, text, tree)
    if question.bug == "penalty-on-committed":
        judged = to_probs(logits, sampling, text)
    chances = p[0, list(tree.tokens)].tolist()
    previous = max(tree.children(ROOT), key=chances.__getitem__)
    if token is not SampledToken.FIRST and chances[previous] < RARE:
        raise ConfigError("hardly_picked")
    return FixedDraft(tree, p, judged, previous)


def _begin(drafter: Drafter, target: LanguageModel, text: Sequence[int], cache: KVCache, chance: Chance) -> None:
    """Both read the text, except its last token. A drafter with scouts learns from passes: one for each last token.

    Args:
        cache: an empty one of the target's.
    """
    first = max(1, len(text) - LEARNT) if drafter.needs.scouts else len(text)
    begin(drafter, target, text[:first], cache)
    for place in range(first, len(text)):
        tree = drafter.propose(Budget.chain(0, ""), chance).tree
        scores = verify(target, cache, text[cache.length : place], tree, drafter.needs)
        cache.truncate(place)
        drafter.commit(Committed((text[place],), (), scores))


class FixedDraftRounds:
    """Plays the rounds batch by batch. samples: the sampled tokens so far, [n]."""

    def __init__(self, rule: AcceptRule, fixed: FixedDraft, question: Question) -> None:
        self.samples: Ids = np.empty(0, dtype=np.int64)
        self.rounds = self.tested = self.won = 0
        self._rule, self._fixed, self._token = rule, fixed, question.token
        self._generator = np.random.Generator(np.random.Philox(key=question.seed))
        self._batch = batch_size(question.n, fixed.p.shape[1])

    def play(self) -> None:
        """Plays one more batch."""
        tree, batch = self._fixed.tree, self._batch
        draws = self._rule.batch_draws(self._generator, batch)
        tokens = np.tile(np.array(tree.tokens), (batch, 1))
        q = [Point(tokens[:, node]) for node in range(len(tree))]
        rows = [expanded(row, batch) for row in self._fixed.judged]
        previous = self._fixed.previous
        ended = np.zeros(tokens.shape, dtype=bool)
        ended[:, previous] = self._token is SampledToken.END
        walk = self._rule.walk(tree, tokens, q, rows, 0, ended, draws)
        self.rounds += batch
        self.tested += batch
        self.won += int(walk.won[:, 0].sum())
        if self._token is SampledToken.BONUS:
            drawn = walk.token[walk.won[:, previous] & (walk.rejected < 0)]
        elif self._token is SampledToken.END:
            texts = first_two_tokens(walk.won, tokens, walk.token)
            drawn = behind_end(texts, tree.tokens[previous], self._fixed.p.shape[1])
        else:
            texts = first_two_tokens(walk.won, tokens, walk.token)
            short = ((texts[:, 0] == tree.tokens[previous]) & (texts[:, 1] < 0)).nonzero()[0]
            p_next = expanded(self._fixed.p_next, len(short))
            texts[short, 1], _ = draws.subset(short).pick(p_next, At(1, Purpose.BONUS))  # a next round without guesses
            drawn = texts[:, 0] if self._token is SampledToken.FIRST else texts[texts[:, 0] == tree.tokens[previous], 1]
        self.samples = np.concatenate([self.samples, drawn])


def expanded(probs: Floats, rounds: int) -> Floats:
    """The same float64[V] in that many rounds, not copied: float64[rounds, V], read only."""
    return np.broadcast_to(probs, (rounds, len(probs)))


def batch_size(samples: int, vocab_size: int) -> int:
    """How many rounds are played at once: no more than are asked for."""
    return max(1, min(samples, NUMBERS // vocab_size))


def first_two_tokens(won: Bools, tokens: Ids, own: Ids) -> Ids:
    """The first two tokens that each round adds to the text, [B, 2]; -1 if there is no second."""
    order = np.concatenate([np.where(won, tokens, -1), own[:, None]], 1)
    first = (order < 0).argsort(1, kind="stable")[:, :2]
    return np.take_along_axis(order, first, 1)


def behind_end(texts: Ids, end: int, nothing: int) -> Ids:
    """What follows a first token that ends the text, in the rounds that begin with it; `nothing` where nothing does.

    Args:
        texts: see `first_two_tokens`.
    """
    second = texts[texts[:, 0] == end, 1]
    return np.where(second < 0, nothing, second)
