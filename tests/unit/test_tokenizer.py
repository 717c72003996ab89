"""Token texts: what stands in the text and whose it is; what a grammar allows of tokens."""

import itertools
import json
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import jsonschema
import numpy as np
import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from tokenizers.models import BPE
from transformers import PreTrainedTokenizerFast

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.grammar import Grammar
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


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "kind": {"enum": ["fox", "hare"]},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 6}, "maxItems": 3},
    },
    "required": ["name", "age", "kind", "tags"],
    "additionalProperties": False,
}


TOO_MUCH = "|".join(f"([a-z]{{0,99}}{letter}.{{0,99}}){{1,99}}" for letter in "abcdefghijklmnopqrstuvwxyz")
"""Small to look at; to follow it all its ways is more than the library does."""


class Wrapped:
    """A tokenizer of `tokenizers` alone."""

    def __init__(self, inner: Backend) -> None:
        self.backend_tokenizer, self.get_vocab = inner, inner.get_vocab


def letters(*tokens: str, ends: int = 1) -> Tokenizer:
    """A tokenizer of these tokens, no two of which make a third, and of end tokens behind them."""
    inner = Backend(models.BPE(vocab={token: place for place, token in enumerate(tokens)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens([f"<end {number}>" for number in range(ends)])
    return Tokenizer(Wrapped(inner))


@cache
def embedded() -> Tokenizer:
    return pairs.load("embedded", "cpu", "auto").tokenizer


@pytest.mark.parametrize("rules", ["a(b|c)*", "(ab|b)?c{2}", "[ab]{2,3}|c", "(a|b)*abb", "", "a{1,2}b?"])
def test_it_allows_what_can_still_become_a_match_and_an_end_where_it_is_one(rules: str) -> None:
    grammar = Grammar(rules, letters("a", "b", "c"), 4, frozenset([3]))
    texts = ["".join(each) for length in range(9) for each in itertools.product("abc", repeat=length)]
    begun = {text[:end] for text in texts if re.fullmatch(rules, text) for end in range(len(text) + 1)}
    for text in texts[:121]:  # of up to four letters; each match is within four more of any beginning
        if text in begun:
            wanted = [text + letter in begun for letter in "abc"] + [bool(re.fullmatch(rules, text))]
            assert grammar.allowed(["abc".index(letter) for letter in text]).tolist() == wanted, text
            assert any(wanted)


def test_it_answers_alike_whatever_was_asked_before() -> None:
    tokenizer, chance = embedded(), np.random.default_rng(7)
    asked = Grammar(json.dumps(SCHEMA), tokenizer, 4096, frozenset([0]))
    texts = [walk(asked, chance) for _ in range(4)]
    for _ in range(60):
        text = texts[chance.integers(4)]
        text = text[: chance.integers(len(text) + 1)]
        if chance.integers(4) == 0:
            text = [*text, int(chance.integers(4096))]  # most break it
        fresh = Grammar(json.dumps(SCHEMA), tokenizer, 4096, frozenset([0]))
        assert asked.allowed(text).tolist() == fresh.allowed(text).tolist()


def walk(grammar: Grammar, chance: np.random.Generator) -> list[int]:
    """A text of tokens that are allowed, any of them, up to its end."""
    text: list[int] = []
    while 0 not in text:
        (allowed,) = np.nonzero(grammar.allowed(text))
        text.append(int(chance.choice(allowed)))
    return text


def test_what_it_allows_token_by_token_is_json_of_the_schema() -> None:
    tokenizer, chance = embedded(), np.random.default_rng(8)
    grammar = Grammar(json.dumps(SCHEMA), tokenizer, 4100, frozenset([0]))
    for _ in range(40):
        text = walk(grammar, chance)
        jsonschema.validate(json.loads(tokenizer.decode(text[:-1])), SCHEMA)


def test_ends_rows_that_pad_and_what_is_behind_an_end_or_a_break() -> None:
    grammar = Grammar("ab?", letters("a", "b", "c", ends=2), 8, frozenset([3, 4]))
    assert grammar.allowed(()).tolist() == [True, *[False] * 7]
    assert grammar.allowed((0,)).tolist() == [False, True, False, True, True, *[False] * 3]
    only = [False] * 3 + [True] * 2 + [False] * 3
    assert grammar.allowed((0, 1)).tolist() == only
    for free in ((0, 4), (0, 1, 3, 0), (2,), (0, 6)):
        assert grammar.allowed(free).all(), "no run goes there, so no row there may be empty"
        assert grammar.allowed((0, 1)).tolist() == only, "and it is not remembered"


def test_tokenizers_that_spell_blanks_and_bytes_otherwise() -> None:
    tokenizer = sentencepiece()
    words = tokenizer.vocabulary()
    grammar = Grammar("a[ -]t?b", tokenizer, len(words), frozenset([0]))
    named = {place: word for word, place in words.items()}
    after_a = {named[token] for token in np.flatnonzero(grammar.allowed([words["a"]]))}
    assert after_a == {"▁", "▁t", "<0x20>", "<0x2D>"}
    (only,) = np.nonzero(grammar.allowed([words["<0x61>"], words["▁t"]]))
    assert only.tolist() == [words["b"]], "its byte would spell it too, but is not how this tokenizer does"


def test_an_array_needs_no_blanks_but_a_schema_may_ask_for_them() -> None:
    tokenizer = embedded()
    two = {"type": "array", "items": {"const": 1}, "minItems": 2, "maxItems": 2}
    for schema, first in ((two, "[1, 1]"), ({**two, "x-guidance": {"item_separator": ","}}, "[1,1]")):
        grammar = Grammar(f"  {json.dumps(schema)}", tokenizer, 4096, frozenset([0]))
        assert tokenizer.decode(walk(grammar, np.random.default_rng(0))[:-1]) == first


REFUSED = {
    '{"type": "strng"}': "as a JSON schema (Invalid type: strng)",
    '{"type": "object"': "as a JSON schema (EOF while parsing an object at line 1 column 17)",
    '{"not": {"type": "string"}}': 'as a JSON schema (Unimplemented keys: ["not"])',
    '{"$ref": "https://example.org/other"}': "as a JSON schema (Resource 'https://example.org/other' is not present",
    '{"type": "string", "pattern": "(a"}': "as a JSON schema (unclosed group)",
    '{"minimum": 2, "maximum": 1, "type": "integer"}': "as a JSON schema (Unsatisfiable schema: minimum (2) is greater",
    "(a": "as a regular expression (unclosed group)",
    "(?=a)a": "as a regular expression (look-around, including look-ahead and look-behind, is not supported)",
    r"\bfox\b": "as a regular expression (lookarounds not supported yet",
    "[a&&b]": "as a regular expression (nothing matches it)",
}


@pytest.mark.parametrize("rules", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(rules: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Grammar(rules, embedded(), 4096, frozenset([0]))
    assert REFUSED[rules] in str(refused.value)
    assert "what begins with { is read as a JSON schema" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_grammar_is_given_up_where_it_takes_the_library_too_long() -> None:
    with pytest.raises(ConfigError, match="nested parentheses"):
        Grammar(f"{'(' * 300}a{')' * 300}", embedded(), 4096, frozenset([0]))
    grammar = Grammar(TOO_MUCH, embedded(), 4096, frozenset([0]))
    with pytest.raises(ConfigError, match=r"as a regular expression \(lexer error: too many expressions") as refused:
        walk(grammar, np.random.default_rng(9))
    assert "\n" not in str(refused.value)


def test_models_that_cannot_have_one() -> None:
    with pytest.raises(ConfigError, match="this target has no end token"):
        Grammar("a", embedded(), 4096, frozenset())
    words = Tokenizer(Wrapped(Backend(models.WordLevel({"w0": 0, "w1": 1}, "w0"))))
    with pytest.raises(ConfigError, match=r"cannot be applied to this pair's tokens \(can't determine decoder type"):
        Grammar("a", words, 2, frozenset([1]))
