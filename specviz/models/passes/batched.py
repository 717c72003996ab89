"""Times passes over many texts at once with transformers' own forward pass, as our passes read one text."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel
from transformers.cache_utils import DynamicCache

from specviz.config.settings import Clock, ConfigError, milliseconds
from specviz.models.hf import HFModel, cache_argument
from specviz.models.hub import fits
from specviz.models.shortlist import Shortlisted


class Shaped(Protocol):
    """A model that a pass of ours runs. config: its config.json."""

    @property
    def config(self) -> Mapping[str, Any]: ...


def plain(model: HFModel | Shaped | Shortlisted, device: str, dtype: str) -> PreTrainedModel:
    """The transformers model behind ours. If there is none, one of its shape with random weights, which takes as long.

    Raises:
        ConfigError: the other does not fit beside what is there.
    """
    if isinstance(model, Shortlisted):
        model = model.inner
    if isinstance(model, HFModel):
        return model.model
    config = AutoConfig.for_model(**model.config)
    with torch.device("meta"):
        size = sum(weight.nbytes for weight in AutoModelForCausalLM.from_config(config, dtype=dtype).parameters())
    if size > (free := fits.memory(device)):
        raise ConfigError("batch_room", size=fits.gigabytes(size), device=device, free=fits.gigabytes(free))
    with torch.random.fork_rng(), torch.device(device):
        other: PreTrainedModel = AutoModelForCausalLM.from_config(config, dtype=dtype)
    return other.eval()


@torch.inference_mode()
def passes(
    works: Sequence[tuple[PreTrainedModel, int]], rows: int, behind: int, laps: int, clock: Clock
) -> list[tuple[float, ...]]:
    """Milliseconds of passes of several models, in turns after a warm-up lap, so that a slow spell of the machine slows
    them all.

    Args:
        works: a model, and how many tokens of each of `rows` texts it reads after `behind` others.
    """
    caches = [DynamicCache() for _ in works]
    if behind:
        for (model, _), cache in zip(works, caches, strict=True):
            model(input_ids=_ones(model, rows, behind), logits_to_keep=1, **cache_argument(model, cache))
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(laps + 1):
        for (model, width), cache, times in zip(works, caches, taken, strict=True):
            tokens = _ones(model, rows, width)
            start = clock()
            logits = model(input_ids=tokens, **cache_argument(model, cache)).logits
            float(logits[-1, -1, 0])  # copying a number waits for the GPU
            times.append(milliseconds(clock() - start))
            cache.crop(-width)
    return [tuple(times[1:]) for times in taken]


def _ones(model: PreTrainedModel, rows: int, width: int) -> Tensor:
    return torch.ones(rows, width, dtype=torch.long, device=model.device)
