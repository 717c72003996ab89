"""What heads learn from: text that the target wrote, and the states it wrote it from.

In use a head reads the states of the target, and mostly on text of its own. So windows begin with GIVEN tokens of the
corpus, and the target writes the rest. Its states are computed once and kept on disk, because every head reads them
many times.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.models.hf import cache_argument
from specviz.train.corpus import batch

WINDOW = 256
GIVEN = 64
"""The prompts that measure acceptance are as long."""
COOLEST, WARMEST = 0.6, 1.0
"""Each window is written at a temperature between these."""
COLD, COLD_SHARE = 0.25, 0.15
"""A low temperature and its share of windows, because people also decode greedily."""


class Slots(DynamicLayer):  # type: ignore[misc]
    """One layer's keys and values of a whole window, which do not move as it grows."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length, self.filled = length, 0
        self.is_initialized = True
        self.store: Tensor | None = None

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        rows, heads, n, dim = key_states.shape
        if self.store is None:
            self.store = key_states.new_empty(2, rows, heads, self.length, dim)
        end = self.filled + n
        self.store[0, :, :, self.filled : end] = key_states
        self.store[1, :, :, self.filled : end] = value_states
        self.filled = end
        return self.store[0, :, :, :end], self.store[1, :, :, :end]

    def get_seq_length(self) -> int:
        return self.filled

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.filled + query_length, 0


@torch.inference_mode()
def write(target: PreTrainedModel, given: Tensor, length: int, temperatures: Tensor, seed: int) -> Tensor:
    """int64[rows, length]: each row of `given` and what the target writes after it, at its own temperature."""
    dice = torch.Generator(target.device).manual_seed(seed)
    cache = Cache(layers=[Slots(length) for _ in range(target.config.num_hidden_layers)])
    text = given.to(target.device)
    read = text
    while text.shape[1] < length:
        out = target(input_ids=read, use_cache=True, logits_to_keep=1, **cache_argument(target, cache))
        q = (out.logits[:, -1].float() / temperatures[:, None].to(target.device)).softmax(-1)
        read = torch.multinomial(q, 1, generator=dice)
        text = torch.cat([text, read], 1)
    return text


@dataclass(frozen=True, slots=True)
class Reading:
    """How much text: shards of that many windows that the target writes, and that many that are the corpus's own."""

    shards: int
    written: int
    copied: int
    seed: int


@dataclass(frozen=True)
class Lessons:
    """Windows of text, and the target's states in them.

    Attributes:
        tokens: [rows, WINDOW].
        states: float16[rows, WINDOW, layers, width] of these layers, in this order. The state at a place has seen the
            token there, and the target predicts the next token from the last layer's. It is the one after the final
            norm, as transformers has it.
    """

    tokens: NDArray[np.int32]
    states: NDArray[np.float16]
    layers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.tokens)

    def take(self, rows: Sequence[int], layers: Sequence[int]) -> tuple[Tensor, Tensor]:
        """int64[rows, WINDOW] and float32[rows, WINDOW, layers, width]."""
        places = [self.layers.index(layer) for layer in layers]
        chosen = np.sort(np.asarray(rows))
        states = torch.from_numpy(self.states[chosen][:, :, places])
        return torch.from_numpy(self.tokens[chosen]).long(), states.float()


def lessons(
    target: PreTrainedModel,
    streams: Mapping[str, Tensor],
    weights: Mapping[str, float],
    plan: Reading,
    layers: Sequence[int],
    folder: Path,
) -> Lessons:
    """Writes and reads as planned. What the folder already holds is not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    writer: PreTrainedModel | None = None
    loaded = []
    for shard in tqdm(range(plan.shards), desc="text for the heads", unit="shard"):
        path = folder / f"{plan.seed}-{shard}.npz"
        if not path.exists():
            writer = writer or copy.deepcopy(target).to(torch.bfloat16)
            text = _texts(writer, streams, weights, plan, shard)
            with path.with_suffix(".new").open("wb") as file:
                np.savez(file, tokens=text.cpu().numpy().astype(np.int32), states=states(target, text, layers))
            path.with_suffix(".new").replace(path)
        with np.load(path) as file:
            loaded.append((file["tokens"], file["states"]))
    tokens, seen = zip(*loaded, strict=True)
    return Lessons(np.concatenate(tokens), np.concatenate(seen), tuple(layers))


def _texts(
    writer: PreTrainedModel, streams: Mapping[str, Tensor], weights: Mapping[str, float], plan: Reading, shard: int
) -> Tensor:
    """One shard: windows that the target writes, and after them windows of the corpus."""
    begun = batch(streams, weights, plan.written, GIVEN - 1, plan.seed, 2 * shard)
    dice = np.random.default_rng((plan.seed, shard))
    warmth = dice.uniform(COOLEST, WARMEST, plan.written)
    warmth[dice.random(plan.written) < COLD_SHARE] = COLD
    text = write(writer, begun, WINDOW, torch.from_numpy(warmth).float(), plan.seed * 100_003 + shard)
    if not plan.copied:
        return text
    return torch.cat([text, batch(streams, weights, plan.copied, WINDOW - 1, plan.seed, 2 * shard + 1).to(text.device)])


@torch.inference_mode()
def states(target: PreTrainedModel, text: Tensor, layers: Sequence[int], rows: int = 8) -> NDArray[np.float16]:
    """float16[rows, length, layers, width]."""
    parts = []
    for part in text.split(rows):
        with torch.autocast(target.device.type, torch.bfloat16):
            seen = target(input_ids=part, use_cache=False, output_hidden_states=True, logits_to_keep=1).hidden_states
        parts.append(torch.stack([seen[layer] for layer in layers], 2).to("cpu", torch.float16).numpy())
    return np.concatenate(parts)
