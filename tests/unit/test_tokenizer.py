"""Token texts: what stands in the text, whatever a tokenizer's decoder makes of a token by itself."""

from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import decoders, pre_tokenizers
from tokenizers.models import BPE
from transformers import PreTrainedTokenizerFast

from specviz.models.tokenizer import Tokenizer


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
