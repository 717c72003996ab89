"""The output law by statistics: the real numbers, on tables small enough to count every context.

Exact enumeration comes first (test_exact.py, and the mutants' battery); what only a sample can
show is that the seeded numbers themselves behave. Chi-square over (context, outcome), cells
expected less than ten times merged; the threshold is 1e-6 shared by all the tests here. Never
retry a failure: the seeds are fixed, so a failure comes back.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache

import pytest
from scipy.stats import chi2, kstest

from specviz.accept.rejection import Rejection
from specviz.chance import Seeded
from specviz.problems import problems
from specviz.sampling import Sampling
from specviz.trace import Emission, Trace, Verdict
from tests import reference
from tests.tiny import TableModel, traced

PROMPT = (0, 1)
TOKENS = 60
Context = tuple[int, ...]
Law = tuple[float, ...]


@dataclass(frozen=True)
class Setting:
    """A pair of tables whose rows differ at every slot, and how much of its text to sample."""

    name: str
    vocab_size: int
    gamma: int
    sampling: Sampling
    draft_seed: int
    runs: int = 60

    @property
    def target(self) -> TableModel:
        return TableModel(self.vocab_size, 1, spread=0.6)

    @property
    def draft(self) -> TableModel:
        return TableModel(self.vocab_size, self.draft_seed, spread=0.6)

    def p(self, context: Context) -> Law:
        return reference.law(self.target, context, self.sampling)

    def q(self, context: Context) -> Law:
        return reference.law(self.draft, context, self.sampling)


SETTINGS = (
    Setting("plain", 6, 3, Sampling(0.8), 22),
    Setting("filtered", 8, 4, Sampling(0.7, top_k=6, top_p=0.95), 17),
)
ALPHA = 1e-6 / (4 * len(SETTINGS))
by_setting = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)


@cache
def sample(setting: Setting) -> tuple[Trace, ...]:
    """One run a seed; the seeds are 0, 1, 2, ..."""
    return tuple(
        traced(
            setting.target,
            PROMPT,
            TOKENS,
            draft=setting.draft,
            gamma=setting.gamma,
            sampling=setting.sampling,
            chance=Seeded(seed),
        )
        for seed in range(setting.runs)
    )


def compare(
    seen: Iterable[tuple[Context, Hashable]],
    law: Callable[[Context], dict[Hashable, float]],
    pool: Callable[[Context], Context] = lambda context: context,
) -> float:
    """The p-value of what was seen in each context; contexts that `pool` calls alike are counted together."""
    found: Counter[tuple[Context, Hashable]] = Counter()
    expected: dict[tuple[Context, Hashable], float] = defaultdict(float)
    for context, outcome in seen:
        found[pool(context), outcome] += 1
        for possible, share in law(context).items():
            if share > 1e-12:
                expected[pool(context), possible] += share
    assert not set(found) - set(expected), f"impossible: {set(found) - set(expected)}"
    cells = [(found[cell], wanted) for cell, wanted in expected.items() if wanted >= 10]
    small = [(cell, wanted) for cell, wanted in expected.items() if wanted < 10]
    rest = sum(found[cell] for cell, _ in small), sum(wanted for _, wanted in small)
    cells += [rest] if rest[1] >= 10 else []
    assert len(cells) > 4, f"{len(cells)} cells are too few to tell anything"
    statistic = sum((count - wanted) ** 2 / wanted for count, wanted in cells)
    whole = {context for context, _ in expected} - {context for (context, _), _ in small}
    return float(chi2.sf(statistic, len(cells) - max(1, len(whole))))


def emitted(traces: Iterable[Trace]) -> Iterable[tuple[Context, int]]:
    for trace in traces:
        text = (*trace.prompt, *trace.tokens)
        for place in range(2, len(text)):
            yield text[place - 2 : place], text[place]


def judged(traces: Iterable[Trace]) -> Iterable[tuple[Context, tuple[str, int]]]:
    """What each tested slot ended with: its guess, or what replaced it."""
    for trace in traces:
        text = list(trace.prompt)
        for step in trace.rounds:
            for verdict in step.verdicts:
                before = [*text, *(each.token for each in step.verdicts[: verdict.node])]
                if verdict.verdict is Verdict.ACCEPTED:
                    yield tuple(before[-2:]), ("accepted", verdict.token)
                elif verdict.verdict is Verdict.REJECTED:
                    assert step.extra
                    yield tuple(before[-2:]), ("corrected", step.extra.token)
            text += step.tokens


def bonuses(traces: Iterable[Trace]) -> Iterable[tuple[Context, int]]:
    for trace in traces:
        text = list(trace.prompt)
        for step in trace.rounds:
            text += step.tokens
            if step.extra and step.extra.emission is Emission.BONUS:
                yield tuple(text[-3:-1]), step.extra.token


def law_of_tokens(setting: Setting, traces: Iterable[Trace]) -> float:
    return compare(emitted(traces), lambda context: dict(enumerate(setting.p(context))))


def law_of_slots(setting: Setting, traces: Iterable[Trace]) -> float:
    def law(context: Context) -> dict[Hashable, float]:
        pairs = list(enumerate(zip(setting.p(context), setting.q(context), strict=True)))
        return {
            **{("accepted", token): min(p, q) for token, (p, q) in pairs},
            **{("corrected", token): max(0.0, p - q) for token, (p, q) in pairs},
        }

    return compare(judged(traces), law)


@by_setting
def test_a_token_has_the_targets_law_given_its_context(setting: Setting) -> None:
    assert law_of_tokens(setting, sample(setting)) > ALPHA, f"seeds 0 to {setting.runs - 1}"


@by_setting
def test_a_slot_accepts_with_min_p_q_and_corrects_with_what_is_left(setting: Setting) -> None:
    assert law_of_slots(setting, sample(setting)) > ALPHA, f"seeds 0 to {setting.runs - 1}"


@by_setting
def test_a_bonus_has_the_targets_law_given_its_context(setting: Setting) -> None:
    """Counted by the rank its context gives it, all contexts together: there are fewer of them."""

    def ranked(context: Context) -> list[int]:
        return sorted(range(setting.vocab_size), key=lambda token: -setting.p(context)[token])

    found = compare(
        ((context, ranked(context).index(token)) for context, token in bonuses(sample(setting))),
        lambda context: dict(enumerate(sorted(setting.p(context), reverse=True))),
        pool=lambda _: (),
    )
    assert found > ALPHA, f"seeds 0 to {setting.runs - 1}"


@by_setting
def test_the_numbers_behind_the_decisions_are_uniform_and_never_come_twice(setting: Setting) -> None:
    """Tests are looked at apart from draws: an accepted guess's u is small, but all of them together are even."""
    tests, draws = [], []
    for trace in sample(setting):
        for step in trace.rounds:
            tests += [verdict.u for verdict in step.verdicts if verdict.u is not None]
            draws += [verdict.draft_u for verdict in step.verdicts] + ([step.extra.u] if step.extra else [])
    assert len({*tests, *draws}) == len(tests) + len(draws)
    assert kstest(tests, "uniform").pvalue > ALPHA
    assert kstest(draws, "uniform").pvalue > ALPHA


@by_setting
def test_nothing_impossible_happens(setting: Setting) -> None:
    for trace in sample(setting):
        assert problems(trace) == []
        for step in trace.rounds:
            rejected = [verdict for verdict in step.verdicts if verdict.verdict is Verdict.REJECTED]
            assert step.extra
            assert (step.extra.emission is Emission.BONUS) == (not rejected)
            assert len(step.tokens) == 1 + len(step.path)
            assert all(verdict.p > 0 for verdict in step.verdicts if verdict.verdict is Verdict.ACCEPTED)
            assert all(verdict.p < verdict.q for verdict in rejected)
        for context, (kind, token) in judged([trace]):
            assert kind == "accepted" or setting.p(context)[token] > setting.q(context)[token]


@by_setting
def test_the_sample_is_worth_its_time(setting: Setting) -> None:
    """alpha neither near 0 nor near 1, every context seen, p and q apart at every slot."""
    verdicts = Counter(
        verdict.verdict for trace in sample(setting) for step in trace.rounds for verdict in step.verdicts
    )
    assert 0.4 < verdicts[Verdict.ACCEPTED] / (verdicts[Verdict.ACCEPTED] + verdicts[Verdict.REJECTED]) < 0.75
    contexts = {context for context, _ in emitted(sample(setting))}
    assert len(contexts) > 0.6 * setting.vocab_size**2
    assert len({setting.p(context) for context in contexts}) == len(contexts)
    assert all(setting.p(context) != setting.q(context) for context in contexts)


def test_the_laws_see_a_planted_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accepting whatever has p >= q, and nothing else, shows soon."""
    setting = Setting("planted", 6, 3, Sampling(0.8), 22, runs=24)
    judge = Rejection.judge

    def strict(self, proposal, probs, position, ends, chance):
        flip = chance.flip
        chance.flip = lambda weight, scale, at: flip(float(weight >= scale), 1.0, at)
        try:
            return judge(self, proposal, probs, position, ends, chance)
        finally:
            del chance.flip

    monkeypatch.setattr(Rejection, "judge", strict)
    traces = sample(setting)
    assert law_of_tokens(setting, traces) < ALPHA
    assert law_of_slots(setting, traces) < ALPHA
