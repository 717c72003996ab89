"""The loop that trains a head: windows of text with the target's states, and the overlap at every depth."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from specviz.train.heads_loss import Guessing, overlap_loss
from specviz.train.heads_text import Lessons
from specviz.train.pair import multiplies_bf16, save

Lesson = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""tokens[rows, n] and states[rows, n, layers, width] -> the loss, and the mean overlap at each depth, [depths]."""


def lesson(guesses: Guessing, embedding: Tensor, head: Tensor) -> Lesson:
    """Args:
    embedding, head: [V, width] of the target, frozen.
    """
    return lambda tokens, states: overlap_loss(guesses(tokens, embedding[tokens], states), head)


@dataclass(frozen=True, slots=True)
class HeadPlan:
    """How long and how fast a head is trained.

    The learning rate rises for 30 steps, stays level, and falls linearly to zero over the last `decay` of the steps.
    Every `measure_every` steps the overlap is measured on held-out text, and noted.
    """

    steps: int
    rows: int = 16
    matrix_rate: float = 0.006
    other_rate: float = 0.002
    decay: float = 0.8
    checkpoint_every: int = 50
    measure_every: int = 100
    seed: int = 0

    def rate(self, step: int) -> float:
        return min(1.0, (step + 1) / 30, (self.steps - step) / (self.steps * self.decay))


def fit(
    name: str,
    model: nn.Module,
    lesson: Lesson,
    text: Lessons,
    held_out: Lessons,
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
    optimizers = _optimizers(model, plan)
    step, notes = 0, list[dict[str, Any]]()
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        for (optimizer, _), saved in zip(optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        step, notes = int(state["step"]), state["notes"]
    bf16 = multiplies_bf16(device)
    since: list[Tensor] = []
    with tqdm(total=plan.steps, initial=step, desc=name, unit="step") as bar:
        while step < plan.steps:
            torch.manual_seed(1_000_003 * plan.seed + step)
            tokens, states = text.take(_rows(len(text), plan, step), layers)
            with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                loss, overlaps = lesson(tokens.to(device), states.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer, rate in optimizers:
                optimizer.param_groups[0]["lr"] = rate * plan.rate(step)
                optimizer.step()
                optimizer.zero_grad()
            since.append(overlaps.detach().cpu())
            step += 1
            bar.update()
            bar.set_postfix(loss=f"{loss.item():.2f}", overlap=_words(torch.stack(since[-20:]).mean(0)))
            if step % plan.measure_every == 0 or step == plan.steps:
                seen = measure(lesson, held_out, layers, device, plan.rows)
                notes.append({"step": step, "train": _short(torch.stack(since).mean(0)), "held_out": _short(seen)})
                since = []
                bar.write(f"{name}, step {step}: held-out overlap by depth {_words(seen)}")
            if step % plan.checkpoint_every == 0 or step == plan.steps:
                save(
                    checkpoint,
                    {
                        "model": model.state_dict(),
                        "optimizers": [optimizer.state_dict() for optimizer, _ in optimizers],
                        "step": step,
                        "notes": notes,
                    },
                )
    return notes


@torch.no_grad()
def measure(lesson: Lesson, text: Lessons, layers: tuple[int, ...], device: torch.device, rows: int) -> Tensor:
    """The mean overlap by depth, over a whole text."""
    found, sizes = [], []
    for start in range(0, len(text), rows):
        part = range(start, min(len(text), start + rows))
        tokens, states = text.take(part, layers)
        with torch.autocast(device.type, torch.bfloat16, enabled=multiplies_bf16(device)):
            found.append(lesson(tokens.to(device), states.to(device))[1].cpu() * len(part))
        sizes.append(len(part))
    return torch.stack(found).sum(0) / sum(sizes)


def _rows(count: int, plan: HeadPlan, step: int) -> list[int]:
    """Every window once before any comes again. A pure function of the seed and the step."""
    drawn = range(step * plan.rows, (step + 1) * plan.rows)
    orders = {
        epoch: np.random.default_rng((plan.seed, epoch)).permutation(count) for epoch in {at // count for at in drawn}
    }
    return [int(orders[place // count][place % count]) for place in drawn]


def _optimizers(model: nn.Module, plan: HeadPlan) -> list[tuple[torch.optim.Optimizer, float]]:
    """Muon for the matrices of linear layers and AdamW for all else, each with its highest learning rate."""
    matrices = [part.weight for part in model.modules() if isinstance(part, nn.Linear)]
    chosen = {id(weight) for weight in matrices}
    others = [weight for weight in model.parameters() if id(weight) not in chosen]
    muon = torch.optim.Muon(matrices, lr=plan.matrix_rate, weight_decay=0.03, adjust_lr_fn="match_rms_adamw")
    found: list[tuple[torch.optim.Optimizer, float]] = [(muon, plan.matrix_rate)]
    if others:
        adam = torch.optim.AdamW(others, lr=plan.other_rate, betas=(0.9, 0.95), weight_decay=0.0)
        found.append((adam, plan.other_rate))
    return found


def _words(overlaps: Tensor) -> str:
    return " ".join(f"{value:.3f}" for value in overlaps.tolist())


def _short(overlaps: Tensor) -> list[float]:
    return [round(value, 4) for value in overlaps.tolist()]
