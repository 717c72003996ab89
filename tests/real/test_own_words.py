"""What a model's own tokenizer says: where a text begins, chat templates and turns, ids that stand for no text."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import tokenizers
from tokenizers.processors import TemplateProcessing
from transformers import AutoTokenizer, PreTrainedTokenizerFast

import specviz
from specviz.check.run import problems
from specviz.config.settings import ConfigError, RunConfig
from specviz.models import pair as pairs
from specviz.models.tokenizer import Tokenizer
from specviz.session import start
from specviz.trace.codec import from_json, to_json
from specviz.trace.run import Trace
from specviz.trace.terminal import coloured
from tests.real.families import VOCAB, random_model, saved
from tests.real.shrunk import as_generate


@pytest.mark.parametrize(
    ("single", "added", "named"),
    [
        ("[gMASK] <sop> $A", ["[gMASK]", "<sop>"], {}),
        ("<s> $A", ["<s>"], {}),
        ("<s> $A", ["<s>"], {"bos_token": "<s>"}),
        ("$A </s>", ["</s>"], {"eos_token": "</s>"}),
        ("<s> $A </s>", ["<s>", "</s>"], {"bos_token": "<s>", "eos_token": "</s>"}),
        ("<s> [gMASK] $A", ["<s>", "[gMASK]"], {"bos_token": "<s>"}),
    ],
)
def test_a_bare_prompt_is_exactly_what_the_tokenizer_makes_of_it(
    single: str, added: Sequence[str], named: dict[str, str], tmp_path: Path, tokenizer: Path
) -> None:
    inner = tokenizers.Tokenizer.from_file(str(tokenizer / "tokenizer.json"))
    inner.add_special_tokens(list(added))
    ids = [(token, inner.token_to_id(token)) for token in added]
    inner.post_processor = TemplateProcessing(single=single, pair=None, special_tokens=ids)
    PreTrainedTokenizerFast(tokenizer_object=inner, **named).save_pretrained(tmp_path)
    wanted, ours = AutoTokenizer.from_pretrained(tmp_path), Tokenizer.load(tmp_path)
    for text in ("the cat", added[0] + "the cat", ""):
        assert ours.prompt(text, chat=False) == ours.prompt(text, chat=True) == wanted(text).input_ids


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ raise_exception('System role required') }}", "System role required"),
        ("{% for m in messages %}{{ m.content }", "unexpected"),
        ("{{ messages[5].content.foo }}", "no element 5"),
        ("{{ 1 + 'a' }}", "unsupported operand"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ messages | nosuch }}", "nosuch"),
        ("{{ messages[0].content.nosuch() }}", "nosuch"),
    ],
)
def test_a_template_that_cannot_be_used_is_one_line_and_can_be_left_off(
    template: str, said: str, tmp_path: Path, tokenizer: Path
) -> None:
    folder = saved(tmp_path / "model", tokenizer, random_model("llama"))
    (folder / "chat_template.jinja").write_text(template)
    config = RunConfig("hello", pair=f"{folder} -> {folder}", device="cpu", chat=True)
    with pytest.raises(ConfigError, match=rf"chat template cannot be used \(.*{said}.*--no-chat") as refusal:
        start(config)
    assert "\n" not in str(refusal.value)
    plain = RunConfig("hello", pair=config.pair, device="cpu", chat=False)
    assert "".join(start(plain).prompt_texts) == "hello"


def test_ids_that_stand_for_no_text_show_themselves(tmp_path: Path, tokenizer: Path) -> None:
    folder = saved(tmp_path / "model", tokenizer, random_model("llama", VOCAB + 80))
    pair = pairs.load(f"{folder} -> {folder}", "cpu", "float32")
    run = start(RunConfig("so", pair=pair.name, temperature=2, max_new_tokens=60, device="cpu", chat=False), pair)
    list(run)
    trace = run.trace()
    beyond = [token for token in trace.tokens if token >= VOCAB]
    assert beyond
    assert all(pair.tokenizer.piece(token) == f"<{token:03}>" for token in beyond)
    assert f"<{beyond[0]}>" in coloured(trace, colour=False)
    bars = [bar for step in trace.rounds for verdict in step.verdicts for bar in verdict.view.bars]
    assert {bar.text for bar in bars if bar.token >= VOCAB} == {f"<{bar.token}>" for bar in bars if bar.token >= VOCAB}


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
