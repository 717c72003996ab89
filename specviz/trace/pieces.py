"""The text that tokens' own texts make together. Standard library only."""

import re
from collections.abc import Iterable

_BYTES = re.compile("(<[0-9A-F]{2}>)+")
"""A token's text where it is part of a character."""


def joined(pieces: Iterable[str]) -> str:
    """As the tokenizer decodes them: bytes as the characters that they spell."""
    raw = [
        bytes.fromhex(piece[1:-1].replace("><", "")) if _BYTES.fullmatch(piece) else piece.encode("utf-8", "replace")
        for piece in pieces
    ]
    return b"".join(raw).decode("utf-8", "replace")
