"""Does the rule give the target's distribution? One context's rows, judged many times by the rule itself.

The models run once; every sample after that is only arithmetic.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from specviz import accept, draft, session
from specviz.accept.base import AcceptRule
from specviz.config.settings import Budget, ConfigError, LawKind, check, check_together
from specviz.draft.base import begin
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.proof import bugs, findings, statistic
from specviz.proof.drawn_draft import DrawnRounds, context_rows, text_and_sampling
from specviz.proof.findings import Drawn, Finding, Question, SampledToken, TokenShare
from specviz.proof.fixed_draft import AHEAD, FixedDraft, FixedDraftRounds, propose_once
from specviz.sampling.arrays import Floats, Ids
from specviz.sampling.chance import Seeded
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.ruler import largest
from specviz.sampling.tree import DraftTree

CELLS = 12


def prove(question: Question, pair: Pair | None = None) -> Iterator[Drawn | Finding]:
    """Yields what the samples so far say, again and again, and at last the finding. Stop iterating to cancel.

    Raises:
        ConfigError: the question cannot be asked.
    """
    config = question.config
    findings.check(question)
    check(config)
    rule = accept.load(config.rule, config.rule_params)
    check_together(draft.entry(config.drafter), accept.entry(config.rule), config)
    if question.bug and config.rule != "rejection":
        raise ConfigError("bug_rule", rule=config.rule)
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    text = text_and_sampling(question, pair)[0]
    rule = rule.reading(pair.tokenizer).after(text)
    bug = findings.bug_of(question)
    if bug and bug.penalties and session.sampling_of(config, pair, 0).processors is None:
        question = replace(question, config=replace(config, **findings.PENALTIES))
    if not _draws(question, pair):
        yield from _prove_fixed(question, pair, rule)
        return
    rows = context_rows(question, pair)
    if question.token is SampledToken.BONUS and not np.minimum(rows.p, rows.q).any():
        raise ConfigError("no_bonus")
    judging = bugs.RULES[question.bug] if question.bug else rule
    table = DrawnRounds((judging, judging.after([*text, rows.previous])), rule, rows, question)
    expected, previous = _expected(question.token, rows.p, rows.p_next[0], rows.previous)
    yield from _played(table, expected, question, pair)
    overlap = float(np.minimum(_judged(rule, rows.p, Row(rows.q)), rows.q).sum())
    behind = {SampledToken.FIRST: (rows.p, rows.q), SampledToken.SECOND: (rows.p_next[0], rows.q_next[0])}
    distance = _apart(rule, *behind[question.token]) if question.token in behind else None
    yield replace(_finding(question, pair, expected, previous, overlap, table), distance=distance)


def _prove_fixed(question: Question, pair: Pair, rule: AcceptRule) -> Iterator[Drawn | Finding]:
    """The same for a drafter that chooses its guesses. Its draft may be a tree."""
    text, sampling = text_and_sampling(question, pair)
    drafter = session.drafter(question.config, pair, sampling, min(len(text) + AHEAD, pair.target.context))
    if question.bug == "q-before-temperature" or (question.bug and drafter.nodes is not None):
        raise ConfigError("bug_chain", bug=question.bug)
    fixed: FixedDraft = propose_once(drafter, pair.target, text, sampling, question)
    rounds = FixedDraftRounds(bugs.RULES[question.bug] if question.bug else rule, fixed, question)
    expected, previous = _expected(question.token, fixed.p[0], fixed.p_next, fixed.tree.tokens[fixed.previous])
    yield from _played(rounds, expected, question, pair)
    first = Point(fixed.tree.tokens[0])
    overlap = float(_judged(rule, fixed.p[0], first)[fixed.tree.tokens[0]])
    distance = _apart(rule, fixed.p[0], first.dense(len(fixed.p[0]))) if question.token is SampledToken.FIRST else None
    yield replace(_finding(question, pair, expected, previous, overlap, rounds), distance=distance)


def _judged(rule: AcceptRule, p: Floats, q: Law) -> Floats:
    """What a guess from q after the text is tested against, float64[V]."""
    row: Floats = rule.laws(DraftTree.chain([0]), [q], [p, p])[0]
    return row


def _apart(rule: AcceptRule, p: Floats, q: Floats) -> float | None:
    """How far what a guess is tested against is from p; None under a rule that tests p itself."""
    if rule.ensemble is None:
        return None
    return float(np.abs(_judged(rule, p, Row(q)) - p).sum() / 2)


def _expected(token: SampledToken, first: Floats, behind: Floats, previous: int) -> tuple[Floats, int | None]:
    """The distribution that the samples should have, and the token they follow. After the end of a text it is that of
    one outcome more, which is sure."""
    if token is SampledToken.FIRST:
        return first, None
    return (np.append(np.zeros_like(behind), 1.0) if token is SampledToken.END else behind), previous


def _played(table: DrawnRounds | FixedDraftRounds, expected: Floats, question: Question, pair: Pair) -> Iterator[Drawn]:
    """Plays until all samples are there."""
    while len(table.samples) < question.n:
        table.play()
        samples = table.samples[: question.n]
        yield Drawn(len(samples), _shares(expected, samples, pair))


def _shares(expected: Floats, samples: Ids, pair: Pair) -> tuple[TokenShare, ...]:
    """The most probable tokens, then the others as one."""
    n = max(1, len(samples))
    shares = np.bincount(samples, minlength=len(expected)) / n
    top = [token for token in largest(expected[None], CELLS)[0].tolist() if expected[token] > 0]
    left = [max(0.0, float(of.sum() - of[top].sum())) for of in (expected, shares)]
    size = pair.target.vocab_size
    named = [(token, pair.tokenizer.piece(token)) if token < size else (findings.ENDED, "") for token in top]
    shown = [(*each, float(expected[token]), float(shares[token])) for each, token in zip(named, top, strict=True)]
    listed: list[tuple[int | None, str, float, float]] = [*shown, (None, "", left[0], left[1])]
    return tuple(
        TokenShare(token, text, p, share, *statistic.spread(p, n, len(listed))) for token, text, p, share in listed
    )


def _draws(question: Question, pair: Pair) -> bool:
    """True if the drafter draws its guesses here. One that may also choose them is asked for a draft."""
    kind = draft.entry(question.config.drafter).law
    if kind is not LawKind.MIXED:
        return kind is LawKind.ROW
    text, sampling = text_and_sampling(question, pair)
    drafter = session.drafter(question.config, pair, sampling, len(text) + 2)
    begin(drafter, pair.target, text, pair.target.new_cache(len(text)))
    guesses = drafter.propose(Budget.chain(1, "").shaped(drafter.nodes), Seeded(0)).guesses
    return any(guess.q.kind is LawKind.ROW for guess in guesses)


def _finding(
    question: Question,
    pair: Pair,
    expected: Floats,
    previous: int | None,
    overlap: float,
    table: DrawnRounds | FixedDraftRounds,
) -> Finding:
    """expected: the distribution that the samples should have. previous: the token before the sampled one, if any."""
    samples = table.samples[: question.n]
    counts = np.bincount(samples, minlength=len(expected)).astype(np.float64)
    fit = statistic.chi_square(expected, counts)
    median, high = statistic.null_distance(expected, question.n, question.seed)
    return Finding(
        question=question,
        cells=_shares(expected, samples, pair),
        previous="" if previous is None else pair.tokenizer.piece(previous),
        rounds=table.rounds,
        accepted=table.won / table.tested,
        overlap=overlap,
        tvd=statistic.distance(expected, counts),
        tvd_median=median,
        tvd_high=high,
        chi2=fit.chi2,
        bins=fit.bins,
        p_value=fit.p_value,
        impossible=int(counts[expected == 0].sum()),
    )
