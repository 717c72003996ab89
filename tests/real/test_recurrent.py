"""Hybrids, whose layers keep a running state: rolled back by putting it back and reading once more what stands."""

from pathlib import Path
from typing import Any

import pytest
import torch

import specviz
from specviz.check.run import problems
from specviz.models import pair as pairs
from specviz.models.recurrent import StateCache
from specviz.trim import KVCache
from tests.real.shrunk import pair_of, tiny

PROMPTS = ("Once upon a time", "def f(x):\n    return", "the the the the")


def generated(model: Any, prompt: tuple[int, ...], count: int) -> list[int]:
    ids = torch.tensor([prompt])
    more: dict[str, Any] = {"do_sample": False, "eos_token_id": None, "pad_token_id": 0}
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=count, **more)
    found: list[int] = out[0, len(prompt) :].tolist()
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", ["qwen3_next", "lfm2_moe"])
def test_a_hybrids_text_is_transformers_own_and_the_trace_says_what_was_read_again(
    family: str, tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny(family)
    name = pair_of(tmp_path, tokenizer, model)
    model.eval()
    asked: dict[str, Any] = {"pair": name, "device": "cpu", "temperature": 0, "max_new_tokens": 20, "gamma": 4}
    ways = [(drafter, prompt) for prompt in PROMPTS for drafter in ("small-model", "prompt-lookup")]
    wanted: dict[str, list[int]] = {}
    again = 0
    for drafter, prompt in ways:
        trace = specviz.run(prompt, drafter=drafter, **asked)
        wanted.setdefault(prompt, generated(model, trace.prompt, 20))
        assert [*trace.tokens] == wanted[prompt], (drafter, prompt)
        assert problems(trace) == []
        for step in trace.rounds:
            thrown = step.target_cache.written - step.target_cache.kept
            assert step.target_cache.reread == (1 + len(step.path) if thrown else 0)
            assert (step.timing.reread > 0) == bool(thrown)
            assert all(span.reread == 0 for span in step.draft_caches), "it has a save for every token of its draft"
            again += step.target_cache.reread
        states = [trace.info.target_state_bytes, *(cache.state_bytes for cache in trace.info.draft_caches)]
        assert min(states) > 0
        assert len(set(states)) == 1, "a state has one size"
    assert again

    monkeypatch.setattr(StateCache, "truncate", KVCache.truncate)
    wrong = ([*specviz.run(prompt, drafter=drafter, **asked).tokens] != wanted[prompt] for drafter, prompt in ways)
    assert any(wrong), "a state that is not put back writes another text"
    pairs._shelf.clear()
