"""Reads one model as this machine runs it: by the compiled pass where it can be, else by transformers' own."""

import json
import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from specviz.config.words import Reason, Sentence, because
from specviz.models.passes import llama
from specviz.models.passes.llama import Llama
from specviz.trace.info import Trial

if TYPE_CHECKING:
    from specviz.models.hf import HFModel

    Model: TypeAlias = HFModel | Llama


_importing = threading.Lock()


def import_torch() -> None:
    """Imports torch and transformers. Two threads that import them at once would find them half-made."""
    with _importing:
        try:
            tempfile.gettempdir()
        except FileNotFoundError:  # torch wants a folder for what it compiles: nothing here, so any that is there
            os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(Path(__file__).parent))
        from specviz.models import by_torch  # noqa: F401


def compiled(config: Mapping[str, Any], device: str, dtype: str) -> Reason:
    """Why a model with that config.json is not run by the compiled pass; "" if it is."""
    if (device, dtype) != ("cpu", "float32"):
        return because("pass.other", dtype=dtype, device=device)
    return llama.missing(config)


def load(
    source: str,
    folder: Path,
    config: Any,
    device: str,
    dtype: str,
    tell: Callable[[Sentence], None] = lambda what: None,
) -> "Model":
    """A model from its folder.

    Args:
        source: what it is called in an error.
        config: as transformers has it, for a model that others made; it is then tried. None for one of ours.
        tell: is called before something is compiled, which takes seconds.

    Raises:
        ConfigError: its weights cannot be read, or it cannot be used.
    """
    facts = json.loads((folder / "config.json").read_text(encoding="utf-8")) if config is None else config.to_dict()
    reason = compiled(facts, device, dtype)
    found: tuple[Trial, ...] = ()
    if not reason and config is not None:
        import_torch()
        from specviz.models import tried

        reason, found = tried.differs(config)
    if not reason:
        try:
            return Llama.load(folder, facts, source, found, tell)
        except llama.FAULTS as fault:
            reason = llama.failed(fault)
    import_torch()
    from specviz.models import by_torch

    return by_torch.load(source, folder, config, device, dtype, reason)
