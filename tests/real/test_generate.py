"""Runs obey generation_config.json: greedy texts are those of transformers' `generate` with the same folder."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from specviz.config.settings import ConfigError, RunConfig
from specviz.lab.exactness import texts
from specviz.session import start
from specviz.trace.run import Trace
from tests.real.families import near, random_model, saved

LENGTH = 20
PROMPTS = [text[:60] for text in texts(9)]
WAYS: tuple[dict[str, Any], ...] = (
    *({"drafter": "small-model", "gamma": gamma} for gamma in (1, 4, 8)),
    {"drafter": "small-tree", "gamma": 4},
    {"drafter": "prompt-lookup", "gamma": 4},
    {"drafter": "suffix", "gamma": 4, "params": {"shape": "tree"}},
)


@dataclass(frozen=True)
class Folder:
    """A pair whose target's file can be written anew, and what its model writes without one, by prompt."""

    draft: Path
    target: Path
    plain: dict[tuple[int, ...], list[int]]

    def name(self, asked: object, at: Path) -> str:
        """A pair of its own with that file: pairs in memory are known by name."""
        at.mkdir()
        for file in self.target.iterdir():
            (at / file.name).symlink_to(file)
        (at / "generation_config.json").unlink()
        (at / "generation_config.json").write_text(json.dumps(asked), encoding="utf-8")
        return f"{self.draft} -> {at}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tokenizer: Path) -> Folder:
    at, model = tmp_path_factory.mktemp("pair"), random_model("llama")
    draft, target = saved(at / "draft", tokenizer, near(model)), saved(at / "target", tokenizer, model)
    found = Folder(draft, target, {})
    for prompt in PROMPTS:
        ids = run(f"{draft} -> {target}", prompt, max_new_tokens=1).prompt
        found.plain[ids] = generated(target, ids)
    return found


def run(pair: str, prompt: str, **choices: Any) -> Trace:
    choices = {"max_new_tokens": LENGTH, "temperature": 0.0, "chat": False, "device": "cpu", **choices}
    made = start(RunConfig(prompt, pair=pair, **choices))
    list(made)
    return made.trace()


@lru_cache(maxsize=2)
def theirs(folder: Path) -> tuple[Any, Any]:
    """transformers' model and tokenizer of a folder."""
    return AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)


@torch.inference_mode()
def generated(folder: Path, prompt: Sequence[int]) -> list[int]:
    """What transformers' model of that folder writes."""
    text = torch.tensor([prompt])
    how = {"do_sample": False, "max_new_tokens": LENGTH, "pad_token_id": 0}
    model, words = theirs(folder)
    out = model.generate(text, attention_mask=torch.ones_like(text), tokenizer=words, **how)
    return [*map(int, out[0, len(prompt) :])]


@torch.inference_mode()
def first(folder: Path, prompt: Sequence[int], temperature: float) -> list[float]:
    """What transformers draws the first token from."""
    text = torch.tensor([prompt])
    how = {"do_sample": True, "temperature": temperature, "max_new_tokens": LENGTH, "pad_token_id": 0}
    made = {"output_scores": True, "return_dict_in_generate": True}
    model, _ = theirs(folder)
    out = model.generate(text, attention_mask=torch.ones_like(text), **how, **made)
    return [*map(float, out.scores[0][0].double().softmax(-1))]


def kinds(plain: dict[tuple[int, ...], list[int]], target: Path) -> dict[str, dict[str, Any]]:
    """Files that change the plain texts."""
    _, words = theirs(target)
    written = list(plain.values())
    common = [token for token, _ in Counter(chain(*written)).most_common(12)]
    return {
        "penalty": {"repetition_penalty": 1.3},
        "ngrams": {"no_repeat_ngram_size": 2},
        "words": {"bad_words_ids": [[common[0]], *(text[2:5] for text in written), written[0][:2]]},
        "suppressed": {"suppress_tokens": common[:3], "begin_suppress_tokens": [text[0] for text in written[::2]]},
        "least": {"min_new_tokens": 10, "eos_token_id": sorted({text[2] for text in written})},
        "length": {"min_length": 34, "eos_token_id": sorted({text[2] for text in written})},
        "stops": {"stop_strings": sorted({each for text in written if (each := words.decode(text[6:8])).isascii()})},
        "biases": {"sequence_bias": [[[token], -1.5] for token in common] + [[text[:2], 0.75] for text in written],
                   "repetition_penalty": 1.1},
    }  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", ["penalty", "ngrams", "words", "suppressed", "least", "length", "biases", "stops"])
def test_greedy_texts_are_generates_with_the_same_folder(folder: Folder, tmp_path: Path, kind: str) -> None:
    asked = kinds(folder.plain, folder.target)[kind]
    pair = folder.name(asked, tmp_path / kind)
    changed = 0
    for at, prompt in enumerate(PROMPTS):
        ways = WAYS[at % 3 :: 3]
        traces = [run(pair, prompt, **way) for way in ways]
        trace = traces[-1]
        wanted = generated(tmp_path / kind, trace.prompt)
        assert [list(each.tokens) for each in traces] == [wanted] * len(ways), (prompt, ways)
        changed += wanted != folder.plain[trace.prompt]
        assert trace.info.generation is not None
        assert {*trace.info.generation.held} == {*asked} - {"eos_token_id"}
    assert changed >= len(PROMPTS) / 4, "what is asked for matters"


def test_a_plain_run_is_generates_with_nothing_asked_for(folder: Folder, tmp_path: Path) -> None:
    pair = folder.name(
        kinds(folder.plain, folder.target)["penalty"] | {"guidance_scale": 2, "top_p": 0.5}, tmp_path / "plain"
    )
    for prompt in PROMPTS:
        trace = run(pair, prompt, generation="plain")
        assert list(trace.tokens) == folder.plain[trace.prompt]
    assert trace.info.generation is not None
    assert trace.info.generation.left == {"repetition_penalty": 1.3, "top_p": 0.5, "guidance_scale": 2}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", ["penalty", "ngrams", "words", "suppressed", "least", "filters", "both"])
def test_the_first_token_is_drawn_from_what_transformers_draws_it_from(
    folder: Folder, tmp_path: Path, kind: str
) -> None:
    filters = {"top_k": 9, "top_p": 0.9, "min_p": 0.02, "typical_p": 0.95}
    asked = (
        {"top_k": 0}
        | kinds(folder.plain, folder.target).get(kind, {})
        | (filters if kind in ("filters", "both") else {})
    )
    asked |= {"repetition_penalty": 1.2} if kind == "both" else {}
    pair = folder.name(asked | {"temperature": 0.3}, tmp_path / kind)
    for prompt in PROMPTS[:8]:
        trace = run(pair, prompt, gamma=0, temperature=0.9, max_new_tokens=1)
        law = first(tmp_path / kind, trace.prompt, 0.9)
        extra = trace.rounds[0].extra
        assert extra is not None
        for bar in extra.view.bars:
            assert bar.p == pytest.approx(law[bar.token], abs=1e-5)
        assert extra.view.rest.p == pytest.approx(1 - sum(law[bar.token] for bar in extra.view.bars), abs=1e-5)
    assert trace.info.generation is not None
    assert trace.info.generation.own == {"temperature": 0.3}


def test_a_broken_file_is_refused_unless_the_run_is_plain(folder: Folder, tmp_path: Path) -> None:
    pair = folder.name({"repetition_penalty": "high"}, tmp_path / "broken")
    with pytest.raises(ConfigError, match=r"repetition_penalty is 'high'; wanted a number above 0.*--generation plain"):
        run(pair, "Once")
    plain = run(pair, PROMPTS[0], generation="plain")
    assert list(plain.tokens) == folder.plain[plain.prompt]
