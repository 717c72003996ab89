"""What a model's own tokenizer says: where a text begins, chat templates, ids that stand for no text."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import tokenizers
from tokenizers.processors import TemplateProcessing
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from specviz.config.settings import ConfigError, RunConfig
from specviz.models import pair as pairs
from specviz.models.tokenizer import Tokenizer
from specviz.session import start
from specviz.trace.terminal import coloured
from tests.real.families import VOCAB, random_model, saved


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
