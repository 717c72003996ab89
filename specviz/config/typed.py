r"""Several short texts as people type them, one a line: \n in one is a newline, \\ a backslash.

assets/player/base/typed.js writes them so. Standard library only.
"""

import re


def typed(line: str) -> str:
    """The text that a line stands for."""
    return re.sub(r"\\([n\\])", lambda found: "\n" if found[1] == "n" else "\\", line)


def texts(lines: str) -> tuple[str, ...]:
    """The texts of these lines; an empty line is none."""
    return tuple(typed(line) for line in lines.split("\n") if line)
