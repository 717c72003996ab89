"""Checks that two models can be a pair and fit this machine, before any weights are read.

Importing this module imports neither torch nor transformers.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from specviz.config.pairs import BYTES
from specviz.config.settings import ConfigError
from specviz.models import loading

LENT = bool(os.environ.get("SPACES_ZERO_GPU"))
"""True if this is ZeroGPU: a GPU is there only while a run is made, in a process forked for it."""
LENT_MEMORY = 40 * 10**9
"""What may be used of it; it cannot be measured before."""
SPARE = 1.15
"""Memory wanted for each byte of weights: caches and what a pass leaves lying about."""
SPARE_COMPILED = 1.35
"""The same for the compiled pass: while it loads, a layer is in memory as it was stored and as it will be read. A
model of 12 layers and 420 MB took 508 MB at its peak, 1.21 times."""
LENGTH = "max_position_embeddings"
LENGTHS = ("max_seq_len", "seq_length", "n_positions", "model_max_length", "max_target_positions", "context_length")
"""What else configs call the longest text."""
ENDLESS = 10**9
"""What tokenizers write where there is no longest text, or more."""
ASSUMED = 8192
"""The longest text where no file names one: state spaces and such that know no positions."""
CGROUPS = (("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),)


def config_of(folder: Path, source: str) -> Any:
    """A model's configuration.

    Args:
        source: what the model is called in an error.

    Raises:
        ConfigError: transformers cannot read it, or it is no model of text.
    """
    from huggingface_hub.errors import StrictDataclassError
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (ValueError, OSError, KeyError, TypeError, AttributeError, StrictDataclassError) as error:
        raise ConfigError(f"{source}: transformers cannot read its config.json ({first_line(error)})") from None
    text: Any = None
    if type(config) in MODEL_FOR_CAUSAL_LM_MAPPING:
        with suppress(ValueError):  # it has several parts that read text
            text = config.get_text_config()
    if text is None:
        raise ConfigError(f"{source} is a {config.model_type} model, which does not write text; choose a causal model")
    if (getattr(text, LENGTH, None) or 0) < 1:
        try:
            setattr(text, LENGTH, _length(text, folder))
        except NotImplementedError as error:
            raise ConfigError(f"{source} cannot be used ({first_line(error)}); choose another model") from None
    return config


def _length(text: Any, folder: Path) -> int:
    """How long a text may be for a model whose config.json does not say so by its usual name."""
    named = [getattr(text, name, None) for name in LENGTHS]
    with suppress(OSError, ValueError, AttributeError):  # who reads the tokenizer says what is wrong with it
        words = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        named.append(words.get("model_max_length"))
    said = next((length for length in named if type(length) is int and 0 < length < ENDLESS), 0)
    text.assumed_length = not said
    return said or ASSUMED


def same_ids(target: Mapping[str, int], draft: Mapping[str, int]) -> int | None:
    """How many ids, from 0 on, mean the same in both vocabularies. Only one of them has ids beyond. None where an id
    stands for different tokens.

    Args:
        target, draft: token -> id.
    """
    words, guesses = ({id_: token for token, id_ in vocabulary.items()} for vocabulary in (target, draft))
    if any(words[token] != guesses[token] for token in words.keys() & guesses.keys()):
        return None
    return 1 + min(max(words), max(guesses))


def memory(device: str) -> int:
    """Bytes free on that device now; on all GPUs for "cuda" where accelerate can spread a model over them."""
    if LENT and device.startswith("cuda"):
        return LENT_MEMORY
    if device.startswith("cuda"):
        import torch

        several = device == "cuda" and find_spec("accelerate")
        return sum(
            torch.cuda.mem_get_info(one)[0] for one in (range(torch.cuda.device_count()) if several else [device])
        )
    if device == "mps":
        import torch

        return int(torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory())
    free = _available()
    for most, used in CGROUPS:
        if Path(most).exists() and (limit := Path(most).read_text().strip()).isdigit():
            free = min(free, int(limit) - int(Path(used).read_text()))
    return free


class Need(NamedTuple):
    """Bytes of memory: the weights, once, and what loading and running them takes besides."""

    weights: float
    spare: float

    @property
    def whole(self) -> float:
        """Both together."""
        return self.weights + self.spare

    def said(self) -> dict[str, str]:
        """The sum, for a sentence."""
        return {
            "size": gigabytes(self.whole),
            "weights": gigabytes(self.weights),
            "spare": gigabytes(self.spare),
        }


def needed(models: Iterable[tuple[int, Mapping[str, Any]]], device: str, dtype: str) -> Need:
    """What these models take there together.

    Args:
        models: each by its size and its config.json. The size is bytes of its weights as they are stored. The compiled
            pass keeps them so; any other takes them in `dtype`.
    """
    needs = [_needed(size, config, device, dtype) for size, config in models]
    return Need(sum(need.weights for need in needs), sum(need.spare for need in needs))


def _needed(size: int, config: Mapping[str, Any], device: str, dtype: str) -> Need:
    if not loading.compiled(config, device, dtype):
        return Need(size, (SPARE_COMPILED - 1) * size)
    stored = config.get("dtype") or config.get("torch_dtype")
    widened = size * BYTES[dtype] / BYTES.get(str(stored), 4)
    return Need(widened, (SPARE - 1) * widened)


def gigabytes(size: float) -> str:
    """A size for people: 6.8 GB, 0.31 GB."""
    return f"{size / 1e9:.2g} GB" if size < 1e11 else f"{size / 1e9:,.0f} GB"


def _available() -> int:
    """Free memory on Linux; elsewhere all there is."""
    info = Path("/proc/meminfo")
    if info.exists():
        line = next(line for line in info.read_text().splitlines() if line.startswith("MemAvailable"))
        return 1024 * int(line.split()[1])
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or its class name if it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
