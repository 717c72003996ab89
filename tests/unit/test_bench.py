"""The bench's arithmetic, its rivals and its goals: turns, ratios, counts of tokens. No time is asserted."""

from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pytest
import torch
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from specviz.bench.clock import TimedWork, in_turns
from specviz.bench.methods import jobs
from specviz.bench.prompts import PROMPTS, prompts_of
from specviz.bench.rivals import Rivals, shortlisted
from specviz.config.methods import CHAT
from specviz.config.settings import RunConfig
from specviz.models.shortlist import Small


def test_contestants_take_turns_part_by_part_and_the_first_lap_does_not_count() -> None:
    order: list[str] = []

    def work(name: str, part: int, lap: int) -> TimedWork:
        order.append(f"{name} {lap}.{part}")
        return TimedWork(4 - part, float(lap))

    works = {name: partial(work, name) for name in ("one", "other")}
    seconds = in_turns(works, 2, 3, lambda: order.append("|"))
    turns = ["0.0", *(f"{lap}.{part}" for lap in (1, 2, 3) for part in (0, 1))]
    assert order == [step for turn in turns for step in (f"one {turn}", "|", f"other {turn}", "|")]
    assert seconds == {"one": [2 / 7, 4 / 7, 6 / 7], "other": [2 / 7, 4 / 7, 6 / 7]}


def law(temperature: float, end: int = 0) -> tuple[GenerationConfig, dict[str, Any]]:
    """What transformers is asked for: the temperature, and where a text ends."""
    sampled = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
    return GenerationConfig(eos_token_id=end, pad_token_id=0, **sampled), {}


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_rivals_make_as_many_tokens_as_asked_and_are_timed_from_the_first_on(temperature: float) -> None:
    """Assisted, the first are as many as came of the pass that read the prompt."""
    torch.manual_seed(1)
    target, draft = (
        GPT2LMHeadModel(GPT2Config(vocab_size=60, n_embd=16, n_layer=layers, n_head=2, bos_token_id=0, eos_token_id=0))
        for layers in (2, 1)
    )
    config = RunConfig("", max_new_tokens=9, temperature=temperature)
    ticks = count()
    asked = law(temperature)
    rivals = Rivals(target.eval(), draft.eval(), [[1, 2, 3], [4, 5]], config, lambda: float(next(ticks)), asked)
    plain, *guessed = rivals.plain(0, 0), rivals.assisted(3, 1, 0), rivals.lookup(3, 1, 0)
    assert plain == TimedWork(8, 1.0)
    assert all(5 <= made.tokens <= 8 and made.seconds == 1.0 for made in guessed)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_a_small_model_of_few_tokens_assists_transformers_as_an_ordinary_one(temperature: float) -> None:
    torch.manual_seed(1)
    shape = {"vocab_size": 60, "hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2}
    target, own = (
        LlamaForCausalLM(LlamaConfig(**shape, num_hidden_layers=layers, tie_word_embeddings=True)).eval()
        for layers in (3, 2)
    )
    tensors = {
        name: weight.numpy()
        for name, weight in own.state_dict().items()
        if not name.startswith(("lm_head", "model.em"))
    }
    ids = [40, 3, 17, 5]
    draft = shortlisted(Small(own.config.to_dict(), tensors, np.array(ids)), target)
    own.set_input_embeddings(target.get_input_embeddings())
    own.lm_head.weight = target.lm_head.weight
    text = torch.tensor([[1, 2, 3, 4]])
    with torch.inference_mode():
        logits, wanted = draft(text).logits, own(text).logits
    assert torch.allclose(logits[..., ids], wanted[..., ids])
    assert np.isneginf(np.delete(logits.numpy(), ids, -1)).all()
    rivals = Rivals(target, draft, [[1, 2, 3]], RunConfig("", max_new_tokens=9), lambda: 0.0, law(temperature))
    assert 5 <= rivals.assisted(3, 0, 0).tokens <= 8


def test_any_pair_but_the_embedded_one_is_timed_on_chat_prompts() -> None:
    prompts = prompts_of("some -> pair")
    assert {kind: len(texts) for kind, texts in prompts.items()} == dict.fromkeys(
        ("question", "code", "summary", "json"), 3
    )
    assert prompts_of("embedded") == PROMPTS
    job, other = (jobs([], "cpu", quick=True, pair=pair) for pair in ("some -> pair", "embedded"))
    assert (job.methods, job.exact, job.config(CHAT[3]).params) == (CHAT, 0, {"nodes": 8})
    assert (other.exact, len(other.methods) > len(CHAT)) == (4, True)
