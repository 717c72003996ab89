"""Text to ids and back, and each token's own text as it can be shown."""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer
from transformers.convert_slow_tokenizer import bytes_to_unicode

_LONE = re.compile("<0x([0-9A-F]{2})>")
"""A byte as SentencePiece's tokenizers spell it."""
_BYTE = {letter: byte for byte, letter in bytes_to_unicode().items()}


class Tokenizer:
    """What a run needs of a transformers tokenizer."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.piece = cache(self._piece)

    @classmethod
    def load(cls, folder: Path | str) -> "Tokenizer":
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
        """Ids of the text as a person's turn in the model's chat template, if it has one and `chat`; else of the text
        behind the token that the tokenizer begins every text with, if there is one."""
        return self.conversation([text], chat=chat)

    def conversation(self, turns: Sequence[str], *, chat: bool) -> list[int]:
        """The same of a person's and the model's turns, the person's first and last. Without a template a blank line
        follows each of the model's."""
        if not chat or not self.inner.chat_template:
            text = "".join(turn + "\n\n" * (place % 2) for place, turn in enumerate(turns))
            alone, opening = self.encode(text), self._opening
            return alone if alone[:1] == opening else [*opening, *alone]
        said = [{"role": ("user", "assistant")[place % 2], "content": turn} for place, turn in enumerate(turns)]
        ids: list[int] = self.inner.apply_chat_template(said, add_generation_prompt=True, return_dict=False)
        return ids

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of several tokens; one may complete a character that the one before began."""
        before, length = self._before
        return self._text([*before, *tokens])[length:]

    @cached_property
    def _opening(self) -> list[int]:
        first = self.inner.bos_token_id
        return [first] if self.inner.encode("", add_special_tokens=True)[:1] == [first] else []

    @cached_property
    def _before(self) -> tuple[list[int], int]:
        """A token to put before a text, because some decoders drop the first space, and its text's length."""
        token = self.encode("a")[-1:]
        return token, len(self._text(token))

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self.inner.decode(list(tokens), clean_up_tokenization_spaces=False)
        return text

    def _piece(self, token: int) -> str:
        """One token's own text. A token that is only part of a character shows its bytes: <E2><80>."""
        text = self.decode([token])
        if "\ufffd" not in text:
            return text
        raw = str(self.inner.convert_ids_to_tokens(token))
        if byte := _LONE.fullmatch(raw):
            return f"<{byte[1]}>"
        if all(letter in _BYTE for letter in raw):
            return "".join(f"<{_BYTE[letter]:02X}>" for letter in raw)
        return raw
