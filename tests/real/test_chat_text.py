"""The chat model's text: its greedy answers are transformers' own, and its sampled tokens have the target's law.

A small model stands in its place, with drafters that were trained for it; the long tests fetch the model itself.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz import session
from specviz.bench.prompts import prompts_of
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.hub import chat_model
from specviz.models.pair import Pair
from specviz.sampling.arrays import Floats
from specviz.trace.guess import Verdict
from specviz.trace.round import Round
from tests.real.families import greedy
from tests.statistic import FALSE_ALARM, SEED, p_value
from tests.unit.test_train import home  # noqa: F401 - the small model

QUESTIONS = (
    "What is two plus three?",
    "Name the four seasons.",
    "How do I boil an egg?",
    "Translate to French: the cat is on the table.",
    "Write a short poem about rain.",
    "Count from one to twelve.",
    "Who are you?",
    "Écris « naïve » 🙂 three times.",
    "7 times 7?",
    "What is a comma?",
    "Is it true that fish sleep?",
)
LONGER = [text for texts in prompts_of(chat_model.NAME).values() for text in texts[::2]]
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
    {"drafter": "copy-first", "gamma": 8},
    {"drafter": "copy-first", "gamma": 8, "params": {"inner": "eagle"}},
)
ASKED = "<|im_start|>user\nYes?\nYes or no?<|im_end|>\n<|im_start|>assistant\n"
"""A turn without the system's, whose answer could begin in many ways, and with a word of the question."""
TURN = "userYes?.\n<me>"
"""The same for the small model, which answers at random: two of them, between which stands what it says often."""
RUNS = {"real": 80, "small": 600}
TEMPERATURE = {"real": 0.8, "small": 0.4}
"""The small model's rows are flat."""
CONTEXTS = 4
"""First tokens, the likeliest, behind which the second one is looked at."""
LAWS = ("suffix", "small-model")


@pytest.fixture(scope="module", params=[pytest.param("real", marks=pytest.mark.long), "small"])
def which(request: pytest.FixtureRequest) -> str:
    """Which chat model is there, from now on."""
    if request.param == "small":
        request.getfixturevalue("home")
    elif chat_model.folder() is None:
        paths = os.environ["PYTHONPATH"].split(os.pathsep)
        allowed = os.pathsep.join(path for path in paths if not path.endswith("alone"))  # others ask no network
        command = [sys.executable, "-m", "specviz", "fetch", chat_model.NAME]
        environment = {**os.environ, "PYTHONPATH": allowed, "HF_HUB_OFFLINE": "1"}
        fetched = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert fetched.returncode == 0, fetched.stderr
    return str(request.param)


@pytest.fixture(scope="module")
def pair(which: str) -> Iterator[Pair]:
    yield pairs.load(chat_model.NAME, "cpu", "float32")
    pairs._shelf.clear()


@pytest.fixture(scope="module")
def theirs(pair: Pair) -> Any:
    return AutoModelForCausalLM.from_pretrained(pair.weights, dtype=torch.float32).eval()


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


def test_greedy_answers_are_token_for_token_transformers_own(which: str, pair: Pair, theirs: Any) -> None:
    """Where it differs, each token is the first choice of a pass over the whole text, but for rounding."""
    prompts = [*(LONGER if which == "real" else ()), *QUESTIONS]
    assert len(prompts) >= len(WAYS)
    configs = [
        RunConfig(prompt, temperature=0, max_new_tokens=LENGTH, **way)
        for prompt, way in sorted(zip(prompts, cycle(WAYS), strict=False), key=lambda each: len(each[0]))
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
def test_the_first_and_the_second_token_have_the_targets_law(which: str, pair: Pair, theirs: Any, drafter: str) -> None:
    """Against transformers' own passes. The second token's law is that behind the first one that came."""
    runs, temperature = RUNS[which], TEMPERATURE[which]
    text = ASKED if which == "real" else copying(pair, theirs)
    config = RunConfig(text, drafter=drafter, gamma=2, temperature=temperature, max_new_tokens=2, chat=False)
    prompt, samples, found = list(session.prompt_of(config, pair)), [], list[Verdict]()
    for run in range(runs):
        rounds = list(session.start(replace(config, seed=SEED + run), pair, shown=False))
        samples.append([token for step in rounds for token in step.tokens])
        found += verdicts(rounds)
    assert {*found} >= {Verdict.ACCEPTED, Verdict.REJECTED}
    first = law(theirs, prompt, temperature)
    likeliest = first.argsort()[::-1][:CONTEXTS]
    seconds = np.stack(
        [
            counted([each[1] for each in samples if each[0] == token and len(each) == 2], len(first))
            for token in likeliest
        ]
    )
    behind = np.stack([law(theirs, [*prompt, token], temperature) for token in likeliest.tolist()])
    for seen, expected in (
        (counted([each[0] for each in samples], len(first))[None], runs * first[None]),
        (seconds, seconds.sum(1, keepdims=True) * behind),
    ):
        assert p_value(seen, expected) > FALSE_ALARM / (2 * len(LAWS))


def copying(pair: Pair, theirs: Any) -> str:
    """Two turns with a token between that may well come again."""
    for token in law(theirs, pair.tokenizer.encode(TURN), 1).argsort()[::-1].tolist():
        text = TURN + pair.tokenizer.piece(token) + TURN
        prompt = list(pair.tokenizer.encode(text))
        if prompt.count(token) == 1 and 0.03 < law(theirs, prompt, TEMPERATURE["small"])[token] < 0.8:
            return text
    raise AssertionError("no such token")


@torch.inference_mode()
def law(theirs: Any, text: Sequence[int], temperature: float) -> Floats:
    """What follows the text, float64[V]."""
    logits = theirs(torch.tensor([text])).logits[0, -1].double()
    return torch.softmax(logits / temperature, -1).numpy()


def counted(tokens: list[int], size: int) -> Floats:
    return np.bincount(tokens, minlength=size).astype(np.float64)
