r"""Several short texts as people type them, one a line: \n in one is a newline, \\ a backslash. And text in a file.

assets/player/base/typed.js writes the short ones so. Standard library only.
"""

import codecs
import re


def typed(line: str) -> str:
    """The text that a line means."""
    return re.sub(r"\\([n\\])", lambda found: "\n" if found[1] == "n" else "\\", line)


def texts(lines: str) -> tuple[str, ...]:
    """The texts of these lines; an empty line is none."""
    return tuple(typed(line) for line in lines.split("\n") if line)


def encoding(content: bytes) -> str:
    """The encoding of a text file that begins so: UTF-8, or UTF-16 with a mark, as Windows saves it."""
    return "utf-16" if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def saved(content: bytes) -> str:
    """The text of a file. Raises UnicodeDecodeError: it is in another encoding."""
    return content.decode(encoding(content)).replace("\r\n", "\n")
