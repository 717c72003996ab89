"""Stop strings on the built-in pair: the text is that of transformers' generate with the same strings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
import torch
from transformers import AutoTokenizer, GenerationConfig

from specviz import session
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.models.reference import Reference
from specviz.trace.run import Stop
from tests.real.families import others_long
from tests.real.prompts import PROMPTS

LENGTH = 40
WAYS: tuple[dict[str, Any], ...] = (
    {"drafter": "small-model", "gamma": 5},
    {"drafter": "small-tree"},
    {"drafter": "ngram", "gamma": 4, "rule": "block"},
    {"drafter": "small-model", "gamma": 3, "rule": "coupled"},
    {"drafter": "medusa", "rule": "traversal"},
)


@pytest.fixture(scope="module")
def pair() -> Pair:
    return pairs.load("embedded", "cpu", "float32")


@pytest.fixture(scope="module")
def theirs(pair: Pair) -> Callable[..., list[int]]:
    """What transformers writes behind a prompt, with stop strings or without."""
    model, tokenizer = Reference(pair, RunConfig(""))._model, AutoTokenizer.from_pretrained(pair.weights)

    def written(prompt: Sequence[int], strings: Sequence[str] = ()) -> list[int]:
        text = torch.tensor([prompt])
        asked = GenerationConfig(
            do_sample=False, max_new_tokens=LENGTH, eos_token_id=sorted(pair.ends), pad_token_id=0,
            stop_strings=list(strings) or None,
        )  # fmt: skip
        out = model.generate(text, attention_mask=torch.ones_like(text), generation_config=asked, tokenizer=tokenizer)
        tokens: list[int] = out[0, len(prompt) :].tolist()
        return tokens

    return written


@pytest.mark.parametrize("prompts", others_long([[*PROMPTS[::4]], [*PROMPTS]], 1), ids=["a quarter", "all"])
def test_greedy_texts_are_generates_with_the_same_strings(
    pair: Pair, theirs: Callable[..., list[int]], prompts: Sequence[str]
) -> None:
    """For each prompt six letters of its own text, wherever they are torn into tokens, and one more string."""
    inside, early = 0, 0
    for prompt, way in zip(prompts, cycle(WAYS), strict=False):
        config = RunConfig(prompt, temperature=0, max_new_tokens=LENGTH, device="cpu", dtype="float32", **way)
        asked = session.prompt_of(config, pair)
        plain = theirs(asked)
        strings = (pair.tokenizer.decode(plain)[25:31], "\n\n")
        run = session.start(replace(config, stop_strings=strings), pair)
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
