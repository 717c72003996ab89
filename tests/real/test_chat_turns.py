"""A conversation: the target reads the earlier turns as its chat template has them, and answers as generate does."""

from pathlib import Path

import pytest
from transformers import AutoTokenizer

import specviz
from specviz.check.run import problems
from specviz.trace.codec import from_json, to_json
from specviz.trace.run import Trace
from tests.real.families import random_model, saved
from tests.real.shrunk import as_generate

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}<assistant>"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, tokenizer: Path) -> str:
    folder = saved(tmp_path_factory.mktemp("chat") / "model", tokenizer, random_model("llama"))
    words = AutoTokenizer.from_pretrained(folder)
    words.chat_template = TEMPLATE
    words.save_pretrained(folder)
    return f"-> {folder}"


def answer(pair: str, prompt: str, *earlier: str) -> Trace:
    return specviz.run(
        prompt, pair=pair, drafter="suffix", temperature=0, max_new_tokens=20, device="cpu", earlier=earlier
    )


def test_a_second_turn_reads_the_first_and_its_answer_and_is_what_generate_writes(pair: str) -> None:
    first = answer(pair, "the cat")
    second = answer(pair, "and then", "the cat", first.text)
    as_generate(first)
    as_generate(second)
    words = AutoTokenizer.from_pretrained(pair.removeprefix("-> "))
    said = [("user", "the cat"), ("assistant", first.text), ("user", "and then")]
    talk = [{"role": role, "content": text} for role, text in said]
    wanted = words.apply_chat_template(talk, add_generation_prompt=True, return_dict=False)
    assert list(second.prompt) == wanted
    assert second.info.config.earlier == ("the cat", first.text), "the trace says all that was read"
    assert from_json(to_json(second)) == second
    assert problems(second) == []


def test_a_turn_may_be_given_on_the_command_line(pair: str, capsys: pytest.CaptureFixture[str]) -> None:
    from specviz.__main__ import main

    asked = ["run", "so", "--pair", pair, "--drafter", "suffix", "--device", "cpu", "--max-new-tokens", "2"]
    assert main([*asked, "--earlier", "the cat", "--earlier", "sat"]) == 0
    assert capsys.readouterr().out.count("‹template") == 4
    assert main([*asked, "--earlier", "the cat"]) == 2
    assert "wanted an even number of texts, person and model in turns" in capsys.readouterr().err
