"""Gamma rules: what each does, and that a recorded run tells what it did."""

import dataclasses
import math
import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest

from specviz import draft, gamma
from specviz.check.run import problems
from specviz.config.costs import Costs
from specviz.config.settings import Budget, ConfigError, Entry, RunConfig
from specviz.config.words import tell
from specviz.gamma import acceptance_product
from specviz.gamma.base import GammaRule, counterfactuals, states
from specviz.sampling.distribution import Sampling
from specviz.trace.codec import from_json
from specviz.trace.guess import Verdict
from specviz.trace.round import CacheSpan, Calls, Glance, Round, Timing
from specviz.trace.run import Trace
from tests.tiny import TableModel, traced

COSTS = Costs(draft=0.1, rest=0.05, widths=(1, 5, 9), passes=(1.0, 1.1, 1.5))
TRACES = Path(__file__).parents[2] / "assets" / "traces"
ROUND = from_json((TRACES / "tale-small-model.json").read_text(encoding="utf-8")).rounds[0]
SLOT, OWN = ROUND.verdicts[0], ROUND.extra
assert OWN


def rule(name: str, begin: int = 4, **params: float) -> GammaRule:
    return gamma.load(name, begin, params, COSTS)


def a_round(accepted: int, drafted: int, entropy: float = 3.0) -> Round:
    """Only what rules look at."""
    fates = [Verdict.ACCEPTED] * accepted + [Verdict.REJECTED] * (drafted > accepted)
    fates += [Verdict.UNTESTED] * (drafted - len(fates))
    verdicts = tuple(
        dataclasses.replace(SLOT, node=node, parent=node - 1, depth=node, verdict=fate, q_entropy=entropy)
        for node, fate in enumerate(fates)
    )
    own = dataclasses.replace(OWN, node=accepted if drafted > accepted else None)
    span = CacheSpan(0, 0, 0)
    path = tuple(range(accepted))
    return Round(
        0, 0, Budget.chain(drafted, ""), verdicts, path, own, Timing((), 0, 0, 0, 0), span, (), Calls(1, 0), (), None
    )


def gammas(made: GammaRule, rounds: Sequence[Round]) -> list[int]:
    return [state.gamma for state in states(made, rounds)]


def test_heuristic_adds_two_when_all_stood_and_takes_one_otherwise() -> None:
    rounds = [a_round(4, 4), a_round(6, 6), a_round(0, 8), a_round(0, 7)]
    assert gammas(rule("heuristic"), rounds) == [4, 6, 8, 7, 6]
    assert gammas(rule("heuristic", begin=1), [a_round(0, 1)] * 3) == [1, 1, 1, 1]
    assert gammas(rule("heuristic", begin=19), [a_round(19, 19), a_round(20, 20)]) == [19, 20, 20]


def test_dual_signal_goes_by_acceptance_and_then_by_entropy() -> None:
    made = rule("dual-signal")
    assert gammas(made, [a_round(4, 4)]) == [4, 5]  # 1 > .8
    assert gammas(made, [a_round(1, 4)]) == [4, 3]  # .25 < .3
    assert gammas(made, [a_round(2, 4, entropy=1.9)]) == [4, 5]
    assert gammas(made, [a_round(2, 4, entropy=2.1)]) == [4, 4]
    assert gammas(made, [a_round(1, 3, entropy=0.1)]) == [4, 4]  # a third stood: too few to go up, enough to stay
    assert gammas(made, [a_round(8, 8)] * 9)[-1] == 8
    assert gammas(made, [a_round(0, 4)] * 9)[-1] == 1


def test_ema_waits_then_moves_every_fifth_round_and_needs_more_to_go_down() -> None:
    up = gammas(rule("ema"), [a_round(4, 4)] * 21)
    assert up == [4] * 10 + [5] * 12
    down = gammas(rule("ema"), [a_round(0, 4)] * 21)
    assert down[:10] == [4] * 10
    assert (down[10], down[15], down[20]) == (3, 2, 1)
    still = [a_round(2, 4)] * 10
    assert gammas(rule("ema"), still)[-1] == 3  # 2 is below 4 - 3/2 - 1/4
    assert gammas(rule("ema", hysteresis=0.75), still)[-1] == 4
    average = [state.signal for state in states(rule("ema"), [a_round(4, 4), a_round(0, 4)])]
    assert average == [None, 4.0, pytest.approx(3.2)]


def test_confidence_stops_after_the_first_unsure_guess_which_still_counts() -> None:
    made = rule("confidence")
    assert made.first().gamma == 20
    assert made.halt([Glance(9.0, None)]) is None, "what has not been drawn has no q"
    assert made.halt([Glance(9.0, 0.4)]) is None
    halt = made.halt([Glance(9.0, 0.4), Glance(0.1, 0.39)])
    assert halt
    assert halt.signal == 0.39
    assert tell(halt.reason) == "q 0.39 < 0.4"


def test_entropy_stop_stops_before_a_guess_but_never_before_the_first() -> None:
    made = rule("entropy-stop", bound=0.3)
    unsure = Glance(0.49 / 0.2 + 1e-6, None)  # 1 - sqrt(.49) = .3
    assert made.halt([unsure]) is None
    halt = made.halt([Glance(0.0, 1.0), unsure])
    assert halt
    assert halt.signal == pytest.approx(0.3, abs=1e-6)
    assert made.halt([Glance(0.0, 1.0), Glance(0.49 / 0.2 - 1e-6, None)]) is None
    assert made.halt([Glance(0.0, 1.0), Glance(9.0, 0.1)]) is None, "what is drawn is drawn"


def test_acceptance_product_stops_once_a_rejection_is_likely() -> None:
    glances = [Glance(1.0, 0.9), Glance(1.0, 0.8), Glance(2.0, 0.5)]
    chances = [acceptance_product.chance(each) for each in glances]
    risks = [1 - math.prod(chances[: count + 1]) for count in range(3)]
    made = rule("acceptance-product", threshold=risks[1])
    assert made.halt(glances[:2]) is None
    halt = made.halt(glances)
    assert halt
    assert halt.signal == pytest.approx(risks[2])


def test_the_acceptance_product_expects_what_the_recorded_runs_accepted() -> None:
    traces = [from_json(path.read_text(encoding="utf-8")) for path in sorted(TRACES.glob("*.json"))]
    tested = [
        (verdict.verdict is Verdict.ACCEPTED, acceptance_product.chance(Glance(verdict.q_entropy, verdict.q)))
        for trace in traces
        if trace.info.rule == "rejection"
        and trace.info.config.pair == "embedded"
        and draft.entry(trace.info.config.drafter).family in ("counts", "models")
        for step in trace.rounds
        for verdict in step.verdicts
        if verdict.verdict is not Verdict.UNTESTED and step.learning is None  # one that learns is another drafter later
    ]
    stood, expected = zip(*tested, strict=True)
    assert statistics.fmean(expected) == pytest.approx(statistics.fmean(stood), abs=0.05)
    unlikely = [kept for kept, chance in tested if chance < 0.5]
    assert statistics.fmean(unlikely) < 0.5 < statistics.fmean(stood)


def test_throughput_picks_the_length_that_promises_most() -> None:
    sure, unsure = rule("throughput", prior=0.95), rule("throughput", prior=0.2)
    assert sure.first().gamma > unsure.first().gamma == 1
    free = gamma.load("throughput", 4, {"prior": 0.9}, Costs(0.0, 0.0, (1, 5), (1.0, 1.0)))
    assert free.first().gamma == 12, "where guesses and rows cost nothing, as many as may be"
    after = [*states(rule("throughput", weight=1.0, prior=0.5), [a_round(4, 4), a_round(0, 4)])]
    assert [state.signal for state in after] == [0.5, pytest.approx(4.5 / 5), pytest.approx(4.5 / 6)]
    with pytest.raises(ConfigError, match="measured costs"):
        gamma.load("throughput", 4, {})


def test_throughput_guesses_nothing_where_no_length_pays_and_tries_again_later() -> None:
    dear = gamma.load("throughput", 4, {"prior": 0.6, "weight": 1.0}, Costs(0.1, 0.0, (1, 5), (1.0, 2.0)))
    after = [*states(dear, [a_round(0, 4), *[a_round(0, 0)] * 30])]
    assert after[0].gamma > 0
    assert (after[1].gamma, after[1].reason["code"]) == (0, "reasons.plain_pays")  # type: ignore[index]
    assert after[-1].gamma > 0, "what was tested fades"
    never = gamma.load("throughput", 4, {}, Costs(0.9, 0.0, (1, 5), (1.0, 4.0)))
    assert {state.gamma for state in states(never, [a_round(0, 0)] * 9)} == {0}


LIVELY = {
    "confidence": {"threshold": 0.5, "most": 6},
    "entropy-stop": {"scale": 1.0, "bound": 0.1, "most": 6},
    "acceptance-product": {"threshold": 0.4, "most": 6},
    "ema": {"interval": 1, "warmup": 0},
    "dual-signal": {"unsure": 1.2},
}


def run(entry: Entry, temperature: float) -> Trace:
    params = LIVELY.get(entry.name, {})
    controller = gamma.load(entry.name, 3, params, COSTS)
    warm = Sampling(temperature)
    trace = traced(TableModel(5, 3), draft=TableModel(5, 2), controller=controller, max_new_tokens=60, sampling=warm)
    config = dataclasses.replace(trace.info.config, gamma_rule=entry.name, gamma=3, gamma_params=params, costs=COSTS)
    return dataclasses.replace(trace, info=dataclasses.replace(trace.info, config=config))


@pytest.mark.parametrize("temperature", [0.0, 0.8])
@pytest.mark.parametrize("entry", gamma.ENTRIES, ids=lambda entry: entry.name)
def test_asked_again_about_its_own_run_a_rule_says_the_same(entry: Entry, temperature: float) -> None:
    trace = run(entry, temperature)
    assert problems(trace) == []
    lengths = {len(step.verdicts) for step in trace.rounds[:-4]}
    assert (lengths == {3}) if entry.name == "fixed" else (len(lengths) > 1)
    wrong = dataclasses.replace(trace.rounds[1], halt=None, budget=Budget.chain(19, "", None))
    forged = dataclasses.replace(trace, rounds=(trace.rounds[0], wrong, *trace.rounds[2:]))
    assert any(entry.name in line for line in problems(forged))


@pytest.mark.parametrize("entry", gamma.ENTRIES, ids=lambda entry: entry.name)
def test_every_rule_can_be_asked_about_a_recorded_run(entry: Entry) -> None:
    trace = from_json((TRACES / "tale-small-model.json").read_text(encoding="utf-8"))
    answers = counterfactuals(gamma.load(entry.name, 4, {}, COSTS), trace.rounds)
    assert len(answers) == len(trace.rounds)
    for answer, step in zip(answers, trace.rounds, strict=True):
        assert answer.reason
        assert 0 <= answer.gamma <= 20
        assert not answer.halted or answer.gamma <= len(step.verdicts)
        assert not (answer.halted and answer.unknown)


def test_a_rule_that_does_not_exist_or_a_wrong_parameter_is_refused_in_one_line() -> None:
    for name, params, wanted in (
        ("magic", {}, "gamma_rule is 'magic'; wanted one of fixed, heuristic"),
        ("ema", {"speed": 1.0}, "no parameter 'speed'; it has: alpha"),
        ("ema", {"alpha": 7.0}, "alpha is 7.0; wanted a number from 0.01 to 1"),
        ("ema", {"interval": 2.5}, "interval is 2.5; wanted a whole number"),
        ("confidence", {"threshold": math.nan}, "threshold is nan; wanted a number from 0 to 1"),
    ):
        with pytest.raises(ConfigError, match=wanted):
            gamma.load(name, 4, params, COSTS)


def test_every_file_in_the_folder_is_listed() -> None:
    files = {path.stem.replace("_", "-") for path in Path(gamma.__file__).parent.glob("*.py")}
    assert files - {"--init--", "base"} == {entry.name for entry in gamma.ENTRIES}
    assert RunConfig("").gamma_rule in {entry.name for entry in gamma.ENTRIES}
