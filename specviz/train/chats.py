"""What drafters of a chat model learn from: conversations that the target writes alone, both sides, and its states.

A row begins with the template's own beginning of a person's turn, then a question or its first words (chat_prompts).
The target writes the rest of the question, the template's words follow, the target answers, and so on until the row is
full.

Source: Magpie, Xu et al., arXiv:2406.08464, for questions from an empty turn.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from tqdm import tqdm
from transformers import AttentionInterface, PreTrainedModel, PreTrainedTokenizerBase
from transformers.cache_utils import Cache

from specviz.models.hf import cache_argument
from specviz.train.chat_prompts import Beginnings
from specviz.train.heads_text import Slots
from specviz.train.pair import TEMPERATURE

LENGTH = 320
"""Tokens of a row: the template, a question, an answer, and often another question."""
LONGEST = 96
"""Tokens of a question that the target does not end by itself."""
ASKED = 0.7
"""The temperature of questions."""
COLDEST = 0.02
"""No answer is written colder; it is as good as greedy."""
COLD, WARM = (0.0, 0.3), (0.6, 1.0)
"""Half the answers are written at a temperature between the first two, because people also decode greedily; the others
at one between the last two."""


@dataclass(frozen=True)
class Shard:
    """Conversations that were written together.

    Attributes:
        tokens: int32[rows, LENGTH].
        answers: bool[rows, LENGTH], the tokens that the target wrote in its own turns, their ends included.
        states: float16[rows, LENGTH, layers, width] of these layers, as in heads_text.Lessons.
        totals: float32[rows, LENGTH], the logarithm of the sum of exp(logits / TEMPERATURE), at the token's place.
    """

    tokens: NDArray[np.int32]
    answers: NDArray[np.bool_]
    states: NDArray[np.float16]
    totals: NDArray[np.float32]

    @classmethod
    def read(cls, folder: Path) -> "Shard":
        """From where `save` wrote it. What is not looked at stays on the disk."""
        return cls(*(np.load(folder / f"{field.name}.npy", mmap_mode="r") for field in fields(cls)))

    def save(self, folder: Path) -> None:
        """Writes a folder that is there whole or not at all."""
        fresh = folder.with_suffix(".new")
        fresh.mkdir(parents=True, exist_ok=True)
        for field in fields(self):
            np.save(fresh / f"{field.name}.npy", getattr(self, field.name))
        fresh.replace(folder)


@dataclass(frozen=True)
class Chats:
    """Conversations, in shards of equally many. layers: whose states they hold."""

    shards: tuple[Shard, ...]
    layers: tuple[int, ...]

    def __len__(self) -> int:
        return sum(len(shard.tokens) for shard in self.shards)

    @property
    def size(self) -> int:
        """How many tokens they have."""
        return sum(shard.tokens.size for shard in self.shards)

    def take(self, rows: Sequence[int], layers: Sequence[int]) -> tuple[Tensor, ...]:
        """int64[rows, LENGTH], states float32[rows, LENGTH, layers, width], `answers` and `totals` of some rows."""
        each, places = len(self.shards[0].tokens), [self.layers.index(layer) for layer in layers]
        chosen = [(self.shards[row // each], row % each) for row in sorted(rows)]
        tokens, states, answers, totals = (
            torch.from_numpy(np.stack([getattr(shard, name)[row] for shard, row in chosen]))
            for name in ("tokens", "states", "answers", "totals")
        )
        return tokens.long(), states[:, :, places].float(), answers, totals

    def told(self) -> list[NDArray[np.int64]]:
        """What the target wrote in its own turns, row by row."""
        return [
            row[kept].astype(np.int64)
            for shard in self.shards
            for row, kept in zip(shard.tokens, shard.answers, strict=True)
        ]


class Template:
    """The ids that the chat template puts before a question, between it and its answer, and after that."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        mark = "QUESTION"
        said = [{"role": role, "content": mark} for role in ("user", "assistant", "user")]
        text = str(tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True))
        first, before_answer, after_answer, _ = text.split(mark)
        self._tokenizer = tokenizer
        self.first, self.answer, self.again = (self._ids(part) for part in (first, before_answer, after_answer))
        self.end = self.answer[0]
        """The token that ends a turn."""
        if self.again[0] != self.end:
            raise ValueError("the chat template ends a question and an answer differently")

    def begun(self, opening: str, *, whole: bool) -> list[int]:
        """The first words of a conversation whose question begins so, or is that, and where the answer begins."""
        return self.first + self._ids(opening) + (self.answer if whole else [])

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)


class _Row:
    """What comes next in one conversation. given: tokens that are put there, whatever the target would write."""

    def __init__(self, template: Template, opening: str, warmth: float, *, whole: bool) -> None:
        self._template, self._warmth = template, warmth
        self.given = deque(template.begun(opening, whole=whole))
        self.answering, self._length = whole, 0

    def temperature(self) -> float:
        return self._warmth if self.answering else ASKED

    def take(self, written: int) -> tuple[int, bool]:
        """The next token, and whether the target wrote it in an answer. written: what it would write."""
        if self.given:
            return self.given.popleft(), False
        self._length += 1
        answering = self.answering
        if written == self._template.end or (not answering and self._length == LONGEST):
            self.given.extend((self._template.again if answering else self._template.answer)[1:])
            self.answering, self._length, written = not answering, 0, self._template.end
        return written, answering


def _attend(
    layer: Any, query: Tensor, key: Tensor, value: Tensor, mask: None, scaling: float, **_: Any
) -> tuple[Tensor, None]:
    """Attention of one token a row. Queries that share keys are read as rows of one, so no keys are copied."""
    grouped = query.view(len(query), key.shape[1], -1, query.shape[-1])
    seen = scaled_dot_product_attention(grouped, key, value, scale=scaling)
    return seen.reshape(len(query), 1, -1, query.shape[-1]), None


AttentionInterface.register("one_token", _attend)


@torch.inference_mode()
def write(
    target: PreTrainedModel,
    template: Template,
    beginnings: Beginnings,
    rows: int,
    layers: Sequence[int],
    length: int,
    seed: tuple[int, int],
) -> Shard:
    """Writes conversations of `length` tokens. layers: whose states are kept."""
    dice = np.random.default_rng(seed)
    draws = torch.Generator(target.device).manual_seed(int(dice.integers(2**31)))
    warmth = [float(dice.uniform(*(COLD if row % 2 else WARM))) for row in range(rows)]
    begun = [beginnings.draw(dice) for _ in range(rows)]
    talks = [
        _Row(template, opening, max(warm, COLDEST), whole=whole)
        for (opening, whole), warm in zip(begun, warmth, strict=True)
    ]
    tokens, answers = np.zeros((rows, length), np.int32), np.zeros((rows, length), bool)
    width = target.config.hidden_size
    states = np.empty((rows, length, len(layers), width), np.float16)
    totals = np.empty((rows, length), np.float32)
    target.set_attn_implementation("one_token")
    cache = Cache(layers=[Slots(length) for _ in range(target.config.num_hidden_layers)])
    written = [0] * rows
    for place in range(length):
        taken = [talk.take(token) for talk, token in zip(talks, written, strict=True)]
        tokens[:, place], answers[:, place] = zip(*taken, strict=True)
        read = torch.from_numpy(tokens[:, place : place + 1]).long().to(target.device)
        out = target(
            input_ids=read, use_cache=True, output_hidden_states=True, logits_to_keep=1, **cache_argument(target, cache)
        )
        states[:, place] = torch.stack([out.hidden_states[layer][:, -1] for layer in layers], 1).half().cpu().numpy()
        logits: Tensor = out.logits[:, -1].float()
        totals[:, place] = (logits / TEMPERATURE).logsumexp(-1).cpu().numpy()
        warm = torch.tensor([talk.temperature() for talk in talks], device=target.device)
        heaps = (logits / warm[:, None]).softmax(-1).cumsum(-1)
        drawn = torch.rand(rows, 1, generator=draws, device=target.device) * heaps[:, -1:]
        written = torch.searchsorted(heaps, drawn, right=True).clamp_(max=heaps.shape[1] - 1)[:, 0].tolist()
    target.set_attn_implementation("sdpa")
    return Shard(tokens, answers, states, totals)


def chats(
    target: PreTrainedModel,
    template: Template,
    beginnings: Beginnings,
    layers: Sequence[int],
    folder: Path,
    *,
    shards: int,
    rows: int,
    seed: int,
) -> Chats:
    """Writes that many shards of conversations. What the folder already holds is not written again."""
    found: list[Shard] = []
    for shard in tqdm(range(shards), desc="conversations", unit="shard"):
        path = folder / f"{seed}-{shard}"
        if not path.exists():
            write(target, template, beginnings, rows, layers, LENGTH, (seed, shard)).save(path)
        found.append(Shard.read(path))
    return Chats(tuple(found), tuple(layers))
