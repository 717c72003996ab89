"""The chat model's text: its greedy answers are transformers' own, and its sampled tokens have the target's law.

They need the model itself. Where it is not, `specviz fetch smollm2` brings it; CI does so, and skips where it cannot.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz import session
from specviz.bench.prompts import prompts_of
from specviz.config.settings import ConfigError, RunConfig
from specviz.draft import entry
from specviz.law.arrays import Floats
from specviz.models import pair as pairs
from specviz.models.hub import chat_model
from specviz.models.pair import Pair
from specviz.trace.guess import Verdict
from specviz.trace.round import Round
from tests.real.families import greedy
from tests.statistic import FALSE_ALARM, SEED, p_value

QUESTIONS = (
    "What is two plus three?",
    "Name the four seasons.",
    "How do I boil an egg?",
    "Translate to French: the cat is on the table.",
    "Write a short poem about rain.",
    "Count from one to twelve.",
    "Who are you?",
    "Écris « naïve » 🙂 three times.",
)
PROMPTS = (*(text for texts in prompts_of(chat_model.NAME).values() for text in texts[::2]), *QUESTIONS)
LENGTH = 16
WAYS: tuple[dict[str, Any], ...] = (
    {"drafter": "suffix", "gamma": 8},
    {"drafter": "small-model", "gamma": 5},
    {"drafter": "eagle", "gamma": 5},
    {"drafter": "small-tree", "gamma": 5},
    {"drafter": "suffix", "gamma": 5, "params": {"shape": "tree"}},
    {"drafter": "eagle", "gamma": 5, "params": {"shape": "tree"}},
    {"drafter": "ngram", "gamma": 4},
    {"drafter": "recycling", "gamma": 4},
    {"drafter": "lookahead"},
)
ASKED = "<|im_start|>user\nYes?\nYes or no?<|im_end|>\n<|im_start|>assistant\n"
"""A turn without the system's, whose answer could begin in many ways, and with a word of the question."""
RUNS = 80
TEMPERATURE = 0.8
CONTEXTS = 4
"""First tokens, the likeliest, behind which the second one is looked at."""
LAWS = ("suffix", "small-model")


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    if chat_model.folder() is None:
        if not os.environ.get("CI"):
            pytest.skip("the chat model is not here; run `specviz fetch smollm2`")
        try:
            chat_model.fetch(lambda step: None, lambda: False)
        except ConfigError as error:
            pytest.skip(f"the chat model cannot be had: {error}")
    yield pairs.load(chat_model.NAME, "cpu", "float32")
    pairs._shelf.clear()


@pytest.fixture(scope="module")
def theirs(pair: Pair) -> Any:
    return AutoModelForCausalLM.from_pretrained(pair.weights, dtype=torch.float32).eval()


def lacks(pair: Pair, drafter: str) -> bool:
    """Whether it needs something that does not come with the pair."""
    known = entry(drafter)
    return (known.modelled and pair.draft is None) or bool(known.asset and not (pair.home / known.asset).exists())


def written(theirs: Any, prompts: list[list[int]], ends: set[int]) -> list[list[int]]:
    """What transformers' own generate writes behind these prompts, read as one batch, up to the first end."""
    longest = max(map(len, prompts))
    batch, mask = torch.zeros(len(prompts), longest, dtype=torch.long), torch.zeros(len(prompts), longest)
    for row, prompt in enumerate(prompts):
        batch[row, longest - len(prompt) :], mask[row, longest - len(prompt) :] = torch.tensor(prompt), 1
    out = theirs.generate(batch, attention_mask=mask.long(), do_sample=False, max_new_tokens=LENGTH)
    texts = out[:, longest:].tolist()
    return [text[: next((at + 1 for at, each in enumerate(text) if each in ends), LENGTH)] for text in texts]


def verdicts(rounds: list[Round]) -> list[Verdict]:
    return [each.verdict for step in rounds for each in step.verdicts]


def test_greedy_answers_are_token_for_token_transformers_own(pair: Pair, theirs: Any) -> None:
    """Where it differs, each token is the first choice of a pass over the whole text, but for rounding."""
    ways = [way for way in WAYS if not lacks(pair, way["drafter"])]
    assert len(PROMPTS) >= 14
    configs = [
        RunConfig(prompt, temperature=0, max_new_tokens=LENGTH, **way)
        for prompt, way in sorted(zip(PROMPTS, cycle(ways), strict=False), key=lambda each: len(each[0]))
    ]
    found: list[Verdict] = []
    for start in range(0, len(configs), 5):
        some = configs[start : start + 5]
        asked = [list(session.prompt_of(config, pair)) for config in some]
        for config, prompt, wanted in zip(some, asked, written(theirs, asked, {*pair.ends}), strict=True):
            rounds = list(session.start(config, pair, shown=False))
            tokens = [token for step in rounds for token in step.tokens]
            first_choices = len(tokens) == len(wanted) and greedy(theirs, [*prompt, *tokens], len(prompt))
            assert tokens == wanted or first_choices, (config.drafter, config.params, config.prompt)
            found += verdicts(rounds)
    assert {*found} >= {Verdict.ACCEPTED, Verdict.REJECTED}


@pytest.mark.parametrize("drafter", LAWS)
def test_the_first_and_the_second_token_have_the_targets_law(pair: Pair, theirs: Any, drafter: str) -> None:
    """Against transformers' own passes. The second token's law is that behind the first one that came."""
    if lacks(pair, drafter):
        pytest.skip(f"the chat model comes without what {drafter} needs")
    config = RunConfig(ASKED, drafter=drafter, gamma=2, temperature=TEMPERATURE, max_new_tokens=2, chat=False)
    prompt, samples, found = list(session.prompt_of(config, pair)), [], list[Verdict]()
    for run in range(RUNS):
        rounds = list(session.start(replace(config, seed=SEED + run), pair, shown=False))
        samples.append([token for step in rounds for token in step.tokens])
        found += verdicts(rounds)
    assert {*found} >= {Verdict.ACCEPTED, Verdict.REJECTED}
    first = law(theirs, prompt)
    likeliest = first.argsort()[::-1][:CONTEXTS]
    seconds = np.stack(
        [
            counted([each[1] for each in samples if each[0] == token and len(each) == 2], len(first))
            for token in likeliest
        ]
    )
    behind = np.stack([law(theirs, [*prompt, token]) for token in likeliest.tolist()])
    for seen, expected in (
        (counted([each[0] for each in samples], len(first))[None], RUNS * first[None]),
        (seconds, seconds.sum(1, keepdims=True) * behind),
    ):
        assert p_value(seen, expected) > FALSE_ALARM / (2 * len(LAWS))


@torch.inference_mode()
def law(theirs: Any, text: list[int]) -> Floats:
    """What follows the text, float64[V]."""
    logits = theirs(torch.tensor([text])).logits[0, -1].double()
    return torch.softmax(logits / TEMPERATURE, -1).numpy()


def counted(tokens: list[int], size: int) -> Floats:
    return np.bincount(tokens, minlength=size).astype(np.float64)
