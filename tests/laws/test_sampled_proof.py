"""The page's proof: it passes the true rule, it fails every planted bug, and it says no to what cannot be asked."""

from dataclasses import replace
from typing import Any

import pytest

from specviz.accept.rejection import Rejection
from specviz.config.settings import ConfigError, Limits, RunConfig
from specviz.lab import baseline
from specviz.lab.sweep import sweep
from specviz.models.pair import Pair
from specviz.proof import sampled
from specviz.proof.findings import BUGS, Bug, Finding, Question, SampledToken
from specviz.sampling.chance import At
from tests.battery.common import Bytes, Labelled

TINY: Any = Pair(
    "tiny",
    Labelled(4, 4, spread=1.0),  # type: ignore[arg-type]
    Labelled(4, 5, spread=1.0),  # type: ignore[arg-type]
    Bytes(),  # type: ignore[arg-type]
    frozenset(),
    None,
    "cpu",
    "float64",
)


def asked(rule: str = "rejection", temperature: float = 0.7, **more: Any) -> Question:
    return Question(RunConfig("abé", rule=rule, temperature=temperature), **more)


def answer(question: Question) -> Finding:
    *_, finding = sampled.prove(question, TINY)
    assert isinstance(finding, Finding)
    return finding


@pytest.mark.parametrize("law", SampledToken)
@pytest.mark.parametrize("rule", ["rejection", "block", "traversal", "coupled"])
def test_the_true_rules_show_no_difference(rule: str, law: SampledToken) -> None:
    found = [answer(asked(rule, token=law, seed=seed)) for seed in range(20)]
    assert sum(finding.different for finding in found) <= 1
    assert sum(finding.tvd > finding.tvd_high for finding in found) <= 6
    assert all(finding.impossible == 0 and finding.rounds >= 2_000 for finding in found)


@pytest.mark.parametrize("law", SampledToken)
@pytest.mark.parametrize("rule", ["rejection", "block", "coupled"])
@pytest.mark.parametrize(
    ("drafter", "params"), [("prompt-lookup", {}), ("suffix", {}), ("suffix", {"shape": "tree", "factor": 4})], ids=str
)
def test_the_true_rules_show_no_difference_behind_points_and_trees(
    drafter: str, params: dict[str, Any], rule: str, law: SampledToken
) -> None:
    config = RunConfig("aééabéééé", rule=rule, temperature=0.7, drafter=drafter, params=params)
    found = [answer(Question(config, token=law, seed=seed)) for seed in range(5)]
    assert sum(finding.different for finding in found) <= 1
    assert all(finding.impossible == 0 for finding in found)


def test_no_drafter_is_asked_about_where_it_cannot_guess() -> None:
    config = RunConfig("aééabéééé", temperature=0.7, drafter="jacobi")
    with pytest.raises(ConfigError, match="of jacobi never settle"):
        answer(Question(config))
    assert not answer(Question(replace(config, rule="coupled"))).different


@pytest.mark.parametrize("law", [SampledToken.FIRST, SampledToken.SECOND])
@pytest.mark.parametrize("rule", ["rejection", "traversal", "coupled"])
@pytest.mark.parametrize(("drafter", "params"), [("small-tree", {}), ("small-tree", {"draw": "top"})], ids=str)
def test_the_true_rules_show_no_difference_behind_a_small_models_trees(
    drafter: str, params: dict[str, Any], rule: str, law: SampledToken
) -> None:
    config = RunConfig("abé", rule=rule, temperature=0.7, drafter=drafter, params=params)
    found = [answer(Question(config, token=law, seed=seed)) for seed in range(5)]
    assert sum(finding.different for finding in found) <= 1
    assert all(finding.impossible == 0 for finding in found)


def test_what_only_a_tree_gets_wrong_shows_in_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second guess that always stands: the proof's rounds have one."""
    config = RunConfig("abé", temperature=0.7, drafter="small-tree")
    question = Question(config, token=SampledToken.FIRST, n=20_000)
    assert not answer(question).different
    test = Rejection.test

    def skips(self: Rejection, p: Any, q: Any, guesses: Any, at: At, draws: Any) -> Any:
        won, u = test(self, p, q, guesses, at, draws)
        return (won | True if at.sibling else won), u

    monkeypatch.setattr(Rejection, "test", skips)
    assert answer(question).different


def test_a_bug_planted_in_a_chain_shows_behind_points() -> None:
    for bug in ("accept-always", "resample-from-p", "one-number"):
        config = RunConfig("aééabéééé", temperature=0.7, drafter="prompt-lookup")
        assert answer(Question(config, token=SampledToken.FIRST, n=20_000, bug=bug)).different, bug
    with pytest.raises(ConfigError, match="needs chains of drawn guesses"):
        answer(Question(replace(config, drafter="suffix", params={"shape": "tree"}), bug="accept-always"))
    with pytest.raises(ConfigError, match="guesses nothing here"):
        answer(Question(RunConfig("ab", drafter="prompt-lookup")))


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_shows_at_the_size_it_names(bug: Bug) -> None:
    found = [answer(asked(token=bug.token, n=bug.n, bug=bug.name, seed=seed)) for seed in range(5)]
    assert all(finding.different != bug.harmless for finding in found), [finding.p_value for finding in found]


@pytest.mark.parametrize("drafter", [{}, {"drafter": "small-tree"}, {"drafter": "prompt-lookup"}], ids=str)
def test_the_proof_fails_a_lossy_rule_and_says_by_how_much(drafter: dict[str, Any]) -> None:
    """Not at temperature 0, where typical acceptance leaves the target's first choice alone."""
    config = RunConfig("aééabéééé", rule="typical", temperature=0.7, **drafter)
    found = [answer(Question(config, seed=seed)) for seed in range(5)]
    assert all(finding.different for finding in found)
    assert all(finding.tvd > 2 * finding.tvd_high for finding in found)
    cold = answer(Question(replace(config, temperature=0.0)))
    assert (cold.different, cold.tvd) == (False, 0)


def test_a_finding_adds_up() -> None:
    finding = answer(asked(token=SampledToken.SECOND, n=500, seed=7))
    assert sum(cell.p for cell in finding.cells) == pytest.approx(1)
    assert sum(cell.share for cell in finding.cells) == pytest.approx(1)
    assert finding.tvd == pytest.approx(sum(abs(cell.p - cell.share) for cell in finding.cells) / 2)
    assert all(cell.low <= cell.p <= cell.high for cell in finding.cells)
    assert finding.previous in {"a", "b", "\ufffd"}
    assert finding == answer(asked(token=SampledToken.SECOND, n=500, seed=7))
    assert finding != answer(asked(token=SampledToken.SECOND, n=500, seed=8))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n": 100}, "n is 100; wanted a whole number from 200 to 200,000"),
        ({"n": 2_000.0}, "n is 2000.0"),
        ({"n": True}, "n is True"),
        ({"seed": -1}, "seed is -1"),
        ({"bug": "none"}, "bug is 'none'; wanted one of '' \\(none\\), accept-always"),
        ({"token": "third"}, "token is 'third'; wanted one of first, second, bonus"),
        ({"text": (9,)}, "token id outside 0 to 3"),
        ({"rule": "coupled", "bug": "accept-always"}, "exist for the rejection rule only"),
        ({"temperature": 9.0}, "temperature is 9.0"),
        ({"rule": "lenient"}, "rule is 'lenient'; wanted one of rejection, block, traversal, coupled, typical"),
    ],
)
def test_what_cannot_be_asked_is_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        next(sampled.prove(asked(**wrong), TINY))


@pytest.mark.parametrize("choice", [{"temperature": 0.0}, {"temperature": 0.7, "rule": "coupled"}], ids=str)
def test_a_whole_run_is_plain_decoding_token_for_token(choice: dict[str, Any]) -> None:
    found = baseline.equal(RunConfig("abé", max_new_tokens=60, **choice), TINY)
    assert (found.differs, found.logits, found.gap, found.tie) == (None, (), 0.0, False)
    assert found.speculative == found.plain
    assert len(found.plain) == 60
    assert found.error < 1e-12


def test_a_run_that_is_not_plain_decoding_is_shown_with_its_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target answers a round of four guesses the wrong way round, and nothing else: no tie, a bug."""
    forward = Labelled.forward

    def bent(self: Any, tokens: Any, positions: Any, mask: Any, cache: Any) -> Any:
        logits = forward(self, tokens, positions, mask, cache)
        return logits[:, ::-1] if len(tokens) == 5 and self.seed == 4 else logits

    monkeypatch.setattr(Labelled, "forward", bent)
    found = baseline.equal(RunConfig("abé", max_new_tokens=60, temperature=0.0), TINY)
    assert found.differs is not None
    assert found.speculative[found.differs] != found.plain[found.differs]
    (ours, theirs) = found.logits[1]
    assert theirs > ours
    assert found.gap == pytest.approx(theirs - ours)
    assert not found.tie


def test_what_a_run_may_not_take_is_not_taken_to_compare_or_to_measure_it() -> None:
    greedy = RunConfig("abé", max_new_tokens=60, temperature=0.0)
    assert 0 < len(baseline.equal(greedy, TINY, Limits(seconds=0.0)).plain) < 10, "one round, as of a run out of time"
    with pytest.raises(ConfigError, match="the prompt has 4 tokens; wanted 1 to 3"):
        baseline.equal(greedy, TINY, Limits(prompt_tokens=3))
    with pytest.raises(ConfigError, match="wanted 1 to 3"):
        next(sweep([RunConfig("Once upon a time, far away")], Limits(prompt_tokens=3)))


def test_equality_is_asked_only_where_it_is_promised() -> None:
    with pytest.raises(ConfigError, match="only the distribution is the same"):
        baseline.equal(RunConfig("abé", temperature=0.7), TINY)
