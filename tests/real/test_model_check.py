"""`specviz check --model` over tiny random models of transformers' causal families: equal to generate, or refused."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from specviz.__main__ import main
from specviz.config.settings import ConfigError, RunConfig
from specviz.config.words import tell
from specviz.lab import model_check
from specviz.models import by_torch, tried
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.hub import fits
from specviz.proof.findings import Checked, Verdict
from specviz.session import start
from tests.real.families import others_long, saved
from tests.real.shrunk import as_generate, pair_of, tiny, written

NO_TREES = """bart bigbird_pegasus blenderbot blenderbot-small bloom gpt_neo marian mbart mpt mvp pegasus plbart
    roformer trocr"""
"""They count places themselves, or look back by place: a branch of a tree would be read wrongly."""
STATES = """axk2 bailing_hybrid bamba deepseek_v32 deepseek_v4 dory dots3_note dots3_note_text falcon_h1 glm_moe_dsa
    granitemoehybrid hy_v4 inkling2_loop_text inkling2_text inkling_text kimi_linear lara_mini lfm2_moe lfm3 mamba2
    minimax nemotron_h olmo_hybrid openai-gpt qwen3_5 qwen3_5_moe qwen3_5_moe_text qwen3_5_text qwen3_next qwen4_exp
    qwen4_exp_text reformer rwkv xlstm zamba zamba2 zaya"""
"""They keep a running state, an index, compressed entries or nothing, which has read one text: no trees."""
REFUSED = {
    "does not write text": "emu3 mllama",
    "cannot be run on slots": "blt",
    "its state is hidden inside the model": "recurrent_gemma",
    "token by token, its logits are off": """camembert data2vec-text roberta roberta-prelayernorm xlm-roberta
        xlm-roberta-xl xmod""",
    "token by token, it fails": "cpmant gemma4_unified_assistant prophetnet xlm",
    "after a rejected draft, its logits are off": "falcon_mamba jamba mamba",
    "has no sequence length limit": "xlnet",
}
"""What cannot be used at all, by the reason that is given. Mamba's code begins anew where it is given several tokens,
RoBERTa's counts places in one way in a pass and in another in `generate`."""
WHY = {family: why for why, families in REFUSED.items() for family in families.split()}
NORMAL = """gemma2 gpt_neox gpt_bigcode gpt_neo opt phi3 cohere2 falcon mixtral gpt_oss llama4_text bart roformer bloom
    roberta mamba lfm2_moe"""
"""One at least of every kind of fault that was found; test_kinds and test_positions have other kinds."""
UNMADE = "gemma3n gemma4_assistant musicgen musicgen_melody"
"""No model of text, or not without a package for pictures, or none whose default config is one."""
NAMES = NORMAL.split()
OTHERS = sorted({*MODEL_FOR_CAUSAL_LM_MAPPING_NAMES} - {*NAMES, *UNMADE.split()})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("family", [*NAMES, *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)])
def test_a_family_is_as_generate_or_refused_in_words(family: str, tmp_path: Path, tokenizer: Path) -> None:
    config = RunConfig("", pair=pair_of(tmp_path, tokenizer, tiny(family)), device="cpu", dtype="float32", chat=False)
    checks = model_check.checks(config, prompts=1, length=20)
    if family in WHY:
        with pytest.raises(ConfigError, match=WHY[family]) as refusal:
            next(checks)
        assert "\n" not in str(refusal.value)
        return
    found = [each for each in checks if isinstance(each, Checked)]
    verdicts = {each.verdict for each in found}
    refused = {each.what["code"]: tell(each.detail) for each in found if each.verdict is Verdict.REFUSED}
    assert Verdict.OTHER not in verdicts
    if family == "moshi":
        assert "own cache gives other logits than its pass over the whole text" in refused["common.model.long"]
    elif family in STATES.split():
        assert refused.pop("common.model.branch").startswith("it keeps")
        assert "cannot read trees" in refused.pop("common.model.greedy")
        assert refused == {}
    elif family in NO_TREES.split():
        branch = refused.pop("common.model.branch")
        assert "logits are off" in branch or "it fails" in branch
        assert "cannot read trees" in refused.pop("common.model.greedy")
        assert refused == {}
    else:
        assert refused == {}
        assert len(verdicts) == 1


@pytest.mark.parametrize("family", UNMADE.split())
def test_what_transformers_makes_no_model_of_is_refused_in_one_line(family: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(f'{{"model_type": "{family}"}}')
    save_file({"x.weight": torch.ones(2)}, tmp_path / "model.safetensors")
    with pytest.raises(ConfigError) as refusal:
        by_torch.weights("it", tmp_path, fits.config_of(tmp_path, "it"), "cpu", "float32")
    assert "\n" not in str(refusal.value)


def test_the_command_prints_a_table_and_fails_where_a_text_is_another(
    tmp_path: Path, tokenizer: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["check", "--model", str(saved(tmp_path / "model", tokenizer, tiny("gemma2"))), "--device", "cpu"]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all("  same " in line for line in lines)
    assert "4 texts of 32 tokens equal transformers\u2019 generate" in lines[-1]

    pairs._shelf.clear()
    for what in ("trials", "long"):
        monkeypatch.setattr(tried, what, lambda *models: ())
    monkeypatch.setattr(HFModel, "_masks", lambda *of: None)
    assert main(asked) == 1
    lines = capsys.readouterr().out.splitlines()
    assert ["small-tree" in line for line in lines] == [" other " in line for line in lines]


@pytest.mark.parametrize("family", others_long(["gpt_oss", "gpt2", "llama4_text", "phimoe", "qwen3_moe"], 2))
def test_a_family_drafts_with_its_own_8_bit_copy(family: str, tmp_path: Path, tokenizer: Path) -> None:
    """Routers and experts are no plain linear layers: they stay as they are."""
    as_generate(written(pair_of(tmp_path, tokenizer, tiny(family)), "the cat sat on the", 30, drafter="quantized"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", ["llama", "gemma2", "mistral", "gpt2", "llama4_text", "gpt_oss"])
def test_a_family_drafts_with_a_part_of_its_own_cache(family: str, tmp_path: Path, tokenizer: Path) -> None:
    """Two of them see no more than sixteen tokens in some layers, one sees chunks, one is compiled."""
    choices = {"drafter": "window", "params": {"sinks": 2, "window": 6}}
    trace = written(pair_of(tmp_path, tokenizer, tiny(family)), "the cat sat on the mat and the dog", 40, **choices)
    as_generate(trace)
    taken = [node in step.path for step in trace.rounds for node in range(len(step.verdicts))]
    assert {*taken} == {True, False}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", ["llama", "gemma2"])
def test_tables_are_as_long_as_the_run_not_as_the_context(family: str, tmp_path: Path, tokenizer: Path) -> None:
    """In megabytes, in every round. The same model with a short context comes first, so that all is compiled."""
    for context in (256, 1 << 20):
        name = pair_of(tmp_path / str(context), tokenizer, tiny(family, max_position_embeddings=context))
        before, found = _resident(), []
        for drafter in ("small-model", "small-tree", "suffix", "recycling", "quantized"):
            config = RunConfig("the cat sat on the", pair=name, drafter=drafter, max_new_tokens=20, device="cpu")
            found += [_resident() - before for _ in start(config)]
    assert max(found) < 40


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
