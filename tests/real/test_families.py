"""Models of every family the registry names, and more: random weights on disk, loaded as a person's own would be."""

import copy
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers.processors import TemplateProcessing
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from specviz.config import ConfigError, RunConfig
from specviz.loop import prefill, rounds
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.proof.problems.run import problems
from specviz.sampling import Sampling
from specviz.session import start
from specviz.trace.guess import Verdict
from specviz.train.corpus import read_genres, train_tokenizer
from specviz.tree import DraftTree
from specviz.verify import verify
from tests.tiny import parts

VOCAB = 320
COMMON = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 256}
LLAMA = {**COMMON, "intermediate_size": 64, "num_key_value_heads": 2}
WINDOW = {**LLAMA, "head_dim": 16, "sliding_window": 24}
FAMILIES: dict[str, dict[str, Any]] = {
    "gpt2": {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 256},
    "gpt_neox": {**COMMON, "intermediate_size": 64},
    "llama": LLAMA,
    "qwen2": LLAMA,
    "qwen3": {**LLAMA, "head_dim": 16},
    "opt": {**COMMON, "ffn_dim": 64, "word_embed_proj_dim": 32},
    "mistral": WINDOW,
    "gemma2": WINDOW,
    "gemma3_text": {**WINDOW, "layer_types": ["sliding_attention", "sliding_attention", "full_attention"]},
    "phi": {**COMMON, "intermediate_size": 64},
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "mamba": ({"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}, "mamba keeps a running state"),
    "qwen3_next": ({}, "qwen3_next keeps a running state"),
    "rwkv": ({"hidden_size": 32, "num_hidden_layers": 2, "context_length": 64}, "cannot be run on slots"),
    "bert": ({**COMMON, "intermediate_size": 64}, "rejected draft"),
    "t5": ({}, "does not write text"),
}


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    text = folder / "text.txt"
    text.write_text((Path(__file__).parents[2] / "LICENSE").read_text())
    train_tokenizer(read_genres(text), VOCAB).save_pretrained(folder)
    text.unlink()
    return folder


def random_model(family: str, vocabulary: int = VOCAB, **shape: Any) -> Any:
    """Weights large enough for its text not to fall into a rut at once."""
    torch.manual_seed(1)
    chosen = {
        **FAMILIES[family],
        **shape,
        "vocab_size": vocabulary,
        "eos_token_id": None,
        "bos_token_id": None,
        "tie_word_embeddings": False,
    }
    return grown(AutoModelForCausalLM.from_config(AutoConfig.for_model(family, **chosen)))


def grown(model: Any) -> Any:
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight *= 3
    return model


def near(model: Any) -> Any:
    """A copy that is off by a little, so that it is accepted and refused in turn."""
    other = copy.deepcopy(model)
    with torch.no_grad():
        for weight in other.parameters():
            weight += 0.12 * weight.std() * torch.randn_like(weight)
    return other


def saved(folder: Path, tokenizer: Path, model: Any) -> Path:
    shutil.copytree(tokenizer, folder)
    model.generation_config = GenerationConfig()
    model.save_pretrained(folder)
    return folder


@pytest.fixture
def name(request: pytest.FixtureRequest, tmp_path: Path, tokenizer: Path) -> str:
    target = random_model(request.param)
    draft = saved(tmp_path / "draft", tokenizer, near(target))
    return f"{draft} -> {saved(tmp_path / 'target', tokenizer, target)}"


@pytest.mark.parametrize("name", FAMILIES, indirect=True)
def test_greedy_text_is_generates_own_and_no_cache_holds_anything_stale(name: str) -> None:
    pair = pairs.load(name, "cpu", "float32")
    run = start(RunConfig("def f(x):", pair=name, temperature=0, max_new_tokens=200, gamma=5), pair)
    verdicts = [verdict.verdict for step in run for verdict in step.verdicts]
    assert verdicts.count(Verdict.ACCEPTED) > 15
    assert verdicts.count(Verdict.REJECTED) > 15
    trace = run.trace()
    assert problems(trace) == []
    folder = name.split(" -> ")[1]
    ids = torch.tensor([trace.prompt])
    plain = AutoModelForCausalLM.from_pretrained(folder).generate(
        ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=200, pad_token_id=0
    )
    assert [*trace.prompt, *trace.tokens] == plain[0].tolist()

    assert pair.draft
    made = parts(pair.target, draft=pair.draft, gamma=5, sampling=Sampling(0.8), limit=120)
    cache = prefill(made, trace.prompt)
    text = list(trace.prompt)
    for step in rounds(made, trace.prompt, cache):
        text += step.tokens
    for model, used in ((pair.target, cache), (pair.draft, made.drafter._cache)):
        fresh = model.new_cache(used.length)
        model.forward(text[: used.length], range(used.length), None, fresh)
        assert float((used.slots[..., : used.length, :] - fresh.slots).abs().max()) < 1e-4


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


@pytest.mark.parametrize("family", ["mistral", "gemma2", "gemma3_text", "qwen2"])
def test_branches_of_a_tree_look_through_the_window_as_lines_do(family: str) -> None:
    """Past the window, and past where only some layers look further; qwen2 has no window."""
    model = HFModel(random_model(family))
    text = torch.randint(VOCAB, (60,), generator=torch.Generator().manual_seed(0)).tolist()
    cache = model.new_cache(70)
    model.forward(text[:-1], range(59), None, cache)
    rows = verify(model, cache, text[-1:], DraftTree((7, 8, 9, 7), (-1, -1, 1, 1))).logits
    for branch, row in (([7], 1), ([8], 2), ([8, 9], 3), ([8, 7], 4)):
        fresh = model.new_cache(70)
        alone = model.forward([*text, *branch], range(60 + len(branch)), None, fresh)[-1]
        assert torch.allclose(rows[row], alone, atol=1e-4), branch


def test_a_prompt_whose_token_the_model_has_no_row_for_is_refused(tmp_path: Path, tokenizer: Path) -> None:
    for part in ("draft", "target"):
        saved(tmp_path / part, tokenizer, random_model("llama"))
        words = AutoTokenizer.from_pretrained(tmp_path / part)
        words.add_tokens(["<far>"])
        words.save_pretrained(tmp_path / part)
    name = f"{tmp_path / 'draft'} -> {tmp_path / 'target'}"
    with pytest.raises(ConfigError, match=r"the prompt has token 320, '<far>', but .*'s target knows 320; leave"):
        start(RunConfig("so <far> away", pair=name, device="cpu"))


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "its weights cannot be read"),
        ("model.safetensors", b"", "its weights cannot be read"),
        ("config.json", b'"num_hidden_layers": "3"', "transformers cannot read its config.json"),
        ("config.json", b'"hidden_size": 16', "its weights cannot be read"),
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


def test_different_tokenizers_are_refused_with_the_first_id_that_differs(tmp_path: Path, tokenizer: Path) -> None:
    target = saved(tmp_path / "target", tokenizer, random_model("llama"))
    draft = saved(tmp_path / "draft", tokenizer, random_model("llama"))
    words = json.loads((draft / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = words["model"]["vocab"]
    ids = {id_: word for word, id_ in vocabulary.items()}
    vocabulary[ids[300]], vocabulary[ids[301]] = 301, 300
    (draft / "tokenizer.json").write_text(json.dumps(words), encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot pair: id 300 is "):
        pairs.load(f"{draft} -> {target}", "cpu", "float32")


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


def test_a_pair_too_large_for_the_machine_is_refused_before_its_weights_are_read(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = " -> ".join(str(saved(tmp_path / part, tokenizer, random_model("llama"))) for part in ("draft", "target"))
    monkeypatch.setattr(pairs.fits, "memory", lambda device: 1000)
    monkeypatch.setattr(pairs, "_weights", lambda *args: pytest.fail("weights were read"))
    with pytest.raises(ConfigError, match=r"has .* GB free; choose a smaller pair"):
        pairs.load(name, "cpu", "float32")


def test_memory_that_runs_out_is_said_and_the_embedded_pair_runs_on(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = " -> ".join(str(saved(tmp_path / part, tokenizer, random_model("llama"))) for part in ("draft", "target"))
    pairs.load("embedded", "cpu", "float32")

    def full(model: Any, earlier: object = None) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.\nMore of it.")

    monkeypatch.setattr(pairs.fastest, "fastest", full)
    with pytest.raises(ConfigError, match=r"does not fit on cpu \(CUDA out of memory"):
        pairs.load(name, "cpu", "float32")
    assert pairs.held() == ""
    assert sum(len(step.tokens) for step in start(RunConfig("Once", device="cpu", max_new_tokens=4))) == 4


def test_a_chat_model_is_asked_in_its_own_template_unless_told_not_to(tmp_path: Path, tokenizer: Path) -> None:
    for part in ("draft", "target"):
        saved(tmp_path / part, tokenizer, random_model("llama"))
    words = AutoTokenizer.from_pretrained(tmp_path / "target")
    words.chat_template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<me>"
    words.save_pretrained(tmp_path / "target")
    name = f"{tmp_path / 'draft'} -> {tmp_path / 'target'}"
    asked = {chat: start(RunConfig("hello", pair=name, device="cpu", chat=chat)) for chat in (True, False)}
    assert "".join(asked[True].prompt_texts) == "<user>hello<me>"
    assert "".join(asked[False].prompt_texts) == "hello"


def test_a_text_begins_as_the_tokenizer_has_texts_begin(tmp_path: Path, tokenizer: Path) -> None:
    """So that it is token for token what transformers' own call makes of it; a template does as it likes."""
    for part in ("draft", "target"):
        folder = saved(tmp_path / part, tokenizer, random_model("llama"))
        words = AutoTokenizer.from_pretrained(folder, bos_token="<|endoftext|>")
        first = words.bos_token_id
        words.backend_tokenizer.post_processor = TemplateProcessing(
            "<|endoftext|> $A", None, [("<|endoftext|>", first)]
        )
        words.save_pretrained(folder)
    name = f"{tmp_path / 'draft'} -> {tmp_path / 'target'}"
    for text in ("def f(x):", "<|endoftext|>def f(x):"):
        prompt = start(RunConfig(text, pair=name, device="cpu")).prompt
        assert list(prompt) == AutoTokenizer.from_pretrained(tmp_path / "target")("def f(x):").input_ids
        assert (prompt[0], prompt.count(first)) == (first, 1)


def test_only_the_last_pair_stays_in_memory_beside_the_embedded_one(tmp_path: Path, tokenizer: Path) -> None:
    names = []
    for part in ("a", "b"):
        folder = saved(tmp_path / part, tokenizer, random_model("llama"))
        names.append(f"{folder} -> {folder}")
    first = pairs.load(names[0], "cpu", "float32")
    assert pairs.load(names[0], "cpu", "float32") is first
    embedded = pairs.load("embedded", "cpu", "float32")
    pairs.load(names[1], "cpu", "float32")
    assert pairs.held() == names[1]
    assert pairs.load("embedded", "cpu", "float32") is embedded
    assert pairs.load(names[0], "cpu", "float32") is not first


def test_changing_pairs_ten_times_leaves_memory_where_it_was(tmp_path: Path, tokenizer: Path) -> None:
    names = []
    for part in ("a", "b"):
        wide = random_model("llama", hidden_size=512, intermediate_size=1536, num_hidden_layers=1)
        folder = saved(tmp_path / part, tokenizer, wide)
        names.append(f"{folder} -> {folder}")
    taken = []
    for turn in range(12):
        pairs.load(names[turn % 2], "cpu", "float32")
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        taken.append(pages)
    assert taken[-1] <= 1.05 * taken[1], "each pair is some 25 MB, so ten that stayed would be a quarter more"


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
