"""Families of each kind and those of the registry: random weights on disk, greedy text that is `generate`'s."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM

from specviz.check.run import problems
from specviz.config.settings import ConfigError, RunConfig
from specviz.loop import prefill, rounds
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.recurrent import RecurrentModel
from specviz.sampling.distribution import Sampling
from specviz.session import start
from specviz.trace.guess import Verdict
from specviz.trace.run import Trace
from specviz.train.corpus import read_genres, train_tokenizer
from tests.real.families import COMMON, FAMILIES, VOCAB, greedy, grown, near, others_long, random_model, saved
from tests.real.shrunk import as_generate, pair_of, tiny, written
from tests.tiny import parts

SIZES = ["deepseek_v3", "gemma4_text", "deepseek_v2", "longcat_flash", "mimo_v2_flash"]
"""Keys and values of two sizes, or of one that differs by layer."""
STATES = ["olmo_hybrid", "falcon_h1", "granitemoehybrid", "qwen3_5_text", "qwen3_next"]
"""A running state beside attention."""
OWN = ["deepseek_v32", "mamba2", "minimax", "openai-gpt", "rwkv", "xlstm"]
"""An index of keys, nothing but a state, a cache of the family's own, none; and two more with nothing but a state."""
WORDS = ["gpt2", "llama", "gpt_neox", "opt", "qwen3"]
"""For drafts with a tokenizer of their own."""
ROUNDS = (("Once upon a time", 1), ("def f(x):", 3), ("Licensed under the", 7))
FEWER = 290


def judged(trace: Trace) -> tuple[int, int]:
    """How many guesses were accepted, and how many refused."""
    found = [each.verdict for step in trace.rounds for each in step.verdicts]
    return found.count(Verdict.ACCEPTED), found.count(Verdict.REJECTED)


def as_generate_with_every_gamma(name: str, new: int, **choices: Any) -> None:
    counts = []
    for prompt, gamma in ROUNDS:
        trace = written(name, prompt, new, drafter="small-model", gamma=gamma, **choices)
        as_generate(trace)
        assert problems(trace) == []
        counts.append(judged(trace))
    assert all(sum(each) > 2 for each in zip(*counts, strict=True)), counts


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", [*others_long(SIZES, 2), *others_long(STATES, 1), *others_long(OWN, 4)])
def test_greedy_text_is_transformers_own(family: str, tmp_path: Path, tokenizer: Path) -> None:
    name = pair_of(tmp_path, tokenizer, tiny(family))
    target = pairs.load(name, "cpu", "float32").target
    assert isinstance(target, HFModel)
    assert isinstance(target, RecurrentModel) == (family not in SIZES)
    assert not target.is_even
    as_generate_with_every_gamma(name, 20)


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer of fewer tokens, learned from Python."""
    folder = tmp_path_factory.mktemp("others")
    text = folder / "text.txt"
    text.write_text(Path(pairs.__file__).read_text())
    train_tokenizer(read_genres(text), FEWER).save_pretrained(folder)
    text.unlink()
    return folder


def in_other_words(family: str, target: Any, rows: list[int]) -> Any:
    """A model near the target that has these of its tokens, in this order."""
    other, source = random_model(family, len(rows)), near(target)
    names = {name: weight for name, weight in source.state_dict().items() if len(weight) != VOCAB}
    other.load_state_dict(names, strict=False)
    with torch.no_grad():
        for part in ("get_input_embeddings", "get_output_embeddings"):
            theirs, ours = getattr(source, part)(), getattr(other, part)()
            assert isinstance(ours, nn.Embedding | nn.Linear)
            ours.weight.copy_(theirs.weight[rows])
    return other


@pytest.mark.parametrize("family", others_long(WORDS, 2))
def test_a_draft_with_other_tokens_writes_the_targets_greedy_text(
    family: str, tmp_path: Path, tokenizer: Path, others: Path
) -> None:
    """Tokens that only the draft has are random ones to it."""
    target = random_model(family)
    known, other = (pairs.Tokenizer.plain(folder) for folder in (tokenizer, others))
    ids = {known.piece(token): token for token in known.vocabulary().values()}
    rows = [ids.get(other.piece(token), token % VOCAB) for token in range(FEWER)]
    draft = saved(tmp_path / "draft", others, in_other_words(family, target, rows))
    name = f"{draft} -> {saved(tmp_path / 'target', tokenizer, target)}"
    translation = pairs.load(name, "cpu", "float32").translation
    assert translation
    assert 256 < translation.shared < FEWER
    as_generate_with_every_gamma(name, 20)


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
