"""A target, its draft, and what both read and write; which of them stand in memory."""

import gc
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, GenerationConfig

from specviz.config import ConfigError
from specviz.models.counts import archive, for_tokenizer
from specviz.models.counts.table import CountTable
from specviz.models.hf import HFModel
from specviz.models.hub import fits, repository
from specviz.models.passes import fastest
from specviz.models.tokenizer import Tokenizer
from specviz.pairs import ARROW, BYTES, KNOWN, Loading, split
from specviz.shipped import ASSETS

EMBEDDED = ASSETS / "pair"
NAMES = ("embedded", *(known.name for known in KNOWN))

Tell = Callable[[Loading], None]


@dataclass(frozen=True)
class Pair:
    """Shared between concurrent runs; nothing in it changes.

    Attributes:
        ends: token ids that end a text.
        counts: file of the table behind the bigram and n-gram drafters, None to count one. Read when first wanted.
        shared: ids below this mean the same to target and draft; None: all of them.
    """

    name: str
    target: HFModel
    draft: HFModel | None
    tokenizer: Tokenizer
    ends: frozenset[int]
    counts: Path | None
    device: str
    dtype: str
    shared: int | None = None

    @cached_property
    def _table(self) -> CountTable:
        if self.counts:
            try:
                return archive.load(self.counts)
            except ValueError as error:
                raise ConfigError(str(error)) from error
        return for_tokenizer.table(self.tokenizer, self.target.vocab_size)

    def table(self) -> CountTable:
        """The counts behind the bigram and n-gram drafters, of text that every installation has unless given.

        Raises:
            ConfigError: the file they are in is damaged.
        """
        return self._table

    def asset(self, kind: str) -> Path:
        """Where weights or data of that kind lie beside the pair's own.

        Raises:
            ConfigError: the pair has none.
        """
        found = self.counts and self.counts.parent / kind
        if not found or not found.exists():
            raise ConfigError(f"the pair {self.name} has no {kind}; choose another drafter, or another pair")
        return found


class _Files(NamedTuple):
    """A pair on disk, judged to be one. sources, folders, configs: target's, then draft's."""

    name: str
    sources: tuple[str, str]
    folders: tuple[Path, Path]
    configs: tuple[Any, Any]
    tokenizer: Tokenizer
    shared: int


class _Shelf:
    """The one pair beside the embedded that stands in memory."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.key: tuple[str, str, str] | None = None
        self.pair: Pair | None = None

    def clear(self) -> None:
        self.key = self.pair = None
        _collect()


_shelf = _Shelf()
_at_hand = threading.Lock()
"""For the embedded pair, which no other's loading keeps waiting."""


def load(name: str, device: str, dtype: str, tell: Tell = lambda step: None, stop: Callable[[], bool] = bool) -> Pair:
    """The pair of that name on that device, loaded once; of those but the embedded one, only the last stays.

    Args:
        name: embedded, a name of pairs.KNOWN, or DRAFT -> TARGET, each a folder or a repository.
        device, dtype: as in RunConfig.
        tell: hears how far it is.
        stop: asked while files arrive; true calls the loading off.

    Raises:
        ConfigError: no such pair, it cannot be had, or does not fit. Where memory ran out after all, or a model would
            not run, the pair before was freed by then; else it stays.
        hub.Cancelled: stop said so.
    """
    where = place(device)
    key = (name, where, dtype_of(dtype, where))
    if name == "embedded":
        with _at_hand:
            return _embedded(*key[1:])
    if _shelf.key == key and (pair := _shelf.pair):
        return pair
    files = _fetch(name, where, key[2], tell, stop)
    tell(Loading("reading the weights"))
    with _shelf.lock:
        _shelf.clear()
        _shelf.pair = _read(files, where, key[2])
        _shelf.key = key
        return _shelf.pair


def held() -> str:
    """The name of the pair that stands in memory beside the embedded one, "" for none."""
    key = _shelf.key
    return key[0] if key else ""


def place(device: str) -> str:
    """A device by name, auto being the fastest there is. Raises ConfigError: it is not there."""
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(
            f"device {device!r} cannot be used here ({fits.first_line(error)}); try auto or cpu"
        ) from None
    return device


def dtype_of(dtype: str, device: str) -> str:
    """A number type by name, auto being what the device is made for."""
    if dtype != "auto":
        return dtype
    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    return "float16" if device == "mps" else "float32"


@lru_cache(maxsize=2)
def _embedded(device: str, dtype: str) -> Pair:
    return read(EMBEDDED, device, dtype)


def read(folder: Path, device: str, dtype: str = "float32", name: str = "embedded") -> Pair:
    """A pair as `python -m specviz train` writes it: target, draft, tokenizer and count table in one folder.

    Raises:
        ConfigError: a model is not there, or cannot be read.
    """
    parts = [folder / part for part in ("target", "draft")]
    if gone := [part for part in parts if not part.is_dir()]:
        raise ConfigError(f"{gone[0]} is missing; fetch the project anew, with all of {folder.name}")
    loads = [partial(_weights, str(part), part, None, device, dtype) for part in parts]
    target, draft = fastest.both(loads, name, device)
    tokenizer, ends = Tokenizer.load(folder / "target"), _ends(folder / "target", None)
    return Pair(name, target, draft, tokenizer, ends, folder / "counts.npz", device, dtype)


def _fetch(name: str, device: str, dtype: str, tell: Tell, stop: Callable[[], bool]) -> _Files:
    """Gets a pair onto the disk: what is small first, and the weights once that says it is a pair and fits."""
    sources = _sources(name)
    tell(Loading("looking at both models"))
    folders = [repository.small(*source) for source in sources]
    configs = [fits.config_of(folder, source) for folder, (source, _) in zip(folders, sources, strict=True)]
    target, draft = (_tokenizer(folder, source) for folder, (source, _) in zip(folders, sources, strict=True))
    if target is None:
        raise ConfigError(f"{sources[0][0]} has no tokenizer; choose a target that has its own")
    rows = [config.get_text_config().vocab_size for config in configs]
    shared = fits.same_vocabulary(target.vocabulary(), (draft or target).vocabulary())
    if draft is None and rows[0] != rows[1]:
        raise ConfigError(
            f"cannot pair: {sources[1][0]} has no tokenizer, and {rows[1]:,} tokens where the target has {rows[0]:,};"
            " choose a draft of the target's vocabulary"
        )
    sizes = [repository.size(*source) for source in sources]
    wanted = fits.needed(sum(map(_grown(dtype), sizes, configs)), device, dtype)
    if wanted > (free := fits.memory(device) + freed(device)):
        raise ConfigError(
            f"{name} wants about {fits.gigabytes(wanted)} on {device}, which has {fits.gigabytes(free)} free;"
            " choose a smaller pair, another device or dtype"
        )
    before = 0
    for (source, revision), size in zip(sources, sizes, strict=True):

        def heard(done: int, total: int, what: str = source, start: int = before) -> None:
            tell(Loading(f"fetching {what}", start + done, sum(sizes)))

        repository.weights(source, revision, heard, stop)
        before += size
    return _Files(
        name,
        (sources[0][0], sources[1][0]),
        (folders[0], folders[1]),
        (configs[0], configs[1]),
        target,
        min(shared, *rows),
    )


def _sources(name: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Target and draft of a name, each a folder or a repository, and its revision."""
    for known in KNOWN:
        if known.name == name:
            target, draft = known.target, known.draft
            return (target.repository, target.revision), (draft.repository, draft.revision)
    if own := split(name):
        return (own[1], "main"), (own[0], "main")
    raise ConfigError(f"no pair {name!r}; there are: {', '.join(NAMES)}, and DRAFT {ARROW} TARGET of your own")


def _tokenizer(folder: Path, source: str) -> Tokenizer | None:
    """None: it has none. Raises ConfigError: it cannot be read."""
    if not any((folder / name).exists() for name in ("tokenizer.json", "vocab.json", "tokenizer.model")):
        return None
    try:
        return Tokenizer.load(folder)
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        raise ConfigError(f"{source}: its tokenizer cannot be read ({fits.first_line(error)})") from None


def _read(files: _Files, device: str, dtype: str) -> Pair:
    """Raises ConfigError: memory runs out, or a model cannot be run; nothing is left of it."""
    each = zip(files.sources, files.folders, files.configs, strict=True)
    try:
        target, draft = fastest.both([partial(_model, *one, device, dtype) for one in each], files.name, device)
    except (torch.OutOfMemoryError, MemoryError) as error:
        _collect()
        raise ConfigError(
            f"{files.name} does not fit on {device} ({fits.first_line(error)}); choose a smaller pair or dtype"
        ) from None
    except RuntimeError as error:  # what torch calls memory that a CPU lacks, too
        _collect()
        raise ConfigError(
            f"{files.name} cannot be made ready on {device} ({fits.first_line(error)}); choose another pair or dtype"
        ) from error
    ends = _ends(files.folders[0], files.configs[0])
    return Pair(files.name, target, draft, files.tokenizer, ends, None, device, dtype, files.shared)


def _model(source: str, folder: Path, config: Any, device: str, dtype: str) -> Any:
    model = _weights(source, folder, config, device, dtype)
    if not fits.LENT:
        fits.cuts_back(model, source)
    return model


def _weights(source: str, folder: Path, config: Any, device: str, dtype: str) -> Any:
    choices = {"dtype": dtype, "local_files_only": True, "use_safetensors": True, "trust_remote_code": False}
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    spread = device == "cuda" and size > torch.cuda.mem_get_info()[0] and find_spec("accelerate")
    try:
        if spread:
            return AutoModelForCausalLM.from_pretrained(folder, config=config, device_map="auto", **choices)
        return AutoModelForCausalLM.from_pretrained(folder, config=config, **choices).to(device)
    except torch.OutOfMemoryError:
        raise
    except (OSError, ValueError, RuntimeError, ImportError, SafetensorError) as error:
        raise ConfigError(f"{source}: its weights cannot be read ({fits.first_line(error)})") from error


def _grown(dtype: str) -> Callable[[int, Any], int]:
    """How many bytes of memory so many bytes of weights on disk become."""

    def grown(size: int, config: Any) -> int:
        stored = str(config.dtype or "float32").removeprefix("torch.")
        return size * BYTES[dtype] // BYTES.get(stored, 4)

    return grown


def freed(device: str) -> int:
    """Bytes on that device that the pair beside the embedded one gives back when it goes."""
    pair = _shelf.pair
    if pair is None or pair.device != device:
        return 0
    return sum(model.weight_bytes for model in (pair.target, pair.draft) if model)


def _ends(folder: Path, config: Any) -> frozenset[int]:
    try:
        ends = GenerationConfig.from_pretrained(folder, local_files_only=True).eos_token_id
    except OSError:  # an older repository has none
        ends = config.eos_token_id
    return frozenset([ends] if isinstance(ends, int) else ends or ())


def _collect() -> None:
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
