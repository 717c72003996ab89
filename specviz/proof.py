"""Does the rule give the target's law? One context's rows, played many times through the rule itself.

The models are asked once; every sample after that costs arithmetic only.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from specviz import accept, draft, evidence, findings, planted, session
from specviz.accept.base import AcceptRule, Draws, Walk
from specviz.chance import At, Ids, Purpose, Seeded
from specviz.config import Budget, ConfigError, LawKind, check
from specviz.findings import Cell, Finding, Law, Question
from specviz.law import by_guess, rows_of
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.played import NUMBERS, Fixed, Rounds, fixed, texts_of
from specviz.sampling import Sampling, to_probs
from specviz.tree import ROOT, DraftTree
from specviz.verify import verify

BRANCHES = 24
"""First guesses behind which a second one is drafted; behind a rarer one the drafter stops."""
CELLS = 12


def prove(question: Question, pair: Pair | None = None) -> Iterator[int | Finding]:
    """Samples drawn so far, again and again; at last what they say. Stop iterating to cancel.

    Raises:
        ConfigError: the question cannot be asked.
    """
    config = question.config
    findings.check(question)
    check(config)
    rule = accept.load(config.rule)
    if question.bug and config.rule != "rejection":
        raise ConfigError(f"the bugs are planted in the rule rejection; this run's rule is {config.rule}")
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    if not _draws(question, pair):
        yield from _prove_fixed(question, pair, rule)
        return
    rows = _rows(question, pair)
    if question.law is Law.BONUS and not torch.minimum(rows.p, rows.q).any():
        raise ConfigError("no guess can be accepted here, so there is never a bonus; ask for another law")
    table = _Table(planted.RULES[question.bug] if question.bug else rule, rule, rows, question)
    while len(table.samples) < question.n:
        table.play()
        yield min(len(table.samples), question.n)
    law, given = (rows.p, None) if question.law is Law.FIRST else (rows.p_next[0], rows.given)
    yield _finding(question, pair, law, given, float(torch.minimum(rows.p, rows.q).sum()), table)


def _prove_fixed(question: Question, pair: Pair, rule: AcceptRule) -> Iterator[int | Finding]:
    """The same of a drafter without dice, whose proposal may be a tree."""
    text, sampling = _text(question, pair), Sampling.of(question.config)
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)
    if question.bug == "q-before-temperature" or (question.bug and drafter.nodes is not None):
        raise ConfigError(f"the bug {question.bug} is planted in chains that are drawn; choose another drafter")
    asked: Fixed = fixed(drafter, pair.target, text, sampling, question.law)
    rounds = Rounds(planted.RULES[question.bug] if question.bug else rule, asked, question.law, question.seed)
    while len(rounds.samples) < question.n:
        rounds.play()
        yield min(len(rounds.samples), question.n)
    law, given = (asked.p[0], None) if question.law is Law.FIRST else (asked.law, asked.tree.tokens[asked.given])
    yield _finding(question, pair, law, given, float(asked.p[0, asked.tree.tokens[0]]), rounds)


def _draws(question: Question, pair: Pair) -> bool:
    """Whether the drafter has dice: what it may do is in its entry, what it does it shows."""
    kind = draft.entry(question.config.drafter).law
    if kind is not LawKind.MIXED:
        return kind is LawKind.ROW
    text, sampling = _text(question, pair), Sampling.of(question.config)
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)
    drafter.begin(text)
    guesses = drafter.propose(Budget.chain(1, "").shaped(drafter.nodes), Seeded(0)).guesses
    return any(guess.law is None or guess.law.kind is LawKind.ROW for guess in guesses)


def _text(question: Question, pair: Pair) -> list[int]:
    """What the question is asked behind."""
    if any(not 0 <= token < pair.target.vocab_size for token in question.text):
        raise ConfigError(f"the text holds a token id outside 0 to {pair.target.vocab_size - 1:,}")
    text = [*session.prompt_of(question.config, pair), *question.text]
    if len(text) > pair.target.context - 2:
        raise ConfigError(f"the text has {len(text):,} tokens; wanted 1 to {pair.target.context - 2:,}")
    return text


# -- Rows: the models' part -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rows:
    """The laws of one context and of what may follow it.

    Attributes:
        p, q: float64[V], the first token's.
        told: float64[V], the q that the rule hears of; another one only under a planted bug.
        given: the token that the second token and the bonus are asked behind.
        branches: [M], first guesses behind which a second one is drafted; `given` is the first of them.
        p_next, q_next, told_next: float64[M, V], the laws behind each branch.
        beside: float64[M, V], what a tree's second guess is drawn from, by its first; None if there is none.
    """

    p: Tensor
    q: Tensor
    told: Tensor
    given: int
    branches: Ids
    p_next: Tensor
    q_next: Tensor
    told_next: Tensor
    beside: Tensor | None


def _rows(question: Question, pair: Pair) -> Rows:
    target, sampling = pair.target, Sampling.of(question.config)
    text = _text(question, pair)
    cache = target.new_cache(len(text) + BRANCHES)
    p = to_probs(verify(target, cache, text, DraftTree((), ())).logits[0], sampling)
    q = _guesses(question, pair, text, sampling)
    laws = [q]
    if question.bug == "q-before-temperature":
        laws.append(_guesses(question, pair, text, dataclasses.replace(sampling, temperature=1.0)))
    first = [law(()) for law in laws]
    given = int((torch.minimum(p, first[0]) if question.law is Law.BONUS else p).argmax())
    likely = first[0].topk(min(BRANCHES, len(p))).indices.tolist()
    branches = [given, *(token for token in likely if token != given)][:BRANCHES]
    cache.truncate(len(text) - 1)
    siblings = DraftTree(tuple(branches), (ROOT,) * len(branches))
    p_next = to_probs(verify(target, cache, text[-1:], siblings).logits[1:], sampling)
    then = [torch.stack([law((token,)) for token in branches]) for law in laws]
    beside = None if question.bug else _beside(question, pair, text, sampling, branches)
    return Rows(p, first[0], first[-1], given, np.array(branches), p_next, then[0], then[-1], beside)


def _beside(
    question: Question, pair: Pair, text: Sequence[int], sampling: Sampling, branches: Sequence[int]
) -> Tensor | None:
    """What a tree's second guess is drawn from, by its first; None of a chain, or where nothing is left to draw."""
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)
    if drafter.nodes is None:
        return None
    laws = [drafter.laws(text, DraftTree((token, 0), (ROOT, ROOT)))[1] for token in branches]
    if None in laws:
        return None
    return torch.stack([torch.from_numpy(law.dense(pair.target.vocab_size)) for law in laws if law])


def _guesses(
    question: Question, pair: Pair, text: Sequence[int], sampling: Sampling
) -> Callable[[tuple[int, ...]], Tensor]:
    """The drafter's law after the text and some guesses of its own, float64[V]."""
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)

    def law(guesses: tuple[int, ...]) -> Tensor:
        found = drafter.laws(text, DraftTree.chain([*guesses, 0]))[-1]
        if found is None:
            raise ConfigError("the drafter guesses nothing here, so there is nothing to test")
        return torch.from_numpy(found.dense(pair.target.vocab_size))

    return law


# -- Rounds: the rule's part ------------------------------------------------------------------------------------


class _Table:
    """Where rounds are played, batch by batch; samples are the tokens of the law in question, [n]."""

    def __init__(self, rule: AcceptRule, noise: AcceptRule, rows: Rows, question: Question) -> None:
        self.samples: Ids = np.empty(0, dtype=np.int64)
        self.rounds = self.tested = self.won = 0
        self._rule, self._noise = rule, noise
        self._rows = rows
        self._law = question.law
        self._generator = torch.Generator().manual_seed(question.seed)
        self._batch = max(1, NUMBERS // len(rows.p))
        self._place = np.full(len(rows.p), -1)
        self._place[rows.branches] = np.arange(len(rows.branches))

    def play(self) -> None:
        """One batch of rounds more."""
        rows = self._rows
        draws = self._noise.crowd(self._generator, self._batch)
        guess, _ = draws.pick(rows.q.expand(self._batch, -1).numpy(), At(0, Purpose.DRAFT))
        if self._law is Law.BONUS:
            walk, _ = self._one(rows.p, rows.told, guess, 0, draws)
            found = walk.token[(guess == rows.given) & (walk.refused < 0)]
        else:
            branch = self._place[guess]
            deep, flat = np.flatnonzero(branch >= 0), np.flatnonzero(branch < 0)
            _, shallow = self._one(rows.p, rows.told, guess[flat], 0, draws.some(flat))
            two = self._two(guess[deep], branch[deep], draws.some(deep))
            texts = np.full((self._batch, 2), -1)
            texts[flat, 0], texts[deep] = shallow, two
            found = texts[:, 0] if self._law is Law.FIRST else self._second(texts, draws)
        self.rounds += self._batch
        self.samples = np.concatenate([self.samples, found])

    def _second(self, texts: Ids, draws: Draws) -> Ids:
        """What follows `given`; where the round ended with it, the next round says so."""
        rows = self._rows
        short = np.flatnonzero((texts[:, 0] == rows.given) & (texts[:, 1] < 0))
        theirs = draws.some(short)
        guess, _ = theirs.pick(rows.q_next[:1].expand(len(short), -1).numpy(), At(1, Purpose.DRAFT))
        _, texts[short, 1] = self._one(rows.p_next[0], rows.told_next[0], guess, 1, theirs)
        second: Ids = texts[texts[:, 0] == rows.given, 1]
        return second

    def _one(self, p: Tensor, told: Tensor, guess: Ids, position: int, draws: Draws) -> tuple[Walk, Ids]:
        """Rounds of one guess, and their first tokens. Behind it stand the rows behind `given`; who guessed
        another token must not look further."""
        both = torch.stack([p, self._rows.p_next[0]]).expand(len(guess), -1, -1)
        walk = self._walk(DraftTree.chain([0]), guess[:, None], told.expand(len(guess), 1, -1), both, position, draws)
        return walk, texts_of(walk.won, guess[:, None], walk.token)[:, 0]

    def _two(self, guess: Ids, branch: Ids, draws: Draws) -> Ids:
        """The first two tokens of rounds of two guesses, -1 where there is no second. The row behind both is not
        known: nobody asks for a third token, so any will do."""
        rows, count = self._rows, len(guess)
        then, _ = draws.pick(rows.q_next[branch].numpy(), At(1, Purpose.DRAFT))
        first, behind = rows.told.expand(count, -1), rows.p_next[branch]
        tree, drawn, told, p = DraftTree.chain([0, 0]), [guess, then], [first, rows.told_next[branch]], [behind]
        if rows.beside is not None:  # behind this one nobody looks either, unless it is `given`
            second, _ = draws.pick(rows.beside[branch].numpy(), At(0, Purpose.DRAFT, sibling=1))
            tree = DraftTree((0, 0, 0), (ROOT, ROOT, 0))
            drawn.insert(1, second)
            told.insert(1, rows.beside[branch])
            p.append(rows.p_next[0].expand(count, -1))
        tokens = np.stack(drawn, 1)
        p = [rows.p.expand(count, -1), *p, behind]
        walk = self._walk(tree, tokens, torch.stack(told, 1), torch.stack(p, 1), 0, draws)
        return texts_of(walk.won, tokens, walk.token)

    def _walk(self, tree: DraftTree, tokens: Ids, q: Tensor, p: Tensor, position: int, draws: Draws) -> Walk:
        walk = self._rule.walk(tree, tokens, rows_of(q), by_guess(p), position, frozenset(), draws)
        if position == 0:
            self.tested += len(walk.tested)
            self.won += int(walk.won[:, 0].sum())
        return walk


# -- What the samples say ---------------------------------------------------------------------------------------


def _finding(
    question: Question, pair: Pair, law: Tensor, given: int | None, overlap: float, table: _Table | Rounds
) -> Finding:
    """law: what the samples should be of; given: the token it is behind, None for the text itself."""
    counts = torch.from_numpy(np.bincount(table.samples[: question.n], minlength=len(law))).double()
    shares = counts / question.n
    top = [int(token) for token in law.topk(min(CELLS, len(law))).indices if law[token] > 0]
    shown = [(token, pair.tokenizer.piece(token), float(law[token]), float(shares[token])) for token in top]
    others = (None, "", max(0.0, 1 - float(law[top].sum())), max(0.0, 1 - float(shares[top].sum())))
    fit = evidence.chi_square(law, counts)
    median, high = evidence.null_distance(law, question.n, question.seed)
    return Finding(
        question=question,
        cells=tuple(Cell(*cell, *evidence.spread(cell[2], question.n)) for cell in [*shown, others]),
        given="" if given is None else pair.tokenizer.piece(given),
        rounds=table.rounds,
        accepted=table.won / table.tested,
        overlap=overlap,
        tvd=evidence.distance(law, counts),
        tvd_median=median,
        tvd_high=high,
        chi2=fit.chi2,
        bins=fit.bins,
        p_value=fit.p_value,
        impossible=int(counts[law == 0].sum()),
    )
