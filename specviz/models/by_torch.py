"""Models that run through transformers and torch: other families, other types of number, GPUs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
from specviz.config.words import Reason, because, sentence
from specviz.models import bordered, recurrent, tried
from specviz.models.heads.files import listed
from specviz.models.heads.published import carried
from specviz.models.hf import HFModel
from specviz.models.hub import fits
from specviz.models.passes.graphs import GraphedModel
from specviz.models.recurrent import keeps_more
from specviz.sampling.arrays import Reals
from specviz.trace.info import Trial

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
        ConfigError: its weights cannot be read, or it cannot be used as specviz would.
    """
    inner = weights(source, folder, config, device, dtype)
    if config is not None:
        eager = _tried(source, inner, config)
    elif keeps_more(inner.config.get_text_config()):
        with quiet():  # of faster kernels, which only a GPU has
            eager = _tried(source, inner, inner.config)
    else:
        eager = HFModel(inner)
    if fits.LENT:
        reason = because("pass.lent")
    elif len(set(getattr(inner, "hf_device_map", {}).values())) > 1:
        reason = because("pass.spread")
    elif inner.device.type == "cuda" and type(eager) is HFModel and eager.is_even:
        return _recorded(inner, eager)
    eager.way = replace(eager.way, reason=reason)
    return eager


def _tried(source: str, inner: Any, config: Any) -> HFModel:
    """The model, and what it was tried for. Longer texts than it was tried for are not read by it.

    It runs on slots for keys and values; what fails there, over transformers' own cache.

    Raises:
        ConfigError: it cannot be used at all.
    """
    refusals = list[ConfigError]()
    for wrap in (bordered.model, recurrent.RecurrentModel):
        try:
            wrapped, found = _wrapped(source, inner, wrap)
            break
        except ConfigError as refusal:
            refusals.append(refusal)
    else:
        raise refusals[0]
    for trial in tried.long(config, wrap):
        found = (*(each for each in found if each.use != trial.use), trial)
        if trial.use == "long" and trial.reason:
            wrapped.context = min(tried.borders(config).values())
    if getattr(config.get_text_config(), "assumed_length", False):
        found = (*found, Trial("limit", None, because("tried.limit", most=f"{wrapped.context:,}")))
    wrapped.way = replace(wrapped.way, tried=found)
    return wrapped


def _wrapped(source: str, inner: Any, wrap: Callable[[Any], HFModel]) -> tuple[HFModel, tuple[Trial, ...]]:
    """Raises ConfigError: it cannot be used so."""
    try:
        wrapped = wrap(inner)
    except (AttributeError, TypeError) as error:
        raise ConfigError(f"{source} cannot be run on slots for keys and values ({fits.first_line(error)})") from None
    except ConfigError as error:
        raise ConfigError(f"{source} cannot be used: {error}; choose another model") from None
    found = () if fits.LENT else tried.trials(wrapped, inner)
    for use in ("chain", "back", "together"):
        if why := next((trial.reason for trial in found if trial.use == use), ""):
            raise ConfigError("untried", source=source, use=sentence(f"common.model.{use}"), reason=why)
    return wrapped, found


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
        fast.way = replace(eager.way, name="graphs", reason="", error=off / float(np.abs(wanted).max()))
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


def weights(source: str, folder: Path, config: Any, device: str, dtype: str) -> Any:
    """transformers' model of a folder, with every weight that its config.json asks for; see loading.load.

    Raises:
        ConfigError: its files cannot be read, or hold something else.
    """
    choices: dict[str, Any] = {"config": config, "dtype": dtype, "local_files_only": True, "use_safetensors": True}
    choices |= {"trust_remote_code": False, "output_loading_info": True, "ignore_mismatched_sizes": True}
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    spread = device == "cuda" and size > torch.cuda.mem_get_info()[0] and find_spec("accelerate")
    try:
        with quiet():
            if spread:
                model, found = AutoModelForCausalLM.from_pretrained(folder, device_map="auto", **choices)
            else:
                model, found = AutoModelForCausalLM.from_pretrained(folder, **choices)
    except torch.OutOfMemoryError:
        raise
    except (*tried.RAISED, OSError, ImportError, SafetensorError) as error:
        raise ConfigError(f"{source}: its weights cannot be read ({fits.first_line(error)})") from error
    if model._keys_to_ignore_on_load_unexpected:  # transformers knows layers for multi-token prediction of this family
        depth = model.config.get_text_config().num_hidden_layers
        found["unexpected_keys"] = {name for name in found["unexpected_keys"] if carried.layer(name, depth) is None}
    whole(source, ", ".join(path.name for path in sorted(folder.glob("*.safetensors"))), model, found)
    return model if spread else model.to(device)


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps transformers from printing its own bar, and tables of what is wrong, which an error says in a line."""
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def whole(source: str, files: str, model: Any, found: Mapping[str, Any]) -> None:
    """Checks that a model's files hold exactly what its config.json asks for; transformers draws the rest at random.

    Args:
        files: their names. found: what transformers says of the loading.

    Raises:
        ConfigError: they do not.
    """
    where = f"{source} ({files})"
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
