"""Models of every family the registry names, and more: random weights on disk, loaded as a person's own would be."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoConfig, AutoModelForCausalLM

from specviz.check.run import problems
from specviz.config.settings import ConfigError, RunConfig
from specviz.loop import prefill, rounds
from specviz.models import pair as pairs
from specviz.sampling.distribution import Sampling
from specviz.session import start
from specviz.trace.guess import Verdict
from tests.real.families import COMMON, FAMILIES, VOCAB, greedy, grown, near, others_long, random_model, saved
from tests.tiny import parts

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "mamba": ({"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}, "after a rejected draft"),
    "bert": ({**COMMON, "intermediate_size": 64}, "rejected draft"),
    "t5": ({}, "does not write text"),
}


@pytest.fixture
def name(request: pytest.FixtureRequest, tmp_path: Path, tokenizer: Path) -> str:
    target = random_model(request.param)
    draft = saved(tmp_path / "draft", tokenizer, near(target))
    return f"{draft} -> {saved(tmp_path / 'target', tokenizer, target)}"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", others_long([*FAMILIES], 4), indirect=True)
def test_greedy_text_is_transformers_own_and_no_cache_holds_anything_stale(name: str) -> None:
    pair = pairs.load(name, "cpu", "float32")
    run = start(RunConfig("def f(x):", pair=name, temperature=0, max_new_tokens=120, gamma=5), pair)
    verdicts = [verdict.verdict for step in run for verdict in step.verdicts]
    assert verdicts.count(Verdict.ACCEPTED) > 15
    assert verdicts.count(Verdict.REJECTED) > 15
    trace = run.trace()
    assert problems(trace) == []
    folder = name.split(" -> ")[1]
    assert len(trace.tokens) == 120
    assert greedy(AutoModelForCausalLM.from_pretrained(folder), [*trace.prompt, *trace.tokens], len(trace.prompt))

    assert pair.draft
    made = parts(pair.target, draft=pair.draft, gamma=5, sampling=Sampling(0.8), limit=80)
    cache = prefill(made, trace.prompt)
    text = list(trace.prompt)
    for step in rounds(made, trace.prompt, cache):
        text += step.tokens
    for model, used in ((pair.target, cache), (pair.draft, made.drafter._cache)):
        last, fresh = used.length - 1, model.new_cache(used.length)
        used.truncate(last)
        wanted = model.forward(text[: last + 1], range(last + 1), None, fresh)[-1]
        assert abs(model.forward(text[last : last + 1], [last], None, used)[0] - wanted).max() < 1e-4


@pytest.mark.parametrize("family", REFUSED)
def test_what_cannot_be_cut_back_or_does_not_write_is_refused_by_name(
    family: str, tmp_path: Path, tokenizer: Path
) -> None:
    shape, why = REFUSED[family]
    draft = saved(tmp_path / "draft", tokenizer, random_model("llama"))
    config = AutoConfig.for_model(family, vocab_size=VOCAB, **shape)
    shutil.copytree(tokenizer, tmp_path / "target")
    if shape:
        grown(AutoModelForCausalLM.from_config(config)).save_pretrained(tmp_path / "target")
    else:
        config.save_pretrained(tmp_path / "target")
    with pytest.raises(ConfigError, match=why) as refusal:
        pairs.load(f"{draft} -> {tmp_path / 'target'}", "cpu", "float32")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("wider", "narrower"), [("draft", "target"), ("target", "draft")])
def test_rows_that_only_pad_a_vocabulary_are_never_drafted(
    wider: str, narrower: str, tmp_path: Path, tokenizer: Path
) -> None:
    sizes = {wider: VOCAB + 64, narrower: VOCAB + 16}
    for part, size in sizes.items():
        saved(tmp_path / part, tokenizer, random_model("llama", size))
    name = f"{tmp_path / 'draft'} -> {tmp_path / 'target'}"
    pair = pairs.load(name, "cpu", "float32")
    assert pair.shared == VOCAB
    run = start(RunConfig("import", pair=name, max_new_tokens=64, temperature=1.5), pair)
    for step in run:
        assert all(verdict.token < VOCAB for verdict in step.verdicts)
    assert problems(run.trace()) == []


def test_count_drafters_work_for_any_pair(tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = saved(tmp_path / "model", tokenizer, random_model("llama"))
    config = RunConfig("import os", pair=f"{folder} -> {folder}", drafter="bigram", device="cpu")
    for drafter in ("bigram", "ngram"):
        run = start(replace(config, drafter=drafter))
        list(run)
        assert problems(run.trace()) == []
    text = tmp_path / "text.txt"
    text.write_text("zq" * 500)
    run = start(replace(config, prompt="z", counts=str(text), gamma=1, temperature=0, max_new_tokens=2))
    (guess,) = next(iter(run)).verdicts
    assert guess.text == "q"
    with pytest.raises(ConfigError, match="nowhere"):
        list(start(replace(config, counts="nowhere.txt")))
