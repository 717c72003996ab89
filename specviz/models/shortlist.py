"""A small model that reads by its target's embedding, and guesses among some of its tokens by their rows there."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from specviz.config.settings import ConfigError
from specviz.config.words import Sentence
from specviz.models.heads.files import IDS
from specviz.models.passes.llama import Llama
from specviz.models.rounded import restored
from specviz.models.weights import Held
from specviz.sampling.arrays import Bools, Ids, Reals
from specviz.trim import KVCache
from specviz.verify import Scores

if TYPE_CHECKING:
    from specviz.models.hf import HFModel


@dataclass(frozen=True, slots=True)
class Small:
    """A small model as it is stored. config: as config.json has it. ids: int64[n], in order."""

    config: Mapping[str, Any]
    tensors: Mapping[str, NDArray[Any]]
    ids: Ids


def read(folder: Path) -> Small:
    """Reads what `specviz train --stages draft` wrote for a chat model.

    Raises:
        ConfigError: a file is missing or damaged.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tensors = restored(load_file(folder / "model.safetensors"))
        ids = tensors.pop(IDS)
        if ids.ndim != 1 or ids.dtype.kind != "i" or not (np.diff(ids) > 0).all() or ids[0] < 0:
            raise ValueError("its ids are not in order")
    except OSError as error:
        raise ConfigError(f"{folder} cannot be read ({error.strerror or error}); install specviz again") from None
    except (SafetensorError, ValueError, KeyError, IndexError) as error:
        raise ConfigError(f"{folder} is damaged ({str(error)[:200]}); install specviz again") from None
    return Small(config, tensors, ids)


class Shortlisted:
    """A LanguageModel, open, over all of the target's tokens: those it may not guess have probability 0."""

    def __init__(self, inner: "Llama | HFModel", ids: Ids, size: int) -> None:
        """size: of the target's vocabulary."""
        self.inner, self.ids, self.vocab_size = inner, ids, size
        self.context, self.layers, self.width = inner.context, inner.layers, inner.width
        self.label, self.way, self.slot_bytes = inner.label, inner.way, inner.slot_bytes
        self.weight_bytes, self.weight_size = inner.weight_bytes, inner.weight_size

    def new_cache(self, capacity: int) -> Any:
        return self.inner.new_cache(capacity)

    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache) -> Reals:
        return self._spread(self.inner.forward(tokens, positions, mask, cache))

    def opened(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache, hidden: Sequence[int]
    ) -> Scores:
        """See OpenModel."""
        found = self.inner.opened(tokens, positions, mask, cache, hidden)
        return found._replace(logits=self._spread(found.logits))

    def _spread(self, logits: Reals) -> Reals:
        spread = np.full((len(logits), self.vocab_size), -np.inf, logits.dtype)
        spread[:, self.ids] = logits
        return spread


def load(folder: Path, target: "Llama | HFModel", tell: Callable[[Sentence], None] = lambda what: None) -> Shortlisted:
    """The small model of a folder beside its target, run as the target is run.

    Args:
        tell: is called before something is compiled, which takes seconds.

    Raises:
        ConfigError: a file is missing or damaged, or it is not made for such a target.
    """
    small = read(folder)
    if small.ids[-1] >= target.vocab_size or small.config["hidden_size"] != target.width:
        raise ConfigError(f"{folder} was trained for a target of another shape; install specviz again")
    config = {**small.config, "vocab_size": len(small.ids)}
    rows = target.embedded(small.ids.tolist())
    if not isinstance(target, Llama):
        return Shortlisted(_by_torch(config, small, rows, target), small.ids, target.vocab_size)
    tensors = {name: Held(each) for name, each in {**small.tensors, "model.embed_tokens.weight": rows}.items()}
    inner = Llama(config | {"tie_word_embeddings": True}, tensors, folder.name).reading_by(target)
    inner.warm(tell)
    return Shortlisted(inner, small.ids, target.vocab_size)


def _by_torch(config: Mapping[str, Any], small: Small, rows: Reals, target: "HFModel") -> "HFModel":
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from specviz.models.hf import HFModel

    model = LlamaForCausalLM(LlamaConfig.from_dict({**config, "tie_word_embeddings": False}))
    tensors = {name: torch.from_numpy(each) for name, each in small.tensors.items()}
    embedding = {f"{name}.weight": torch.from_numpy(rows).float() for name in ("model.embed_tokens", "lm_head")}
    model.load_state_dict(tensors | embedding)
    model.to(*target.place).set_input_embeddings(target.model.get_input_embeddings())
    return HFModel(model)
