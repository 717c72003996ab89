"""Models that run through transformers and torch: other families, other types of number, GPUs."""

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM
from transformers.utils import logging

from specviz.config.settings import ConfigError
from specviz.config.words import Reason, because
from specviz.law.arrays import Reals
from specviz.models.heads.files import listed
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
    choices: dict[str, Any] = {"config": config, "dtype": dtype, "local_files_only": True, "use_safetensors": True}
    choices |= {"trust_remote_code": False, "output_loading_info": True, "ignore_mismatched_sizes": True}
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    said = logging.get_verbosity()
    spread = device == "cuda" and size > torch.cuda.mem_get_info()[0] and find_spec("accelerate")
    try:
        logging.set_verbosity_error()  # what is wrong is said below, in one line
        if spread:
            model, found = AutoModelForCausalLM.from_pretrained(folder, device_map="auto", **choices)
        else:
            model, found = AutoModelForCausalLM.from_pretrained(folder, **choices)
    except torch.OutOfMemoryError:
        raise
    except (OSError, ValueError, RuntimeError, ImportError, SafetensorError) as error:
        raise ConfigError(f"{source}: its weights cannot be read ({fits.first_line(error)})") from error
    finally:
        logging.set_verbosity(said)
    _whole(source, folder, model, found)
    return model if spread else model.to(device)


def _whole(source: str, folder: Path, model: Any, found: Mapping[str, Any]) -> None:
    """Checks that a model's files hold exactly what its config.json asks for; transformers draws the rest at random.

    Args:
        found: what transformers says of the loading.

    Raises:
        ConfigError: they do not.
    """
    where = f"{source} ({', '.join(path.name for path in sorted(folder.glob('*.safetensors')))})"
    if lacking := sorted(found["missing_keys"]):
        raise ConfigError(f"{where}: its weights lack {listed(lacking)}; fetch it again, or choose another model")
    if others := sorted(found["mismatched_keys"]):
        name, had, wanted = others[0]
        had, wanted = (" x ".join(map(str, shape)) for shape in (had, wanted))
        raise ConfigError(f"{where}: {name} is {had}; config.json asks for {wanted}")
    if left := sorted(found["unexpected_keys"]):
        raise ConfigError(f"{where}: its weights hold {listed(left)}, which config.json has no place for")
    if broken := sorted(map(str, found["error_msgs"])):
        raise ConfigError(f"{where}: its weights cannot be read ({broken[0][:200]})")
    expected = model.get_expanded_tied_weights_keys(all_submodels=True)
    if untied := sorted(expected.keys() - model.all_tied_weights_keys.keys()):
        raise ConfigError(
            f"{where}: {untied[0]} differs from {expected[untied[0]]}, but config.json ties them; correct it"
        )
