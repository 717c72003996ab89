"""Text to ids and back, and each token's own text as it can be shown."""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import tokenizers

from specviz.config.settings import ConfigError

_LONE = re.compile("<0x([0-9A-F]{2})>")
"""A byte as SentencePiece's tokenizers spell it."""
_SHOWN = (*range(33, 127), *range(161, 173), *range(174, 256))
_BYTE = {chr(byte): byte for byte in _SHOWN} | {
    chr(256 + place): byte for place, byte in enumerate(byte for byte in range(256) if byte not in _SHOWN)
}
"""The bytes behind the letters of byte-level tokenizers: those that can be shown stand for themselves."""


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
        that the tokenizer makes of a text, with whatever it puts before or behind it.

        Raises:
            ConfigError: the template cannot be used.
        """
        return self.conversation([text], chat=chat)

    def conversation(self, turns: Sequence[str], *, chat: bool) -> list[int]:
        """The same of a person's and the model's turns, the person's first and last. Without a template a blank line
        follows each of the model's."""
        if not chat or not self.inner.chat_template:
            text = "".join(turn + "\n\n" * (place % 2) for place, turn in enumerate(turns))
            whole: list[int] = self.inner.encode(text, add_special_tokens=True, verbose=False)
            return whole
        said = [{"role": ("user", "assistant")[place % 2], "content": turn} for place, turn in enumerate(turns)]
        from jinja2 import TemplateError

        try:
            ids: list[int] = self.inner.apply_chat_template(said, add_generation_prompt=True, return_dict=False)
        except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
            raise ConfigError("template", error=reason) from error
        return ids

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of several tokens; one may complete a character that the one before began."""
        before, length = self._before
        return self._text([*before, *tokens])[length:]

    @cached_property
    def _before(self) -> tuple[list[int], int]:
        """A token to put before a text, because some decoders drop the first space, and its text's length."""
        token = self.encode("a")[-1:]
        return token, len(self._text(token))

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self.inner.decode(list(tokens), clean_up_tokenization_spaces=False)
        return text

    def _piece(self, token: int) -> str:
        """One token's own text. Part of a character shows its bytes: <E2><80>; what has no text its id: <303>."""
        text = self.decode([token])
        if text and "\ufffd" not in text:
            return text
        raw = self.inner.convert_ids_to_tokens(token)
        if not raw:
            return f"<{token}>"
        raw = str(raw)
        if byte := _LONE.fullmatch(raw):
            return f"<{byte[1]}>"
        if all(letter in _BYTE for letter in raw):
            return "".join(f"<{_BYTE[letter]:02X}>" for letter in raw)
        return raw
