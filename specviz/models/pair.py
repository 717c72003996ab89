"""A target, its draft, and what both read and write; and which pairs are in memory."""

import gc
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, GenerationConfig

from specviz.config import ConfigError
from specviz.models.counts import archive, for_tokenizer
from specviz.models.counts.table import CountTable
from specviz.models.heads import files as head_files
from specviz.models.heads import published
from specviz.models.heads.files import Head
from specviz.models.hf import HFModel
from specviz.models.hub import fits, pair_files
from specviz.models.hub.pair_files import PairFiles, Tell
from specviz.models.passes import fastest
from specviz.models.tokenizer import Tokenizer
from specviz.pairs import KNOWN, Loading, head_of
from specviz.shipped import ASSETS
from specviz.trace.info import Forward

EMBEDDED = ASSETS / "pair"


@dataclass(frozen=True)
class Pair:
    """Shared between concurrent runs; nothing in it changes.

    Attributes:
        ends: token ids that end a text.
        counts: file of the table behind the bigram and n-gram drafters, None to count one. Read when first wanted.
        shared: ids below this mean the same to target and draft; None: all of them.
        weights: the folder with the target's weights; None if they are in no file.
        published: folders or repositories of published heads for the target, by their drafters.
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
    weights: Path | None = None
    published: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _table(self) -> CountTable:
        if self.counts:
            try:
                return archive.load(self.counts)
            except ValueError as error:
                raise ConfigError(str(error)) from error
        return for_tokenizer.table(self.tokenizer, self.target.vocab_size)

    def table(self) -> CountTable:
        """The counts behind the bigram and n-gram drafters: the pair's own, or of text that every installation has.

        Raises:
            ConfigError: the file they are in is damaged.
        """
        return self._table

    def asset(self, kind: str) -> Path:
        """The path of further weights or data of that kind in the pair's folder.

        Raises:
            ConfigError: the pair has none.
        """
        found = self.counts and self.counts.parent / kind
        if not found or not found.exists():
            raise ConfigError(f"the pair {self.name} has no {kind}; choose another drafter, or another pair")
        return found

    def model(self, kind: str) -> HFModel:
        """Another model of the draft's shape in the pair's folder, read when first wanted. It runs as the draft does.

        Raises:
            ConfigError: the pair has none.
        """
        if self.draft is None:
            raise ConfigError(f"the pair {self.name} has no draft model; choose another drafter, or another pair")
        return _another(self.asset(kind), self.device, self.dtype, self.draft.way)

    def head(self, kind: str, own: str = "") -> Head:
        """Weights of that kind that were trained on this target.

        Args:
            own: a file of one's own instead of the pair's, or a published head: a folder, or a repository of the hub.

        Raises:
            ConfigError: there are none, they cannot be read, or were trained on another target.
        """
        own = own or self.published.get(kind, "")
        if own and not own.endswith(".safetensors"):
            found = published.read(own)
            if found.kind != kind:
                raise ConfigError(f"{own} is a head for the drafter {found.kind}; wanted one for {kind}")
            return found
        path = Path(own) if own else self.asset(f"heads/{kind}.safetensors")
        return head_files.load(path, kind, head_files.target_hash(self.weights) if self.weights else "")


class _Shelf:
    """The one pair that is in memory beside the embedded one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.key: tuple[str, str, str] | None = None
        self.pair: Pair | None = None

    def clear(self) -> None:
        self.key = self.pair = None
        _collect()


_shelf = _Shelf()
_at_hand = threading.Lock()
"""Guards the embedded pair, which never waits for another to load."""


def load(name: str, device: str, dtype: str, tell: Tell = lambda step: None, stop: Callable[[], bool] = bool) -> Pair:
    """The pair of that name on that device, loaded once. Beside the embedded pair only the last one stays in memory.

    Args:
        name: embedded, a name of pairs.KNOWN, or DRAFT -> TARGET, each a folder or a repository.
        device, dtype: as in RunConfig.
        tell: called with the progress.
        stop: asked while files arrive; true calls the loading off.

    Raises:
        ConfigError: no such pair, it cannot be had, or does not fit. The pair before it stays, unless memory ran
            out or a model would not run after all: by then it was freed.
        download.Cancelled: stop said so.
    """
    where = place(device)
    key = (name, where, dtype_of(dtype, where))
    if name == "embedded":
        with _at_hand:
            return _embedded(*key[1:])
    if _shelf.key == key and (pair := _shelf.pair):
        return pair
    files = pair_files.fetch(name, where, key[2], freed(where), tell, stop)
    tell(Loading("reading the weights"))
    with _shelf.lock:
        _shelf.clear()
        _shelf.pair = _read(files, where, key[2])
        _shelf.key = key
        return _shelf.pair


def held() -> str:
    """The name of the pair in memory beside the embedded one, "" for none."""
    key = _shelf.key
    return key[0] if key else ""


def place(device: str) -> str:
    """A device by name; auto is the fastest there is. Raises ConfigError: it is not there."""
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
    """A number type by name; auto is the one the device is made for."""
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
        raise ConfigError(f"{gone[0]} is missing; download the project again, with all of {folder.name}")
    loads = [partial(_weights, str(part), part, None, device, dtype) for part in parts]
    target, draft = fastest.both(loads, name, device)
    tokenizer, ends = Tokenizer.load(folder / "target"), _ends(folder / "target", None)
    return Pair(name, target, draft, tokenizer, ends, folder / "counts.npz", device, dtype, weights=folder / "target")


@lru_cache(maxsize=2)
def _another(folder: Path, device: str, dtype: str, way: Forward) -> HFModel:
    model = fastest.fastest(_weights(folder.name, folder, None, device, dtype), earlier=way)
    model.way = replace(model.way, threads=way.threads)
    return model


def _read(files: PairFiles, device: str, dtype: str) -> Pair:
    """Raises ConfigError: memory runs out, or a model cannot be run; nothing is left of it."""
    each = zip(files.sources, files.folders, files.configs, strict=True)
    try:
        target, draft = fastest.both([partial(_model, *one, device, dtype) for one in each], files.name, device)
    except (torch.OutOfMemoryError, MemoryError) as error:
        _collect()
        raise ConfigError(
            f"{files.name} does not fit on {device} ({fits.first_line(error)}); choose a smaller pair or dtype"
        ) from None
    except RuntimeError as error:  # torch also raises it where a CPU lacks memory
        _collect()
        raise ConfigError(
            f"{files.name} cannot be made ready on {device} ({fits.first_line(error)}); choose another pair or dtype"
        ) from error
    ends = _ends(files.folders[0], files.configs[0])
    return Pair(
        files.name, target, draft, files.tokenizer, ends, None, device, dtype, files.shared, files.folders[0],
        published_heads(files.name),
    )  # fmt: skip


def published_heads(name: str) -> dict[str, str]:
    """The published heads that come with a pair of that name, by their drafters.

    Raises:
        ConfigError: a head of one's own cannot be read.
    """
    if head := head_of(name):
        return {published.read(head).kind: head}
    return next((dict(known.heads) for known in KNOWN if known.name == name), {})


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


def freed(device: str) -> int:
    """Bytes on that device that are freed when the pair beside the embedded one goes."""
    pair = _shelf.pair
    if pair is None or pair.device != device:
        return 0
    return sum(model.weight_bytes for model in (pair.target, pair.draft) if model)


def _ends(folder: Path, config: Any) -> frozenset[int]:
    try:
        ends = GenerationConfig.from_pretrained(folder, local_files_only=True).eos_token_id
    except OSError:  # the repository has no generation_config.json
        ends = config.eos_token_id
    return frozenset([ends] if isinstance(ends, int) else ends or ())


def _collect() -> None:
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
