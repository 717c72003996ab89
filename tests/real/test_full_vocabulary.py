"""The laws a trace leaves out, computed again: those of the recording, to the last row, or a clear refusal."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from specviz import draft, session
from specviz.config.settings import ConfigError, RunConfig
from specviz.law.arrays import Floats
from specviz.law.sampling import Sampling, row
from specviz.proof import vocabulary
from specviz.trace.codec import from_json
from specviz.trace.guess import Emission, View
from specviz.trace.run import Trace

TRACES = Path(__file__).parents[2] / "assets" / "traces"
RECORDED = {
    asked["drafter"]: path
    for path in sorted(TRACES.glob("*.json"), reverse=True)
    if (asked := json.loads(path.read_text(encoding="utf-8"))["info"]["config"])["pair"] == "embedded"
}
"""The first recording of each drafter on the built-in pair with both accepted and rejected rounds."""
DRAFTERS = [entry.name for entry in draft.ENTRIES if entry.name in RECORDED]


def shipped(drafter: str) -> Trace:
    return from_json(RECORDED[drafter].read_text(encoding="utf-8"))


def agree(view: View, p: list[float], q: list[float]) -> None:
    """The view's bars and rest are those of p and q."""
    for bar in view.bars:
        assert (p[bar.token], q[bar.token]) == (pytest.approx(bar.p, abs=1e-5), pytest.approx(bar.q, abs=1e-5))
    shown = {bar.token for bar in view.bars}
    rest = [token for token in range(len(p)) if token not in shown]
    assert len(rest) == view.rest.count
    assert sum(p[token] for token in rest) == pytest.approx(view.rest.p, abs=1e-5)
    assert sum(q[token] for token in rest) == pytest.approx(view.rest.q, abs=1e-5)
    assert sum(map(min, p, q)) == pytest.approx(view.overlap, abs=1e-5)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_a_shipped_recordings_views_are_cut_from_the_laws_found_again(drafter: str) -> None:
    trace = shipped(drafter)
    config = replace(trace.info.config, device="cpu")
    refused = next(step for step in trace.rounds if step.extra and step.extra.emission is Emission.RESAMPLED)
    whole = next(step for step in trace.rounds if step.extra and step.extra.emission is Emission.BONUS)
    assert refused.extra
    assert whole.extra

    assert refused.extra.node is not None
    found = vocabulary.distributions(config, refused.index, refused.extra.node, trace.rounds)
    assert found.q is not None
    assert sum(found.p) == pytest.approx(1, abs=1e-9)
    assert sum(found.q) == pytest.approx(1, abs=1e-9)
    assert len(found.p) == len(found.q) == len(found.texts) == trace.info.vocab_size
    agree(refused.verdicts[refused.extra.node].view, list(found.p), list(found.q))
    agree(refused.extra.view, list(found.p), list(found.q))
    assert all(found.texts[bar.token] == bar.text for bar in refused.extra.view.bars)

    last = vocabulary.distributions(config, whole.index, len(whole.verdicts), trace.rounds)
    assert last.q is None
    assert sum(last.p) == pytest.approx(1, abs=1e-9)
    agree(whole.extra.view, list(last.p), [0.0] * len(last.p))


def test_a_guess_nobody_tested_has_laws_too() -> None:
    trace = shipped("bigram")
    step = next(each for each in trace.rounds if each.verdicts and each.verdicts[-1].u is None)
    verdict = step.verdicts[-1]
    found = vocabulary.distributions(replace(trace.info.config, device="cpu"), step.index, verdict.node, trace.rounds)
    agree(verdict.view, list(found.p), list(found.q or ()))


def decided(raw: Sequence[float] | None, config: RunConfig) -> Floats:
    """A raw law after the config's temperature, top-k and top-p."""
    return row(np.log(np.maximum(raw or (), 1e-300)), Sampling(config.temperature, config.top_k, config.top_p))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_raw_laws_after_temperature_and_top_k_are_those_decided_on(drafter: str) -> None:
    """A sibling is tested against what its elders left of p, and drawn from what they left of q."""
    rule = "coupled" if draft.entry(drafter).settles else "rejection"
    config = RunConfig(
        "Once upon a time", drafter=drafter, rule=rule, temperature=0.8, top_k=20, max_new_tokens=32, device="cpu"
    )
    rounds = list(islice(session.start(config), 3))
    parents = [verdict.parent for verdict in rounds[2].verdicts]
    guesses = len(parents)
    for slot in range(guesses + 1):
        if slot < guesses and parents[slot] in parents[:slot]:
            continue
        found = vocabulary.distributions(config, 2, slot, rounds)
        assert sum(law > 0 for law in found.p) == 20 < sum(law > 0 for law in found.raw_p or ())
        assert np.abs(decided(found.raw_p, config) - np.array(found.p)).max() < 1e-5
        if slot == guesses:
            assert (found.q, found.raw_q) == (None, None)
        else:
            assert found.q is not None
            assert np.abs(decided(found.raw_q, config) - np.array(found.q)).max() < 1e-5


def test_a_run_without_temperature_top_k_and_top_p_has_no_other_laws() -> None:
    config = RunConfig("Once upon a time", drafter="bigram", temperature=1, max_new_tokens=8, device="cpu")
    found = vocabulary.distributions(config, 0, 0, list(session.start(config)))
    assert (found.raw_p, found.raw_q) == (None, None)


def test_a_recording_made_elsewhere_is_refused_by_the_round_it_parts_in() -> None:
    trace = shipped("bigram")
    config = replace(trace.info.config, device="cpu")
    rounds = [*trace.rounds[:4]]
    rounds[2] = replace(rounds[2], verdicts=tuple(replace(each, token=each.token + 1) for each in rounds[2].verdicts))
    assert vocabulary.distributions(config, 1, 0, rounds)
    for index in (2, 3):
        with pytest.raises(ConfigError, match="differently from round 3 on"):
            vocabulary.distributions(config, index, 0, rounds)


def test_a_run_that_ends_before_the_round_is_refused() -> None:
    trace = shipped("bigram")
    config = replace(trace.info.config, device="cpu", max_new_tokens=len(trace.rounds[0].tokens))
    with pytest.raises(ConfigError, match="differently from round"):
        vocabulary.distributions(config, 3, 0, trace.rounds)
