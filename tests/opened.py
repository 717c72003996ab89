"""Targets that show hidden states, tiny heads on them, and what such a head says when it reads everything anew."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from specviz.config.settings import resolve_params
from specviz.draft import entry
from specviz.draft.base import Drafter, Resources
from specviz.draft.dflash import DFlashDrafter
from specviz.draft.imagining import Imagining
from specviz.draft.one_state import OneState
from specviz.models.border import CPU
from specviz.models.heads import working
from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.medusa import Medusa, MedusaShape
from specviz.models.heads.mtp import Mtp
from specviz.sampling.arrays import Bools, Floats
from specviz.sampling.distribution import Sampling
from specviz.verify import Scores
from tests.tiny import TableModel, columns

WIDTH, LAYERS = 8, (1, 2)
PLACE = CPU._replace(dtype=torch.float64)
RATES = ((0.6, 0.2, 0.1),)


class Opened(TableModel):
    """A table whose states are a random function of the layer and of the last tokens that a place sees."""

    width, layers = WIDTH, max(LAYERS)

    def __init__(self, vocab_size: int, seed: int) -> None:
        super().__init__(vocab_size, seed, spread=0.8)
        self._table = _noise(seed, vocab_size, WIDTH)
        self._speech = _noise(seed + 1, WIDTH, vocab_size)

    def opened(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: Any, hidden: Sequence[int]
    ) -> Scores:
        logits, seen = self.forward(tokens, positions, mask, cache), cache.slots[0, 0, 0, : cache.length, 0].astype(int)
        masks = np.tri(len(tokens), dtype=bool) if mask is None else mask
        rows = [seen[columns(row, cache.length)].tolist() for row in masks]
        return Scores(logits, {layer: np.stack([self.state(row, layer) for row in rows]) for layer in hidden})

    def state(self, text: Sequence[int], layer: int) -> Floats:
        return _noise(hash((layer, *text[-self.order :])) % (1 << 40), WIDTH)

    def embedded(self, tokens: Sequence[int]) -> Floats:
        return self._table[list(tokens)]

    def spoken(self, hidden: Floats) -> Floats:
        return hidden @ self._speech


def _noise(seed: int, *shape: int) -> Floats:
    return np.random.default_rng(seed).standard_normal(shape)


class Counting(Opened):
    """Says the number of the place, whatever it reads; a state is the number of its place."""

    width = 1

    def law(self, text: Sequence[int]) -> Floats:
        return 50.0 * np.eye(self.vocab_size)[len(text)]

    def state(self, text: Sequence[int], layer: int) -> Floats:
        return np.array([len(text) - 1.0])

    def embedded(self, tokens: Sequence[int]) -> Floats:
        return np.array([*tokens], dtype=np.float64)[:, None]

    def spoken(self, hidden: Floats) -> Floats:
        """The token after the one that a state has seen."""
        return 50.0 * np.eye(self.vocab_size)[hidden[:, 0].astype(int) + 1]


SHAPES = {
    "medusa": MedusaShape(WIDTH, 3, LAYERS, False, 1e-5),
    "hydra": MedusaShape(WIDTH, 3, LAYERS, True, 1e-5),
    "eagle": EagleShape(WIDTH, 2, 4, 12, LAYERS, 1e-5, 10_000.0),
    "mtp": EagleShape(WIDTH, 2, 4, 12, LAYERS[-1:], 1e-5, 10_000.0),
    "dflash": DFlashShape(WIDTH, 2, 4, 12, 2, 5, LAYERS, 1e-5, 10_000.0),
}
HEADS: dict[str, Any] = {"medusa": Medusa, "hydra": Medusa, "eagle": Eagle, "mtp": Mtp, "dflash": DFlash}
PASSES: dict[type, Any] = {Eagle: EaglePass, Mtp: MtpPass}


def noisy_head(name: str, seed: int) -> Any:
    module = HEADS[name](SHAPES[name])
    for number, weight in enumerate(module.state_dict().values()):
        weight.copy_(torch.from_numpy(0.5 * _noise(seed + number, *weight.shape) + (weight.dim() == 1)))
    return module.double().eval().requires_grad_(requires_grad=False)


def drafter(name: str, target: Opened, sampling: Sampling, params: Mapping[str, Any], module: Any = None) -> Drafter:
    settings = resolve_params(entry(name), {key: value for key, value in params.items() if key in _params(name)})
    resources = Resources(sampling, target.vocab_size, 64, target=target)
    made = module or noisy_head(name, 5)
    if name in ("eagle", "mtp"):
        run = PASSES[type(made)](made, 100) if type(made) in PASSES else made
        return Imagining(name, working.EagleHead(run, target, PLACE), target, RATES, settings, resources)
    if name == "dflash":
        return DFlashDrafter(working.DFlashHead(made, target, PLACE), target, RATES, settings, resources)
    return OneState(name, working.MedusaHeads(made, target, PLACE), target, RATES, settings, resources)


def _params(name: str) -> set[str]:
    return {param.name for param in entry(name).params}


def said(name: str, head: Any, states: Tensor, text: Tensor, branch: Tensor) -> Tensor:
    """What the output layer reads behind the branch, [1, width]: all is read anew, and nothing cached.

    Args:
        states: [n - 1, layers, width] of the layers that it reads, true ones, behind all of the text but the last.
        text: [n, width], its embedded tokens.
        branch: [m, width], those of the guesses behind it.
    """
    depth = len(branch)
    if name in ("medusa", "hydra"):
        known = torch.cat([text[-1:], branch]) if name == "hydra" else text[-1:]
        return head(depth, states[-1], known)[None]
    if name == "dflash":
        return _filled(head, head.fused(states), text[-1], len(text) - 1)[depth][None]
    known, tokens = head.fused(states), torch.cat([text[1:], branch])
    for end in range(len(known), len(tokens) + 1):
        out = head(tokens[:end], known, torch.arange(end), partial(_attended, hidden=torch.ones(end, end).triu(1) > 0))
        known = torch.cat([known, out[-1:]])
    return head.normed(known[-1:])


def _attended(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> Tensor:
    return ((q @ k.mT) * q.shape[-1] ** -0.5).masked_fill(hidden, -torch.inf).softmax(-1) @ v


def _filled(head: DFlash, fused: Tensor, last: Tensor, place: int) -> Tensor:
    memory = head.remembered(fused, torch.arange(len(fused)))

    def attend(number: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        keys, values = (torch.cat(each, 1) for each in zip(memory[number], (k, v), strict=True))
        return _attended(q, keys, values, torch.zeros(1, dtype=torch.bool))

    return head(last, torch.arange(place, place + head.shape.block), attend)
