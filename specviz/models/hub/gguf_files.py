"""GGUF files as models: converted once into a folder in transformers' format, in the user's cache.

`transformers` and `gguf` read them; both are in the extra `gguf`. Importing this module imports neither.
"""

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from specviz.config.settings import ConfigError
from specviz.models.hub import gguf_says
from specviz.models.hub.errors import explained, kept
from specviz.models.hub.fits import first_line
from specviz.shipped import user_cache

SUFFIX = ".gguf"
STORED, KEPT = "stored_as", "kept_as"
"""The keys of config.json that name the quantization, and the type of number that it was read as."""
SAMPLING = "general.sampling."
"""How the fields begin that say how a file asks to be sampled."""
UNDER_WAY = ".new-"
"""How folders begin that are not whole yet."""
PLAIN = ("F32", "F16", "BF16")
READER = 2
"""Raised with each change of what is read of a file, so that none is used that an older specviz converted."""

Watch = Callable[[int, int], None]
"""Hears how many bytes of the weights are read, of how many. What it raises breaks the conversion off."""


def located(source: str, revision: str = "main", cache: Path | None = None) -> Path | None:
    """The folder that a GGUF file was converted into; None if the source names no such file.

    Args:
        source: a file, a folder with one and without a config.json, or owner/name:file.gguf on the hub.
        cache: where converted models are kept; the user's own unless named.

    Raises:
        ConfigError: it cannot be had, or cannot be read; nothing half-done is left.
    """
    path = _file(source, revision)
    return None if path is None else _converted(path, source, cache or user_cache() / "gguf")


def _file(source: str, revision: str) -> Path | None:
    path = Path(source).expanduser() if source else Path("?")
    if path.is_dir() and not (path / "config.json").exists():
        files = sorted(path.glob("*" + SUFFIX))
        if len(files) > 1:
            raise ConfigError(f"{source} has {len(files)} GGUF files; name one of them, such as {files[0]}")
        return files[0] if files else None
    if not source.endswith(SUFFIX):
        return None
    if path.is_file():
        return path
    repository, colon, name = source.partition(":")
    if not colon or repository.count("/") != 1 or name != Path(name).name:
        raise ConfigError(
            f"there is no file {source!r}; give one that exists, or one of the hub as owner/name:file.gguf"
        )
    from huggingface_hub import hf_hub_download

    with explained(source, revision):
        return Path(hf_hub_download(repository, name, revision=revision))


def _converted(path: Path, source: str, cache: Path) -> Path:
    facts = path.resolve().stat()
    key = hashlib.sha256(f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns} {READER}".encode()).hexdigest()[:16]
    folder = cache / f"{path.stem}-{key}"
    if not folder.is_dir():
        convert(path, source, folder)
    return folder


def check_readable(source: str) -> None:
    """Raises ConfigError: what reads GGUF files is not installed."""
    if lacking := [name for name in ("gguf", "accelerate") if not find_spec(name)]:
        raise ConfigError(f"reading {source} needs {' and '.join(lacking)}; run pip install 'specviz[gguf]'")


def convert(
    path: Path, source: str, folder: Path, dtype: str = "float32", watch: Watch = lambda done, total: None
) -> None:
    """Converts a GGUF file into a folder in transformers' format, which is there once it is whole.

    Args:
        source: what the file is called in an error.
        dtype: the type of number that its weights are kept as.
        watch: called before each weight is read, and after the last.

    Raises:
        ConfigError: it cannot be read.
    """
    check_readable(source)
    with kept(folder.parent):
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=UNDER_WAY, dir=folder.parent))
        try:
            with _watched(watch):
                _convert(path, source, fresh, dtype)
            if not folder.is_dir():  # else another process was faster
                fresh.replace(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _watched(watch: Watch) -> Iterator[None]:
    """Has transformers' loop over a file's weights, which it shows by its own bar, tell how far it is."""
    from transformers import modeling_gguf_pytorch_utils as reader

    def counting(weights: Iterable[Any], **_: object) -> Iterator[Any]:
        listed = list(weights)
        done, total = 0, sum(int(weight.n_bytes) for weight in listed)
        for weight in listed:
            watch(done, total)
            yield weight
            done += int(weight.n_bytes)
        watch(done, total)

    theirs, reader.tqdm = reader.tqdm, counting
    try:
        yield
    finally:
        reader.tqdm = theirs


def _convert(path: Path, source: str, folder: Path, dtype: str) -> None:
    from specviz.models.loading import import_torch

    file = _read(path, source)
    import_torch()
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers import modeling_gguf_pytorch_utils as theirs

    from specviz.models import by_torch, tried

    try:
        with by_torch.quiet():
            words = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
            config = AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
            keys = theirs.GGUF_TO_TRANSFORMERS_MAPPING["config"].get(config.model_type.removesuffix("_text"), {})
            gguf_says.settle(config, file.model, file.factors, keys, source)
            model, found = AutoModelForCausalLM.from_pretrained(
                path.parent, gguf_file=path.name, config=config, dtype="float32", output_loading_info=True
            )
            reader = theirs.TENSOR_PROCESSORS.get(file.architecture, theirs.TensorProcessor)(config.to_dict())
            read = [*theirs.get_gguf_hf_weights_map(model, reader), "output"]
    except ConfigError:
        raise
    except (*tried.RAISED, ImportError) as error:
        raise ConfigError(f"{source}: transformers cannot read this GGUF file ({first_line(error)})") from error
    by_torch.whole(source, path.name, model, found)
    gguf_says.check_tensors(file.tensors, read, source, config)
    model.hf_quantizer = None
    del model.config.quantization_config
    model.config.name_or_path = ""
    with by_torch.quiet():
        model.to(getattr(torch, dtype)).save_pretrained(folder)
        words.save_pretrained(folder)
    _change(folder / "config.json", {STORED: file.kind, KEPT: dtype})
    _change(folder / "generation_config.json", {"eos_token_id": file.ends} | file.sampling)


def _change(path: Path, more: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | more, indent=2), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _File:
    """What a file says. kind: the quantization that most of its weights have, "" if they are plain numbers.

    model: the keys of its architecture, without its name. factors: see gguf_says. tensors: their names. sampling: how
    it asks to be sampled, as generation_config.json has it. ends: ids that end a text.
    """

    architecture: str
    kind: str
    model: gguf_says.Says
    factors: gguf_says.Factors
    tensors: tuple[str, ...]
    sampling: dict[str, Any]
    ends: list[int]


def _read(path: Path, source: str) -> _File:
    """Raises ConfigError: it is no GGUF file, damaged, one of several, or its architecture is unknown."""
    from gguf import GGUFReader
    from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES

    try:
        reader = GGUFReader(path)
        says = {name: each.contents() for name, each in reader.fields.items()}
        sizes: Counter[str] = Counter()
        for tensor in reader.tensors:
            sizes[tensor.tensor_type.name] += int(tensor.n_elements)
        factors = {each.name: each.data.tolist() for each in reader.tensors if each.name in gguf_says.FACTORS}
        ends, parts = gguf_says.ends(says, says.get("tokenizer.ggml.tokens", [])), int(says.get("split.count", 1))
    except (ValueError, IndexError, KeyError, TypeError, OSError, OverflowError, MemoryError) as error:
        raise ConfigError(f"{source} is no GGUF file, or is damaged ({first_line(error)}); fetch it again") from None
    architecture = str(says.get("general.architecture", ""))
    known = {*GGUF_SUPPORTED_ARCHITECTURES} - {"general", "tokenizer"}
    if architecture not in known:
        listed = ", ".join(sorted(known))
        raise ConfigError(f"{source}: transformers reads no GGUF file of {architecture!r:.40}; it reads {listed}")
    if parts > 1:
        raise ConfigError(f"{source} is one of {parts} parts; join them with llama.cpp's llama-gguf-split --merge")
    kind = sizes.most_common(1)[0][0] if sizes else ""
    sampling = {_asked(name): each for name, each in says.items() if name.startswith(SAMPLING)}
    return _File(
        architecture=architecture,
        kind="" if kind in PLAIN else kind,
        model={key.partition(".")[2]: value for key, value in says.items() if key.startswith(architecture + ".")},
        factors=factors,
        tensors=tuple(each.name for each in reader.tensors),
        sampling={key: float(f"{each:.7g}") if isinstance(each, float) else each for key, each in sampling.items()},
        ends=ends,
    )


def _asked(name: str) -> str:
    """A field's key in generation_config.json. What transformers does not know keeps its name, and is reported."""
    return name.removeprefix(SAMPLING).replace("temp", "temperature")
