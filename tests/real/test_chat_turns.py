"""A conversation: the target reads the earlier turns as its chat template has them, and answers as generate does."""

from pathlib import Path

import pytest
from transformers import AutoTokenizer

import specviz
from specviz.config.settings import ConfigError, Limits, RunConfig
from specviz.proof.problems.run import problems
from specviz.session import start
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


def test_what_was_said_is_told_from_the_template(pair: str) -> None:
    trace = answer(pair, "and then", "the cat", " sat")
    edges = [edge for stretch in trace.info.template for edge in stretch]
    texts = ["".join(trace.prompt_texts[a:b]) for a, b in zip(edges, [*edges[1:], len(trace.prompt)], strict=True)]
    assert texts == ["<user>", "the cat", "<end><assistant>", " sat", "<end><user>", "and then", "<end><assistant>", ""]


def test_a_conversation_that_does_not_fit_is_refused_in_one_line(pair: str) -> None:
    config = RunConfig("so", pair=pair, drafter="suffix", device="cpu", earlier=("the cat " * 9, "sat " * 9))
    with pytest.raises(
        ConfigError, match=r"^the conversation has \d+ tokens in 3 turns; wanted at most 20; begin a new"
    ):
        start(config, limits=Limits(prompt_tokens=20))


def test_a_turn_may_be_given_on_the_command_line(pair: str, capsys: pytest.CaptureFixture[str]) -> None:
    from specviz.__main__ import main

    asked = ["run", "so", "--pair", pair, "--drafter", "suffix", "--device", "cpu", "--max-new-tokens", "2"]
    assert main([*asked, "--earlier", "the cat", "--earlier", "sat"]) == 0
    assert capsys.readouterr().out.count("‹template") == 4
    assert main([*asked, "--earlier", "the cat"]) == 2
    assert "wanted an even number of texts, person and model in turns" in capsys.readouterr().err
