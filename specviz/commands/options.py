"""What several commands do with their options."""

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from specviz.config.settings import ConfigError
from specviz.trace.codec import TraceError, from_json
from specviz.trace.run import Trace


def read(path: Path) -> Trace:
    """The trace in a file. Raises TraceError: the file is none; OSError: it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TraceError(f"{path} is not UTF-8 text: {error.reason}") from None
    try:
        return from_json(text)
    except TraceError as error:
        raise TraceError(f"{path}: {error}") from None


def writable(option: str, path: Path | None) -> None:
    """Checks that a file can be written, before anything is made for it. Raises ConfigError: it cannot."""
    if path and not path.parent.is_dir():
        raise ConfigError(f"{option} {path}: there is no folder {path.parent}")
    if path and path.is_dir():
        raise ConfigError(f"{option} {path} is a folder; wanted the name of a file")


def fields(kind: type, choices: argparse.Namespace) -> dict[str, Any]:
    """The options that are fields of a dataclass, by name."""
    names = {item.name for item in dataclasses.fields(kind)}
    return {name: value for name, value in vars(choices).items() if name in names}


def whole_number(text: str) -> int:
    """An option that counts something."""
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted a whole number from 1 to 10,000")
    return int(text)
