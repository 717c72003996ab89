"""Penalties and bans over real text: what a run writes at temperature 0 is what transformers' generate writes."""

from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM
from transformers.generation.logits_process import LogitsProcessorList

from specviz import session
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.pair import EMBEDDED, Pair
from tests.real.prompts import PROMPTS

LENGTH = 24
CLOSE = 1e-4
"""Two scores no further apart than this share of the largest are tied: passes add in different orders."""
SETTINGS: tuple[dict[str, Any], ...] = (
    {"repetition_penalty": 1.3},
    {"no_repeat_ngram_size": 2},
    {"repetition_penalty": 0.9, "no_repeat_ngram_size": 4},
    {"min_new_tokens": 24, "repetition_penalty": 1.05},
    {"bad_words": ("the", "and", "self", "of")},
    {"repetition_penalty": 1.15, "no_repeat_ngram_size": 3, "min_new_tokens": 12},
)
WAYS: tuple[dict[str, Any], ...] = (
    {"drafter": "small-model", "gamma": 5},
    {"drafter": "small-tree", "gamma": 4},
    {"drafter": "prompt-lookup", "gamma": 6},
    {"drafter": "ngram", "gamma": 4, "rule": "block"},
    {"drafter": "eagle", "gamma": 4, "rule": "traversal", "params": {"shape": "tree"}},
    {"drafter": "jacobi", "gamma": 4, "rule": "coupled"},
    {"drafter": "staged", "gamma": 5},
    {"drafter": "medusa", "gamma": 4},
)


@pytest.fixture(scope="module")
def theirs() -> Any:
    return AutoModelForCausalLM.from_pretrained(EMBEDDED / "target", dtype=torch.float32).eval()


@pytest.fixture(scope="module")
def pair() -> Pair:
    return pairs.load("embedded", "cpu", "float32")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("asked", SETTINGS, ids=str)
def test_a_greedy_run_is_transformers_generate(asked: dict[str, Any], theirs: Any, pair: Pair) -> None:
    """Each setting takes three of the prompts; all of them, at 32 tokens, were equal when this was written."""
    plain = changed = 0
    mine = PROMPTS[SETTINGS.index(asked) :: 7]
    for prompt in mine:
        way = WAYS[PROMPTS.index(prompt) % len(WAYS)]
        run = session.start(RunConfig(prompt, temperature=0, max_new_tokens=LENGTH, **way, **asked), pair)
        written = [token for step in run for token in step.tokens]
        text, wanted = torch.tensor([run.prompt]), spelled(asked, pair)
        kept: dict[str, Any] = {"eos_token_id": sorted(pair.ends), "pad_token_id": 0, "do_sample": False}
        with torch.no_grad():
            out = theirs.generate(text, attention_mask=torch.ones_like(text), max_new_tokens=LENGTH, **kept, **wanted)[
                0, len(run.prompt) :
            ].tolist()
            if not changed:
                bare = theirs.generate(text, attention_mask=torch.ones_like(text), max_new_tokens=LENGTH, **kept)
                changed = bare[0, len(run.prompt) :].tolist() != out
        differs = next((at for at, (one, other) in enumerate(zip(written, out, strict=False)) if one != other), None)
        assert differs is not None or written == out, (prompt, way)
        plain += differs is None
        if differs is not None:
            assert tied(theirs, [*run.prompt, *out[:differs]], written[differs], out[differs], wanted, run, pair), way
    assert plain >= len(mine) - 1
    assert changed, "the setting changes texts"


def spelled(asked: dict[str, Any], pair: Pair) -> dict[str, Any]:
    """The setting as generate takes it."""
    words = asked.get("bad_words", ())
    ids = [pair.tokenizer.encode(space + word) for word in words for space in ("", " ")]
    return {"bad_words_ids": ids} if ids else asked


def tied(theirs: Any, text: list[int], one: int, other: int, asked: dict[str, Any], run: Any, pair: Pair) -> bool:
    """Whether transformers' own scores of two tokens behind a text are as good as equal."""
    from transformers import GenerationConfig

    wanted = GenerationConfig(**asked, eos_token_id=sorted(pair.ends))
    theirs._prepare_special_tokens(wanted, device="cpu")
    ids = torch.tensor([text])
    processors: LogitsProcessorList = theirs._get_logits_processor(wanted, len(run.prompt), ids)
    with torch.no_grad():
        scores = processors(ids, theirs(ids).logits[:, -1].float())[0]
    return bool((scores[one] - scores[other]).abs() <= CLOSE * scores[scores.isfinite()].abs().max())
