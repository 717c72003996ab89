"""Runs under a grammar: JSON that always holds, what generate writes under the same masks, what the record says."""

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import jsonschema
import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz import accept, session
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.grammar import Grammar
from specviz.models.pair import EMBEDDED, Pair
from specviz.proof import sampled
from specviz.proof.findings import Finding, Question, SampledToken
from specviz.sampling.distribution import UnsoundLogitsError
from specviz.trace.codec import from_json, to_json
from specviz.trace.guess import Verdict
from specviz.trace.run import Stop, Trace
from tests.real.families import others_long
from tests.real.prompts import PROMPTS
from tests.unit.test_grammar import SCHEMA, TOO_MUCH

RULES = json.dumps(SCHEMA)
WORDS = r"(The|A) (fox|hare|old king) (ran|sang)(, and (ran|sang))*\."


@cache
def pair() -> Pair:
    return pairs.load("embedded", "cpu", "auto")


def run(prompt: str = "A fox as JSON:\n", grammar: str = RULES, **choices: Any) -> Trace:
    made = session.start(RunConfig(prompt, grammar=grammar, max_new_tokens=128, device="cpu", **choices), pair())
    for _ in made:
        pass
    return made.trace()


def written(trace: Trace) -> str:
    """Without the token that ended it."""
    assert trace.stop is Stop.EOS
    return pair().tokenizer.decode(trace.tokens[:-1])


@pytest.mark.parametrize("seeds", others_long([range(10), range(10, 50)], 1), ids=str)
@pytest.mark.parametrize("drafter", ["small-model", "grammar"])
def test_a_hundred_of_a_hundred_runs_are_json_of_the_schema(drafter: str, seeds: range) -> None:
    for seed in seeds:
        trace = run(drafter=drafter, seed=seed, rule=accept.ENTRIES[seed % 5].name)
        jsonschema.validate(json.loads(written(trace)), SCHEMA)


@pytest.mark.parametrize("drafter", ["small-model", "grammar", "suffix", "small-tree", "staged", "medusa", "recycling"])
def test_a_run_matches_its_expression_and_its_record_holds(drafter: str) -> None:
    for seed in range(2):
        trace = run("Once", WORDS, drafter=drafter, seed=seed)
        assert re.fullmatch(WORDS, written(trace))
        assert problems(trace) == []
        assert from_json(to_json(trace)) == trace
        views = [each.view for step in trace.rounds for each in (*step.verdicts, step.extra) if each]
        assert all(sum(bar.p > 0 for bar in view.bars) <= view.allowed for view in views if view.allowed)


def test_guesses_that_it_forces_are_certain_and_a_round_begins_with_them() -> None:
    trace = run(drafter="grammar", gamma=6)
    forced = [each for step in trace.rounds for each in step.verdicts if each.source.who == "grammar"]
    assert len(forced) > 20
    assert {(each.view.allowed, each.verdict, each.p, each.accept_prob) for each in forced} == {
        (1, Verdict.ACCEPTED, 1.0, 1.0)
    }
    alone = run(drafter="small-model", gamma=6)
    assert trace.tokens == alone.tokens, "the same numbers decide"
    assert sum(step.calls.draft for step in trace.rounds) < sum(step.calls.draft for step in alone.rounds) - 20


@pytest.fixture(scope="module")
def masked() -> dict[str, list[int]]:
    """What generate writes under the grammar's masks, by prompt."""
    found, target = {}, AutoModelForCausalLM.from_pretrained(EMBEDDED / "target", dtype=torch.float32)
    for prompt in PROMPTS[:8:2]:
        grammar = Grammar(RULES, pair().tokenizer, target.config.vocab_size, pair().ends)
        before = pair().tokenizer.prompt(prompt, chat=False)

        def allowed(_: int, text: torch.Tensor, known: Grammar = grammar, length: int = len(before)) -> list[int]:
            ids: list[int] = known.allowed(text[length:].tolist()).nonzero()[0].tolist()
            return ids

        found[prompt] = target.generate(
            torch.tensor([before]), do_sample=False, max_new_tokens=128, prefix_allowed_tokens_fn=allowed
        )[0, len(before) :].tolist()
    return found


@pytest.mark.parametrize("drafter", ["grammar", "small-tree"])
def test_greedy_it_is_generate_with_the_same_masks(drafter: str, masked: dict[str, list[int]]) -> None:
    for prompt, wanted in masked.items():
        assert list(run(prompt, drafter=drafter, temperature=0.0).tokens) == wanted


def test_samples_have_the_law_of_the_masked_target() -> None:
    """Where all is forced, where something is, and where the other drafter guesses."""
    config = RunConfig("A fox as JSON:\n", drafter="grammar", grammar=RULES, gamma=4, seed=3, device="cpu")
    for rules in (RULES, "( the| a| an| his)+ (fox|hare)"):
        asked = replace(config, grammar=rules)
        *_, finding = sampled.prove(Question(asked, token=SampledToken.SECOND, n=2_000), pair())
        assert isinstance(finding, Finding)
        assert not finding.different


def test_a_grammar_that_is_too_much_ends_a_run_with_what_was_recorded() -> None:
    with pytest.raises(session.BrokenOffError, match=r"as a regular expression \(lexer error") as broken:
        run(grammar=TOO_MUCH)
    assert broken.value.trace.stop is Stop.FAILED


def test_what_other_settings_leave_nothing_of_is_said() -> None:
    with pytest.raises(session.BrokenOffError, match="leave no token") as broken:
        run(grammar="ab", min_new_tokens=9)
    assert isinstance(broken.value.__cause__, UnsoundLogitsError)
