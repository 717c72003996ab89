"""The options that several commands have, and what they do with them."""

import argparse
import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specviz.accept import ENTRIES as RULES
from specviz.config import words
from specviz.config.pairs import BUILT_IN, KNOWN, Loading
from specviz.config.settings import ConfigError, Kind, RuleEntry, Setting, range_of
from specviz.config.typed import saved, typed
from specviz.draft import ENTRIES as DRAFTERS
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.trace.codec import TraceError, from_json, to_json
from specviz.trace.run import Trace

TYPES = {Kind.WHOLE: int, Kind.NUMBER: float}


class _OneMore(argparse.Action):
    """What an option that may be given several times adds to its tuple."""

    def __call__(self, parser: object, choices: argparse.Namespace, value: Any, option: object = None) -> None:
        setattr(choices, self.dest, (*getattr(choices, self.dest), value))


def add_setting(parser: argparse.ArgumentParser, setting: Setting, **differs: Any) -> None:
    """Adds the option of a setting. differs: arguments for argparse that differ."""
    name = setting.name.replace("_", "-")
    given: dict[str, Any] = {"dest": setting.name, "default": setting.default, "help": _help(setting)}
    if setting.kind is Kind.FLAG:
        name, given["action"] = f"no-{name}", "store_false"
    elif setting.kind is Kind.PARAMS:
        name = name.removesuffix("s")
        given |= {"type": named_value, "action": "append", "metavar": "NAME=VALUE", "default": []}
    elif setting.kind is Kind.TURNS:
        given |= {"action": _OneMore, "metavar": "TEXT"}
    elif setting.kind is Kind.TEXTS:
        name = name.removesuffix("s")
        given |= {"type": typed, "action": _OneMore, "metavar": "TEXT"}
    elif setting.kind is Kind.COSTS:
        given |= {"type": Path, "metavar": "TRACE.json"}
    else:
        given["type"] = TYPES.get(setting.kind, str)
    parser.add_argument(f"--{name}", **given | differs)


def add_own_pair(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name a pair of one's own."""
    parser.add_argument("--target", help="a folder or Hugging Face repository, instead of --pair")
    parser.add_argument("--draft", help="its draft, likewise; none is needed by drafters that have no small model")


def _help(setting: Setting) -> str:
    names = {
        "drafter": [entry.name for entry in DRAFTERS],
        "rule": map(_rule, RULES),
        "gamma_rule": [entry.name for entry in GAMMA_RULES],
        "pair": [*BUILT_IN, *(known.name for known in KNOWN)],
    }
    listed = ", ".join(names.get(setting.name, setting.options))
    several = "may be given several times; \\n in it is a newline" if setting.kind is Kind.TEXTS else ""
    numbers = words.tell(range_of(setting).wanted) if setting.is_number else ""
    unsaid = setting.default in (None, "", ()) or setting.kind is Kind.FLAG
    default = "" if unsaid else f"{setting.default} unless given"
    return "; ".join(part for part in (setting.help, listed, several, numbers, default) if part)


def _rule(entry: RuleEntry) -> str:
    return entry.name if entry.lossless else f"{entry.name} (lossy)"


def named_value(text: str) -> tuple[str, float | str]:
    """A plug-in's parameter: a number, a name or a shape."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted NAME=VALUE, such as nodes=16 or draw=top")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def read_text(path: Path) -> str:
    """The text in a file. Raises TraceError: it is none; OSError: it cannot be read."""
    try:
        return saved(path.read_bytes())
    except UnicodeDecodeError as error:
        raise TraceError(f"{path} is not UTF-8 text: {error.reason}") from None


def read_trace(path: Path) -> Trace:
    """The trace in a file. Raises TraceError: the file is none; OSError: it cannot be read."""
    text = read_text(path)
    try:
        return from_json(text)
    except TraceError as error:
        raise TraceError(f"{path}: {error}") from None


@contextmanager
def bar() -> Iterator[Callable[[Loading], None]]:
    """A progress bar on the terminal for the loading of a pair."""
    from tqdm import tqdm

    with tqdm(unit="B", unit_scale=True, leave=False) as drawn:

        def show(step: Loading) -> None:
            drawn.set_description(words.tell(step.what))
            if step.total:
                drawn.total, drawn.n = step.total, step.done
                drawn.refresh()

        yield show


def check_writable(option: str, path: Path | None) -> None:
    """Checks that a file can be written, before anything is made for it. Raises ConfigError: it cannot."""
    if path and not path.parent.is_dir():
        raise ConfigError(f"{option} {path}: there is no folder {path.parent}")
    if path and path.is_dir():
        raise ConfigError(f"{option} {path} is a folder; wanted the name of a file")
    if path and not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError(f"{option} {path} cannot be written; name another file")


def hand_over(result: object, path: Path | None, lines: Iterable[str]) -> None:
    """Writes a result where it is wanted, then prints its lines. Neither is lost where the other fails."""
    try:
        if path:
            path.write_text(to_json(result) + "\n", encoding="utf-8")
    finally:
        print("\n".join(lines))


def fields_of(kind: type, choices: argparse.Namespace) -> dict[str, Any]:
    """The options that are fields of a dataclass, by name."""
    names = {item.name for item in dataclasses.fields(kind)}
    return {name: value for name, value in vars(choices).items() if name in names}


def whole_number(text: str) -> int:
    """An option that counts something."""
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted a whole number from 1 to 10,000")
    return int(text)
