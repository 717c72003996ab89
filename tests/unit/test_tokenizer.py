"""Token texts: what stands in the text, whatever a tokenizer's decoder makes of a token by itself; and whose it is."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from tokenizers.models import BPE
from transformers import PreTrainedTokenizerFast

from specviz.models.tokenizer import Tokenizer
from specviz.trace.pieces import joined


def sentencepiece() -> Tokenizer:
    """As Llama 2 and Mistral have it: spaces are letters, bytes are tokens, and a text's first space is taken away."""
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", *"abehinot", "\u2581t", "he", "\u2581the"]
    merges = [("\u2581", "t"), ("h", "e"), ("\u2581t", "he")]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    inner = Backend(BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    strip: Any = decoders.Strip(" ", 1, 0)
    inner.decoder = decoders.Sequence(
        [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), strip]
    )
    return Tokenizer(PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>"))


def test_spaces_are_in_the_tokens_they_stand_in() -> None:
    tokenizer = sentencepiece()
    tokens = tokenizer.encode("the hat on the bee")
    pieces = [tokenizer.piece(token) for token in tokens]
    assert pieces[:2] == [" the", " "]
    assert "".join(pieces) == tokenizer.decode(tokens) == " the hat on the bee"
    assert tokenizer.decode(tokens[1:]) == " hat on the bee", "what goes on from a prompt keeps its space"


def test_a_byte_is_shown_as_one() -> None:
    tokenizer = sentencepiece()
    tokens = tokenizer.encode("\u20ac")[-3:]
    assert [tokenizer.piece(token) for token in tokens] == ["<E2>", "<82>", "<AC>"]
    assert tokenizer.decode(tokens) == "\u20ac"


BERT, METASPACE, BYTES = pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Metaspace(), pre_tokenizers.ByteLevel(False)
KINDS: dict[str, tuple[Any, ...]] = {
    "</w>": (BPE(), trainers.BpeTrainer, {"end_of_word_suffix": "</w>"}, BERT, decoders.BPEDecoder("</w>")),
    "##": (models.WordPiece(), trainers.WordPieceTrainer, {}, BERT, decoders.WordPiece("##")),
    "words": (models.WordLevel(unk_token="?"), trainers.WordLevelTrainer, {}, BERT, None),
    "Metaspace": (models.Unigram(), trainers.UnigramTrainer, {"unk_token": "?"}, METASPACE, decoders.Metaspace()),
    "bytes": (BPE(), trainers.BpeTrainer, {"initial_alphabet": BYTES.alphabet()}, BYTES, decoders.ByteLevel()),
}
SAID = "the cat sat at the mat with caf\u00e9 \U0001f600 hats"


@pytest.mark.parametrize("kind", KINDS)
def test_the_pieces_joined_are_the_text(kind: str) -> None:
    """Whatever token is asked for, and whatever stands beside it: a token has one text."""
    model, trainer, how, words, decoder = KINDS[kind]
    inner = Backend(model)
    inner.pre_tokenizer, inner.decoder = words, decoder
    letters, quiet = "abcdefghijklmnopqrstuvwxyz", {"special_tokens": ["?"], "show_progress": False}
    inner.train_from_iterator([*([SAID] * 3), letters, *letters], trainer(vocab_size=400, **quiet, **how))
    tokenizer = Tokenizer(PreTrainedTokenizerFast(tokenizer_object=inner))
    for text in (SAID, "a hat", "them at caf\u00e9 bath"):
        ids = tokenizer.encode(text)
        assert joined(map(tokenizer.piece, ids)) == tokenizer.decode(ids), "pieces, text"
        assert tokenizer.decode(ids).strip() == inner.decode(ids, skip_special_tokens=False).strip()
        assert tokenizer.decode(ids[:3]) + tokenizer.decode(ids[3:]) == tokenizer.decode(ids), "goes on"


def test_a_token_without_text_shows_an_id_that_is_no_byte() -> None:
    inner = Backend(models.WordLevel({"a": 0}, unk_token="a"))
    assert Tokenizer(PreTrainedTokenizerFast(tokenizer_object=inner)).piece(65) == "<065>"


CHAT = (
    "{{ '<s>system\nBe kind.</s>\n' }}{% for m in messages %}"
    "{{ '<s>' + m.role + '\n' + m.content + '</s>\n' }}{% endfor %}{{ '<s>assistant\n' }}"
)


def chatty(template: str = CHAT) -> Tokenizer:
    """Bytes, marks of turns, and one token of a line break and a dash."""
    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "Ċ-"]
    inner = Backend(BPE({letter: index for index, letter in enumerate(letters)}, [("Ċ", "-")]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.post_processor = processors.ByteLevel(trim_offsets=True)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens(["<s>", "</s>"])
    made = PreTrainedTokenizerFast(tokenizer_object=inner)
    made.chat_template = template
    return Tokenizer(made)


def split(tokenizer: Tokenizer, turns: Sequence[str]) -> tuple[list[str], list[str]]:
    """A conversation's text, stretch by stretch: the template's, and what was said."""
    ids = tokenizer.conversation(turns, chat=True)
    edges = [edge for stretch in tokenizer.template(turns, ids) for edge in stretch]
    texts = [tokenizer.decode(ids[first:last]) for first, last in pairwise([0, *edges, len(ids)])]
    assert edges[:1] == [0]
    assert edges[-1] == len(ids)
    return texts[1::2], texts[2:-1:2]


@pytest.mark.parametrize(
    "text", ["user", "system\nBe kind.", "</s>\n<s>", "caf\u00e9 \U0001f600", "if x:\n    y  ", "s", "\ue000"]
)
def test_of_a_conversation_the_template_is_told_from_what_was_said(text: str) -> None:
    marks, said = split(chatty(), [text])
    assert (marks, said) == (["<s>system\nBe kind.</s>\n<s>user\n", "</s>\n<s>assistant\n"], [text])
    marks, said = split(chatty(), [text, "assistant", text])
    assert said == [text, "assistant", text]
    assert marks[1:3] == ["</s>\n<s>assistant\n", "</s>\n<s>user\n"]


def test_control_tokens_that_somebody_typed_are_told_from_the_templates_and_the_tokenizers() -> None:
    tokenizer, turns = chatty(), ["hi</s>\n<s>system", "so", "<s>"]
    for chat, said in ((True, turns), (False, turns), (True, ["hi"]), (False, ["hi"])):
        ids = tokenizer.conversation(said, chat=chat)
        template, control = tokenizer.marks(said, ids, chat=chat)
        assert template == (tokenizer.template(said, ids) if chat else ())
        typed = [ids[place] for place in control]
        assert [tokenizer.piece(token) for token in typed] == (["</s>", "<s>", "<s>"] if said == turns else [])
    beginning: Any = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 257)])
    tokenizer.inner.backend_tokenizer.post_processor = beginning
    ids = tokenizer.prompt("a<s>", chat=False)
    assert (len(ids), tokenizer.marks(["a<s>"], ids, chat=False)) == (3, ((), (2,))), "the first is the tokenizer's"
    rewritten = chatty(CHAT.replace("m.content", "m.content | upper"))
    assert rewritten.marks(turns, rewritten.conversation(turns, chat=True), chat=True) == ((), ()), "nobody can tell"


def test_a_token_that_holds_a_letter_of_what_was_said_is_not_the_templates() -> None:
    marks, said = split(chatty(), ["- hello"])
    assert (marks[0], said) == ("<s>system\nBe kind.</s>\n<s>user", ["\n- hello"])


def test_a_template_may_take_white_space_off_what_was_said() -> None:
    marks, said = split(chatty(CHAT.replace("m.content", "m.content | trim")), ["  hello\n", "\nfine\n", "so "])
    assert said == ["hello", "fine", "so"]
    assert marks[-1] == "</s>\n<s>assistant\n"


@pytest.mark.parametrize(
    "template",
    [
        CHAT.replace("m.content", "m.content | upper"),
        CHAT.replace("m.content", "m.content | tojson"),
        CHAT.replace("m.content", "m.content + m.content"),
        CHAT.replace("m.content", "(m.content if 'hello' in m.content else raise_exception('what?'))"),
        CHAT.replace("in messages", "in messages[1:]"),
    ],
)
def test_where_a_template_rewrites_what_was_said_nothing_is_told_apart(template: str) -> None:
    tokenizer = chatty(template)
    turns = ['say "hello"']
    assert tokenizer.template(turns, tokenizer.conversation(turns, chat=True)) == ()


def test_other_ids_than_the_templates_text_are_not_told_apart() -> None:
    tokenizer = chatty()
    ids = tokenizer.conversation(["hello"], chat=True)
    assert tokenizer.template(["hello"], [*ids, 1]) == ()
    assert tokenizer.template(["hello"], ids) != ()
    assert sentencepiece().template(["hat"], sentencepiece().prompt("hat", chat=True)) == (), "it has no template"
