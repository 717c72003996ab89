"""Pairs of a person's own: files that are no model, tokenizers that differ, and memory."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config.pairs import drafter_for, pair_name
from specviz.config.settings import ConfigError, RunConfig
from specviz.draft import ENTRIES
from specviz.models import pair as pairs
from specviz.models import tried
from specviz.models.hub import offers
from specviz.models.pair import EMBEDDED
from specviz.session import start
from tests.real.families import VOCAB, greedy, random_model, saved


def test_a_prompt_whose_token_the_model_has_no_row_for_is_refused(tmp_path: Path, tokenizer: Path) -> None:
    for part in ("draft", "target"):
        saved(tmp_path / part, tokenizer, random_model("llama"))
        words = AutoTokenizer.from_pretrained(tmp_path / part)
        words.add_tokens(["<far>"])
        words.save_pretrained(tmp_path / part)
    name = f"{tmp_path / 'draft'} -> {tmp_path / 'target'}"
    with pytest.raises(ConfigError, match=r"the prompt has token 320, '<far>', but the target of .* knows only 320; r"):
        start(RunConfig("so <far> away", pair=name, device="cpu"))


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "its weights cannot be read"),
        ("model.safetensors", b"", "its weights cannot be read"),
        ("config.json", b'"num_hidden_layers": "3"', "transformers cannot read its config.json"),
        ("config.json", b'"hidden_size": 16', "input_layernorm.weight is 32; config.json asks for 16"),
    ],
)
def test_files_that_are_no_model_are_one_line_and_the_pair_at_work_stays(
    tmp_path: Path, tokenizer: Path, file: str, content: bytes, said: str
) -> None:
    folders = [saved(tmp_path / part, tokenizer, random_model("llama")) for part in ("draft", "target")]
    spoilt = folders[1] / file
    if file == "config.json":
        name = content.split(b":")[0]
        lines = [content + b"," if name in line else line for line in spoilt.read_bytes().splitlines()]
        content = b"\n".join(lines)
    spoilt.write_bytes(content)
    with pytest.raises(ConfigError, match=f"{folders[1]}.*{said}"):
        pairs.load(" -> ".join(map(str, folders)), "cpu", "float32")
    assert sum(len(step.tokens) for step in start(RunConfig("Once", device="cpu", max_new_tokens=4))) == 4


def test_a_draft_with_a_tokenizer_of_its_own_guesses_what_both_have(
    tmp_path: Path, tokenizer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text is transformers' own, whatever the draft reads; drafters that need the target's tokens are refused."""
    draft = tmp_path / "draft"
    shutil.copytree(EMBEDDED / "draft", draft)
    for path in (EMBEDDED / "target").glob("tokenizer*"):
        shutil.copy(path, draft)
    target = saved(tmp_path / "target", tokenizer, random_model("llama"))
    name = f"{draft} -> {target}"
    pair = pairs.load(name, "cpu", "float32")
    assert (pair.shared, pair.translation and pair.translation.size) == (None, VOCAB)
    assert pair.translation
    theirs = AutoModelForCausalLM.from_pretrained(target).eval()
    rates, covered = [], []
    for prompt in ("Once upon a time", "def f(x):\n", "ζεύς 🙂 naïve", "7", "Licensed under the Apache License"):
        for drafter in ("small-model", "ensemble"):
            run = start(RunConfig(prompt, pair=name, drafter=drafter, device="cpu", temperature=0, max_new_tokens=24))
            tokens = [token for step in run for token in step.tokens]
            with torch.no_grad():
                assert greedy(theirs, [*run.prompt, *tokens], len(run.prompt))
            assert problems(run.trace()) == []
        trace = specviz.run(prompt, pair=name, device="cpu", temperature=1.0, max_new_tokens=24)
        tested = [each for step in trace.rounds for each in step.verdicts if each.accept_prob is not None]
        rates += [each.accept_prob for each in tested if each.accept_prob is not None]
        covered += [each.view.covered for each in tested]
        assert all(each.view.overlap <= each.view.covered + 1e-4 for each in tested), "the map's ceiling holds"
    with capsys.disabled():
        print(f"\n[another tokenizer: covers {np.mean(covered):.3f} of p, accepts {np.mean(rates):.3f}]")
    for drafter in ("small-tree", "staged", "online"):
        with pytest.raises(ConfigError, match="the draft model's tokenizer differs from the target's"):
            start(RunConfig("Once", pair=name, drafter=drafter, device="cpu"))


def test_a_draft_without_a_tokenizer_reads_the_targets_if_it_has_as_many_tokens(
    tmp_path: Path, tokenizer: Path
) -> None:
    target = saved(tmp_path / "target", tokenizer, random_model("llama"))
    for part, size in (("draft", VOCAB), ("other", VOCAB + 8)):
        random_model("llama", size).save_pretrained(tmp_path / part)
    pair = pairs.load(f"{tmp_path / 'draft'} -> {target}", "cpu", "float32")
    assert pair.shared == VOCAB
    with pytest.raises(ConfigError, match="has no tokenizer, and 328 tokens where the target has 320"):
        pairs.load(f"{tmp_path / 'other'} -> {target}", "cpu", "float32")
    with pytest.raises(ConfigError, match="choose a target that has its own"):
        pairs.load(f"{target} -> {tmp_path / 'draft'}", "cpu", "float32")
    (tmp_path / "other" / "tokenizer.json").write_text("{}")
    with pytest.raises(ConfigError, match="its tokenizer cannot be read"):
        pairs.load(f"{tmp_path / 'other'} -> {target}", "cpu", "float32")
    (tmp_path / "other" / "tokenizer.json").unlink()
    for content, says in (
        (b"version https://git-lfs.github.com", r"tokenizer.model is damaged, 34 bytes that begin with b'version http"),
        (b"\n\x0e", "tokenizer.model is (SentencePiece's; pip install sentencepiece|damaged, 2 bytes)"),
        (b"IQ== 0\n", "pip install tiktoken"),
    ):
        (tmp_path / "other" / "tokenizer.model").write_bytes(content)
        with pytest.raises(ConfigError, match=says):
            pairs.load(f"{tmp_path / 'other'} -> {target}", "cpu", "float32")


def test_a_target_alone_runs_every_drafter_that_needs_no_second_model(
    tmp_path: Path, tokenizer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = saved(tmp_path / "target", tokenizer, random_model("llama"))
    asked: dict[str, Any] = {"target": str(target), "device": "cpu", "temperature": 0, "max_new_tokens": 16}
    plain = specviz.run("def f(x):", gamma=0, draft=None, **asked)  # type: ignore[arg-type]
    assert (plain.info.config.drafter, plain.info.draft) == ("suffix", "suffix")
    for entry in ENTRIES:
        if entry.modelled:
            with pytest.raises(ConfigError, match="this pair has no draft model"):
                specviz.run("def f(x):", drafter=entry.name, **asked)
        elif not (entry.asset or entry.counted or entry.constrained):
            assert specviz.run("def f(x):", drafter=entry.name, **asked).tokens == plain.tokens
    text = tmp_path / "text.txt"
    text.write_text("def f(x): return x\n" * 50)
    assert specviz.run("def f(x):", counts=str(text), **asked).info.config.drafter == "ngram"
    own, *others = offers.offers(pair_name("", str(target)))
    assert (own.label, "draft" in own.assets) == ("target", False)
    assert all(("draft" in other.assets) == (drafter_for(other.name) == "small-model") for other in others)
    options = ["--device", "cpu", "--max-new-tokens", "4"]
    assert main(["run", "def", "--target", str(target), *options]) == 0
    assert "suffix → llama" in capsys.readouterr().out
    assert main(["run", "def", "--draft", str(target), *options]) == 2
    assert "--draft and --head go with --target" in capsys.readouterr().err


def test_where_no_disk_can_be_written_a_model_of_ones_own_is_counted_for_and_runs(
    tmp_path: Path, tokenizer: Path
) -> None:
    script = (
        "import sys, tempfile; tempfile._candidate_tempdir_list = list; import specviz"
        "; print(len(specviz.run('Once', target=sys.argv[1], drafter='ngram', device='cpu', max_new_tokens=4).tokens))"
    )
    target = saved(tmp_path / "target", tokenizer, random_model("llama"))
    env = {name: value for name, value in os.environ.items() if name != "TORCHINDUCTOR_CACHE_DIR"}
    env["XDG_CACHE_HOME"] = str(target / "config.json")
    done = subprocess.run([sys.executable, "-c", script, str(target)], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr[-999:]) == ("4\n", "")


def test_a_pair_too_large_for_the_machine_is_refused_before_its_weights_are_read(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = " -> ".join(str(saved(tmp_path / part, tokenizer, random_model("llama"))) for part in ("draft", "target"))
    monkeypatch.setattr(pairs.fits, "memory", lambda device: 1000)
    monkeypatch.setattr(pairs, "freed", lambda device: 0)  # of another test's pair
    monkeypatch.setattr(pairs.loading, "load", lambda *args: pytest.fail("weights were read"))
    with pytest.raises(ConfigError, match=r"GB of weights, .* GB to load and run them\) on cpu, which has .* free"):
        pairs.load(name, "cpu", "float32")


def test_memory_that_runs_out_is_said_and_the_embedded_pair_runs_on(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = " -> ".join(str(saved(tmp_path / part, tokenizer, random_model("gpt2"))) for part in ("draft", "target"))
    pairs.load("embedded", "cpu", "float32")

    def full(*models: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.\nMore of it.")

    monkeypatch.setattr(tried, "trials", full)
    with pytest.raises(ConfigError, match=r"does not fit on cpu \(CUDA out of memory"):
        pairs.load(name, "cpu", "float32")
    assert pairs.held() == ""
    assert sum(len(step.tokens) for step in start(RunConfig("Once", device="cpu", max_new_tokens=4))) == 4
