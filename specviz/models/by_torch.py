"""Models that run through transformers and torch: other families, other types of number, GPUs."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM

from specviz.config.settings import ConfigError
from specviz.config.words import Reason, because
from specviz.law.arrays import Reals
from specviz.models.hf import HFModel
from specviz.models.hub import fits
from specviz.models.passes.graphs import GraphedModel

CONTEXTS = 200
CHUNKS = (1, 5, 17)
"""Rows at a time in which recorded passes read them: a plain pass, a verify pass, a long one."""
CAPACITY = 2048
"""Slots of a recorded pass, which sees all of them; longer texts go the eager way, and those past a window."""
MOST = {torch.float32: 2e-4, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""How far logits may be off, as a share of the largest: the type's rounding, many layers over."""


def load(source: str, folder: Path, config: Any, device: str, dtype: str, reason: Reason) -> HFModel:
    """A model from its folder, by recorded passes on a GPU, else by transformers' own.

    Args:
        source, config: see loading.load.
        reason: why it is not run by the compiled pass.

    Raises:
        ConfigError: its weights cannot be read, or its cache cannot be cut back to before a draft.
    """
    model = _weights(source, folder, config, device, dtype)
    if config is not None and not fits.LENT:
        fits.cuts_back(model, source)
    eager = HFModel(model)
    if fits.LENT:
        reason = because("pass.lent")
    elif len(set(getattr(model, "hf_device_map", {}).values())) > 1:
        reason = because("pass.spread")
    elif model.device.type == "cuda":
        return _recorded(model, eager)
    eager.way = replace(eager.way, reason=reason)
    return eager


def _recorded(model: Any, eager: HFModel) -> HFModel:
    """The model by recorded passes if their logits agree with the eager ones, else the eager model."""
    try:
        wanted, fast = _read(eager), GraphedModel(model, min(eager.window, CAPACITY))
        found = _read(fast, CHUNKS)
    except RuntimeError as error:  # only recording shows whether CUDA can record this model
        eager.way = replace(eager.way, reason=because("pass.unrecorded", error=str(error).splitlines()[0][:200]))
        return eager
    off, flips = float(np.abs(found - wanted).max()), 0
    if model.dtype == torch.float32:
        flips = int((found.argmax(-1) != wanted.argmax(-1)).sum())
    if not flips and off <= MOST[model.dtype] * float(np.abs(wanted).max()):
        fast.way = replace(fast.way, name="graphs", reason="", error=off)
        return fast
    reason = because("pass.graphs", error=f"{off:.2g}", flips=flips, count=len(found))
    eager.way = replace(eager.way, reason=reason)
    return eager


def _read(model: HFModel, chunks: tuple[int, ...] = (CONTEXTS,)) -> Reals:
    """The logits[n, V] after each of some random tokens, the same for every model of that vocabulary."""
    count = min(CONTEXTS, model.context)
    text = np.random.default_rng(0).integers(model.vocab_size, size=count).tolist()
    cache, rows = model.new_cache(count), list[Reals]()
    while cache.length < count:
        chunk = text[cache.length :][: chunks[len(rows) % len(chunks)]]
        rows.append(model.forward(chunk, range(cache.length, cache.length + len(chunk)), None, cache))
    return np.concatenate(rows)


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
