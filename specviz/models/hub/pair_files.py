"""A pair by its name, brought onto the disk. No weights are fetched before it is known to be a pair, and to fit."""

import json
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from specviz.config.pairs import ARROW, BUILT_IN, KNOWN, KnownPair, Loading, known, split
from specviz.config.settings import ConfigError
from specviz.config.words import sentence
from specviz.models.hub import chat_model, fits, gguf_files, repository
from specviz.models.tokenizer import Tokenizer
from specviz.models.translation import Translation

PARTS = ("target", "draft")
TOKENIZERS = ("tokenizer.json", "vocab.json", "tokenizer.model")
NAMES = (*BUILT_IN, *(each.name for each in KNOWN))

Tell = Callable[[Loading], None]


class PairFiles(NamedTuple):
    """A pair on disk, judged to be one. sources, folders, configs: target's, then draft's if there is a draft.

    shared, translation: as in Pair; one of the two.
    """

    name: str
    sources: Sequence[str]
    folders: Sequence[Path]
    configs: Sequence[Any]
    tokenizer: Tokenizer
    shared: int | None
    translation: Translation | None


def there(pair: KnownPair) -> bool:
    """True if nothing of a known pair needs to be fetched. No network is asked."""
    if pair.shipped:
        return chat_model.folder() is not None
    return all(repository.cached(model.repository, model.revision) for model in pair.models)


def bring(pair: KnownPair, tell: Tell, stop: Callable[[], bool] = bool) -> list[Path]:
    """Gets a known pair onto the disk, whether it fits the memory or not. Returns the folders, the target's first.

    Args:
        tell, stop: as in pair.load.

    Raises:
        ConfigError: it cannot be had.
        download.Cancelled: stop said so.
    """
    if pair.shipped:
        return [chat_model.fetch(tell, stop)]
    folders = []
    for model in pair.models:

        def heard(done: int, total: int, what: str = model.repository) -> None:
            tell(Loading(sentence("controls.pairs.fetching", what=what), done, total))

        folders.append(repository.weights(model.repository, model.revision, heard, stop))
    return folders


def fetch(name: str, device: str, dtype: str, freed: int, tell: Tell, stop: Callable[[], bool]) -> PairFiles:
    """Gets a pair onto the disk: small files first, then the weights, once those files say that it is a pair and fits.

    Args:
        freed: bytes on the device that are given back before the pair is read.
        tell, stop: as in pair.load.

    Raises:
        ConfigError: no such pair, it cannot be had, or does not fit.
        download.Cancelled: stop said so.
    """
    sources = _sources(name)
    tell(Loading(sentence("controls.pairs.looking")))
    for source, _ in sources:
        if source.endswith(gguf_files.SUFFIX):
            tell(Loading(sentence("controls.pairs.converting", what=source)))
    folders = [repository.small(*source) for source in sources]
    configs = [fits.config_of(folder, source) for folder, (source, _) in zip(folders, sources, strict=True)]
    target, *drafts = (_tokenizer(folder, source) for folder, (source, _) in zip(folders, sources, strict=True))
    if target is None:
        raise ConfigError(f"{sources[0][0]} has no tokenizer; choose a target that has its own")
    rows = [config.get_text_config().vocab_size for config in configs]
    draft = drafts[0] if drafts else target
    shared = fits.same_ids(target.vocabulary(), (draft or target).vocabulary())
    translation = Translation((target, rows[0]), (draft, rows[1])) if draft and shared is None else None
    if draft is None and rows[0] != rows[1]:
        raise ConfigError(
            f"cannot pair: {sources[1][0]} has no tokenizer, and {rows[1]:,} tokens where the target has {rows[0]:,};"
            " choose a draft of the target's vocabulary"
        )
    sizes = [repository.size(*source) for source in sources]
    said = [json.loads((folder / repository.CONFIG).read_text(encoding="utf-8")) for folder in folders]
    need = fits.needed(zip(sizes, said, strict=True), device, dtype)
    if need.whole > (free := fits.memory(device) + freed):
        raise ConfigError("no_room", pair=name, device=device, **need.said(), free=fits.gigabytes(free))
    before = 0
    for (source, revision), size in zip(sources, sizes, strict=True):

        def heard(done: int, total: int, what: str = source, start: int = before) -> None:
            tell(Loading(sentence("controls.pairs.fetching", what=what), start + done, sum(sizes)))

        repository.weights(source, revision, heard, stop)
        before += size
    return PairFiles(
        name, [source for source, _ in sources], folders, configs, target, shared and min(shared, *rows), translation
    )


def _sources(name: str) -> Sequence[tuple[str, str]]:
    """Target and draft of a name, or a target alone: each a folder or a repository, and its revision."""
    pair = known(name)
    if pair and pair.shipped:
        if folder := chat_model.folder():
            return [(str(folder), "main")]
        raise ConfigError("unfetched", pair=name, size=fits.gigabytes(pair.bytes(pair.stored)))
    if pair:
        return [(model.repository, model.revision) for model in pair.models]
    if parts := split(name):
        return [(_named(part, model), "main") for part, model in zip(PARTS, reversed(parts), strict=True) if model]
    raise ConfigError(f"no pair {name!r}; there are: {', '.join(NAMES)}, and DRAFT {ARROW} TARGET of your own")


def _named(part: str, model: str) -> str:
    """A folder or a repository. A built-in pair's name stands for its target or its draft, smollm2 for itself."""
    if home := BUILT_IN.get(model):
        return str((home if (home / part).is_dir() else BUILT_IN["embedded"]) / part)
    return _sources(model)[0][0] if model == chat_model.NAME else model


def _tokenizer(folder: Path, source: str) -> Tokenizer | None:
    """None: it has none. Raises ConfigError: it cannot be read. The built-in models have one tokenizer."""
    places = (folder, *([BUILT_IN["embedded"] / PARTS[0]] if folder.parent in BUILT_IN.values() else []))
    there = [place for place in places for name in TOKENIZERS if (place / name).exists()]
    if not there:
        return None
    try:
        return Tokenizer.load(there[0])
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        raise ConfigError(f"{source}: its tokenizer cannot be read ({_unread(there[0], error)})") from None


def _unread(folder: Path, error: Exception) -> str:
    """Why. transformers takes a tokenizer.model that it cannot read for tiktoken's, and asks for that."""
    path, said = folder / TOKENIZERS[-1], fits.first_line(error)
    if "tiktoken" not in said or not path.exists():
        return said
    content = path.read_bytes()
    if re.match(rb"[A-Za-z0-9+/]+=* \d+\n", content):  # it is
        return said
    if content.startswith(b"\n") and not find_spec("sentencepiece"):
        return f"{path.name} is SentencePiece's; pip install sentencepiece"
    return f"{path.name} is damaged, {len(content):,} bytes that begin with {content[:12]!r}; fetch it again"
