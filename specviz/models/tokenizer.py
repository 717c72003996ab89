"""Text to ids and back, and each token's own text as it can be shown."""

import re
from collections.abc import Sequence
from copy import copy
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tokenizers

from specviz.config.settings import ConfigError

if TYPE_CHECKING:
    from llguidance import LLTokenizer

_LONE = re.compile("<0x([0-9A-F]{2})>")
"""A byte as SentencePiece's tokenizers spell it."""
_SHOWN = (*range(33, 127), *range(161, 173), *range(174, 256))
_BYTE = {chr(byte): byte for byte in _SHOWN} | {
    chr(256 + place): byte for place, byte in enumerate(byte for byte in range(256) if byte not in _SHOWN)
}
"""The bytes behind the letters of byte-level tokenizers: those that can be shown are themselves."""
_WORD = "zyxwvutsrqponmlkjihgfedcba a"
"""A word of many tokens, and one more word."""
_BLANK = "\ue000"
"""Stands for what was said, where a chat template's own text is wanted; no template has it."""
_Stretches = tuple[tuple[int, int], ...]


class _Plain:
    """What `tokenizers` reads alone, with the few members of a transformers tokenizer that are used here."""

    chat_template = None

    def __init__(self, folder: Path) -> None:
        self.backend_tokenizer = inner = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.get_vocab, self.convert_ids_to_tokens = inner.get_vocab, inner.id_to_token
        self.added_tokens_decoder = inner.get_added_tokens_decoder()

    def encode(self, text: str, *, add_special_tokens: bool, verbose: bool = False) -> list[int]:
        ids: list[int] = self.backend_tokenizer.encode(text, add_special_tokens=add_special_tokens).ids
        return ids

    def decode(self, tokens: list[int], *, clean_up_tokenization_spaces: bool) -> str:
        text: str = self.backend_tokenizer.decode(tokens, skip_special_tokens=False)
        return text


class Tokenizer:
    """What a run needs of a transformers tokenizer."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.piece = cache(self._piece)
        self.guide = cache(self._guide)

    @classmethod
    def plain(cls, folder: Path) -> "Tokenizer":
        """One that `specviz train` wrote. It needs no transformers, and has no chat template."""
        return cls(_Plain(folder))

    @classmethod
    def load(cls, folder: Path | str) -> "Tokenizer":
        """Any tokenizer that transformers can read."""
        from transformers import AutoTokenizer  # imports torch

        return cls(AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False))

    def vocabulary(self) -> dict[str, int]:
        """Token -> id, special tokens included."""
        words: dict[str, int] = self.inner.get_vocab()
        return words

    def encode(self, text: str) -> list[int]:
        """Ids of the text alone, no special tokens added."""
        ids: list[int] = self.inner.encode(text, add_special_tokens=False, verbose=False)
        return ids

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        """Ids of the text as a person's turn in the model's chat template, if it has one and `chat`; else exactly those
        that the tokenizer makes of a text, with whatever it puts before or after it.

        Raises:
            ConfigError: the template cannot be used.
        """
        return self.conversation([text], chat=chat)

    def conversation(self, turns: Sequence[str], *, chat: bool) -> list[int]:
        """The same of a person's and the model's turns, the person's first and last. Without a template a blank line
        follows each of the model's."""
        if not chat or not self.inner.chat_template:
            whole: list[int] = self.inner.encode(_plain(turns), add_special_tokens=True, verbose=False)
            return whole
        ids: list[int] = self._templated(turns, return_dict=False)
        return ids

    def marks(self, turns: Sequence[str], ids: Sequence[int], *, chat: bool) -> tuple[_Stretches, tuple[int, ...]]:
        """The stretches of `template`; and places of control tokens that somebody typed, () if that is unknown."""
        added = self.inner.added_tokens_decoder
        control = tuple(place for place, token in enumerate(ids) if token in added and added[token].special)
        if chat and self.inner.chat_template:
            template = self.template(turns, ids)
            own = {place for first, end in template for place in range(first, end)}
            return template, tuple(place for place in control if template and place not in own)
        said = self.encode(_plain(turns)) if control else []
        first = next((at for at in range(len(ids)) if [*ids[at : at + len(said)]] == said), len(ids))
        return (), tuple(place for place in control if first <= place < first + len(said))

    def template(self, turns: Sequence[str], ids: Sequence[int]) -> _Stretches:
        """Which ids of a conversation in its chat template are the template's own: stretches [first, after the last).

        A token that holds a turn's letter is not, white space aside. () if that is unknown: the ids are not
        those of the template's text, or it does not repeat the turns as they are, white space at their ends aside.
        """
        if not self.inner.chat_template or not getattr(self.inner, "is_fast", False):
            return ()
        try:
            text, around = (self._templated(said, tokenize=False) for said in (turns, [_BLANK] * len(turns)))
        except ConfigError:
            return ()
        read = self.inner(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        said = _places(text, around.split(_BLANK), turns)
        if said is None or read["input_ids"] != list(ids):
            return ()
        spans = [(min(start, end - 1), end) for start, end in read["offset_mapping"]]  # white space may have no width
        own = [not any(start < last and first < end for first, last in said) for start, end in spans]
        stretches = ((is_own, [*places]) for is_own, places in groupby(range(len(own)), own.__getitem__))
        return tuple((places[0], places[-1] + 1) for is_own, places in stretches if is_own)

    def _templated(self, turns: Sequence[str], **how: bool) -> Any:
        """Raises ConfigError: the template cannot be used."""
        said = [{"role": ("user", "assistant")[place % 2], "content": turn} for place, turn in enumerate(turns)]
        from jinja2 import TemplateError

        try:
            return self.inner.apply_chat_template(said, add_generation_prompt=True, **how)
        except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
            raise ConfigError("template", error=reason) from error

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of several tokens; one may complete a character that the one before began."""
        before, behind, head, tail = self._around
        text = self._text([*before, *tokens, *behind])
        return text[head : len(text) - tail]

    @cached_property
    def _around(self) -> tuple[list[int], list[int], int, int]:
        """Tokens to put before and after a text, and how much of what is then read is theirs.

        Some decoders drop a text's first space, so a token is put before it. Some write a space after a word's last
        token, but for the text's last (`</w>`): there the text of "th" hangs on no neighbour if one comes after it too.
        """
        token, probe = self.encode("a")[-1:], self.encode(_WORD)
        alone = len(self._text(token))
        apart = "".join(self._text([*token, each])[alone:] for each in probe)
        if apart == self._text([*token, *probe])[alone:]:
            return token, [], alone, 0
        return token, token, len(self._text(token * 2)) - alone, alone

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self.inner.decode(list(tokens), clean_up_tokenization_spaces=False)
        return text

    def _guide(self, size: int, ends: frozenset[int]) -> "LLTokenizer":
        """This vocabulary as `models.grammar` reads it, padded to that size.

        Raises:
            ConfigError: its tokens' bytes are unknown.
        """
        from llguidance import LLTokenizer

        try:
            inner = copy(self.inner.backend_tokenizer)
            inner.no_padding()
            inner.no_truncation()
            known = 1 + max(*self.vocabulary().values(), *ends)
            return LLTokenizer(inner.to_str(), max(size, known), sorted(ends))
        except (AttributeError, ValueError) as error:
            raise ConfigError("grammar_tokens", error=str(error).strip().splitlines()[0][:120]) from error

    def _piece(self, token: int) -> str:
        """One token's own text. Part of a character shows its bytes: <E2><80>; what has no text its id: <303>."""
        text = self.decode([token])
        if text and "\ufffd" not in text:
            return text
        raw = str(self.inner.convert_ids_to_tokens(token) or "")
        if not raw:
            return f"<{token:03}>"  # of two digits it would be a byte
        if byte := _LONE.fullmatch(raw):
            return f"<{byte[1]}>"
        if all(letter in _BYTE for letter in raw):
            return "".join(f"<{_BYTE[letter]:02X}>" for letter in raw)
        return raw


def _plain(turns: Sequence[str]) -> str:
    """A conversation without a template."""
    return "".join(turn + "\n\n" * (place % 2) for place, turn in enumerate(turns))


def _places(text: str, around: Sequence[str], turns: Sequence[str]) -> list[tuple[int, int]] | None:
    """Where each turn is in a text, [first, after the last) in letters, if all else is what surrounds them."""
    if len(around) != len(turns) + 1 or not text.startswith(around[0]):
        return None
    places, end = [], len(around[0])
    for turn, after in zip(turns, around[1:], strict=True):
        forms = (turn, turn.strip(), turn.rstrip(), turn.lstrip())
        said = next((form for form in forms if text.startswith(form + after, end)), None)
        if said is None:
            return None
        places.append((end, end + len(said)))
        end += len(said) + len(after)
    return places if end == len(text) else None
