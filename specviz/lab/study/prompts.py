"""The prompts of a study: texts, JSON Lines such as Spec-Bench's, folders of both. Standard library only."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from specviz.config.settings import ConfigError, shortened
from specviz.config.typed import saved
from specviz.shipped import ASSETS

STANDARD = ASSETS / "prompts" / "standard.jsonl"
TASKS = ("translation", "summarization", "qa", "math_reasoning", "rag")
CHATS = ("writing", "roleplay", "reasoning", "math", "coding", "extraction", "stem", "humanities")
"""MT-bench's eight categories, which Spec-Bench counts as one task."""
SUFFIXES = (".jsonl", ".txt")
WANTED = 'wanted {"question_id": ..., "category": ..., "turns": [text, ...]}'


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, or what a person says in a conversation, turn by turn. set, set_hash: what it was read from."""

    set: str
    set_hash: str
    id: str
    category: str
    turns: tuple[str, ...]


def read(path: Path) -> tuple[Prompt, ...]:
    """The prompts in a .jsonl file, in a file that is one prompt, or in a folder of .jsonl and .txt files.

    Raises:
        ConfigError: it holds none, or something else; it says in which line.
        OSError: it cannot be read.
    """
    files = _files(path) if path.is_dir() else [(path.name, path.read_bytes())]
    digest = sha256(
        b"".join(name.encode() + b"\0" + content for name, content in files) if path.is_dir() else files[0][1]
    )
    label = path.resolve().name, digest.hexdigest()[:16]
    found = [
        Prompt(*label, f"{name}:{each}" if path.is_dir() else each, category, turns)
        for name, content in files
        for each, category, turns in _read(path / name if path.is_dir() else path, _text(path, name, content))
    ]
    if not found:
        raise ConfigError(f"{path} holds no prompts")
    return tuple(_tasks(found))


def typed(texts: Sequence[str]) -> tuple[Prompt, ...]:
    """Prompts that were typed in."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return tuple(Prompt("typed", digest, str(place), "text", (text,)) for place, text in enumerate(texts, 1))


def _files(folder: Path) -> list[tuple[str, bytes]]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]


def _text(path: Path, name: str, content: bytes) -> str:
    try:
        return saved(content)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: {name} is not UTF-8 text: {error.reason}") from None


def _read(path: Path, text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each prompt's id, category and turns."""
    if path.suffix != ".jsonl":
        if not text.strip():
            raise ConfigError(f"{path} is empty; wanted a prompt")
        yield path.stem, "text", (text.removesuffix("\n"),)
        return
    known = set()
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            name, category, turns = _question(where, line, number)
            if name in known:
                raise ConfigError(f"{where}: there are two questions {shortened(name)}")
            known.add(name)
            yield name, category, turns


def _question(where: str, line: str, number: int) -> tuple[str, str, tuple[str, ...]]:
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{where} is {shortened(data)}; {WANTED}")
    turns, category, name = data.get("turns"), data.get("category", "text"), data.get("question_id", number)
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, str) and turn for turn in turns):
        raise ConfigError(f"{where}: turns is {shortened(turns)}; wanted a list of texts, none empty")
    if not isinstance(category, str) or not isinstance(name, str | int):
        raise ConfigError(f"{where}: {WANTED}")
    return str(name), category, tuple(turns)


def _tasks(prompts: Sequence[Prompt]) -> Iterator[Prompt]:
    """Spec-Bench's conversations as one category, `chat`, as its results are reported."""
    named = {prompt.category for prompt in prompts}
    its_own = named <= {*TASKS, *CHATS} and any(task in named for task in TASKS)
    for prompt in prompts:
        chat = its_own and prompt.category in CHATS
        yield Prompt(prompt.set, prompt.set_hash, prompt.id, "chat", prompt.turns) if chat else prompt
