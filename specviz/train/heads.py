"""The loop that trains a head: windows of text with the target's states, and the overlap at every depth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from specviz.train.descent import Pace, descend, multiplies_bf16
from specviz.train.heads_loss import Foretelling, Guessing, overlap_loss

Lesson = Callable[..., tuple[Tensor, Tensor]]
"""From whatever a text's `take` gives to the loss, and the mean overlap at each depth, [depths]."""


class Text(Protocol):
    """Windows of text."""

    def __len__(self) -> int: ...

    def take(self, rows: Sequence[int], layers: Sequence[int]) -> tuple[Tensor, ...]:
        """Some of them, with the target's states after these layers."""
        ...


def foretelling(guesses: Guessing, embedding: Tensor) -> Foretelling:
    """embedding: [V, width] of the target, frozen."""
    return lambda tokens, states: guesses(tokens, embedding[tokens], states)


def lesson(foretold: Foretelling, head: Tensor) -> Lesson:
    """head: [V, width] of the target, frozen, or those of its rows that the guesses speak by."""
    return lambda *given: overlap_loss(foretold(*given), head)


@dataclass(frozen=True, slots=True)
class HeadPlan(Pace):
    """How long and how fast a head is trained. rows: windows in a step.

    Every `measure_every` steps the overlap is measured on held-out text, and noted.
    """

    matrix_rate: float = 0.006
    other_rate: float = 0.002
    rise: int = 30
    decay: float = 0.8
    checkpoint_every: int = 50
    rows: int = 16
    measure_every: int = 100


def fit(
    name: str,
    model: nn.Module,
    lesson: Lesson,
    text: Text,
    held_out: Text,
    layers: tuple[int, ...],
    plan: HeadPlan,
    checkpoint: Path,
) -> list[dict[str, Any]]:
    """Trains the head in place.

    Returns:
        What was noted: the step, and by depth the overlap on the training text since the last note and on held-out
        text.
    """
    device = next(model.parameters()).device
    kept: dict[str, Any] = {"notes": []}
    since: list[Tensor] = []

    def loss(step: int) -> Tensor:
        torch.manual_seed(1_000_003 * plan.seed + step)
        given = text.take(_rows(len(text), plan, step), layers)
        value, overlaps = lesson(*(each.to(device) for each in given))
        since.append(overlaps.detach().cpu())
        return value

    def watch(done: int, last: float) -> Mapping[str, str]:
        shown = {"loss": f"{last:.2f}", "overlap": _words(torch.stack(since[-20:]).mean(0))}
        if done % plan.measure_every == 0 or done == plan.steps:
            seen = measure(lesson, held_out, layers, device, plan.rows)
            note = {"step": done, "train": _short(torch.stack(since).mean(0)), "held_out": _short(seen)}
            kept["notes"].append(note)
            since.clear()
            tqdm.write(f"{name}, step {done}: held-out overlap by depth {_words(seen)}")
        return shown

    matrices = [part.weight for part in model.modules() if isinstance(part, nn.Linear)]
    descend(name, model, matrices, plan, checkpoint, loss, watch, kept)
    notes: list[dict[str, Any]] = kept["notes"]
    return notes


@torch.no_grad()
def measure(lesson: Lesson, text: Text, layers: tuple[int, ...], device: torch.device, rows: int) -> Tensor:
    """The mean overlap by depth, over a whole text."""
    overlaps, sizes = [], []
    for start in range(0, len(text), rows):
        part = range(start, min(len(text), start + rows))
        given = [each.to(device) for each in text.take(part, layers)]
        with torch.autocast(device.type, torch.bfloat16, enabled=multiplies_bf16(device)):
            overlaps.append(lesson(*given)[1].cpu() * len(part))
        sizes.append(len(part))
    return torch.stack(overlaps).sum(0) / sum(sizes)


def _rows(count: int, plan: HeadPlan, step: int) -> list[int]:
    """Every window once before any comes again. A pure function of the seed and the step."""
    drawn = range(step * plan.rows, (step + 1) * plan.rows)
    orders = {
        epoch: np.random.default_rng((plan.seed, epoch)).permutation(count) for epoch in {at // count for at in drawn}
    }
    return [int(orders[place // count][place % count]) for place in drawn]


def _words(overlaps: Tensor) -> str:
    return " ".join(f"{value:.3f}" for value in overlaps.tolist())


def _short(overlaps: Tensor) -> list[float]:
    return [round(value, 4) for value in overlaps.tolist()]
