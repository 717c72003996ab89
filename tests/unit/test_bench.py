"""The bench: turns, ratios, counts of tokens, its rivals, goals and methods side by side. No time is asserted."""

import json
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pytest
import torch
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from specviz import accept, draft
from specviz.bench import methods as bench
from specviz.bench import methods_report
from specviz.bench.clock import TimedWork, in_turns
from specviz.bench.methods import MethodsJob, MethodsReport, jobs
from specviz.bench.prompts import PROMPTS, prompts_of
from specviz.bench.rivals import Rivals, shortlisted
from specviz.config.methods import CHAT, LONG, Method, methods, methods_named
from specviz.config.settings import ConfigError, RunConfig, check_together
from specviz.models.shortlist import Small
from specviz.shipped import ASSETS
from specviz.trace.codec import read, to_json


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


CATALOG = draft.ENTRIES, accept.ENTRIES
METHODS = methods(*CATALOG)


def test_every_drafter_is_one_and_every_one_can_be_run() -> None:
    compared = [entry.name for entry in draft.ENTRIES if entry.name not in ("grammar", *LONG)]
    assert [each.drafter for each in METHODS[: len(compared)]] == compared
    assert len({each.name for each in METHODS}) == len(METHODS)
    for each in METHODS:
        check_together(draft.entry(each.drafter), accept.entry(each.rule), RunConfig("Q", temperature=0.8))
    assert methods(draft.ENTRIES[:1], accept.ENTRIES[:1]) == (Method("bigram", "bigram", "rejection", 4),)


def test_they_are_chosen_by_drafter_or_with_a_rule() -> None:
    names = ("small-model:block", "jacobi", "ngram", "ngram:coupled", "ngram")
    assert [(each.name, each.rule, each.gamma) for each in methods_named(names, *CATALOG)] == [
        ("small-model, block", "block", 6),
        ("jacobi", "coupled", 4),
        ("ngram", "rejection", 4),
        ("ngram, coupled", "coupled", 4),
    ]
    for name, said in (("trigram", "drafter is 'trigram'"), ("ngram:luck", "rule is 'luck'")):
        with pytest.raises(ConfigError, match=said):
            methods_named((name,), *CATALOG)


def test_the_page_and_the_readme_have_a_figure_of_each() -> None:
    recorded = json.loads((ASSETS / "labs" / "methods.json").read_text(encoding="utf-8"))["answers"]
    timed = {row["name"] for row in json.loads(methods_report.RECORD.read_text(encoding="utf-8"))["rows"]}
    lacking = [each.name for each in METHODS if "exact" not in recorded.get(each.name, [{}])[-1]]
    assert not lacking, "python app.py --record-labs methods"
    lacking = [each.name for each in METHODS if each.name not in timed]
    assert not lacking, f"specviz bench --json {methods_report.RECORD}"


def test_they_are_timed_and_tried_from_end_to_end() -> None:
    job = MethodsJob(
        methods_named(("bigram", "small-model:block"), *CATALOG), "cpu", prompts=1, tokens=6, laps=1, exact=1
    )
    pieces = []
    made = bench.measure(job, lambda total: lambda: pieces.append(total))
    assert pieces == [3 * 6 * 2 + 2] * (3 * 6 * 2 + 2)
    report = read(MethodsReport, json.loads(to_json(made)), "report")
    assert [row.name for row in report.rows] == ["bigram", "small-model, block", *bench.RIVALS]
    assert [row.exact is not None and row.exact.equal for row in report.rows] == [1, 1, False, False, False]
    told = "\n".join(methods_report.lines(report))
    assert "| `small-model`, block | 6 |" in told
    assert "| 1/1, p 0." in told
    assert "| transformers, assisted generation | 4 |" in told
