"""Decodes a recorded run again, for what its trace left out: p and q of a slot over the whole vocabulary.

The same seed makes the same run on the same machine and build. Elsewhere the run may come out differently.
"""

from collections.abc import Sequence, Set
from typing import Any

from specviz import accept, session
from specviz.accept.base import AcceptRule, Judgement
from specviz.config.settings import ConfigError, RunConfig
from specviz.draft.base import Committed, Drafter, Proposal, begin
from specviz.law.arrays import Floats
from specviz.law.chance import Chance
from specviz.law.sampling import Sampling, to_probs
from specviz.law.tree import DraftTree
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.proof.slot import SlotDistributions
from specviz.trace.round import Round
from specviz.verify import LanguageModel, verify


def distributions(
    config: RunConfig, index: int, slot: int, expected: Sequence[Round], pair: Pair | None = None
) -> SlotDistributions:
    """p and q of one slot as the acceptance rule got them, and raw. Decodes only up to that round.

    Args:
        index: the round, in range(len(expected)).
        slot: a guess of that round, or their number for the row behind the last guess, which has no q.
        expected: the recorded rounds, at least up to this one.

    Raises:
        ConfigError: the config cannot be run, or the run comes out differently here.
    """
    rule = _RememberingRule(accept.load(config.rule, config.rule_params))
    run = session.start(config, pair, rule)
    alike = 0
    for step in run:
        if _decided(step) != _decided(expected[step.index]):
            break
        if step.index == index:
            p, q = rule.last_slot(slot)
            text = [*run.prompt, *(token for each in expected[:index] for token in each.tokens)]
            there = pair or pairs.load(config.pair, config.device, config.dtype)
            raw_p, raw_q = _raw(config, there, text, expected[: index + 1], slot)
            texts = tuple(run.piece(token) for token in range(run.info.vocab_size))
            return SlotDistributions(p.tolist(), _as_list(q), texts, _as_list(raw_p), _as_list(raw_q))
        alike += 1
    raise ConfigError("rows_differ", round=alike + 1)


class _RememberingRule:
    """An acceptance rule that remembers the last round it judged."""

    def __init__(self, rule: AcceptRule) -> None:
        self.name, self.threshold, self.ensemble = rule.name, rule.threshold, rule.ensemble
        self.relaxation = rule.relaxation
        self.tuned, self.laws, self.chance, self.batch_draws = rule.tuned, rule.laws, rule.chance, rule.batch_draws
        self.accept_prob, self.walk = rule.accept_prob, rule.walk
        self._rule = self._there = rule

    def reading(self, tokenizer: Any) -> AcceptRule:
        self._rule = self._rule.reading(tokenizer)
        self.relaxation = self._rule.relaxation
        return self

    def behind(self, text: Sequence[int]) -> AcceptRule:
        self._there = self._rule.behind(text)
        return self

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        judgement = self._there.judge(proposal, p, position, ends, chance)
        self._last = proposal, p, judgement
        return judgement

    def last_slot(self, slot: int) -> tuple[Floats, Floats | None]:
        """p and q of a slot of the last round, float64[V]. p is what the guess was tested against; the target's own
        where a lossy rule put v in its place."""
        proposal, p, judgement = self._last
        tree = proposal.tree
        if slot == len(tree):
            return p[_last(tree, judgement.path)], None
        mixed = self.ensemble is not None and tree.parents[slot] not in tree.parents[:slot]
        tested = judgement.p[slot] if judgement.tests[slot] and not mixed else p[tree.parents[slot] + 1]
        return tested, proposal.q[slot].dense(len(tested))


def _raw(
    config: RunConfig, pair: Pair, text: Sequence[int], done: Sequence[Round], slot: int
) -> tuple[Floats | None, Floats | None]:
    """p and q of a slot of the last round before temperature, filters and penalties, float64[V]. See SlotDistributions
    for where there are none.

    Args:
        text: everything before the last round.
    """
    raw = Sampling()
    if session.sampling_of(config, pair, 0) == raw:
        return None, None
    step, tree = done[-1], _tree(done[-1])
    capacity = len(text) + len(tree)
    rows = to_probs(verify(pair.target, pair.target.new_cache(capacity), text, tree).logits, raw)
    if slot == len(tree):
        return rows[_last(tree, step.path)], None
    drafter = session.drafter(config, pair, raw, capacity)
    if step.learning:
        teach(drafter, pair.target, text, done[:-1])
    q = drafter.q_of(text, tree)[slot]
    return rows[tree.parents[slot] + 1], None if q is None else q.dense(rows.shape[-1])


def teach(drafter: Drafter, target: LanguageModel, text: Sequence[int], done: Sequence[Round]) -> None:
    """Tells a drafter that learns what it heard in these rounds. What it learns does not depend on the sampling."""
    position = done[0].position if done else len(text)
    cache = target.new_cache(len(text) + max((len(step.verdicts) for step in done), default=0))
    begin(drafter, target, text[:position], cache)
    for step in done:
        unread = text[cache.length : step.position]
        scores = verify(target, cache, unread, _tree(step), drafter.needs)
        cache.keep(step.position, step.path)
        drafter.commit(Committed(step.tokens, step.path, scores))


def _tree(step: Round) -> DraftTree:
    return DraftTree(tuple(each.token for each in step.verdicts), tuple(each.parent for each in step.verdicts))


def _last(tree: DraftTree, path: Sequence[int]) -> int:
    """The row behind the last guess: the chain's last, or the last that a tree's round accepted."""
    if tree.is_chain:
        return len(tree)
    return path[-1] + 1 if path else 0


def _as_list(probs: Floats | None) -> list[float] | None:
    return None if probs is None else probs.tolist()


def _decided(step: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a round guessed and what it added to the text."""
    return tuple(verdict.token for verdict in step.verdicts), step.tokens
