"""The loop by which everything here is trained: two optimizers, a rate that falls, a checkpoint to continue from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm


@dataclass(frozen=True, slots=True)
class Pace:
    """How long and how fast something is trained.

    The learning rates rise for `rise` steps, stay level, and fall linearly to zero over the last `decay` of the steps.
    """

    steps: int
    matrix_rate: float
    other_rate: float
    rise: int = 40
    decay: float = 0.6
    checkpoint_every: int = 100
    seed: int = 0

    def rate(self, step: int) -> float:
        """The learning rate at this step, as a share of the highest."""
        return min(1.0, (step + 1) / self.rise, (self.steps - step) / (self.steps * self.decay))


def descend(
    name: str,
    model: nn.Module,
    matrices: Sequence[Tensor],
    pace: Pace,
    checkpoint: Path,
    loss_of: Callable[[int], Tensor],
    watch: Callable[[int, float], Mapping[str, str]],
    kept: dict[str, Any],
) -> None:
    """Trains all of the model's weights in place, or continues from the checkpoint.

    Args:
        matrices: its weights that Muon is good for.
        loss_of: the loss of a step, a pure function of its number.
        watch: called after each step with their number and the last loss; gives figures for the progress bar.
        kept: what the checkpoint keeps besides, by name. Going on, it is put back here.
    """
    device = next(model.parameters()).device
    optimizers = _optimizers(model, matrices, pace)
    step = 0
    if checkpoint.exists():
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        for (optimizer, _), saved in zip(optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        step = int(state["step"])
        kept |= {name: state[name] for name in kept}
    model.train()
    with tqdm(total=pace.steps, initial=step, desc=name, unit="step") as bar:
        while step < pace.steps:
            with torch.autocast(device.type, torch.bfloat16, enabled=multiplies_bf16(device)):
                loss = loss_of(step)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer, rate in optimizers:
                optimizer.param_groups[0]["lr"] = rate * pace.rate(step)
                optimizer.step()
                optimizer.zero_grad()
            step += 1
            bar.update()
            bar.set_postfix(watch(step, loss.item()))
            if step % pace.checkpoint_every == 0 or step == pace.steps:
                states = [optimizer.state_dict() for optimizer, _ in optimizers]
                save(checkpoint, {"model": model.state_dict(), "optimizers": states, "step": step, **kept})


def _optimizers(model: nn.Module, matrices: Sequence[Tensor], pace: Pace) -> list[tuple[torch.optim.Optimizer, float]]:
    """Muon for these matrices and AdamW for all other weights, each with its highest learning rate."""
    chosen = {id(weight) for weight in matrices}
    others = [weight for weight in model.parameters() if id(weight) not in chosen]
    muon = torch.optim.Muon(matrices, lr=pace.matrix_rate, weight_decay=0.03, adjust_lr_fn="match_rms_adamw")
    if not others:
        return [(muon, pace.matrix_rate)]
    adam = torch.optim.AdamW(others, lr=pace.other_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    return [(muon, pace.matrix_rate), (adam, pace.other_rate)]


def multiplies_bf16(device: torch.device) -> bool:
    """True if the device has bf16 instructions. Without them, autocast would only be slower."""
    if device.type == "cuda":
        native: bool = torch.cuda.is_bf16_supported(including_emulation=False)
        return native
    able = torch.cpu.get_capabilities()
    return any(able.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16"))


def save(path: Path, state: Mapping[str, Any]) -> None:
    """Writes a new file, then replaces the old checkpoint, so that a stop while writing loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save(dict(state), fresh)
    fresh.replace(path)
