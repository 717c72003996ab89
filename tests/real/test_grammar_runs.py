"""Runs under a grammar or with stop strings: JSON that always holds, and what generate writes with the same."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

import jsonschema
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from specviz import accept, session
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.grammar import Grammar
from specviz.models.pair import EMBEDDED, Pair
from specviz.models.reference import Reference
from specviz.proof import sampled
from specviz.proof.findings import Finding, Question, SampledToken
from specviz.sampling.distribution import UnsoundLogitsError
from specviz.trace.codec import from_json, to_json
from specviz.trace.guess import Verdict
from specviz.trace.run import Stop, Trace
from tests.real.families import PROMPTS, others_long
from tests.unit.test_tokenizer import SCHEMA, TOO_MUCH

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


LENGTH = 40
WAYS: tuple[dict[str, Any], ...] = (
    {"drafter": "small-model", "gamma": 5},
    {"drafter": "small-tree"},
    {"drafter": "ngram", "gamma": 4, "rule": "block"},
    {"drafter": "small-model", "gamma": 3, "rule": "coupled"},
    {"drafter": "medusa", "rule": "traversal"},
)


@pytest.fixture(scope="module")
def theirs() -> Callable[..., list[int]]:
    """What transformers writes behind a prompt, with stop strings or without."""
    model, tokenizer = Reference(pair(), RunConfig(""))._model, AutoTokenizer.from_pretrained(pair().weights)

    def behind(prompt: Sequence[int], strings: Sequence[str] = ()) -> list[int]:
        text = torch.tensor([prompt])
        asked = GenerationConfig(
            do_sample=False, max_new_tokens=LENGTH, eos_token_id=sorted(pair().ends), pad_token_id=0,
            stop_strings=list(strings) or None,
        )  # fmt: skip
        out = model.generate(text, attention_mask=torch.ones_like(text), generation_config=asked, tokenizer=tokenizer)
        tokens: list[int] = out[0, len(prompt) :].tolist()
        return tokens

    return behind


@pytest.mark.parametrize("prompts", others_long([[*PROMPTS[::4]], [*PROMPTS]], 1), ids=["a quarter", "all"])
def test_greedy_texts_are_generates_with_the_same_strings(
    theirs: Callable[..., list[int]], prompts: Sequence[str]
) -> None:
    """For each prompt six letters of its own text, wherever they are torn into tokens, and one more string."""
    inside, early = 0, 0
    for prompt, way in zip(prompts, cycle(WAYS), strict=False):
        config = RunConfig(prompt, temperature=0, max_new_tokens=LENGTH, device="cpu", dtype="float32", **way)
        asked = session.prompt_of(config, pair())
        plain = theirs(asked)
        strings = (pair().tokenizer.decode(plain)[25:31], "\n\n")
        run = session.start(replace(config, stop_strings=strings), pair())
        rounds = list(run)
        trace = run.trace()
        assert list(trace.tokens) == theirs(asked, strings), (prompt, way)
        assert problems(trace) == []
        assert trace.stop is not Stop.STRING or rounds[-1].stop_string in strings
        assert rounds[-1].stop_string in trace.text
        early += len(trace.tokens) < len(plain)
        inside += rounds[-1].extra is None
    assert 2 * early > len(prompts)
    assert inside > 0, "some inside a draft"
