"""Families of each kind beside plain attention: greedy text is `generate`'s, with guesses accepted and refused.

In every run the first of each kind, and of those that differ more each one; the others with the long tests."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from specviz.check.run import problems
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.recurrent import RecurrentModel
from specviz.trace.guess import Verdict
from specviz.trace.run import Trace
from specviz.train.corpus import read_genres, train_tokenizer
from tests.real.families import VOCAB, near, others_long, random_model, saved
from tests.real.shrunk import as_generate, pair_of, tiny, written

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
