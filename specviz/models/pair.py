"""A target, its draft, and what both read and write; and which pairs are in memory."""

import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.config.pairs import BUILT_IN, Loading, head_of, known
from specviz.config.settings import ConfigError
from specviz.config.words import Sentence, sentence
from specviz.models import loading
from specviz.models.counts import archive, for_tokenizer
from specviz.models.counts.table import CountTable
from specviz.models.hub import fits, generation
from specviz.models.hub.generation import Asked
from specviz.models.tokenizer import Tokenizer
from specviz.models.translation import Translation

if TYPE_CHECKING:
    from specviz.models.heads.files import Head
    from specviz.models.hub.pair_files import PairFiles
    from specviz.models.loading import Model
    from specviz.models.shortlist import Shortlisted

EMBEDDED = BUILT_IN["embedded"]
COUNTS = "counts.npz"
DRIVERS = ("/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""One of these is there on Linux where a GPU can be used."""
Tell = Callable[[Loading], None]


@dataclass(frozen=True)
class Pair:
    """Shared between concurrent runs; nothing in it changes.

    Attributes:
        ends: token ids that end a text.
        counts: file of the table behind the bigram and n-gram drafters, None to count one. Read when first wanted.
        shared: ids below this mean the same to target and draft; None: all of them.
        weights: the folder with the target's weights; None if they are in no file.
        published: folders or repositories of published heads for the target, by their drafters.
        home: the folder with what was trained for the target: heads, further models, data; None if there is none.
        trained_for: what those heads name as their target, "" for the hash of its weights.
        translation: between two tokenizers; None: the draft has the target's.
        generation: what the target's generation_config.json asks for.
    """

    name: str
    target: "Model"
    draft: "Model | Shortlisted | None"
    tokenizer: Tokenizer
    ends: frozenset[int]
    counts: Path | None
    device: str
    dtype: str
    shared: int | None = None
    weights: Path | None = None
    published: Mapping[str, str] = field(default_factory=dict)
    home: Path | None = None
    trained_for: str = ""
    translation: Translation | None = None
    generation: Asked = Asked()  # noqa: RUF009 - frozen

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
        path = self.home and self.home / kind
        if not path or not path.exists():
            raise ConfigError("pair_lacks", pair=self.name, what=kind)
        return path

    def size(self, kind: str) -> int:
        """Bytes of weights or data of that kind in the pair's folder, 0 where a head is published elsewhere."""
        path = self.home and self.home / kind
        return path.stat().st_size if path and path.exists() else 0

    def model(self, kind: str) -> "Model":
        """Another model of the draft's shape in the pair's folder, read when first wanted.

        Raises:
            ConfigError: the pair has none.
        """
        if self.draft is None:
            raise ConfigError("pair_lacks", pair=self.name, what="draft")
        return _another(self.asset(kind), self.device, self.dtype)

    def head(self, kind: str, named: str = "") -> "Head":
        """Weights of that kind that were trained on this target, or with it.

        Args:
            named: a file of one's own instead of the pair's, or a published head: a folder, or a repository of the hub.

        Raises:
            ConfigError: there are none, they cannot be read, or were trained on another target.
        """
        loading.import_torch()
        from specviz.models.heads import files, published

        named = named or self.published.get(kind, "")
        if named and not named.endswith(".safetensors"):
            published_head = published.read(named)
            if published_head.kind != kind:
                raise ConfigError(f"{named} is a head for the drafter {published_head.kind}; wanted one for {kind}")
            return published_head
        if kind == "mtp" and not named:
            from specviz.models.heads.published import carried

            if head := carried.read(self.weights):
                return head
            if not self.home or not (self.home / "heads/mtp.safetensors").exists():
                raise ConfigError("no_mtp", pair=self.name)
        path = Path(named) if named else self.asset(f"heads/{kind}.safetensors")
        own = self.trained_for or (files.target_hash(self.weights) if self.weights else "")
        return files.load(path, kind, own)


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
_built_in: dict[tuple[str, str, str], Pair] = {}
"""The built-in pairs by device and type, guarded by their own lock, so that none waits for another to load."""


def load(name: str, device: str, dtype: str, tell: Tell = lambda step: None, stop: Callable[[], bool] = bool) -> Pair:
    """The pair of that name on that device, loaded once. Beside the built-in pairs only the last one stays in memory.

    Args:
        name: of pairs.BUILT_IN or pairs.KNOWN, or DRAFT -> TARGET, each a folder or a repository; -> TARGET: it alone.
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
    if home := BUILT_IN.get(name):
        with _at_hand:
            if key not in _built_in:
                _built_in[key] = read(home, *key[1:], name, tell, EMBEDDED)
            return _built_in[key]
    if _shelf.key == key and (pair := _shelf.pair):
        return pair
    loading.import_torch()
    from specviz.models.hub import pair_files

    files = pair_files.fetch(name, where, key[2], freed(where), tell, stop)
    tell(Loading(sentence("controls.pairs.reading")))
    with _shelf.lock:
        _shelf.clear()
        _shelf.pair = _read(files, where, key[2], tell)
        _shelf.key = key
        return _shelf.pair


def held() -> str:
    """The name of the pair in memory beside the embedded one, "" for none."""
    key = _shelf.key
    return key[0] if key else ""


def place(device: str) -> str:
    """A device by name; auto is the fastest there is. Raises ConfigError: it is not there."""
    if device == "cpu" or (device == "auto" and not _may_have_gpu()):
        return "cpu"
    loading.import_torch()
    import torch

    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError("device", device=repr(device), error=fits.first_line(error)) from None
    return device


def _may_have_gpu() -> bool:
    """True if torch may know something; it takes a second to import."""
    return sys.platform != "linux" or fits.LENT or any(map(os.path.exists, DRIVERS))


def dtype_of(dtype: str, device: str) -> str:
    """A number type by name; auto is the one the device is made for."""
    if dtype != "auto":
        return dtype
    if device.startswith("cuda"):
        import torch

        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    return "float16" if device == "mps" else "float32"


def read(
    folder: Path,
    device: str,
    dtype: str = "float32",
    name: str = "embedded",
    tell: Tell = lambda step: None,
    other: Path | None = None,
) -> Pair:
    """A pair as `python -m specviz train` writes it: target, draft, tokenizer and count table in one folder.

    Args:
        other: another pair's folder, which has what this one lacks.

    Raises:
        ConfigError: a model is not there, or cannot be read.
    """

    def part(path: str) -> Path:
        return other / path if other and not (folder / path).exists() else folder / path

    parts = [part("target"), part("draft")]
    if gone := [part for part in parts if not part.is_dir()]:
        raise ConfigError(f"{gone[0]} is missing; download the project again, with all of {folder.name}")
    heard = _heard(tell)
    target, draft = (loading.load(str(part), part, None, device, dtype, heard) for part in parts)
    tokenizer = Tokenizer.plain(part("target/tokenizer.json").parent)
    ends, asked = generation.read(parts[0], name, target.vocab_size)
    return Pair(
        name, target, draft, tokenizer, ends, part(COUNTS),
        device, dtype, weights=parts[0], home=folder, generation=asked,
    )  # fmt: skip


@lru_cache(maxsize=2)
def _another(folder: Path, device: str, dtype: str) -> "Model":
    return loading.load(folder.name, folder, None, device, dtype)


def _read(files: "PairFiles", device: str, dtype: str, tell: Tell) -> Pair:
    """Raises ConfigError: memory runs out, or a model cannot be run; nothing is left of it."""
    import torch

    heard = _heard(tell)
    try:
        models = {  # a model that drafts for itself is read once
            folder: loading.load(source, folder, config, device, dtype, heard)
            for folder, (source, config) in dict(
                zip(files.folders, zip(files.sources, files.configs, strict=True), strict=True)
            ).items()
        }
    except (torch.OutOfMemoryError, MemoryError) as error:
        _collect()
        raise ConfigError("no_fit", pair=files.name, device=device, error=fits.first_line(error)) from None
    except RuntimeError as error:  # torch also raises it where a CPU lacks memory
        _collect()
        raise ConfigError("unready", pair=files.name, device=device, error=fits.first_line(error)) from error
    pair = known(files.name)
    home = pair.folder if pair else None
    target = models[files.folders[0]]
    ends, asked = generation.read(files.folders[0], files.sources[0], target.vocab_size)
    draft: Model | Shortlisted | None = models[files.folders[1]] if len(files.folders) > 1 else None
    if home and (home / "draft").is_dir():
        from specviz.models import shortlist

        draft = shortlist.load(home / "draft", target, heard)
    counts = home / COUNTS if home and (home / COUNTS).exists() else None
    return Pair(
        files.name, target, draft, files.tokenizer, ends, counts,
        device, dtype, files.shared, files.folders[0], published_heads(files.name),
        home, pair.shipped if pair else "", files.translation, asked,
    )  # fmt: skip


def _heard(tell: Tell) -> Callable[[Sentence], None]:
    return lambda what: tell(Loading(what))


def published_heads(name: str) -> dict[str, str]:
    """The published heads that come with a pair of that name, by their drafters.

    Raises:
        ConfigError: a head of one's own cannot be read.
    """
    if head := head_of(name):
        loading.import_torch()
        from specviz.models.heads import published

        return {published.read(head).kind: head}
    pair = known(name)
    return dict(pair.heads) if pair else {}


def freed(device: str) -> int:
    """Bytes on that device that are freed when the pair beside the embedded one goes."""
    pair = _shelf.pair
    if pair is None or pair.device != device:
        return 0
    return sum(model.weight_bytes for model in (pair.target, pair.draft) if model)


def _collect() -> None:
    gc.collect()
    if "torch" in sys.modules and (torch := sys.modules["torch"]).cuda.is_available():
        torch.cuda.empty_cache()
