"""What a grammar allows: by brute force over a few letters, by another judge of JSON, whatever was asked before."""

import itertools
import json
import re
from functools import cache

import jsonschema
import numpy as np
import pytest
from tokenizers import Tokenizer as Inner
from tokenizers import decoders, models, pre_tokenizers

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.grammar import Grammar
from specviz.models.tokenizer import Tokenizer

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

    def __init__(self, inner: Inner) -> None:
        self.backend_tokenizer, self.get_vocab = inner, inner.get_vocab


def letters(*tokens: str, ends: int = 1) -> Tokenizer:
    """A tokenizer of these tokens, no two of which make a third, and of end tokens behind them."""
    inner = Inner(models.BPE(vocab={token: place for place, token in enumerate(tokens)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens([f"<end {number}>" for number in range(ends)])
    return Tokenizer(Wrapped(inner))


def sentence_piece() -> Tokenizer:
    """Bytes, a blank in front, and a few words, as Llama's first tokenizers spell them."""
    words = ["<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "▁a", "ab"]
    vocabulary = {word: place for place, word in enumerate(words)}
    inner = Inner(models.BPE(vocab=vocabulary, merges=[("▁", "a"), ("a", "b")], byte_fallback=True))
    inner.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    inner.add_special_tokens(["<s>", "</s>"])
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
    tokenizer = sentence_piece()
    words = tokenizer.vocabulary()
    grammar = Grammar("a[ -]a?b", tokenizer, len(words), frozenset([1]))
    named = {place: word for word, place in words.items()}
    after_a = {named[token] for token in np.flatnonzero(grammar.allowed([words["a"]]))}
    assert after_a == {"▁", "▁a", "<0x20>", "<0x2D>"}
    (only,) = np.nonzero(grammar.allowed([words["<0x61>"], words["▁a"]]))
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
    words = Tokenizer(Wrapped(Inner(models.WordLevel({"w0": 0, "w1": 1}, "w0"))))
    with pytest.raises(ConfigError, match=r"cannot be applied to this pair's tokens \(can't determine decoder type"):
        Grammar("a", words, 2, frozenset([1]))
