"""Why two texts differ: transformers in three number types beside specviz, and what else can be wrong."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from specviz.__main__ import main
from specviz.bench.prompts import PROMPTS
from specviz.config.settings import RunConfig
from specviz.lab import differ as lab
from specviz.models import pair as pairs
from specviz.models.pair import EMBEDDED
from specviz.proof.findings import Difference, Given
from specviz.session import start
from specviz.trace.codec import to_json

ASKED = PROMPTS["tales"][:3]
LENGTH = 32
WORDS = AutoTokenizer.from_pretrained(EMBEDDED / "target", padding_side="left", pad_token="<|endoftext|>")


@cache
def model(dtype: str) -> Any:
    return AutoModelForCausalLM.from_pretrained(EMBEDDED / "target", dtype=dtype).eval()


@torch.inference_mode()
def written(asked: Sequence[str], dtype: str = "float32", **choices: Any) -> list[list[int]]:
    """What transformers writes after these prompts."""
    prompts = WORDS(list(asked), return_tensors="pt", padding=True)
    how = {"do_sample": False, "max_new_tokens": LENGTH, "pad_token_id": 0, **choices}
    out = model(dtype).generate(input_ids=prompts.input_ids, attention_mask=prompts.attention_mask, **how)
    return [[*map(int, text)] for text in out[:, prompts.input_ids.shape[1] :]]


@cache
def ours(prompt: str) -> tuple[int, ...]:
    run = start(RunConfig(prompt, drafter="prompt-lookup", temperature=0.0, max_new_tokens=LENGTH, device="cpu"))
    list(run)
    return run.trace().tokens


def compared(prompt: str, one: Sequence[int] | str, other: Sequence[int] | str, dtype: str = "bfloat16") -> Difference:
    config = RunConfig(prompt, temperature=0.0, device="cpu", dtype=dtype)
    return lab.differ(config, [Given("a", one), Given("b", other)])


def broken(prompt: str) -> list[int]:
    """What a loop writes that forgets, at its tenth token, to take three rejected guesses out of its cache."""
    target, text = pairs.load("embedded", "cpu", "float32").target, WORDS(prompt).input_ids
    length, cache = len(text), target.new_cache(len(text) + 2 * LENGTH)
    unread = text
    while len(text) < length + LENGTH:
        first = cache.length
        logits = target.forward(unread, range(first, first + len(unread)), None, cache)
        text = [*text, int(logits[0 if len(unread) == 4 else -1].argmax())]
        unread = text[-1:] if len(text) != length + 9 else [text[-1], 9, 99, 999]
    return text[length:]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_what_rounding_does_is_a_tie_with_its_numbers(dtype: str) -> None:
    ties = 0
    for prompt, theirs in zip(ASKED, written(ASKED, dtype), strict=True):
        found = compared(prompt, ours(prompt), theirs, dtype)
        assert found.why in ("same", "tie"), found
        if found.why == "tie":
            assert found.at is not None
            assert len(found.gaps) == LENGTH
            assert found.gaps[found.at] <= found.limit < 0.1 * max(found.gaps)
            ties += 1
    assert ties or dtype != "bfloat16", "no text parted"


def respelt(tokens: Sequence[int]) -> list[int]:
    """The same characters, one a token."""
    return [token for letter in WORDS.decode(tokens) for token in WORDS(letter).input_ids]


CASES = {
    "a penalty": (lambda prompt: written([prompt], repetition_penalty=1.3)[0], "other"),
    "another template": (lambda prompt: written([f"Question: {prompt}\nAnswer:"])[0], "other"),
    "a cache that is not cut": (broken, "other"),
    "other spellings": (lambda prompt: respelt(ours(prompt)), "read"),
}
"""What can be wrong: the text that then comes of a prompt, and the verdict."""


@pytest.mark.parametrize("what", CASES)
def test_what_rounding_does_not_do_is_no_tie(what: str) -> None:
    made, wanted = CASES[what]
    for prompt in ASKED[:2]:
        found = compared(prompt, ours(prompt), made(prompt))
        assert found.why == wanted
        if wanted == "other":
            assert found.lines[0]["astray"] == ["b"], "the text that is wrong is named"


def test_where_nothing_has_to_be_read_the_files_alone_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start(RunConfig(ASKED[0], max_new_tokens=8, device="cpu"))
    list(run)
    trace = run.trace()
    cold = replace(trace, info=replace(trace.info, config=replace(trace.info.config, temperature=0.0)))
    other = replace(cold, prompt=(*trace.prompt[1:], 9))
    files = {
        "cold.json": to_json(cold),
        "template.json": to_json(other),
        "sampled.json": to_json(trace),
        "ids.json": str([*trace.prompt, *trace.tokens]),
        "changed.json": str([*trace.tokens[:5], 9, 9]),
        "short.txt": WORDS.decode(trace.tokens[:5]),
        "long.txt": WORDS.decode(trace.tokens) + "\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for one, another, said, code in (
        ("cold.json", "ids.json", "The texts are equal: 8 tokens.", 0),
        ("long.txt", "cold.json", "The texts are equal: 8 tokens.", 0),
        ("cold.json", "short.txt", "short.txt ends after 5 tokens, and cold.json goes on with ", 0),
        ("cold.json", "template.json", "Not a tie: the prompts differ. At token 1, cold.json has ", 1),
        ("sampled.json", "changed.json", "It cannot be said: sampled.json was sampled", 1),
    ):
        paths = [str(tmp_path / each) for each in (one, another)]
        assert main(["differ", *paths, "--prompt", ASKED[0], "--device", "cpu"]) == code
        assert capsys.readouterr().out.startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[1, "2"]', "x.json: wanted a trace, or a list of token ids such as [5, 17, 204]"),
        ("{}", "x.json: schema is null"),
        (str([9] * 1025), "x.json has 1,025 tokens; wanted 1 to 1,001"),
        ("[5000]", "x.json has token 5,000, but embedded knows only 4,096; it was written with another tokenizer"),
        (None, "--prompt is missing: the text that both files follow"),
    ],
)
def test_what_cannot_be_compared_gets_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str
) -> None:
    (tmp_path / "x.json").write_text("[1]" if content is None else content)
    asked = ["differ", *[str(tmp_path / "x.json")] * 2, "--device", "cpu", *(["--prompt", ASKED[0]] if content else [])]
    assert main(asked) == 2
    assert said in capsys.readouterr().err


def test_two_texts_that_the_model_does_not_pick_are_not_judged() -> None:
    one, other = ([*WORDS(text).input_ids] for text in (ASKED[1], ASKED[2]))
    found = compared(ASKED[0], one, other)
    assert found.why == "unknown"
    assert [line["name"] for line in found.lines if "many" in line] == ["a", "b"]


def test_a_text_is_read_in_the_tokens_in_which_the_model_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "the miller had three daughters"
    wanted = [*WORDS(text[:5]).input_ids, *respelt(WORDS(text[5:10]).input_ids), *WORDS(text[10:]).input_ids]
    assert wanted != WORDS(text).input_ids

    def rows(_pair: Any, _prompt: Any, tokens: Sequence[int]) -> Any:
        return np.eye(len(WORDS))[[*wanted, *[0] * len(tokens)][: len(tokens)]]

    monkeypatch.setattr(lab, "_rows", rows)
    assert lab._spelt(pairs.load("embedded", "cpu", "float32"), (), text) == wanted
