"""Rounds of a drafter that draws: the distributions in one context, and drafts drawn from them again and again.

The rule itself judges every draft; see `sampled`.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from specviz import session
from specviz.accept.base import AcceptRule, Draws, Walk
from specviz.config.settings import ConfigError
from specviz.models.pair import Pair
from specviz.proof.findings import Question, SampledToken
from specviz.proof.fixed_draft import batch_size, behind_end, expanded, first_two_tokens
from specviz.sampling.arrays import Floats, Ids
from specviz.sampling.chance import At, Purpose
from specviz.sampling.distribution import Sampling, row, to_probs
from specviz.sampling.rows import Row
from specviz.sampling.ruler import largest
from specviz.sampling.tree import ROOT, DraftTree
from specviz.verify import verify

BRANCHES = 24
"""First guesses that a second one is drafted behind. After a rarer first guess the draft ends."""


def text_and_sampling(question: Question, pair: Pair) -> tuple[list[int], Sampling]:
    """The text that the question is about, and how a run samples after it."""
    if any(not 0 <= token < pair.target.vocab_size for token in question.text):
        raise ConfigError(f"the text holds a token id outside 0 to {pair.target.vocab_size - 1:,}")
    prompt = session.prompt_of(question.config, pair)
    text = [*prompt, *question.text]
    if len(text) > pair.target.context - 2:
        raise ConfigError(f"the text has {len(text):,} tokens; wanted 1 to {pair.target.context - 2:,}")
    return text, session.sampling_of(question.config, pair, len(prompt))


@dataclass(frozen=True, slots=True)
class ContextRows:
    """The distributions in one context, and after the tokens that may come next.

    Attributes:
        p, q: float64[V], of the first token.
        claimed_q: float64[V], the q that the rule gets. It differs from q only under a bug.
        previous: the token that the second token and the bonus are sampled behind.
        branches: [M], first guesses that a second one is drafted after; the first of them is `previous`.
        p_next, q_next, claimed_q_next: float64[M, V], the same after each branch.
        judged_p_next: float64[M, V], the p that the rule gets after a guess. It differs from p_next only under a bug.
        sibling_q: float64[M, V], what a tree's second guess is drawn from, by its first; None if there is none.
    """

    p: Floats
    q: Floats
    claimed_q: Floats
    previous: int
    branches: Ids
    p_next: Floats
    q_next: Floats
    claimed_q_next: Floats
    judged_p_next: Floats
    sibling_q: Floats | None


def context_rows(question: Question, pair: Pair) -> ContextRows:
    """Asks the drafter and the target once.

    Raises:
        ConfigError: the drafter guesses nothing here.
    """
    target = pair.target
    text, sampling = text_and_sampling(question, pair)
    cache = target.new_cache(len(text) + BRANCHES)
    p = row(verify(target, cache, text, DraftTree((), ())).logits[0], sampling, text)
    drafting = dataclasses.replace(sampling, processors=None) if question.bug == "penalty-on-p-alone" else sampling
    q_functions = [_guesses(question, pair, text, drafting)]
    if question.bug == "q-before-temperature":
        q_functions.append(_guesses(question, pair, text, dataclasses.replace(sampling, temperature=1.0)))
    first = [q_of(()) for q_of in q_functions]
    guessed = question.token in (SampledToken.BONUS, SampledToken.END)
    previous = int((np.minimum(p, first[0]) if guessed else p).argmax())
    likely = largest(first[0][None], BRANCHES)[0].tolist()
    branches = [previous, *(token for token in likely if token != previous)][:BRANCHES]
    cache.truncate(len(text) - 1)
    siblings = DraftTree(tuple(branches), (ROOT,) * len(branches))
    logits = verify(target, cache, text[-1:], siblings).logits
    p_next = judged = to_probs(logits, sampling, text, siblings)[1:]
    if question.bug == "penalty-on-committed":
        judged = to_probs(logits, sampling, text)[1:]
        shown = np.minimum(p, first[0])[branches] * np.abs(p_next - judged).sum(1)
        order = [int(shown.argmax()), *(place for place in range(len(branches)) if place != shown.argmax())]
        branches, p_next, judged = [branches[place] for place in order], p_next[order], judged[order]
    then = [np.stack([q_of((token,)) for token in branches]) for q_of in q_functions]
    sibling_q = None if question.bug else _sibling_q(question, pair, text, sampling, branches)
    return ContextRows(
        p, first[0], first[-1], branches[0], np.array(branches), p_next, then[0], then[-1], judged, sibling_q
    )


def _sibling_q(
    question: Question, pair: Pair, text: Sequence[int], sampling: Sampling, branches: Sequence[int]
) -> Floats | None:
    """What a tree's second guess is drawn from, by its first. None for a chain, or if nothing is left to draw from."""
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)
    if drafter.nodes is None:
        return None
    second = [drafter.q_of(text, DraftTree((token, 0), (ROOT, ROOT)))[1] for token in branches]
    if None in second:
        return None
    return np.stack([q.dense(pair.target.vocab_size) for q in second if q])


def _guesses(
    question: Question, pair: Pair, text: Sequence[int], sampling: Sampling
) -> Callable[[tuple[int, ...]], Floats]:
    """Gives the drafter's distribution after the text and some guesses of its own, float64[V]."""
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)

    def q_of(guesses: tuple[int, ...]) -> Floats:
        law = drafter.q_of(text, DraftTree.chain([*guesses, 0]))[-1]
        if law is None:
            raise ConfigError("nothing_guessed")
        return law.dense(pair.target.vocab_size)

    return q_of


class DrawnRounds:
    """Plays rounds of drawn chains, batch by batch. samples: the sampled tokens so far, [n].

    rules: as it judges a round, and as it judges the next one, after `previous`.
    """

    def __init__(
        self, rules: tuple[AcceptRule, AcceptRule], noise: AcceptRule, rows: ContextRows, question: Question
    ) -> None:
        self.samples: Ids = np.empty(0, dtype=np.int64)
        self.rounds = self.tested = self.won = 0
        self._rules, self._noise = rules, noise
        self._rows = rows
        self._token = question.token
        self._generator = np.random.Generator(np.random.Philox(key=question.seed))
        self._batch = batch_size(question.n, len(rows.p))
        self._place = np.full(len(rows.p), -1)
        self._place[rows.branches] = np.arange(len(rows.branches))

    def play(self) -> None:
        """Plays one more batch."""
        rows = self._rows
        draws = self._noise.batch_draws(self._generator, self._batch)
        guess, _ = draws.pick(expanded(rows.q, self._batch), At(0, Purpose.DRAFT))
        if self._token is SampledToken.BONUS:
            walk, _ = self._one(rows.p, rows.claimed_q, guess, 0, draws)
            drawn = walk.token[(guess == rows.previous) & (walk.rejected < 0)]
        else:
            branch = self._place[guess]
            deep, flat = np.flatnonzero(branch >= 0), np.flatnonzero(branch < 0)
            _, shallow = self._one(rows.p, rows.claimed_q, guess[flat], 0, draws.subset(flat))
            two = self._two(guess[deep], branch[deep], draws.subset(deep))
            texts = np.full((self._batch, 2), -1)
            texts[flat, 0], texts[deep] = shallow, two
            drawn = texts[:, 0] if self._token is SampledToken.FIRST else self._behind(texts, draws)
        self.rounds += self._batch
        self.samples = np.concatenate([self.samples, drawn])

    def _behind(self, texts: Ids, draws: Draws) -> Ids:
        """What follows `previous`. If a round ended with it, the text has ended, or the next round decides."""
        rows = self._rows
        if self._token is SampledToken.END:
            return behind_end(texts, rows.previous, len(rows.p))
        short = np.flatnonzero((texts[:, 0] == rows.previous) & (texts[:, 1] < 0))
        theirs = draws.subset(short)
        guess, _ = theirs.pick(expanded(rows.q_next[0], len(short)), At(1, Purpose.DRAFT))
        _, texts[short, 1] = self._one(rows.p_next[0], rows.claimed_q_next[0], guess, 1, theirs)
        second: Ids = texts[texts[:, 0] == rows.previous, 1]
        return second

    def _one(self, p: Floats, claimed_q: Floats, guess: Ids, position: int, draws: Draws) -> tuple[Walk, Ids]:
        """Rounds of one guess, and their first tokens.

        The row after the guess is always that after `previous`. A round that guessed another token must not use it.
        """
        count, tokens = len(guess), guess[:, None]
        both = [expanded(p, count), expanded(self._rows.p_next[0], count)]
        walk = self._walk(DraftTree.chain([0]), tokens, [expanded(claimed_q, count)], both, position, draws)
        return walk, first_two_tokens(walk.won, tokens, walk.token)[:, 0]

    def _two(self, guess: Ids, branch: Ids, draws: Draws) -> Ids:
        """The first two tokens of rounds of two guesses, -1 if there is no second.

        No third token is asked for, so any row can follow both guesses.
        """
        rows, count = self._rows, len(guess)
        then, _ = draws.pick(rows.q_next[branch], At(1, Purpose.DRAFT))
        first, behind = expanded(rows.claimed_q, count), rows.judged_p_next[branch]
        tree, drawn, q, p = DraftTree.chain([0, 0]), [guess, then], [first, rows.claimed_q_next[branch]], [behind]
        if rows.sibling_q is not None:  # the row after the sibling is only used if the sibling is `previous`
            second, _ = draws.pick(rows.sibling_q[branch], At(0, Purpose.DRAFT, sibling=1))
            tree = DraftTree((0, 0, 0), (ROOT, ROOT, 0))
            drawn.insert(1, second)
            q.insert(1, rows.sibling_q[branch])
            p.append(expanded(rows.p_next[0], count))
        tokens = np.stack(drawn, 1)
        p = [expanded(rows.p, count), *p, behind]
        walk = self._walk(tree, tokens, q, p, 0, draws)
        return first_two_tokens(walk.won, tokens, walk.token)

    def _walk(
        self, tree: DraftTree, tokens: Ids, q: Sequence[Floats], p: Sequence[Floats], position: int, draws: Draws
    ) -> Walk:
        ended = np.zeros(tokens.shape, dtype=bool)
        if self._token is SampledToken.END:
            ended = (tokens == self._rows.previous) & (np.array(tree.depths()) == 0)
        walk = self._rules[position].walk(tree, tokens, [Row(probs) for probs in q], p, position, ended, draws)
        if position == 0:
            self.tested += len(walk.tested)
            self.won += int(walk.won[:, 0].sum())
        return walk
